/** Puts into the outbox what a workflow engine that lost its memory has to be told again. */
import type { Pool } from 'pg';
import { rowTypes } from '../../connection/database.ts';
import type { Tx } from '../../connection/tenancy.ts';

/** What the installation keeps under a key; undefined before it kept anything. */
export async function readInstallation(pool: Pool, key: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ value: string }>(
    'select value from installation where key = $1',
    [key],
  );
  return rows[0]?.value;
}

export async function keepInstallation(pool: Pool, key: string, value: string): Promise<void> {
  await pool.query(
    `insert into installation (key, value) values ($1, $2)
     on conflict (key) do update set value = excluded.value`,
    [key, value],
  );
}

/** As the relay's role, which sees all tenants. */
export async function allTenantIds(relay: Pool): Promise<number[]> {
  const { rows } = await relay.query<{ id: number }>({
    text: 'select id from tenant order by id',
    types: rowTypes,
  });
  return rows.map((row) => row.id);
}

/** Of an order whose workflow has something to do, now or later. */
const isOpen = `(next_action_on is not null or status not in ('Complete', 'Superseded', 'Canceled')
  or id in (select autopay_order_id from invoice where tenant_id = $1 and autopay_on is not null))`;

/** The customers of what needs a workflow, after an id, by kind. */
const ownersOf = {
  order: `select customer_id from subscription_order
    where tenant_id = $1 and customer_id > $2 and ${isOpen}`,
  payment: `select customer_id from payment
    where tenant_id = $1 and customer_id > $2 and status = 'Pending'`,
} as const;

/**
 * Locks customers after an id, as every writer of what is theirs does before it enqueues: so the
 * next rows are not written by two at once in two orders. Answers their ids, ascending.
 */
export async function lockOwners(
  tx: Tx,
  kind: keyof typeof ownersOf,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select id from customer where tenant_id = $1 and id in (
       select distinct customer_id from (${ownersOf[kind]}) owner order by customer_id limit $3)
     order by id for no key update`,
    [tx.tenantId, after, limit],
  );
  return rows.map((row) => row.id);
}

/**
 * One row per order of these customers that is not over or has an invoice yet to be paid by itself,
 * due one after the other at a steady pace: what others write meanwhile is delivered in between.
 * Answers with their number.
 */
export async function enqueueOpenOrders(
  tx: Tx,
  options: {
    readonly customerIds: readonly number[];
    readonly idPrefix: string;
    readonly perSecond: number;
    /** So many are enqueued already. */
    readonly after: number;
  },
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `with enqueued as (
       insert into outbox (tenant_id, workflow_id, kind, object_id, deliver_after)
       select tenant_id, $2 || id, 'order', id,
              now() + make_interval(secs => ($4 + row_number() over (order by id)) / $3::float8)
       from subscription_order
       where tenant_id = $1 and customer_id = any($5) and ${isOpen}
       order by id
       on conflict (tenant_id, workflow_id) do update set version = outbox.version + 1
       returning 1)
     select count(*) from enqueued`,
    [tx.tenantId, options.idPrefix, options.perSecond, options.after, options.customerIds],
  );
  return row?.count ?? 0;
}

/** One row per cascade that has a payment under way: these do not wait. Answers with their number. */
export async function enqueuePending(
  tx: Tx,
  options: { readonly customerIds: readonly number[]; readonly idPrefix: string },
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `with enqueued as (
       insert into outbox (tenant_id, workflow_id, kind, object_id, deliver_after)
       select distinct tenant_id, $2 || cascade_id, 'payment', cascade_id, now()
       from payment where tenant_id = $1 and customer_id = any($3) and status = 'Pending'
       order by cascade_id
       on conflict (tenant_id, workflow_id) do update set version = outbox.version + 1
       returning 1)
     select count(*) from enqueued`,
    [tx.tenantId, options.idPrefix, options.customerIds],
  );
  return row?.count ?? 0;
}
