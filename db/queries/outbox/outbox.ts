/** The outbox for delivery: read, claim, delete and postpone rows. */
import type { Pool } from 'pg';
import type { Decimal } from '../../../domain/model.ts';
import type { PaymentType } from '../../../domain/payments/allocation.ts';
import { rowTypes } from '../../connection/database.ts';
import type { Tx } from '../../connection/tenancy.ts';

/** The kinds of workflows: those of an object, and those of the tenant. */
export const deliveryKinds = [
  'order',
  'payment',
  'paymentPlan',
  'callbacks',
  'dunning',
  'billing',
  'clock',
  'mail',
] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

/** A nudge, with the input to start its workflow if it does not run. */
export interface Delivery {
  readonly workflow_id: string;
  readonly kind: DeliveryKind;
  readonly object_id: number | null;
  /** Null for a nudge without a row. */
  readonly version: number | null;
  readonly order: OrderFacts | null;
  readonly payment: PaymentFacts | null;
  readonly dunning: CustomerFacts | null;
  readonly paymentPlan: CustomerFacts | null;
}

export interface CustomerFacts {
  readonly customerId: number;
  readonly customerRef: string | null;
}

export interface OrderFacts {
  readonly orderNumber: number;
  readonly customerId: number;
  readonly customerRef: string | null;
  readonly contractCode: string;
}

export interface PaymentFacts {
  readonly customerId: number;
  readonly customerRef: string | null;
  /** Including the surcharge. */
  readonly amount: Decimal;
  readonly currency: string;
  readonly type: PaymentType;
  /** The gateway of the pending attempt; null if there is none. */
  readonly gateway: string | null;
}

/**
 * The rows of `source`, each with the facts of its object. Each object is selected by its key: a join
 * might read all orders, because the statistics of a table whose rows come and go are always old.
 */
const withFacts = (source: string): string => `
     select o.workflow_id, o.kind, o.object_id, o.version,
            case o.kind when 'order' then (
              select json_build_object('orderNumber', s.order_number, 'customerId', s.customer_id,
                'customerRef', c.ext_customer_ref, 'contractCode', p.contract_code)
              from subscription_order s
              join plan p on p.tenant_id = s.tenant_id and p.id = s.plan_id
              join customer c on c.tenant_id = s.tenant_id and c.id = s.customer_id
              where s.tenant_id = o.tenant_id and s.id = o.object_id) end as "order",
            case o.kind when 'payment' then (
              select json_build_object('customerId', m.customer_id, 'type', m.payment_type,
                'gateway', m.gateway, 'amount', m.amount::text, 'currency', m.currency,
                'customerRef', payer.ext_customer_ref)
              from payment m
              join customer payer on payer.tenant_id = m.tenant_id and payer.id = m.customer_id
              where m.tenant_id = o.tenant_id and m.cascade_id = o.object_id
              order by m.id desc limit 1) end as payment,
            case o.kind when 'dunning' then (
              select json_build_object('customerId', debtor.id,
                'customerRef', debtor.ext_customer_ref)
              from customer debtor
              where debtor.tenant_id = o.tenant_id and debtor.id = o.object_id) end as dunning,
            case o.kind when 'paymentPlan' then (
              select json_build_object('customerId', payer.id,
                'customerRef', payer.ext_customer_ref)
              from payment_plan own
              join customer payer on payer.tenant_id = own.tenant_id and payer.id = own.customer_id
              where own.tenant_id = o.tenant_id and own.id = o.object_id) end as "paymentPlan"
     from ${source} o`;

/** Reads those of the given rows that are not delivered yet. */
export async function readDeliveries(tx: Tx, workflowIds: readonly string[]): Promise<Delivery[]> {
  return tx.query<Delivery>(
    `${withFacts('outbox')}
     where o.tenant_id = $1 and o.workflow_id = any($2)
     order by o.workflow_id`,
    [tx.tenantId, workflowIds],
    'readDeliveries',
  );
}

export interface NudgedObjects {
  readonly kind: DeliveryKind;
  readonly objectIds: readonly number[];
  /** The prefix of the workflow id, which the object's id completes. */
  readonly idPrefix: string;
}

