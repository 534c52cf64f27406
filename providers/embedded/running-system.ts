/** Finds the system that `npm start` runs on DATA_DIR. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { readEndpoints } from './endpoints.ts';
import { isRunning } from './process.ts';

/** Completes the configuration with the addresses of the running `npm start` of DATA_DIR. */
export function withRunningSystem(config: Config): Config {
  const endpoints = readEndpoints(config.dataDir);
  const start = endpoints?.processes['start'];
  // A killed start leaves a stale file behind.
  if (!endpoints || !start || !isRunning(start)) return config;
  // Another database has another secret key and another Temporal.
  const databaseUrl = config.databaseUrl ?? endpoints.databaseUrl;
  if (databaseUrl !== endpoints.databaseUrl) return config;
  return Object.freeze({
    ...config,
    publicUrl: endpoints.publicUrl ?? config.publicUrl,
    databaseUrl,
    migrateUrl: config.migrateUrl ?? endpoints.migrateUrl,
    temporalAddress: config.temporalAddress ?? endpoints.temporalAddress,
    temporalNamespace: endpoints.temporalNamespace ?? config.temporalNamespace,
    secretKey: config.secretKey ?? readSecretKey(config.dataDir),
  });
}

/** The file beside the data in which the embedded system keeps its SECRET_KEY. */
export function secretKeyFile(dataDir: string): string {
  return join(dataDir, 'secret.key');
}

function readSecretKey(dataDir: string): string | undefined {
  const name = secretKeyFile(dataDir);
  return existsSync(name) ? readFileSync(name, 'utf8').trim() : undefined;
}
