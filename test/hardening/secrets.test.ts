/** What a trace masks: keys of services in any position, passwords, tokens; and what stays readable. */
import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { redacted } from '../../src/faces/trace/redact.ts';

const [UPPER, LOWER, DIGITS] = ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz', '0123456789'];
const HEX = `${DIGITS}abcdef`;
const WORD = `${UPPER}${LOWER}${DIGITS}`;
const URL64 = `${WORD}_-`;

/** Random by a fixed seed, so that a failure can be repeated. */
let state = 1;
function random(count: number, alphabet = WORD): string {
  let text = '';
  while (text.length < count) {
    state = (state * 48_271) % 2_147_483_647;
    text += alphabet.charAt(state % alphabet.length);
  }
  return text;
}

const base64 = (text: string) => Buffer.from(text).toString('base64url');
const web = (header: object) => base64(JSON.stringify(header));

/** By service: a key, as that service makes it. */
const SECRETS: Readonly<Record<string, () => string>> = {
  'GitHub, personal': () => `ghp_${random(36)}`,
  'GitHub, OAuth': () => `gho_${random(36)}`,
  'GitHub, server': () => `ghs_${random(36)}`,
  'GitHub, refresh': () => `ghr_${random(76)}`,
  'GitHub, fine-grained': () => `github_pat_${random(22)}_${random(59)}`,
  'GitLab, personal': () => `glpat-${random(20, URL64)}`,
  'GitLab, deploy': () => `gldt-${random(20, URL64)}`,
  'GitLab, runner': () => `glrt-${random(20, URL64)}`,
  npm: () => `npm_${random(36)}`,
  PyPI: () => `pypi-AgEIcHlwaS5vcmc${random(70, URL64)}`,
  RubyGems: () => `rubygems_${random(48, HEX)}`,
  'Docker Hub': () => `dckr_pat_${random(27, URL64)}`,
  'AWS, key': () => `AKIA${random(15, UPPER)}7`,
  'AWS, session': () => `ASIA${random(15, UPPER)}2`,
  'Google, API': () => `AIza${random(35, URL64)}`,
  'Google, OAuth': () => `ya29.${random(60, URL64)}`,
  'Google, client': () => `GOCSPX-${random(28, URL64)}`,
  'Google, refresh': () => `1//0${random(60, URL64)}`,
  'Azure, client': () => `${random(3)}8Q~${random(34)}`,
  'Alibaba Cloud': () => `LTAI${random(20)}`,
  DigitalOcean: () => `dop_v1_${random(64, HEX)}`,
  'OpenAI, old': () => `sk-${random(20)}T3BlbkFJ${random(20)}`,
  'OpenAI, project': () => `sk-proj-${random(74, URL64)}T3BlbkFJ${random(74, URL64)}`,
  Anthropic: () => `sk-ant-api03-${random(93, URL64)}AA`,
  OpenRouter: () => `sk-or-v1-${random(64, HEX)}`,
  Groq: () => `gsk_${random(52)}`,
  'Hugging Face': () => `hf_${random(34)}`,
  Replicate: () => `r8_${random(37)}`,
  Perplexity: () => `pplx-${random(48)}`,
  xAI: () => `xai-${random(80)}`,
  NVIDIA: () => `nvapi-${random(64, URL64)}`,
  LangSmith: () => `lsv2_pt_${random(32, HEX)}_${random(10, HEX)}`,
  'Slack, bot': () => `xoxb-${random(12, DIGITS)}-${random(13, DIGITS)}-${random(24)}`,
  'Slack, app': () => `xapp-1-A${random(10, UPPER + DIGITS)}-${random(13, DIGITS)}-${random(64, HEX)}`,
  'Slack, webhook': () => `services/T${random(8, UPPER)}/B${random(10, UPPER)}/${random(24)}`,
  'Discord, webhook': () => `webhooks/${random(18, DIGITS)}/${random(68, URL64)}`,
  Telegram: () => `${random(10, DIGITS)}:AA${random(33, URL64)}`,
  'Stripe, live': () => `sk_live_${random(24)}`,
  'Stripe, restricted': () => `rk_live_${random(24)}`,
  'Stripe, webhook': () => `whsec_${random(32)}`,
  Square: () => `sq0atp-${random(22, URL64)}`,
  Shopify: () => `shpat_${random(32, HEX)}`,
  SendGrid: () => `SG.${random(22, URL64)}.${random(43, URL64)}`,
  Brevo: () => `xkeysib-${random(64, HEX)}-${random(16)}`,
  Vault: () => `hvs.${random(95, URL64)}`,
  Databricks: () => `dapi${random(32, HEX)}`,
  Doppler: () => `dp.pt.${random(43)}`,
  Linear: () => `lin_api_${random(40)}`,
  Notion: () => `ntn_${random(46)}`,
  Postman: () => `PMAK-${random(24, HEX)}-${random(34, HEX)}`,
  Grafana: () => `glsa_${random(32)}_${random(8, HEX)}`,
  Sentry: () => `sntryu_${random(64, HEX)}`,
  Figma: () => `figd_${random(40, URL64)}`,
  Airtable: () => `pat${random(14)}.${random(64, HEX)}`,
  PlanetScale: () => `pscale_tkn_${random(43, URL64)}`,
  Supabase: () => `sbp_${random(40, HEX)}`,
  Atlassian: () => `ATATT3${random(180, URL64)}`,
  age: () => `AGE-SECRET-KEY-1${random(58, UPPER + DIGITS)}`,
  'JSON Web Token': () => `${web({ alg: 'HS256' })}.${web({ sub: '1234567890' })}.${random(43, URL64)}`,
  'JSON Web Encryption': () =>
    `${web({ alg: 'dir', enc: 'A256GCM' })}..${random(16, URL64)}.${random(60, URL64)}.${random(22, URL64)}`,
};

