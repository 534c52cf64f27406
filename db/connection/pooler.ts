/**
 * Connections through a pooler in transaction mode, such as PgBouncer: a session is another one in each
 * transaction, so each sets what it needs, and nothing of a session is relied upon.
 */
import type { Pool, PoolClient, QueryResult } from 'pg';

interface Addresses {
  readonly poolUrl: string;
  /** For what a session holds. */
  readonly directUrl: string;
  readonly isPooled: boolean;
}

/** Of DATABASE_URL: `direct=HOST:PORT` in its query names PostgreSQL itself, behind the pooler. */
export function addressesOf(address: string): Addresses {
  const url = new URL(address);
  const direct = url.searchParams.get('direct');
  if (direct === null) return { poolUrl: address, directUrl: address, isPooled: false };
  url.searchParams.delete('direct');
  const poolUrl = url.href;
  url.host = direct;
  return { poolUrl, directUrl: url.href, isPooled: true };
}

/** For a `select` at the begin of a transaction, with which the settings end. */
export const settingsText = (settings: Readonly<Record<string, string | number>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', '${value}', true)`)
    .join(', ');

interface Query {
  readonly submit: unknown;
  callback?: (error: Error | null, result: QueryResult) => void;
}

type Ask = (config: unknown, values?: unknown) => Promise<QueryResult>;

/** Makes each statement of the pool a transaction that begins with the settings, in one packet. */
export function eachInATransaction(pool: Pool, sets: string): void {
  const seen = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => {
    if (seen.has(client)) return;
    seen.add(client);
    leaveUnnamed(client);
  });
  const query: Ask = async (config, values) => {
    const client = await pool.connect();
    const ask = client.query.bind(client) as unknown as Ask;
    const [begun, answered, ended] = await Promise.allSettled([
      ask(`begin; select ${sets}`),
      isQuery(config) ? submitted(client, config) : ask(config, values),
      ask('commit'),
    ]);
    client.release(ended.status === 'rejected');
    for (const each of [answered, begun, ended]) {
      if (each.status === 'rejected') throw each.reason;
    }
    return (answered as PromiseFulfilledResult<QueryResult>).value;
  };
  Object.assign(pool, { query });
}

const isQuery = (config: unknown): config is Query =>
  typeof config === 'object' && config !== null && 'submit' in config;

function submitted(client: PoolClient, query: Query): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    query.callback = (error, result) => (error ? reject(error) : resolve(result));
    (client.query.bind(client) as unknown as (query: Query) => unknown)(query);
  });
}

/**
 * The server that has planned a named statement is not the next one, and PgBouncer before 1.21 does
 * not tell them apart.
 */
function leaveUnnamed(client: PoolClient): void {
  const ask = client.query.bind(client) as (...asked: unknown[]) => unknown;
  const unnamed = (config: unknown, ...more: unknown[]): unknown => {
    if (isQuery(config)) Object.assign(config, { name: undefined });
    else if (typeof config === 'object' && config !== null)
      return ask({ ...config, name: undefined }, ...more);
    return ask(config, ...more);
  };
  Object.assign(client, { query: unnamed });
}
