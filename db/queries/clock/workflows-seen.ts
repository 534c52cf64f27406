/** Tracks which workflows of a tenant on a test clock have seen their objects' newest version. */
import type { Tx } from '../../connection/tenancy.ts';
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import { agendaBranches } from '../due/agenda.ts';

/** A kind of object that has versions and a workflow: its name, and its table. */
export interface AwaitedKind {
  readonly name: string;
  readonly table: string;
}

const seenOf = `left join workflow_seen s
    on s.tenant_id = o.tenant_id and s.kind = $2 and s.object_id = o.id`;
const isBehind = 'o.version > coalesce(s.seen_version, 0)';

/**
 * Objects after an id whose workflow has not seen their newest version, ascending. Whoever writes a
 * version, or has a workflow look again, adds a row of workflow_unseen in the same transaction, and
 * only `noteSeen` deletes it, so no other object can be behind (docs/decisions/0044-what-repeats.md).
 */
export async function objectsBehind(
  tx: Tx,
  { name, table }: AwaitedKind,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select distinct o.id from workflow_unseen u
     join ${table} o on o.tenant_id = u.tenant_id and o.id = u.object_id
     ${seenOf}
     where u.tenant_id = $1 and u.kind = $2 and u.object_id > $3 and ${isBehind}
     order by o.id limit $4`,
    [tx.tenantId, name, after, limit],
    `objects-behind-${name}`,
  );
  return rows.map((row) => row.id);
}

/** Selects those that are still behind, by primary key, however many objects the tenant has. */
export async function stillBehind(
  tx: Tx,
  { name, table }: AwaitedKind,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select o.id from ${table} o ${seenOf}
     where o.tenant_id = $1 and o.id = any($3) and ${isBehind}`,
    [tx.tenantId, name, ids],
    `still-behind-${name}`,
  );
  return rows.map((row) => row.id);
}

/**
 * Records that the workflow has seen its object's current version. It runs before the object is
 * read, in the same transaction, so the object read is at least as new as the recorded version. One
 * statement, so it deletes the rows of versions up to that one only: a later one is not visible yet.
 */
export function noteSeen(tx: Tx, { name, table }: AwaitedKind, id: number): void {
  tx.send(
    `with read as (
       delete from workflow_unseen where tenant_id = $1 and kind = $2 and object_id = $3)
     insert into workflow_seen as s (tenant_id, kind, object_id, seen_version)
     select tenant_id, $2, id, version from ${table} where tenant_id = $1 and id = $3
     on conflict (tenant_id, kind, object_id) do update set seen_version = excluded.seen_version
     where s.seen_version < excluded.seen_version`,
    [tx.tenantId, name, id],
    `note-seen-${name}`,
  );
}

/**
 * Marks the workflows of orders whose invoice is now due for autopay as behind: their rows have not
 * changed, but their next action has.
 */
export async function markPayersBehind(tx: Tx, today: IsoDate): Promise<void> {
  await tx.query(
    `with payer as materialized (
       select distinct i.autopay_order_id as id
       from (${agendaBranches.autopay}) due
       join invoice i on i.tenant_id = $1 and i.id = due.object_id
       where i.autopay_order_id is not null order by 1),
     unseen as (
       insert into workflow_unseen (tenant_id, kind, object_id)
       select $1, 'order', id from payer)
     insert into workflow_seen as s (tenant_id, kind, object_id, seen_version)
     select $1, 'order', id, 0 from payer
     on conflict (tenant_id, kind, object_id) do update set seen_version = 0`,
    [tx.tenantId, today],
    'markPayersBehind',
  );
}
