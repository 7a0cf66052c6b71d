/**
 * Takes secrets out of a text. A trace holds what was asked and what was answered, and a name or a path may contain what
 * nobody should read in a file that is passed on: an address with a password, or a key that a service has issued.
 */

const MASK = '***';

/**
 * Every repetition is bounded, and each alternative starts with fixed characters: the time is linear, whatever a name
 * contains.
 */
const SECRETS = new RegExp(
  [
    // user:password@ of an address.
    /(?<=:\/\/)[^\s/@"\\]{1,256}(?=@)/,
    // Parameters of an address that sign or open it.
    /(?<=[?&](?:access_token|api_key|apikey|auth|key|password|secret|sig|signature|token|X-Amz-[A-Za-z-]{1,30})=)[^&\s"\\]{1,2048}/,
    /(?<=\bBearer )[\w.~+/=-]{8,2048}/,
    // Keys that their issuers have made recognisable.
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
 * Every secret has one of these in it or before it. Perf: to look for them takes a twentieth of the time, most of it for
 * those whose first letter is frequent; so behind a rarer part of theirs stand some that need not be looked for without it.
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

/** The same for every string in plain data, keys included. */
export function redactedData(value: unknown): unknown {
  if (typeof value === 'string') return redacted(value);
  if (Array.isArray(value)) return value.map(redactedData);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [redacted(key), redactedData(item)]));
}
