/** DATA_DIR/endpoints.json: the addresses that `npm start` chose, for other commands. */

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessIdentity } from './process.ts';

export interface Endpoints {
  readonly status: 'starting' | 'ready';
  /** The address and port of the API, without a tenant's name. */
  readonly apiUrl?: string;
  readonly publicUrl?: string;
  readonly temporalUiUrl?: string;
  /** Callbacks may go to private addresses, as to the receiver of the demo. */
  readonly allowsPrivateCallbacks?: boolean;
  /** Of the login that owns nothing. */
  readonly databaseUrl?: string;
  /** Of the schema's owner, for what changes the schema. */
  readonly migrateUrl?: string;
  readonly temporalAddress?: string;
  readonly temporalNamespace?: string;
  /**
   * Not always below DATA_DIR: for root the data is in a folder that the user postgres can read.
   */
  readonly postgresFolder?: string;
  /**
   * By name (start, postgres, temporal, worker, api); the next start finds orphaned processes by
   * it.
   */
  readonly processes: Readonly<Record<string, ProcessIdentity>>;
}

export function endpointsFile(dataDir: string): string {
  return join(dataDir, 'endpoints.json');
}

/** Undefined if no system was started there, or if it was stopped cleanly. */
export function readEndpoints(dataDir: string): Endpoints | undefined {
  let text: string;
  try {
    text = readFileSync(endpointsFile(dataDir), 'utf8');
  } catch {
    return undefined;
  }
  // The start replaces the file by renaming, so it is never incomplete.
  return JSON.parse(text) as Endpoints;
}

/** Whether the `npm start` of that process is still bringing the system up. */
export function isBeingStartedBy(dataDir: string, pid: number): boolean {
  const endpoints = readEndpoints(dataDir);
  return endpoints?.status === 'starting' && endpoints.processes['start']?.pid === pid;
}

/** Readable by the user only: the addresses of the database contain passwords. */
export function writeEndpoints(dataDir: string, endpoints: Endpoints): void {
  mkdirSync(dataDir, { recursive: true });
  const temporary = `${endpointsFile(dataDir)}.${process.pid}`;
  try {
    writeFileSync(temporary, `${JSON.stringify(endpoints, null, 2)}\n`, { mode: 0o600 });
    renameSync(temporary, endpointsFile(dataDir));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

export function removeEndpoints(dataDir: string): void {
  rmSync(endpointsFile(dataDir), { force: true });
}
