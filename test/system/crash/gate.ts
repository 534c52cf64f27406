/**
 * One gate in a test's own database: whoever inserts a charge of a kind waits with it in its
 * transaction while the gate is closed, where the test sees it and may kill it.
 */
import { Client } from 'pg';
import { until } from '../../support/until.ts';

export interface Gate {
  readonly close: () => Promise<void>;
  readonly open: () => Promise<void>;
  /** Resolves when a process waits at the closed gate. */
  readonly reached: () => Promise<void>;
  readonly end: () => Promise<void>;
}

export async function gateAt(kind: string, ownerUrl: string): Promise<Gate> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  // Who waits here waits for longer than our own limit of a lock.
  await client.query(`
    create function gate() returns trigger language plpgsql set lock_timeout = 0 as $$
    begin
      perform pg_advisory_xact_lock_shared(42);
      return null;
    end $$;
    create trigger gate after insert on invoice_charge
      for each row when (new.kind = '${kind}') execute function gate()`);
  return {
    async close() {
      await client.query('select pg_advisory_lock(42)');
    },
    async open() {
      await client.query('select pg_advisory_unlock_all()');
    },
    reached: () =>
      until(`a process has written a ${kind}`, async () => {
        const { rows } = await client.query(
          `select from pg_locks l join pg_database d on d.oid = l.database
           where d.datname = current_database() and l.locktype = 'advisory' and not l.granted
             and l.objid = 42`,
        );
        return rows.length > 0;
      }),
    end: () => client.end(),
  };
}
