/** Rows of what is over, deleted when they were kept for long enough. */
import type { DeletedKind } from '../../../domain/events/retention.ts';
import type { Database } from '../../connection/database.ts';
import type { Tx } from '../../connection/tenancy.ts';

interface KeptTable {
  readonly table: string;
  /** When a row was done with; null while it is not. An index leads with the tenant and this. */
  readonly doneAt: string;
}

const keptTables: Readonly<Record<DeletedKind, KeptTable>> = {
  deliveries: { table: 'callback_delivery', doneAt: 'settled_at' },
  resends: { table: 'event_resend', doneAt: 'taken_at' },
  mails: { table: 'mail', doneAt: 'done_at' },
  gatewayEvents: { table: 'gateway_event', doneAt: 'asked_at' },
  documents: { table: 'event_document', doneAt: 'kept_at' },
  taxAnswers: { table: 'tax_answer', doneAt: 'answered_at' },
  keptAnswers: { table: 'idempotency_key', doneAt: 'kept_at' },
};

/**
 * Deletes the oldest rows that were done with before an instant, and returns their number. It skips
 * rows that another transaction has locked, so that it never waits for one.
 */
export async function deleteDone(
  tx: Tx,
  kind: DeletedKind,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { table, doneAt } = keptTables[kind];
  const [row] = await tx.query<{ deleted: number }>(
    // By their places: a join would need statistics, which lag behind in a table that grows.
    `with gone as (
       delete from ${table} where tenant_id = $1 and ctid = any (array(
         select ctid from ${table}
         where tenant_id = $1 and ${doneAt} < $2
         order by ${doneAt} limit $3 for update skip locked))
       returning ${doneAt} as at),
     marked as (
       insert into retention_mark as m (tenant_id, kind, deleted_to)
       select $1, $4, max(at) from gone having count(*) > 0
       on conflict (tenant_id, kind) do update
         set deleted_to = greatest(m.deleted_to, excluded.deleted_to))
     select count(*) as deleted from gone`,
    [tx.tenantId, before, limit, kind],
    `delete-done-${kind}`,
  );
  return row?.deleted ?? 0;
}

/** Logins at the operator's page, the oldest first; returns their number. The days are those of the database's clock. */
export async function deleteOperatorLogins(
  db: Pick<Database, 'ask'>,
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<number> {
  const [row] = await db.ask<{ deleted: number }>({
    name: 'delete-operator-logins',
    text: `with gone as (
        delete from operator_login where id = any (array(
          select id from operator_login where at < now() - make_interval(days => $1)
          order by at limit $2))
        returning id)
      select count(*)::int as deleted from gone`,
    values: [days, limit],
  });
  return row?.deleted ?? 0;
}

/** The clock of the process that wrote a row may differ by as much from that of another one. */
const CLOCKS_DIFFER_MAX = `interval '1 hour'`;

/** The condition of an event `e` of the tenant $1 whose row of this kind nobody has deleted. */
export const isKept = (kind: DeletedKind, e: string): string =>
  `${e}.occurred_at > coalesce((select deleted_to + ${CLOCKS_DIFFER_MAX} from retention_mark
     where tenant_id = $1 and kind = '${kind}'), '-infinity')`;
