/** Tracks which workflows of a tenant on a test clock have seen their objects' newest version. */
import type { Tx } from '../../connection/tenancy.ts';
import type { IsoDate } from '../../../domain/model.ts';
import { agendaBranches } from '../due/agenda.ts';

/** A kind of object that has versions and a workflow: its name, and its table. */
export interface AwaitedKind {
  readonly name: string;
  readonly table: string;
}

const behind = (table: string): string => `
  select o.id from ${table} o
  left join workflow_seen s on s.tenant_id = o.tenant_id and s.kind = $2 and s.object_id = o.id
  where o.tenant_id = $1 and o.version > coalesce(s.seen_version, 0)`;

/** Objects after an id whose workflow has not seen their newest version, ascending. */
export async function objectsBehind(
  tx: Tx,
  { name, table }: AwaitedKind,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `${behind(table)} and o.id > $3 order by o.id limit $4`,
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
    `${behind(table)} and o.id = any($3)`,
    [tx.tenantId, name, ids],
    `still-behind-${name}`,
  );
  return rows.map((row) => row.id);
}

/**
 * Records that the workflow has seen its object's current version. It runs before the object is
 * read, in the same transaction, so the object read is at least as new as the recorded version.
 */
export function noteSeen(tx: Tx, { name, table }: AwaitedKind, id: number): void {
  tx.send(
    `insert into workflow_seen as s (tenant_id, kind, object_id, seen_version)
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
    `insert into workflow_seen as s (tenant_id, kind, object_id, seen_version)
     select $1, 'order', payer.id, 0 from (
       select distinct i.autopay_order_id as id
       from (${agendaBranches.autopay}) due
       join invoice i on i.tenant_id = $1 and i.id = due.object_id
       where i.autopay_order_id is not null order by 1) payer
     on conflict (tenant_id, kind, object_id) do update set seen_version = 0`,
    [tx.tenantId, today],
    'markPayersBehind',
  );
}
