/**
 * Removes secrets from a text. A trace contains what was asked and answered. A name or path in it may hold a secret
 * that must not appear in a file that is passed on: a URL with a password, or a key that a service has issued.
 *
 * A secret may follow any character, so no shape asks for a word boundary. Instead, its random part must look random:
 * `task-` and a hash stay readable, though they contain `sk-`. Every shape starts with fixed characters, and what it
 * repeats is either bounded or consumed, so the time is linear (docs/decisions/0074-shapes-of-secrets.md).
 */

const MASK = '***';

/** Keys whose random part has capital and small letters. */
const MIXED = joined([
  /(?:gh[oprsu]_|npm_|hf_|gsk_|r8_|ntn_|secret_|lin_api_|phx_|tvly-|fw_|pplx-|xai-|csk-|AKCp)[A-Za-z0-9]{20,}/,
  /gl(?:pat|dt|rt|ptt|ft|cbt|soat|imt|agent|oas|ffct)-[\w-]{20,}/,
  /sk-(?:ant|proj|svcacct|admin|lf)-[\w-]{20,}/,
  /sk-[A-Za-z0-9]{32,}/,
  /(?:[rs]k_(?:live|test)_|whsec_|sntrys_|LTAI|ATBB)[\w+/=]{16,}/,
  /(?:github_pat_|AIza|GOCSPX-|figd_|dckr_pat_|CFPAT-|sq0(?:atp|csp)-|EAAA|pypi-|nvapi-|sha256~|ATATT3|1\/\/0)[\w-]{20,}/,
  /SG\.[\w-]{16,}\.[\w-]{16,}/,
  /(?:ya29\.|hv[brs]\.|dp\.(?:ct|pt|sa|scim|st)\.|pscale_(?:oauth|pw|tkn)_|glsa_)[\w.-]{20,}/,
  /tskey-(?:api|auth|client)-\w{8,}-\w{16,}/,
  /\d{8,10}:AA[\w-]{33}/,
  /[\w.~]{3}\dQ~[\w.~-]{31,34}/,
  /services\/T[A-Z0-9]{6,}\/B[A-Z0-9]{6,}\/[A-Za-z0-9]{20,}/,
  /webhooks\/\d{15,20}\/[\w-]{60,}/,
]);

/** Keys of one alphabet, such as hexadecimal digits. */
const PLAIN = joined([
  /(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}/,
  /xox[abceoprs](?:\.xox[a-z])?-[\w-]{10,}/,
  /xapp-\d-[\w-]{20,}/,
  /(?:do[opr]_v1_|sk-or-v1-|sntryu_)[0-9a-f]{64}/,
  /(?:shp(?:at|ca|pa|ss)_|dapi)[0-9A-Fa-f]{32}/,
  /(?:rubygems_|sbp_)[0-9a-f]{40,48}/,
  /PMAK-[0-9a-f]{24}-[0-9a-f]{34}/,
  /xkeysib-[0-9a-f]{64}-\w{16}/,
  /lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}/,
  /pat\w{14}\.[0-9a-f]{64}/,
  /NRAK-[A-Z0-9]{27}/,
  /AGE-SECRET-KEY-1[A-Z0-9]{58}/,
]);

function joined(shapes: readonly RegExp[]): RegExp {
  return new RegExp(shapes.map(({ source }) => source).join('|'), 'g');
}

/** Perf: every key and token has such a run, and many texts have none. */
const RUN = /[\w.~+/=-]{16}|\d:AA/;

/** `password=…`, `X-Amz-Signature=…`, `"client_secret": "…"`. The shorter names mean a secret only in a query. */
const NAMED =
  /((?:pass(?:word|wd|phrase)|pwd|secret|token|(?:access|account|api|private|shared)[_-]?(?:access)?[_-]?key|signature|credential)(?:=|%3d|\\?["'] ?: ?\\?["'])|[?&;](?:auth|code|key|sig)=)[^&\s"'\\;]+/gi;

const AUTHORIZATION = /(bearer|basic)( |\+|%20)([\w.~+/=-]{8,})/gi;

const PRIVATE_KEY = /(-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----)(?:[^-]|-(?!----))+/g;

export function redacted(text: string): string {
  let result = text.includes('://') ? text.split('://').map(withoutUser).join('://') : text;
  if (/[=%]|["'] ?:/.test(result)) result = result.replace(NAMED, `$1${MASK}`);
  result = result.replace(AUTHORIZATION, (all, scheme: string, gap: string, value: string) =>
    isCredential(scheme, value) ? `${scheme}${gap}${MASK}` : all,
  );
  if (!RUN.test(result)) return result;
  return result
    .replace(PRIVATE_KEY, `$1${MASK}`)
    .replace(/[\w.-]{30,}/g, withoutWebTokens)
    .replace(MIXED, (key) => (isMixed(key) ? MASK : key))
    .replace(PLAIN, (key) => (/\d/.test(key) ? MASK : key));
}

/** The same for every string in plain data, including keys. */
export function redactedData(value: unknown): unknown {
  if (typeof value === 'string') return redacted(value);
  if (Array.isArray(value)) return value.map(redactedData);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [redacted(key), redactedData(item)]));
}

/**
 * Masks `user:password@` at the start of what follows `://`. People also write a password with `/`, `?`, a space or a
 * quote, so after `user:` everything up to the last `@` of the line is masked, unless a port follows.
 */
function withoutUser(after: string, index: number): string {
  if (index === 0) return after;
  const [line = ''] = after.split(/[\r\n]/, 1);
  const hasPassword = /^[^\s/"'\\?#:]*:(?!\d{1,5}(?:[/?#\s"'\\]|$))/.test(line);
  const reach = hasPassword ? line : (/^[^\s/"\\?#]*/.exec(line)?.[0] ?? '');
  const at = reach.lastIndexOf('@');
  return at > 0 ? `${MASK}${after.slice(at)}` : after;
}

/** "Basic configuration" and "bearer authentication" are words; base64 of `user:password` and tokens are not. */
function isCredential(scheme: string, value: string): boolean {
  if (scheme.toLowerCase() === 'bearer') return /\d/.test(value) || value.length >= 32;
  const decoded = Buffer.from(value, 'base64').toString('latin1');
  return decoded.includes(':') && !/[\0-\x1f]/.test(decoded);
}

/** A short random part may lack a digit by chance, but so may a name after one of the shorter prefixes. */
function isMixed(key: string): boolean {
  const end = key.slice(-24);
  const isRandom = /\d/.test(key) || key.length >= 36 || !/^(?:fw_|hf_|npm_|ntn_|secret_|c?sk-)/.test(key);
  return isRandom && /[A-Z]/.test(end) && /[a-z]/.test(end);
}

/** Masks JSON Web Tokens: signed ones have three parts, encrypted ones five. */
function withoutWebTokens(run: string): string {
  const parts = run.split('.');
  const kept: string[] = [];
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as string;
    const start = part.indexOf('eyJ');
    const left = parts.length - i;
    const isHead = start >= 0 && left >= 3 && Buffer.from(part.slice(start), 'base64url').toString().endsWith('}');
    kept.push(isHead ? part.slice(0, start) + MASK : part);
    if (isHead) i += left >= 5 ? 4 : 2;
  }
  return kept.join('.');
}