const POSITIONS: Readonly<Record<string, (secret: string) => string>> = {
  'at the start': (secret) => `${secret}.txt`,
  'after an underscore': (secret) => `src/token_${secret}`,
  'after a letter': (secret) => `keys/x${secret}/a`,
  'after a digit': (secret) => `backup 2024\n1${secret}\n`,
  'in a URL': (secret) => `https://example.com/${secret}?page=2`,
  'in JSON': (secret) => `{"file":"${secret}","n":1}`,
};

describe.each(Object.entries(SECRETS))('a key is masked: %s', (_, make) => {
  it.each(Object.entries(POSITIONS))('%s', (_, place) => {
    for (let i = 0; i < 20; i++) {
      const secret = make();
      const text = redacted(place(secret));
      for (const piece of secret.split(/[./:]/).filter((one) => one.length > 14)) expect(text).not.toContain(piece);
      expect(text).toContain('***');
    }
  });
});

it.each([
  'https://me:SECRET@example.com/x',
  'https://me:pa/SECRET@example.com/x',
  'postgres://me:pa SECRET@localhost:5432/db',
  'redis://:SECRET@localhost',
  `amqp://me:it's"SECRET"@host/v`,
  'https://me:p@SECRET@example.com',
  'https://SECRET@github.com/a/b.git',
  'https://me:what?SECRET#@example.com',
  'https://bucket.s3.amazonaws.com/a?X-Amz-Signature=SECRET&x=1',
  'https://bucket.s3.amazonaws.com/a?x-amz-signature=SECRET',
  'https://bucket.s3.amazonaws.com/a?x-amz-credential=SECRET&X-Amz-Security-Token=SECRET',
  'https://example.com/?code=SECRET&key=SECRET&sig=SECRET',
  'grant=1&client_secret=SECRET',
  'CLIENT_SECRET=SECRET',
  '{"client_secret": "SECRET", "a": 1}',
  '"{\\"password\\":\\"SECRET\\"}"',
  'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=SECRET==;EndpointSuffix=x',
  'Endpoint=sb://a/;SharedAccessKey=SECRET=',
  'AWS_SECRET_ACCESS_KEY=SECRET',
  'Authorization: bearer SECRET1234',
  'authorization: Bearer SECRET1234',
  `Authorization: Basic ${Buffer.from('me:SECRET').toString('base64')}`,
  `basic ${Buffer.from('user:correct horse').toString('base64')}`,
  '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nSECRETSECRETSECRET\n-----END RSA PRIVATE KEY-----',
])('a password is masked: %s', (text) => {
  const masked = redacted(text);
  expect(masked).toContain('***');
  expect(masked).not.toMatch(/SECRET[^_=]|U0VDUkVU|Y29ycmVjd/);
});

const digest = (algorithm: string, i: number) => createHash(algorithm).update(String(i)).digest('hex');

