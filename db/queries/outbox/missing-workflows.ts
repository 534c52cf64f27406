/** Which objects need a workflow; nudges for all of them after the workflow engine lost its data. */
import type { Pool } from 'pg';
import { rowTypes } from '../../connection/database.ts';
import type { Tx } from '../../connection/tenancy.ts';

/**
 * Runs as the relay's role, which sees all tenants.
 *
 * @param only the label of the only tenant that is asked for; none has an unknown one
 */
export async function allTenantIds(relay: Pool, only?: string): Promise<number[]> {
  const { rows } = await relay.query<{ id: number }>({
    text: 'select id from tenant where $1::text is null or label = $1 order by id',
    values: [only ?? null],
    types: rowTypes,
  });
  return rows.map((row) => row.id);
}

/**
 * Locks customers after an id, as every writer of their rows does before it enqueues, so that two
 * writers never write the same outbox rows in different orders. Returns their ids, ascending.
 *
 * @param needed the objects that need a workflow, with their customer_id
 */
export async function lockOwners(
  tx: Tx,
  needed: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select id from customer where tenant_id = $1 and id in (
       select distinct customer_id from (${needed}) n where customer_id > $2
       order by customer_id limit $3)
     order by id for no key update`,
    [tx.tenantId, after, limit],
  );
  return rows.map((row) => row.id);
}

export interface Needed {
  readonly kind: string;
  /** The objects of the tenant $1 that need a workflow, as a statement: id, and customer_id. */
  readonly needed: string;
  readonly idPrefix: string;
  /** The owners; null if the objects have none. */
  readonly customerIds: readonly number[] | null;
  /** The pace of their starts; null: at once. */
  readonly perSecond: number | null;
  /** How many of the kind are enqueued already. */
  readonly after: number;
}

/** Enqueues a row for each object that needs a workflow. Returns their number. */
export async function enqueueNeeded(
  tx: Tx,
  { kind, needed, idPrefix, customerIds, perSecond, after }: Needed,
): Promise<number> {
  const owned = customerIds === null ? '$6::bigint[] is null' : 'n.customer_id = any($6)';
  const rows = await tx.query(
    `insert into outbox (tenant_id, workflow_id, kind, object_id, deliver_after)
     select $1, $2::text || n.id, $3, n.id, now() + coalesce(
       make_interval(secs => ($5::bigint + row_number() over (order by n.id)) / $4::float8), '0')
     from (${needed}) n where ${owned} order by 2
     on conflict (tenant_id, workflow_id) do update set version = outbox.version + 1
     returning 1`,
    [tx.tenantId, idPrefix, kind, perSecond, after, customerIds],
  );
  return rows.length;
}

/** A kind of objects that need workflows. */
export interface NeededKind {
  /** The objects of the tenant $1 that need one: id, number, status. */
  readonly needed: string;
  /** Those of the tenant $1 whose workflow another one starts, by their id. */
  readonly carried?: string | undefined;
  readonly idPrefix: string;
}

export interface NeededObject {
  readonly id: number;
  /** Its number, as people know it. */
  readonly number: number;
  readonly status: string;
}

/** Without those that an undelivered row of the outbox starts. */
const unstarted = ({ needed }: NeededKind, where: string): string =>
  `select n.id, n.number, n.status from (${needed}) n
   where ${where} and not exists (
     select from outbox x where x.tenant_id = $1 and x.workflow_id = $2::text || n.id)`;

/** The next ones after an id, ascending. */
export function readNeeded(
  tx: Tx,
  kind: NeededKind,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<NeededObject[]> {
  return tx.query<NeededObject & Record<string, unknown>>(
    `${unstarted(kind, 'n.id > $3')} order by n.id limit $4`,
    [tx.tenantId, kind.idPrefix, after, limit],
  );
}

/** Those of some objects. */
export function readNeededOf(
  tx: Tx,
  kind: NeededKind,
  ids: readonly number[],
): Promise<NeededObject[]> {
  return tx.query<NeededObject & Record<string, unknown>>(
    `${unstarted(kind, 'n.id = any($3)')} order by n.id`,
    [tx.tenantId, kind.idPrefix, ids],
  );
}

/** Whether an object is one of them, with a row in the outbox or without. */
export async function isNeeded(tx: Tx, { needed }: NeededKind, id: number): Promise<boolean> {
  const rows = await tx.query(`select from (${needed}) n where n.id = $2`, [tx.tenantId, id]);
  return rows.length > 0;
}

/** Those of some objects that no workflow is for: no row needs one, whoever starts it. */
export async function readUnneededOf(
  tx: Tx,
  { needed, carried, idPrefix }: NeededKind,
  ids: readonly number[],
): Promise<number[]> {
  const others = carried === undefined ? '' : `except select c.id from (${carried}) c`;
  const rows = await tx.query<{ id: number }>(
    // The ids are looked for by the index of the objects: a join might read all of them.
    `select own.id from (
       select unnest($3::bigint[]) as id
       except select n.id from (${needed}) n where n.id = any($3) ${others}) own
     where not exists (
       select from outbox x where x.tenant_id = $1 and x.workflow_id = $2::text || own.id)
     order by own.id`,
    [tx.tenantId, idPrefix, ids],
  );
  return rows.map(({ id }) => id);
}

/** Whether a row of the outbox starts it. */
export async function isEnqueued(tx: Tx, workflowId: string): Promise<boolean> {
  const rows = await tx.query('select from outbox where tenant_id = $1 and workflow_id = $2', [
    tx.tenantId,
    workflowId,
  ]);
  return rows.length > 0;
}
