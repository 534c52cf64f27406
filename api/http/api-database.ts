/** The settings of the API's connections to PostgreSQL, in each of its threads. */
import type { DatabaseOptions } from '../../db/connection/database.ts';

const WAITING_MAX = 500;
const TENANT_WAITING_MAX = 250;
const WAIT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 5_000;
/** A new connection plans each statement of a call again, which takes up to 20 ms. */
const IDLE_MS = 600_000;

export interface ApiPool {
  readonly databaseUrl: string;
  readonly poolMax: number;
  /** The rest of the connections stays available to other tenants. */
  readonly tenantConnectionsMax: number;
}

export function apiDatabase({ databaseUrl, poolMax, tenantConnectionsMax }: ApiPool) {
  return {
    url: databaseUrl,
    role: 'sundial_app',
    poolMax,
    tenantConnectionsMax,
    waitingMax: WAITING_MAX,
    tenantWaitingMax: TENANT_WAITING_MAX,
    waitMs: WAIT_MS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    idleMs: IDLE_MS,
  } as const satisfies Partial<DatabaseOptions>;
}
