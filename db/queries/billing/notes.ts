/** Notes of customers about to be rated, and the suspects from notes of dead processes. */
import type { ClientBase } from 'pg';
import { rowTypes, type Database } from '../../connection/database.ts';
import { beginBeside, type Tx } from '../../connection/tenancy.ts';
import { keyed } from '../context/keyed.ts';

/** An arbitrary constant: with a process's number it is the lock that proves the process alive. */
const LIFE_LOCK = 727_002;
/** Longer than rating any batch takes: an older note may belong to an endless loop. */
const NOTE_AGE_MAX_SECONDS = 180;
/** No process has this number. */
const NOBODY = 0;

/** False when another session holds this number. */
export async function lockLife(client: ClientBase, processId: number): Promise<boolean> {
  // A note must survive its process, but need not survive the machine.
  await client.query('set synchronous_commit = off');
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock($1, $2) as locked',
    [LIFE_LOCK, processId],
  );
  return rows[0]?.locked === true;
}

// If we get the lock of a process, no other session holds it: the process is dead. Our own session
// would get its own lock, so its notes are excluded. Ordered by id, as two may bury the same notes.
const dead = `
  delete from billing_note where tenant_id = $1 and id in (
    select id from billing_note
    where tenant_id = $1 and process_id <> $4 and (pg_try_advisory_xact_lock_shared($2, process_id)
      or noted_at < clock_timestamp() - make_interval(secs => $3))
    order by id for update)
  returning customer_ids`;
const suspect = `
  insert into billing_suspect (tenant_id, customer_id)
  select distinct c.tenant_id, c.id from dead, unnest(dead.customer_ids) as noted(id)
  join customer c on c.tenant_id = $1 and c.id = noted.id
  on conflict do nothing`;

export interface NewNote {
  readonly tenantId: number;
  readonly processId: number;
  readonly customerIds: readonly number[];
}

export interface WrittenNote {
  readonly id: number;
  /** The noted customers that are suspects. */
  readonly suspects: readonly number[];
}

/**
 * Writes a note of the customers, turns notes of dead processes into suspects, and returns the
 * suspects, in one round trip. Several calls may share the connection: nothing is awaited in
 * between.
 */
export async function writeNote(
  client: ClientBase,
  { tenantId, processId, customerIds }: NewNote,
): Promise<WrittenNote> {
  const pipeline = beginBeside(client, tenantId);
  const noted = pipeline.query<{ id: number }>({
    name: 'billing-note',
    text: `with dead as (${dead}), suspected as (${suspect})
      insert into billing_note (tenant_id, process_id, customer_ids) values ($1, $4, $5)
      returning id`,
    values: [tenantId, LIFE_LOCK, NOTE_AGE_MAX_SECONDS, processId, customerIds],
    types: rowTypes,
  });
  // A separate statement sees the suspects that others committed while the first one waited.
  const { key, ...suspectsOf } = suspectsBy(customerIds);
  const suspected = pipeline.query<{ customerId: number }>({
    ...suspectsOf,
    values: [tenantId, key],
    types: rowTypes,
  });
  const [written, suspects] = await Promise.all([noted, suspected, pipeline.commit()]);
  const [note] = written.rows;
  if (!note) throw new Error('the note was not written');
  return { id: note.id, suspects: suspects.rows.map((row) => row.customerId) };
}

const suspectsBy = keyed(
  'billing-suspects-of',
  (are) => `select customer_id from billing_suspect
    where tenant_id = $1 and customer_id ${are('$2')}`,
);

export async function deleteNotes(
  client: ClientBase,
  tenantId: number,
  ids: readonly number[],
): Promise<void> {
  const pipeline = beginBeside(client, tenantId);
  pipeline.fire({
    name: 'billing-notes-done',
    text: 'delete from billing_note where tenant_id = $1 and id = any($2)',
    values: [tenantId, ids],
  });
  await pipeline.commit();
}

/** Turns the notes of dead processes into suspects, without writing a note. */
export async function buryNotes(tx: Tx): Promise<void> {
  await tx.query(`with dead as (${dead}) ${suspect}`, [
    tx.tenantId,
    LIFE_LOCK,
    NOTE_AGE_MAX_SECONDS,
    NOBODY,
  ]);
}

/** Suspects that are neither proved guilty nor held from billing. */
export async function openSuspects(tx: Tx, limit: number): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select c.id from billing_suspect s
     join customer c on c.tenant_id = s.tenant_id and c.id = s.customer_id
     where s.tenant_id = $1 and s.blamed_at is null and c.billing_held_at is null
     order by c.id limit $2`,
    [tx.tenantId, limit],
  );
  return rows.map((row) => row.id);
}

/** Tenants with notes of dead processes or with suspects, read as the relay's role. */
export async function tenantsWithSuspects(relayDb: Database): Promise<number[]> {
  const rows = await relayDb.ask<{ id: number }>({
    name: 'tenants-with-suspects',
    text: `
      select tenant_id as id from billing_suspect where blamed_at is null
      union
      select tenant_id from billing_note
      where pg_try_advisory_xact_lock_shared($1, process_id)
        or noted_at < clock_timestamp() - make_interval(secs => $2)`,
    values: [LIFE_LOCK, NOTE_AGE_MAX_SECONDS],
    types: rowTypes,
  });
  return rows.map((row) => row.id);
}

/** Marks that billing this customer alone crashed its process. */
export async function blame(tx: Tx, customerId: number): Promise<void> {
  await tx.query(
    `insert into billing_suspect as s (tenant_id, customer_id, blamed_at)
     values ($1, $2, clock_timestamp())
     on conflict (tenant_id, customer_id) do update set blamed_at = excluded.blamed_at`,
    [tx.tenantId, customerId],
  );
}

/** A customer that crashed a process stays a suspect until something was billed. */
export function clear(tx: Tx, customerId: number, options: { readonly wasBilled: boolean }): void {
  tx.send(
    `delete from billing_suspect
     where tenant_id = $1 and customer_id = $2 and (blamed_at is null or $3)`,
    [tx.tenantId, customerId, options.wasBilled],
    'clear-suspect',
  );
}
