/** Turns the environment into one frozen, validated object, and is the only reader of process.env. */

import { homedir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { OperatorError } from './operator-error.ts';
import { certificateMistakesOf } from './config/certificates.ts';
import {
  type MetricsAccess,
  metricsMistakes,
  metricsOf,
  metricsVariables,
} from './config/metrics.ts';
import { unknownNames } from './config/names.ts';
import {
  type OperatorPage,
  operatorMistakes,
  operatorPageOf,
  operatorVariables,
} from './config/operator.ts';
import {
  confidential,
  confidentialNames,
  fileVariableOf,
  secretOf,
  withSecretsOfFiles,
} from './config/secret-files.ts';
import {
  type TemporalAccess,
  temporalAccessOf,
  temporalMistakes,
  temporalVariables,
} from './config/temporal.ts';
import {
  file,
  flag,
  host,
  integer,
  isLoopback,
  origins,
  password,
  port,
  secret,
  secrets,
  storageUrl,
  url,
} from './config/values.ts';

export type { MetricsAccess } from './config/metrics.ts';
export type { OperatorPage } from './config/operator.ts';
export type { PayloadKeys, TemporalAccess } from './config/temporal.ts';

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
  /** Of a replica, which answers reads that take much; undefined: the database itself does. */
  readonly readDatabaseUrl: string | undefined;
  /** Of the schema's owner: migrations run with it, and nothing else. */
  readonly migrateUrl: string | undefined;
  /** Nobody reaches the interface or the database from another machine. */
  readonly isLocal: boolean;
  /** Where a worker answers supervisors; undefined: nowhere. */
  readonly healthPort: number | undefined;
  readonly postgresPort: number | undefined;
  readonly temporalPort: number | undefined;
  readonly temporalUiPort: number | undefined;
  readonly temporalAddress: string | undefined;
  readonly temporalNamespace: string;
  readonly temporalAccess: TemporalAccess;
  readonly temporalCliPath: string | undefined;
  /** The file of workflows that are bundled already; a worker bundles them at start without it. */
  readonly workflowBundle: string | undefined;
  readonly secretKey: string | undefined;
  /** They decrypt and verify, and the installation had or will have them as its SECRET_KEY. */
  readonly otherSecretKeys: readonly string[];
  readonly codec: CodecServer;
  /** Where API and worker answer scrapes; undefined: they count nothing. */
  readonly metrics: MetricsAccess | undefined;
  /** Of the collector of traces, which takes OTLP over HTTP; undefined: there are none. */
  readonly tracesUrl: string | undefined;
  /** Where the worker keeps the heads of the audit logs, by which the audit finds a log that was cut. */
  readonly auditHeadsFile: string;
  /** Who gives commands, for the audit log: by default the user of the machine. */
  readonly operator: string;
  readonly operatorPage: OperatorPage;
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

/** The settings of `npm run codec`. */
export interface CodecServer {
  readonly port: number;
  readonly host: string;
  /** The origins of Web UIs that may ask it. */
  readonly origins: readonly string[];
  readonly password: string | undefined;
}

/** Everything that is wrong with the configuration, at once. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError';
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(`The configuration has mistakes:\n${mistakes.map((line) => `  ${line}`).join('\n')}`);
    this.mistakes = mistakes;
  }
}

const PAYMENT_WAIT_SECONDS_MAX = 60;

/** `direct` names PostgreSQL itself, where the address is a pooler's. */
const databaseUrl = url(['postgres:', 'postgresql:']).refine((value) => {
  const direct = URL.parse(value)?.searchParams.get('direct') ?? null;
  return direct === null || /^([^\s/@:]+|\[[0-9a-f:]+\]):\d{1,5}$/i.test(direct);
}, 'must name PostgreSQL itself after direct= as host:port');

/** Every variable is optional: what none is given for, the embedded system chooses. */
const schema = z.object({
  PORT: port.default(8080),
  HOST: host.default('127.0.0.1'),
  BASE_DOMAIN: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'must be a domain name in lower case, without a port')
    .default('localhost'),
  PUBLIC_URL: url(['http:', 'https:']).optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: confidential(databaseUrl.optional()),
  READ_DATABASE_URL: confidential(databaseUrl.optional()),
  MIGRATE_URL: confidential(url(['postgres:', 'postgresql:']).optional()),
  HEALTH_PORT: port.optional(),
  POSTGRES_PORT: port.optional(),
  TEMPORAL_PORT: port.optional(),
  TEMPORAL_UI_PORT: port.optional(),
  ...temporalVariables,
  CODEC_PORT: port.default(8234),
  CODEC_HOST: host.default('127.0.0.1'),
  CODEC_ORIGINS: origins.default(['http://127.0.0.1:8233', 'http://localhost:8233']),
  CODEC_PASSWORD: confidential(password.optional()),
  ...metricsVariables,
  OTEL_EXPORTER_OTLP_ENDPOINT: url(['http:', 'https:']).optional(),
  TEMPORAL_CLI_PATH: file.optional(),
  WORKFLOW_BUNDLE: file.transform((name) => resolve(name)).optional(),
  SECRET_KEY: confidential(secret.optional()),
  SECRET_KEYS_OTHER: confidential(secrets.default([])),
  AUDIT_HEADS_FILE: z.string().optional(),
  OPERATOR: z
    .string()
    .regex(/^[^\p{Cc}]{1,100}$/u, 'must be a name of up to 100 characters')
    .optional(),
  ...operatorVariables,
  TLS_CERT: file.optional(),
  TLS_KEY: file.optional(),
  TRUST_PROXY: flag.default(false),
  SMTP_URL: confidential(url(['smtp:', 'smtps:']).optional()),
  CALLBACK_ALLOW_PRIVATE: flag.default(false),
  STORAGE_URL: storageUrl.optional(),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
  PAYMENT_WAIT_SECONDS: integer(0, PAYMENT_WAIT_SECONDS_MAX).default(10),
  STRIPE_API_URL: url(['http:', 'https:']).optional(),
  XDG_CACHE_HOME: z.string().optional(),
  PATH: z.string().default(''),
});

