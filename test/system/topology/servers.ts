/**
 * The servers of docker-compose.yml as plain processes: PostgreSQL, and Temporal's production server on it, which
 * the scripts of the file's jobs prepare.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import { childEnvironment, loadConfig } from '../../../config.ts';
import { choosePort, isListening } from '../../../providers/embedded/ports.ts';
import { startServer, type ServerProcess } from '../../../providers/embedded/process.ts';
import { temporalBinary } from '../../../providers/temporal/binary.ts';
import { composeFile, type Service } from '../../cli/containers/deployment.ts';
import { SECRET_KEY } from '../../support/tenants.ts';
import { testBundle } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { startDurable } from '../crash/postgres.ts';
import type { Servers, ServersOptions } from '../upgrades/fleet.ts';

const run = promisify(execFile);
const SECRETS = '/run/secrets';
const STOP_SECONDS = 15;
const host = '127.0.0.1';
const namespace = 'default';
const service = 'sundial_service';

/** Ports of the server's four services; 7233 is that of the frontend. */
const portVariables = ['FRONTEND', 'HISTORY', 'MATCHING', 'WORKER'].flatMap((name) => [
  `${name}_GRPC_PORT`,
  `${name}_MEMBERSHIP_PORT`,
]);

const METRICS = 'PROMETHEUS_ENDPOINT';

export interface ProductionServers extends Servers {
  /** Where Temporal's server exports what a Kubernetes autoscaler goes by. */
  readonly metricsUrl: string;
  /** Kills the server of Temporal and starts it again at the same address. */
  readonly restartEngine: () => Promise<void>;
}

export interface Production {
  /** With `temporal-server` and `temporal-sql-tool`. */
  readonly programs: string;
  readonly settings: Readonly<Record<string, string>>;
}

export function productionServers({ programs, settings }: Production) {
  return async (t: ExecutionContext, options: ServersOptions): Promise<ProductionServers> => {
    const { folder } = options;
    const postgres = await startDurable(folder);
    t.teardown(() => postgres.stop());
    const { url: ownerUrl } = postgres;
    const secrets = secretsOf(folder, ownerUrl);
    const postgresPort = new URL(ownerUrl).port;
    const tools = [programs, await folderOfCli(options)];
    const engine = await engineOf({ folder, secrets, postgresPort, tools });
    t.teardown(() => engine.stop());
    return {
      ownerUrl,
      engine: { address: engine.address, namespace },
      settings: {
        DATABASE_URL_FILE: join(secrets, 'database_url'),
        MIGRATE_URL_FILE: join(secrets, 'migrate_url'),
        SECRET_KEY_FILE: join(secrets, 'secret_key'),
        WORKFLOW_BUNDLE: (await testBundle()).codePath,
        ...settings,
      },
      metricsUrl: engine.metricsUrl,
      restartEngine: engine.restart,
    };
  };
}

/** As the block of docs/containers.md makes them. */
function secretsOf(folder: string, ownerUrl: string): string {
  const secrets = join(folder, 'secrets');
  mkdirSync(secrets, { mode: 0o700 });
  const login = new URL(ownerUrl);
  const { password } = login;
  login.username = service;
  login.password = 'of-the-service';
  const texts = {
    postgres_password: password,
    migrate_url: ownerUrl,
    database_url: login.href,
    secret_key: SECRET_KEY,
    temporal_password: 'of-temporal',
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(secrets, name), `${text}\n`);
  return secrets;
}

/** The CLI under the name that scripts call it by. */
async function folderOfCli({ folder, signal }: ServersOptions): Promise<string> {
  const { temporalCliPath: cliPath, searchPath, cacheDir } = loadConfig();
  const onProgress = (): void => undefined;
  const cli = await temporalBinary({ cliPath, searchPath, cacheDir, signal, onProgress });
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync(cli, join(bin, 'temporal'));
  return bin;
}

interface Place {
  readonly folder: string;
  readonly secrets: string;
  readonly postgresPort: string;
  readonly tools: readonly string[];
}

interface Engine {
  readonly address: string;
  readonly metricsUrl: string;
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

async function engineOf(place: Place): Promise<Engine> {
  const { folder, secrets, postgresPort } = place;
  const { services, configs } = composeFile();
  const dynamic = join(folder, 'dynamic.yaml');
  writeFileSync(dynamic, configs['temporal-dynamic']?.content ?? '');
  const chosen = await Promise.all(
    [...portVariables, 'FRONTEND_HTTP_PORT', METRICS].map(
      async (variable) =>
        [variable, String(await choosePort({ variable, wanted: undefined }))] as const,
    ),
  );
  const ports = Object.fromEntries(chosen);
  const port = Number(ports['FRONTEND_GRPC_PORT']);
  const address = `${host}:${port}`;
  const environmentOf = (of: Service | undefined) =>
    childEnvironment({
      ...of?.environment,
      PATH: [...place.tools, ...loadConfig().searchPath].join(delimiter),
      HOME: folder,
      PGHOST: host,
      PGPORT: postgresPort,
      SQL_HOST: host,
      SQL_PORT: postgresPort,
      TEMPORAL_ADDRESS: address,
      POSTGRES_SEEDS: host,
      DB_PORT: postgresPort,
      BIND_ON_IP: host,
      DYNAMIC_CONFIG_FILE_PATH: dynamic,
      ...ports,
      [METRICS]: `${host}:${ports[METRICS]}`,
    });
  /** The script of a service, with the secrets of this machine. */
  const scriptOf = (of: Service | undefined): readonly [string, ...string[]] => {
    const [shell = '', ...args] = of?.command ?? [];
    return [shell, ...args.map((each) => each.replaceAll(SECRETS, secrets))];
  };
  const job = async (name: string): Promise<void> => {
    const [shell, ...args] = scriptOf(services[name]);
    await run(shell, args, { env: environmentOf(services[name]), cwd: folder });
  };
  let server: ServerProcess | undefined;
  const start = async (): Promise<void> => {
    const [command, ...args] = scriptOf(services['temporal']);
    const started = await startServer({
      name: 'Temporal',
      command,
      // The image's entry finds an address to listen on; here it is given.
      args: args.map((each) =>
        each.replace('/etc/temporal/entrypoint.sh', 'temporal-server start'),
      ),
      cwd: folder,
      env: environmentOf(services['temporal']),
      logFile: join(folder, 'temporal.log'),
    });
    server = started;
    await until('the server of Temporal listens', async () => {
      if (!started.running()) throw new Error(`Temporal ended: ${join(folder, 'temporal.log')}`);
      return isListening(port);
    });
  };
  const stop = async (): Promise<void> =>
    server?.stop({ signal: 'SIGTERM', limitSeconds: STOP_SECONDS });
  await job('temporal-login');
  // A job is run again at each `docker compose up`.
  await job('temporal-login');
  await job('temporal-schema');
  await job('temporal-schema');
  await start();
  try {
    await job('temporal-namespace');
    await job('temporal-namespace');
  } catch (error) {
    await stop();
    throw error;
  }
  const restart = async (): Promise<void> => {
    server?.child.kill('SIGKILL');
    await server?.exited;
    await start();
  };
  return { address, metricsUrl: `http://${host}:${ports[METRICS]}/metrics`, restart, stop };
}
