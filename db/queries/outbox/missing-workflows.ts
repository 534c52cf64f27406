/** Puts nudges for all open objects into the outbox after the workflow engine lost its data. */
import type { Pool } from 'pg';
import { rowTypes } from '../../connection/database.ts';
import type { Tx } from '../../connection/tenancy.ts';

/** Runs as the relay's role, which sees all tenants. */
export async function allTenantIds(relay: Pool): Promise<number[]> {
  const { rows } = await relay.query<{ id: number }>({
    text: 'select id from tenant order by id',
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
