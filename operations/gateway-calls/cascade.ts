/** Reads the newest try of a cascade under the lock of its customer. */
import { stateColumns } from '../../db/queries/payments/payments.ts';
import { lockCustomer } from '../context/locks.ts';
import type { PageOfPayment } from '../hosted-pages/notify-page.ts';
import { dequeue } from '../outbox/enqueue.ts';
import type { OperationContext } from '../context/context.ts';
import type { RecordedPayment } from '../payments/record.ts';
import type { RefundSource } from '../refunds/refund-source.ts';
import type { Payment } from '../../db/entities/payments.ts';
import type { RowOf } from '../../db/entities/rows.ts';

/** The pending try of a cascade, or its last one. */
export interface PendingPayment
  extends
    RecordedPayment,
    RefundSource,
    RowOf<
      typeof Payment,
      | 'attempt'
      | 'autopayPreference'
      | 'isCascading'
      | 'gateway'
      /** The key of the gateway call; null for a refund, whose shares each have a key. */
      | 'gatewayKey'
      | 'autopayInvoiceId'
      /** The retry or installment that made it. */
      | 'collectionAttemptId'
      | 'namedInvoiceIds'
      | 'returnSealed'
    > {
  /** A retry, which uses no method that a gateway has declined for ever. */
  readonly isRetry: boolean;
  /** The database was restored since it was made: it may have been sent in what was lost. */
  readonly isRestored: boolean;
  /** Another payment of the customer is with its gateway. */
  readonly isBehind: boolean;
  /** Other payments that name one of its invoices wait for their payer. */
  readonly isOtherWaiting: boolean;
  /** Events about the cascade have arrived, and the gateway was not asked since. */
  readonly hasEvents: boolean;
  /** The hosted page that made it. */
  readonly page: PageOfPayment | null;
  /** Of a refund: the numbers of the credit notes that go with it. */
  readonly noteNumbers: readonly string[] | null;
}

// Not even looked for of what pays itself, which are most payments.
const page = `case when autopay_invoice_id is null and collection_attempt_id is null then
  coalesce(
    (select json_build_object('by', 'signup', 'signupId', t.signup_id) from signup_try t
     where t.tenant_id = payment.tenant_id and t.payment_id = payment.id),
    (select json_build_object('by', 'selfService', 'sessionId', s.session_id,
       'invoiceId', s.invoice_id, 'network', s.network) from self_service_payment s
     where s.tenant_id = payment.tenant_id and s.payment_id = payment.cascade_id)) end`;

const columns = `id, cascade_id, customer_id, currency, payment_method_id, save_as_preference,
  attempt, autopay_preference, is_cascading, gateway, gateway_key, autopay_invoice_id, return_sealed,
  collection_attempt_id, named_invoice_ids, payment_method_type, payment_method_context,
  ${stateColumns('payment')},
  exists (select from payment o where o.tenant_id = payment.tenant_id
    and o.customer_id = payment.customer_id and o.phase = 'Charging'
    and o.id <> payment.id) as is_behind,
  exists (select from payment w where w.tenant_id = payment.tenant_id
    and w.customer_id = payment.customer_id and w.status = 'ActionRequired'
    and w.id <> payment.id and w.named_invoice_ids && payment.named_invoice_ids)
    as is_other_waiting,
  exists (select from restoration r where r.tenant_id = payment.tenant_id
    and r.first_id > payment.id) as is_restored,
  is_retry or exists (select from collection_attempt a where a.tenant_id = payment.tenant_id
    and a.id = payment.collection_attempt_id and a.declined_on is not null) as is_retry,
  exists (select from gateway_event e join payment p
    on p.tenant_id = e.tenant_id and p.id = e.payment_id
    where p.cascade_id = payment.cascade_id and e.asked_at is null) as has_events,
  case when payment_type = 'Refund' then (select array_agg(n.invoice_number order by n.id)
    from invoice n where n.tenant_id = payment.tenant_id and n.refund_id = payment.id)
    end as note_numbers, ${page} as page`;

/** The newest try of a cascade. */
export async function latestOf(
  context: Pick<OperationContext, 'tx'>,
  cascadeId: number,
): Promise<PendingPayment> {
  const [payment] = await context.tx.query<PendingPayment>(
    `select ${columns} from payment where cascade_id = $1 order by id desc limit 1`,
    [cascadeId],
    'latest-of-cascade',
  );
  if (!payment) throw new Error(`there is no payment ${cascadeId}`);
  return payment;
}

/** One payment, also if a later one of its cascade exists. */
export async function paymentOf(
  context: Pick<OperationContext, 'tx'>,
  id: number,
): Promise<PendingPayment> {
  const payment = await paymentWith(context, id);
  if (!payment) throw new Error(`there is no payment ${id}`);
  return payment;
}

/** Undefined if there is none of that id. */
export async function paymentWith(
  context: Pick<OperationContext, 'tx'>,
  id: number,
): Promise<PendingPayment | undefined> {
  const [payment] = await context.tx.query<PendingPayment>(
    `select ${columns} from payment where id = $1`,
    [id],
    'one-of-cascade',
  );
  return payment;
}

/** Locks the cascade's customer, and returns its newest try. */
export async function lockCascade(
  context: OperationContext,
  cascadeId: number,
): Promise<PendingPayment> {
  const { customerId: id } = await latestOf(context, cascadeId);
  await lockCustomer(context.tx, { id }, { erased: 'taken' });
  return latestOf(context, cascadeId);
}

/** Locks the payment's customer, and returns the payment, also if it is not the newest. */
export async function lockOne(context: OperationContext, id: number): Promise<PendingPayment> {
  const { customerId } = await paymentOf(context, id);
  await lockCustomer(context.tx, { id: customerId }, { erased: 'taken' });
  return paymentOf(context, id);
}

/**
 * Deletes the outbox row of a final payment. The row stays until the payment is final and the
 * gateway was asked about each event of it, so its workflow resumes after a crash.
 */
export function noLongerCarried(
  context: OperationContext,
  { cascadeId: objectId, hasEvents }: PendingPayment,
): void {
  if (!hasEvents) dequeue(context, { kind: 'payment', objectId });
}
