/** Turns the environment into one frozen, validated object, and is the only reader of process.env. */

import { existsSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';

type Environment = Readonly<Record<string, string | undefined>>;

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export interface Config {
  readonly port: number;
  readonly host: string;
  readonly baseDomain: string;
  /** For links in pages, mails and XML. A tenant's own links put its label before the host. */
  readonly publicUrl: string;
  /** Absolute. */
  readonly dataDir: string;
  /**
   * Of the login of API, workers and commands, which owns nothing. With `direct=HOST:PORT` in its
   * query, the address is that of a PgBouncer in transaction mode before PostgreSQL.
   */
  readonly databaseUrl: string | undefined;
  /** Of the schema's owner: migrations run with it, and nothing else. */
  readonly migrateUrl: string | undefined;
  /** Nobody reaches the interface or the database from another machine. */
  readonly isLocal: boolean;
  readonly postgresPort: number | undefined;
  readonly temporalPort: number | undefined;
  readonly temporalUiPort: number | undefined;
  readonly temporalAddress: string | undefined;
  readonly temporalNamespace: string;
  readonly temporalCliPath: string | undefined;
  /** The file of workflows that are bundled already; a worker bundles them at start without it. */
  readonly workflowBundle: string | undefined;
  readonly secretKey: string | undefined;
  /** Where the worker keeps the heads of the audit logs, by which the audit finds a log that was cut. */
  readonly auditHeadsFile: string;
  /** Who gives commands, for the audit log: by default the user of the machine. */
  readonly operator: string;
  /** File names of the server's own certificate and key. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly trustProxy: boolean;
  readonly smtpUrl: string | undefined;
  readonly callbackAllowPrivate: boolean;
  /** A folder's absolute path, or `s3://bucket/prefix?region=eu-central-1&endpoint=https://host`. */
  readonly storageUrl: string;
  readonly logLevel: (typeof logLevels)[number];
  readonly paymentWaitSeconds: number;
  /** The address of Stripe's interface instead of Stripe's own: its mock server, or a proxy. */
  readonly stripeApiUrl: string | undefined;
  /** The user's own cache, for files that are expensive to get and the same for every checkout. */
  readonly cacheDir: string;
  /** The folders in which programs are searched, in order. */
  readonly searchPath: readonly string[];
}

/** Everything that is wrong with the configuration, at once. */
export class ConfigError extends Error {
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(`The configuration has mistakes:\n${mistakes.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'ConfigError';
    this.mistakes = mistakes;
  }
}

const PORT_MAX = 65_535;
const SECRET_KEY_LENGTH_MIN = 32;
const PAYMENT_WAIT_SECONDS_MAX = 60;

function integer(min: number, max: number): z.ZodType<number, string> {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** `direct` names PostgreSQL itself, where the address is a pooler's. */
const databaseUrl = url(['postgres:', 'postgresql:']).refine((value) => {
  const direct = URL.parse(value)?.searchParams.get('direct') ?? null;
  return direct === null || /^([^\s/@:]+|\[[0-9a-f:]+\]):\d{1,5}$/i.test(direct);
}, 'must name PostgreSQL itself after direct= as host:port');

function url(schemes: readonly string[]): z.ZodType<string, string> {
  // The value itself is not repeated: such addresses carry passwords.
  return z
    .string()
    .refine(
      (value) => schemes.includes(URL.parse(value)?.protocol ?? ''),
      `must be an address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
    );
}

const port = integer(0, PORT_MAX);
const flag = z.enum(['true', 'false'], 'must be true or false').transform((it) => it === 'true');
const file = z.string().refine((name) => existsSync(name), 'names a file that does not exist');

/** The error does not repeat the value, which may contain credentials. */
const storageUrl = z
  .string()
  .transform((value) => (/^[a-z][a-z0-9+.-]*:/i.test(value) ? value : resolve(value)))
  .superRefine((value, context) => {
    const mistake = value.startsWith('/') ? folderMistake(value) : bucketMistake(value);
    if (mistake !== undefined) context.addIssue({ code: 'custom', message: mistake });
  });

/** The folder may be yet to be made; what its path goes through may not be a file. */
function folderMistake(path: string): string | undefined {
  if (existsSync(path)) {
    return statSync(path).isDirectory() ? undefined : 'names a file, where it must name a folder';
  }
  return path === dirname(path) ? undefined : folderMistake(dirname(path));
}

/** Names of buckets as S3 has them: 3 to 63 of small letters, digits, points and hyphens. */
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

function bucketMistake(value: string): string | undefined {
  const url = URL.parse(value);
  if (url?.protocol !== 's3:') return 'must be a folder or s3://bucket/prefix';
  if (url.username !== '' || url.password !== '') return 'must hold no credentials';
  if (!bucketName.test(url.hostname)) {
    return 'must name a bucket after s3://, of 3 to 63 small letters, digits, points and hyphens';
  }
  if (url.port !== '' || url.hash !== '' || !/^[\w./-]*$/.test(url.pathname)) {
    return 'must be s3://bucket/prefix';
  }
  return [...url.searchParams].map(bucketSettingMistake).find((mistake) => mistake !== undefined);
}

function bucketSettingMistake([name, value]: readonly [string, string]): string | undefined {
  if (name === 'region') {
    return /^[a-z0-9-]{1,40}$/.test(value) ? undefined : 'must name a region after region=';
  }
  if (name !== 'endpoint') return 'may have region and endpoint after ?, and nothing else';
  const url = URL.parse(value);
  if (url && url.username + url.password !== '') return 'must hold no credentials';
  return url && /^https?:$/.test(url.protocol) && url.search + url.hash === ''
    ? undefined
    : 'must name a server after endpoint= that begins with https:// or http://';
}

/** Every variable is optional: what none is given for, the embedded system chooses. */
const schema = z.object({
  PORT: port.default(8080),
  HOST: z
    .string()
    .regex(/^[A-Za-z0-9.:_-]+$/, 'must be an address or the name of a host')
    .default('127.0.0.1'),
  BASE_DOMAIN: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'must be a domain name in lower case, without a port')
    .default('localhost'),
  PUBLIC_URL: url(['http:', 'https:']).optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: databaseUrl.optional(),
  MIGRATE_URL: url(['postgres:', 'postgresql:']).optional(),
  POSTGRES_PORT: port.optional(),
  TEMPORAL_PORT: port.optional(),
  TEMPORAL_UI_PORT: port.optional(),
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^\S+:\d{1,5}$/, 'must be host:port')
    .optional(),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  TEMPORAL_CLI_PATH: file.optional(),
  WORKFLOW_BUNDLE: file.transform((name) => resolve(name)).optional(),
  SECRET_KEY: z
    .string()
    .min(SECRET_KEY_LENGTH_MIN, `must have at least ${SECRET_KEY_LENGTH_MIN} characters`)
    .optional(),
  AUDIT_HEADS_FILE: z.string().optional(),
  OPERATOR: z
    .string()
    .regex(/^[^\p{Cc}]{1,100}$/u, 'must be a name of up to 100 characters')
    .optional(),
  TLS_CERT: file.optional(),
  TLS_KEY: file.optional(),
  TRUST_PROXY: flag.default(false),
  SMTP_URL: url(['smtp:', 'smtps:']).optional(),
  CALLBACK_ALLOW_PRIVATE: flag.default(false),
  STORAGE_URL: storageUrl.optional(),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
  PAYMENT_WAIT_SECONDS: integer(0, PAYMENT_WAIT_SECONDS_MAX).default(10),
  STRIPE_API_URL: url(['http:', 'https:']).optional(),
  XDG_CACHE_HOME: z.string().optional(),
  PATH: z.string().default(''),
});

