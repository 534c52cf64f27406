/** A database whose transactions a test holds up before they begin. */
import type { Database } from '../../../db/connection/database.ts';

/** @param before called before a connection is taken */
export function heldUp(db: Database, before: () => Promise<unknown>): Database {
  const connect = async () => {
    await before();
    return db.pool.connect();
  };
  const pool = new Proxy(db.pool, {
    get(target, key) {
      if (key === 'connect') return connect;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    set: (target, key, value) => Reflect.set(target, key, value),
  });
  return { ...db, pool };
}
