/**
 * Checks the locks that transactions take, in every test: locks that several customers share are
 * taken in one order (docs/architecture.md, Locks), so that no two transactions wait for each
 * other. It checks every operation that any test runs, without a list.
 */
import { registerCompletionHandler } from 'ava';
import type { PoolClient, QueryResult } from 'pg';
import type { Database } from '../../db/connection/database.ts';
import { noteFinding } from './records.ts';

/** In the order in which they are taken. */
const shared = [
  ['clock', /(from test_clock .*for (share|update))|update test_clock/],
  ['customers', /from customer .*for no key update/],
  ['order numbers', /update counter .*kind = 'order'/],
  ['invoice numbers', /insert into counter .*on conflict/],
] as const;
type Lock = (typeof shared)[number][0];

/** The locks of a transaction, and any violation of the order. */
export class Holding {
  readonly #held = new Set<Lock>();
  readonly #customers = new Set<number>();
  readonly #onWrong: (what: string) => void;

  constructor(onWrong: (what: string) => void) {
    this.#onWrong = onWrong;
  }

  /**
   * Call it in the order in which the statements are sent. For a statement that locks customers it
   * returns a function to be called with the ids of the locked customers.
   */
  take(text: string): ((customerIds: readonly number[]) => void) | undefined {
    let told: ReturnType<Holding['take']>;
    for (const lock of locksIn(text)) {
      const later = [...this.#held].find((each) => rankOf(each) > rankOf(lock));
      if (lock === 'customers') told = (ids) => this.#takeCustomers(ids, { text, later });
      else if (later !== undefined && !this.#held.has(lock)) {
        this.#onWrong(`${lock} after ${later}: ${text}`);
      }
      this.#held.add(lock);
    }
    return told;
  }

  /**
   * Customers are locked by ascending id; locks that the transaction holds may be repeated at any
   * time.
   */
  #takeCustomers(
    ids: readonly number[],
    { text, later }: { readonly text: string; readonly later: Lock | undefined },
  ): void {
    const most = Math.max(...this.#customers);
    for (const id of ids) {
      if (this.#customers.has(id)) continue;
      if (later !== undefined) this.#onWrong(`a customer after ${later}: ${text}`);
      if (id < most) this.#onWrong(`a customer after one of a higher id: ${text}`);
      this.#customers.add(id);
    }
  }
}

const rankOf = (lock: Lock): number => shared.findIndex(([name]) => name === lock);

/** Texts are few, and long: each is searched once. */
const TEXTS_MAX = 10_000;
const locksByText = new Map<string, readonly Lock[]>();

function locksIn(text: string): readonly Lock[] {
  let locks = locksByText.get(text);
  if (locks === undefined) {
    const line = text.replace(/\s+/g, ' ').trim();
    locks = shared.flatMap(([lock, pattern]) => (pattern.test(line) ? [lock] : []));
    if (locksByText.size === TEXTS_MAX) locksByText.clear();
    locksByText.set(text, locks);
  }
  return locks;
}

/** The same database; the test file fails if a transaction on it takes locks in another order. */
export function watchingLocks(db: Database): Database {
  const wrong: string[] = [];
  registerCompletionHandler(() => {
    if (wrong.length > 0) throw new Error(`locks out of order:\n${[...new Set(wrong)].join('\n')}`);
  });
  return watched(db, (each) => {
    noteFinding('locks out of order');
    wrong.push(each);
  });
}

export function watched(db: Database, onWrong: (what: string) => void): Database {
  // One for each connection, as the product keeps what belongs to a connection.
  const clients = new WeakMap<PoolClient, PoolClient>();
  const connect = async (): Promise<PoolClient> => {
    const client = await db.pool.connect();
    const known = clients.get(client) ?? watchedClient(client, onWrong);
    clients.set(client, known);
    return known;
  };
  const pool = new Proxy(db.pool, {
    get: (target, key) => (key === 'connect' ? connect : ownOf(target, key)),
    // What the pool keeps it keeps itself.
    set: (target, key, value) => Reflect.set(target, key, value),
  });
  return { ...db, pool };
}

function watchedClient(client: PoolClient, onWrong: (what: string) => void): PoolClient {
  let holding = new Holding(onWrong);
  const ask: Ask = client.query.bind(client);
  const query = (config: Sent, ...others: unknown[]): unknown => {
    const text = typeof config === 'string' ? config : config.text;
    if (text.startsWith('begin')) {
      holding = new Holding(onWrong);
      return ask(config, ...others);
    }
    const told = holding.take(text);
    if (told === undefined) return ask(config, ...others);
    if (typeof config === 'string' || config.callback === undefined) {
      throw new Error('only a named query locks customers');
    }
    const { callback } = config;
    config.callback = (error, result) => {
      if (!error) told(result.rows.flatMap(({ id }) => (typeof id === 'number' ? [id] : [])));
      callback(error, result);
    };
    return ask(config, ...others);
  };
  return new Proxy(client, {
    get: (target, key) => (key === 'query' ? query : ownOf(target, key)),
    set: (target, key, value) => Reflect.set(target, key, value),
  });
}

type Ask = (...all: unknown[]) => unknown;

type Sent =
  | string
  | {
      readonly text: string;
      callback?: (error: Error | null, result: QueryResult<Locked>) => void;
    };

interface Locked {
  readonly id: unknown;
}

function ownOf(target: object, key: string | symbol): unknown {
  const value: unknown = Reflect.get(target, key);
  return typeof value === 'function' ? value.bind(target) : value;
}