/** Throws a ConfigError that names every mistake. An empty variable counts as not set. */
export function loadConfig(env: Environment = process.env): Config {
  const set = Object.entries(env).filter(([, value]) => value !== undefined && value !== '');
  const parsed = schema.safeParse(Object.fromEntries(set));
  const mistakes = (parsed.error?.issues ?? []).map(
    (issue) => `${issue.path.join('.')} ${issue.message}`,
  );
  if (Boolean(env['TLS_CERT']) !== Boolean(env['TLS_KEY'])) {
    mistakes.push('TLS_CERT and TLS_KEY are given together or not at all');
  }
  if (!parsed.success || mistakes.length > 0) throw new ConfigError(mistakes);
  return fromVariables(parsed.data);
}

function fromVariables(values: z.output<typeof schema>): Config {
  const dataDir = resolve(values.DATA_DIR);
  const { TLS_CERT: cert, TLS_KEY: key } = values;
  const tls = cert !== undefined && key !== undefined ? Object.freeze({ cert, key }) : undefined;
  const scheme = tls ? 'https' : 'http';
  return Object.freeze({
    port: values.PORT,
    host: values.HOST,
    baseDomain: values.BASE_DOMAIN,
    publicUrl: values.PUBLIC_URL ?? `${scheme}://${values.BASE_DOMAIN}:${values.PORT}`,
    dataDir,
    databaseUrl: values.DATABASE_URL,
    migrateUrl: values.MIGRATE_URL,
    isLocal: isLoopback(values.HOST) && isOnThisMachine(values.DATABASE_URL),
    postgresPort: values.POSTGRES_PORT,
    temporalPort: values.TEMPORAL_PORT,
    temporalUiPort: values.TEMPORAL_UI_PORT,
    temporalAddress: values.TEMPORAL_ADDRESS,
    temporalNamespace: values.TEMPORAL_NAMESPACE,
    temporalCliPath: values.TEMPORAL_CLI_PATH,
    workflowBundle: values.WORKFLOW_BUNDLE,
    secretKey: values.SECRET_KEY,
    auditHeadsFile: resolve(values.AUDIT_HEADS_FILE ?? join(dataDir, 'audit-heads.jsonl')),
    operator: values.OPERATOR ?? userInfo().username,
    tls,
    trustProxy: values.TRUST_PROXY,
    smtpUrl: values.SMTP_URL,
    callbackAllowPrivate: values.CALLBACK_ALLOW_PRIVATE,
    storageUrl: values.STORAGE_URL ?? join(dataDir, 'storage'),
    logLevel: values.LOG_LEVEL,
    paymentWaitSeconds: values.PAYMENT_WAIT_SECONDS,
    stripeApiUrl: values.STRIPE_API_URL,
    cacheDir: join(values.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sundial'),
    searchPath: Object.freeze(values.PATH.split(':').filter((folder) => folder !== '')),
  });
}

const isLoopback = (host: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);

/** A socket of this machine has no host. */
function isOnThisMachine(address: string | undefined): boolean {
  const url = address === undefined ? null : URL.parse(address);
  const direct = url?.searchParams.get('direct') ?? '';
  const hosts = [url?.hostname ?? '', direct.replace(/:\d+$/, '')];
  return hosts.every((host) => host === '' || isLoopback(host));
}

/** The settings that an API or a worker requires. */
export type Reachable = Config & {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly secretKey: string;
};

/** @param keyOwner with whom the key is shared; throws a ConfigError that names all that is missing */
export function reachable(config: Config, keyOwner: string): Reachable {
  const { databaseUrl, temporalAddress, secretKey } = config;
  if (databaseUrl !== undefined && temporalAddress !== undefined && secretKey !== undefined) {
    return { ...config, databaseUrl, temporalAddress, secretKey };
  }
  throw new ConfigError([
    ...(databaseUrl === undefined ? ['DATABASE_URL must be set: no running system was found'] : []),
    ...(temporalAddress === undefined
      ? ['TEMPORAL_ADDRESS must be set: no running system was found']
      : []),
    ...(secretKey === undefined ? [`SECRET_KEY must be set: that of ${keyOwner}`] : []),
  ]);
}

/** The environment of a child process: our own environment with these changes. */
export function childEnvironment(overrides: Environment): Record<string, string | undefined> {
  return { ...process.env, ...overrides };
}

/** A secret that a tenant file names by `env: NAME`; undefined when it is not set. */
export function secretFromEnvironment(name: string): string | undefined {
  return process.env[name];
}
