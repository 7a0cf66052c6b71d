/**
 * Removes secrets from a text. A trace contains what was asked and answered. A name or path in it may hold a secret
 * that must not appear in a file that is passed on: a URL with a password, or a key that a service has issued.
 */

const MASK = '***';

/**
 * Every repetition is bounded and each alternative starts with fixed characters, so the time is linear for any input.
 */
const SECRETS = new RegExp(
  [
    // The user:password@ part of a URL. A password may contain a `@`, too.
    /(?<=:\/\/)[^\s/"\\]{1,2048}(?=@)/,
    // URL parameters that sign or authorise a request.
    /(?<=[?&](?:access_token|api_key|apikey|auth|key|password|secret|sig|signature|token|X-Amz-[A-Za-z-]{1,30})=)[^&\s"\\]{1,2048}/,
    /(?<=\bBearer )[\w.~+/=-]{8,2048}/,
    // Keys with a recognisable prefix.
    /\bgh[pousr]_[A-Za-z0-9]{20,255}/,
    /\bgithub_pat_\w{20,255}/,
    /\bglpat-[\w-]{20,255}/,
    /\bnpm_[A-Za-z0-9]{36}\b/,
    /\bsk-(?:ant|proj|svcacct)-[\w-]{20,255}/,
    /\bsk-[A-Za-z0-9]{32,255}/,
    /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
    /\bAIza[\w-]{35}/,
    /\bxox[abeoprs]-[\w-]{10,255}/,
    /\beyJ[\w-]{10,512}\.[\w-]{10,2048}\.[\w-]{10,512}/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/**
 * Every secret contains or follows one of these. Perf: searching for them takes a twentieth of the time. Most of that
 * goes to marks with a frequent first letter, so for some a rarer `part` is searched first, and `whole` only if it
 * occurs.
 */
const MARKS: readonly { readonly part: string; readonly whole?: readonly string[] }[] = [
  ...['://', '?', '&', 'Bearer ', 'AKIA', 'ASIA', 'AIza', 'yJ', 'b_pat_', 'lpat-', 'xox'].map((part) => ({ part })),
  { part: 'gh', whole: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'] },
  { part: 'pm_', whole: ['npm_'] },
  { part: 'k-', whole: ['sk-'] },
];

export function redacted(text: string): string {
  for (const { part, whole } of MARKS) {
    if (text.includes(part) && (whole === undefined || whole.some((mark) => text.includes(mark))))
      return text.replace(SECRETS, MASK);
  }
  return text;
}

/** The same for every string in plain data, including keys. */
export function redactedData(value: unknown): unknown {
  if (typeof value === 'string') return redacted(value);
  if (Array.isArray(value)) return value.map(redactedData);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [redacted(key), redactedData(item)]));
}
