/** Records the statements sent to the database, and the order of the locks that they take. */
import type { PoolClient } from 'pg';
import type { Database } from '../../../db/connection/database.ts';

export interface Said {
  readonly text: string;
  readonly values: readonly unknown[];
  /** A number for its transaction, as several may be under way at once. */
  readonly transaction: number;
}

/** The same database, with its statements recorded. */
export function overheard(db: Database, said: Said[]): Database {
  let begun = 0;
  const connect = async (): Promise<PoolClient> => {
    const client = await db.pool.connect();
    let transaction = 0;
    const query = (config: string | { text: string; values?: unknown[] }, ...rest: unknown[]) => {
      const text = typeof config === 'string' ? config : config.text;
      const given = typeof config === 'string' ? (rest[0] as unknown[]) : config.values;
      if (text.startsWith('begin')) transaction = begun += 1;
      said.push({ text: text.replace(/\s+/g, ' ').trim(), values: given ?? [], transaction });
      return (client.query as (...all: unknown[]) => unknown)(config, ...rest);
    };
    return new Proxy(client, {
      get: (target, key) => {
        if (key === 'query') return query;
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  };
  const pool = new Proxy(db.pool, {
    get: (target, key) => {
      if (key === 'connect') return connect;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { ...db, pool };
}

export const locksClock = /from test_clock .*for share/;
export const locksCustomers = /from customer where .*for no key update/;
const writes = /\b(insert into|update|delete from) /;
export const takesOrderNumber = /update counter .*kind = 'order'/;
export const takesInvoiceNumber = /insert into counter .*on conflict/;

/** The statements of each transaction, without reads that lock nothing. */
export function transactionsOf(said: readonly Said[]): Said[][] {
  return Map.groupBy(said, ({ transaction }) => transaction)
    .values()
    .toArray()
    .map((all) =>
      all.filter(({ text }) => {
        const isWrite = writes.test(text) && !text.startsWith('select');
        return isWrite || locksClock.test(text) || locksCustomers.test(text);
      }),
    )
    .filter((locking) => locking.length > 0);
}