/** The variables of ours. */
export const variableNames: readonly string[] = Object.keys(schema.shape);

/** Those that are secrets, each of which a file may hold that NAME_FILE names. */
export const secretNames = confidentialNames(schema.shape);

/** Throws a ConfigError that names every mistake. An empty variable counts as not set. */
export function loadConfig(given: Environment = process.env): Config {
  const { env, mistakes: mistakesOfFiles } = withSecretsOfFiles(given, secretNames);
  const set = Object.entries(env).filter(([, value]) => value !== undefined && value !== '');
  const parsed = schema.safeParse(Object.fromEntries(set));
  const mistakes = (parsed.error?.issues ?? []).map(
    (issue) => `${issue.path.join('.')} ${issue.message}`,
  );
  mistakes.push(
    ...mistakesOfFiles,
    ...certificateMistakesOf(env),
    ...temporalMistakes(env),
    ...metricsMistakes(env),
    ...operatorMistakes(env),
    ...unknownNames(
      set.map(([name]) => name),
      [...variableNames, ...secretNames.map(fileVariableOf)],
    ),
  );
  if (!parsed.success || mistakes.length > 0) throw new ConfigError(mistakes);
  return fromVariables(parsed.data);
}

type Values = z.output<typeof schema>;

function fromVariables(values: Values): Config {
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
    readDatabaseUrl: values.READ_DATABASE_URL,
    migrateUrl: values.MIGRATE_URL,
    isLocal:
      isLoopback(values.HOST) &&
      isOnThisMachine(values.DATABASE_URL) &&
      isOnThisMachine(values.READ_DATABASE_URL),
    healthPort: values.HEALTH_PORT,
    postgresPort: values.POSTGRES_PORT,
    temporalPort: values.TEMPORAL_PORT,
    temporalUiPort: values.TEMPORAL_UI_PORT,
    temporalAddress: values.TEMPORAL_ADDRESS,
    temporalNamespace: values.TEMPORAL_NAMESPACE,
    temporalAccess: temporalAccessOf(values),
    temporalCliPath: values.TEMPORAL_CLI_PATH,
    workflowBundle: values.WORKFLOW_BUNDLE,
    secretKey: values.SECRET_KEY,
    otherSecretKeys: Object.freeze(values.SECRET_KEYS_OTHER),
    codec: Object.freeze({
      port: values.CODEC_PORT,
      host: values.CODEC_HOST,
      origins: Object.freeze(values.CODEC_ORIGINS),
      password: values.CODEC_PASSWORD,
    }),
    metrics: metricsOf(values),
    tracesUrl: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    auditHeadsFile: resolve(values.AUDIT_HEADS_FILE ?? join(dataDir, 'audit-heads.jsonl')),
    operator: values.OPERATOR ?? userOfMachine(),
    operatorPage: operatorPageOf(values),
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

/** In a container the user may be a number without a name. */
function userOfMachine(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}

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
  readonly secretKeys: readonly [string, ...string[]];
};

/** SECRET_KEY, and those of SECRET_KEYS_OTHER after it; undefined if there is none. */
export function secretKeysOf({
  secretKey,
  otherSecretKeys,
}: Pick<Config, 'secretKey' | 'otherSecretKeys'>): Reachable['secretKeys'] | undefined {
  if (secretKey === undefined) return undefined;
  return [secretKey, ...otherSecretKeys.filter((each) => each !== secretKey)];
}

/** @param keyOwner with whom the key is shared; throws a ConfigError that names all that is missing */
export function reachable(config: Config, keyOwner: string): Reachable {
  const { databaseUrl, temporalAddress } = config;
  const secretKeys = secretKeysOf(config);
  if (databaseUrl !== undefined && temporalAddress !== undefined && secretKeys !== undefined) {
    return { ...config, databaseUrl, temporalAddress, secretKeys };
  }
  throw new ConfigError([
    ...(databaseUrl === undefined ? ['DATABASE_URL must be set: no running system was found'] : []),
    ...(temporalAddress === undefined
      ? ['TEMPORAL_ADDRESS must be set: no running system was found']
      : []),
    ...(secretKeys === undefined ? [`SECRET_KEY must be set: that of ${keyOwner}`] : []),
  ]);
}

/** The environment of a child process: our own environment with these changes. */
export function childEnvironment(overrides: Environment): Record<string, string | undefined> {
  const replaced = Object.keys(overrides).map((name) => [fileVariableOf(name), undefined]);
  return { ...process.env, ...(Object.fromEntries(replaced) as Environment), ...overrides };
}

/** A secret that a tenant file names by `env: NAME`; undefined when neither it nor its file is given. */
export function secretFromEnvironment(name: string): string | undefined {
  const { value, mistake } = secretOf(process.env, name);
  if (mistake !== undefined) throw new ConfigError([mistake]);
  return value;
}
