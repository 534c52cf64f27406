/** Puts nudges for all open objects into the outbox after the workflow engine lost its data. */
import type { Pool } from 'pg';
import { rowTypes } from '../../connection/database.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { paysItself } from '../payments/pays-itself.ts';

/** The installation's value of a key; undefined if there is none. */
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

/** Runs as the relay's role, which sees all tenants. */
export async function allTenantIds(relay: Pool): Promise<number[]> {
  const { rows } = await relay.query<{ id: number }>({
    text: 'select id from tenant order by id',
    types: rowTypes,
  });
  return rows.map((row) => row.id);
}

/** The condition of an order whose workflow has something to do, now or later. */
const isOpen = `(next_action_on is not null or status not in ('Complete', 'Superseded', 'Canceled')
  or id in (select i.autopay_order_id from invoice i where i.tenant_id = $1 and ${paysItself('i')}))`;

/** The customers of objects that need a workflow, after an id, by kind. */
const ownersOf = {
  order: `select customer_id from subscription_order
    where tenant_id = $1 and customer_id > $2 and ${isOpen}`,
  payment: `select customer_id from payment
    where tenant_id = $1 and customer_id > $2 and status = 'Pending'`,
  dunning: `select customer_id from dunning
    where tenant_id = $1 and customer_id > $2 and closed_on is null`,
  paymentPlan: `select customer_id from payment_plan
    where tenant_id = $1 and customer_id > $2 and is_enabled`,
} as const;

/**
 * Locks customers after an id, as every writer of their rows does before it enqueues, so that two
 * writers never write the same outbox rows in different orders. Returns their ids, ascending.
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
 * Enqueues one row per order of these customers that is open or has an unpaid autopay invoice, at a
 * steady rate, so that rows of others are delivered in between. Returns their number.
 */
export async function enqueueOpenOrders(
  tx: Tx,
  options: {
    readonly customerIds: readonly number[];
    readonly idPrefix: string;
    readonly perSecond: number;
    /** How many are already enqueued. */
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

/** Enqueues one row per open dunning of these customers, at a steady rate. Returns their number. */
export async function enqueueOpenDunnings(
  tx: Tx,
  options: {
    readonly customerIds: readonly number[];
    readonly idPrefix: string;
    readonly perSecond: number;
    /** How many are already enqueued. */
    readonly after: number;
  },
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `with enqueued as (
       insert into outbox (tenant_id, workflow_id, kind, object_id, deliver_after)
       select tenant_id, $2 || customer_id, 'dunning', customer_id,
              now() + make_interval(
                secs => ($4 + row_number() over (order by customer_id)) / $3::float8)
       from dunning where tenant_id = $1 and customer_id = any($5) and closed_on is null
       order by customer_id
       on conflict (tenant_id, workflow_id) do update set version = outbox.version + 1
       returning 1)
     select count(*) from enqueued`,
    [tx.tenantId, options.idPrefix, options.perSecond, options.after, options.customerIds],
  );
  return row?.count ?? 0;
}

/** Enqueues one row per cascade with a pending payment, without delay. Returns their number. */
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

/** Enqueues one row per enabled payment plan, without delay. Returns their number. */
export async function enqueueEnabledPlans(
  tx: Tx,
  options: { readonly customerIds: readonly number[]; readonly idPrefix: string },
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `with enqueued as (
       insert into outbox (tenant_id, workflow_id, kind, object_id, deliver_after)
       select tenant_id, $2 || id, 'paymentPlan', id, now()
       from payment_plan where tenant_id = $1 and customer_id = any($3) and is_enabled
       order by id
       on conflict (tenant_id, workflow_id) do update set version = outbox.version + 1
       returning 1)
     select count(*) from enqueued`,
    [tx.tenantId, options.idPrefix, options.customerIds],
  );
  return row?.count ?? 0;
}