/** Nudges without rows: the sender repeats them until the workflows have seen their objects. */
export async function readObjectDeliveries(
  tx: Tx,
  { kind, objectIds, idPrefix }: NudgedObjects,
): Promise<Delivery[]> {
  const source = `(
    select $1::bigint as tenant_id, $2::text || id as workflow_id, $3::text as kind,
           id as object_id, null::int as version
    from unnest($4::bigint[]) id)`;
  return tx.query<Delivery>(
    withFacts(source),
    [tx.tenantId, idPrefix, kind, objectIds],
    'readObjectDeliveries',
  );
}

/**
 * Keeps a row with a newer version, which is not delivered yet, and a locked row, which another
 * transaction is writing or has just claimed. Delivery never waits for locks, so it cannot deadlock
 * with a writer.
 */
export async function deleteDelivered(tx: Tx, delivered: readonly Delivery[]): Promise<void> {
  await tx.query(
    `with free as (
       select o.workflow_id from outbox o
       join json_to_recordset($2) as d(workflow_id text, version int)
         on o.workflow_id = d.workflow_id and o.version = d.version
       where o.tenant_id = $1 order by o.workflow_id for update of o skip locked)
     delete from outbox o using free where o.tenant_id = $1 and o.workflow_id = free.workflow_id`,
    [
      tx.tenantId,
      JSON.stringify(delivered.map(({ workflow_id, version }) => ({ workflow_id, version }))),
    ],
    'deleteDelivered',
  );
}

export interface FailedDelivery {
  readonly workflowId: string;
  readonly error: string;
  /** Null: by the number of attempts, doubling the delay each time. */
  readonly retryInSeconds: number | null;
}

const PAUSE_SECONDS_MAX = 300;

/** Skips locked rows: see deleteDelivered. */
export async function postponeFailed(tx: Tx, failed: readonly FailedDelivery[]): Promise<void> {
  await tx.query(
    `with free as (
       select o.workflow_id, f.error, f."retryInSeconds" from outbox o
       join json_to_recordset($2) as f("workflowId" text, error text, "retryInSeconds" float8)
         on o.workflow_id = f."workflowId"
       where o.tenant_id = $1 order by o.workflow_id for update of o skip locked)
     update outbox o set attempts = o.attempts + 1, last_error = free.error,
       deliver_after = now() + make_interval(secs =>
         coalesce(free."retryInSeconds", least(power(2, least(o.attempts, 20)), $3::float8)))
     from free where o.tenant_id = $1 and o.workflow_id = free.workflow_id`,
    [tx.tenantId, JSON.stringify(failed), PAUSE_SECONDS_MAX],
    'postponeFailed',
  );
}

/** How long other relays skip a claimed row. */
const LEASE_SECONDS = 30;
/** With more relays, one may find only rows that others have just claimed, until its next pass. */
const RELAYS_AT_ONCE = 4;

export interface ClaimedRow {
  readonly tenant_id: number;
  readonly workflow_id: string;
}

/**
 * Claims overdue rows of all tenants as the relay's role: the oldest of each tenant, then the
 * second of each, and so on, so that a tenant with many rows does not delay others.
 */
export async function claimOverdue(relay: Pool, limit: number): Promise<ClaimedRow[]> {
  const { rows } = await relay.query<ClaimedRow>({
    name: 'claimOverdue',
    text: `
      with ranked as (
        select own.tenant_id, own.workflow_id, own.deliver_after,
               row_number() over (partition by own.tenant_id order by own.deliver_after) as place
        from tenant t cross join lateral (
          select r.tenant_id, r.workflow_id, r.deliver_after from outbox r
          where r.tenant_id = t.id and r.deliver_after <= now()
          order by r.deliver_after limit $1 * ${RELAYS_AT_ONCE}) own
        order by place, own.deliver_after limit $1 * ${RELAYS_AT_ONCE}),
      due as (
        select o.tenant_id, o.workflow_id from ranked join outbox o using (tenant_id, workflow_id)
        where o.deliver_after <= now()
        order by ranked.place, ranked.deliver_after limit $1 for update of o skip locked)
      update outbox o set deliver_after = now() + make_interval(secs => $2)
      from due where o.tenant_id = due.tenant_id and o.workflow_id = due.workflow_id
      returning o.tenant_id, o.workflow_id`,
    values: [limit, LEASE_SECONDS],
    types: rowTypes,
  });
  return rows;
}
