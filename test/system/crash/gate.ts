/**
 * One gate in a test's own database: whoever inserts a charge of a kind, or a row of another table,
 * waits with it in its transaction while the gate is closed, where the test sees it and may kill it.
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

export const gateAt = (kind: string, ownerUrl: string): Promise<Gate> =>
  openGate(ownerUrl, `after insert on invoice_charge for each row when (new.kind = '${kind}')`);

/** For whoever inserts rows of a table. */
export const gateOn = (table: string, ownerUrl: string): Promise<Gate> =>
  openGate(ownerUrl, `after insert on ${table} for each row`);

/** For whoever is about to insert a row of a table, after the rows before it. */
export const gateBefore = (table: string, when: string, ownerUrl: string): Promise<Gate> =>
  openGate(ownerUrl, `before insert on ${table} for each row when (${when})`);

/** For whoever has inserted a row of a table that meets a condition. */
export const gateWhere = (table: string, when: string, ownerUrl: string): Promise<Gate> =>
  openGate(ownerUrl, `after insert on ${table} for each row when (${when})`);

/** For whoever changes a row of a table, whose `old` and `new` meet a condition. */
export const gateOnUpdate = (table: string, when: string, ownerUrl: string): Promise<Gate> =>
  openGate(ownerUrl, `after update on ${table} for each row when (${when})`);

/** For whoever commits a transaction that has done this: it commits once the gate is opened. */
export const gateAtCommit = (what: string, when: string, ownerUrl: string): Promise<Gate> =>
  openGate(
    ownerUrl,
    `after ${what} deferrable initially deferred for each row when (${when})`,
    'constraint trigger',
  );

/**
 * Statements of PL/pgSQL that take an advisory lock as soon as it is free. A process waits for it
 * beyond the time that its own statement has, which is over soon beside other work.
 */
export const waitsFor = (key: string): string => `
  loop
    begin
      perform pg_advisory_xact_lock_shared(${key});
      exit;
    exception when query_canceled then
      null;
    end;
  end loop;`;

let gates = 41;

async function openGate(ownerUrl: string, when: string, kind = 'trigger'): Promise<Gate> {
  const key = (gates += 1);
  const client = new Client({ connectionString: ownerUrl });
  // A test may kill the server.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`
    create function gate_${key}() returns trigger language plpgsql set lock_timeout = 0 as $$
    begin
      ${waitsFor(String(key))}
      return new;
    end $$;
    create ${kind} gate_${key} ${when} execute function gate_${key}()`);
  return {
    async close() {
      await client.query('select pg_advisory_lock($1)', [key]);
    },
    async open() {
      await client.query('select pg_advisory_unlock_all()');
    },
    reached: () =>
      until('a process waits at the gate', async () => {
        const { rows } = await client.query(
          `select from pg_locks l join pg_database d on d.oid = l.database
           where d.datname = current_database() and l.locktype = 'advisory' and not l.granted
             and l.objid = $1`,
          [key],
        );
        return rows.length > 0;
      }),
    end: () => client.end(),
  };
}