/** Hashes after words that end like a prefix of a key, and names that people give. */
const ORDINARY: readonly string[] = [
  ...Array.from({ length: 20 }, (_, i) => [
    `dist/index-${digest('md5', i)}.js`,
    `.git/objects/${digest('sha1', i).slice(0, 2)}/${digest('sha1', i).slice(2)}`,
    `task-${digest('md5', i)}.json`,
    `disk-${digest('sha256', i)}.img`,
    `cache/${randomUUID()}/data`,
    `${digest('sha256', i)}.layer`,
    `commit ${digest('sha1', i)}`,
  ]).flat(),
  ...['npm_config_registry', 'npm_package_config_something_very_long', 'hf_transformers_model_cache_directory'],
  ...[
    'secret_santa_participants_list_2024',
    'github_pat_documentation_for_developers',
    'glpat-rotation-guide-for-admins',
  ],
  ...['highp_precision_float_varying_shader', 'sk-translations-slovak-language-pack', 'risk-assessment-questionnaire'],
  ...[
    'EURASIATICPEOPLESANDCULTURES',
    'AKIArchitectureOverviewDocument',
    'Basic authentication.md',
    'basic configuration',
  ],
  ...['Bearer authentication', 'the bearer of tokens', 'heyJude.long-name-of-a-song.min.js', 'package-lock.json'],
  ...[
    'tokens=5',
    'monkey=banana',
    'keyboard=us',
    'src/components/PasswordInput.tsx',
    'token-count.ts',
    'secrets.test.ts',
  ],
  ...['http://localhost:8080/a@2.0/b', 'http://localhost:4873/@types/node', 'https://example.com/@user/post', 'a://b'],
  ...[
    'https://cdn.example.com/react@18.2.0/index.js',
    'https://unpkg.com/@scope/pkg@1.2.3/dist',
    'mail me@example.com',
  ],
  ...[
    'https://example.com/?page=2&sort=name',
    'file:///home/me/a@b.txt',
    'ssh://example.com/srv',
    's3://bucket/prefix',
  ],
  ...[
    'node_modules/.pnpm/react-dom@18.2.0_react@18.2.0',
    'vendor/github.com/pkg/errors@v0.9.1',
    'x86_64-unknown-linux-gnu',
  ],
  ...['ThisIsAVeryLongJavaClassNameForAnAbstractFactoryBean.java', 'test_that_something_works_when_it_should_not.py'],
  ...[
    'README.md',
    'src/',
    '.env',
    "Listed 2 entries in '.' (1 directory, 1 file).",
    'tsconfig.build.json',
    'webhooks/index.ts',
  ],
  ...[
    'sha256-47DEQpj8HBSa-TImW-5JCeuQeRkm5NMpJWZG3hSuFU.txt',
    'services/TeamService/BaseService/index.ts',
    '1:AA',
    'dp.pt.ts',
  ],
  ...[
    'shpat_notes.md',
    'xoxb.md',
    'pypi-mirror-selection-and-configuration-for-everybody',
    'AIza.txt',
    'SG.md',
    'hvs.config.json',
  ],
  ...[
    'ya29.',
    'whsec_',
    'AGE-SECRET-KEY-1',
    'jest.config.integration.environment.setup.ts',
    'docs/decisions/0071-a-trace.md',
  ],
];

it('what is ordinary stays readable', () => {
  expect(ORDINARY.length).toBeGreaterThanOrEqual(200);
  expect(ORDINARY.filter((name) => redacted(name) !== name)).toEqual([]);
  const all = ORDINARY.join('\n');
  expect(redacted(all)).toBe(all);
});

it.each([
  ...[
    'eyJ',
    '://',
    '://a:',
    'sk-',
    'SG.a',
    'token=',
    'basic ',
    'bearer a',
    '-----BEGIN PRIVATE KEY-----',
    'eyJ.',
    'a',
    '@',
  ],
  ...[
    '1',
    'pat',
    'services/T',
    'services/TAAAAAA/B',
    'x8Q~',
    '{"',
    'eyJhIjoxfQ..',
    'tskey-api-',
    'xoxb-',
    'hvs.',
    'aB3',
  ],
])('the time is linear: %s', (pump) => {
  const cpuOf = (count: number) => {
    const text = pump.repeat(count);
    const times = [1, 2, 3].map(() => {
      const before = process.cpuUsage();
      redacted(text);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    });
    return Math.min(...times);
  };
  cpuOf(1000);
  // Ten times the input takes ten times as long, not a hundred times. Microseconds.
  expect(cpuOf(100_000)).toBeLessThan(30 * cpuOf(10_000) + 20_000);
});
