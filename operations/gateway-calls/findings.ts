/**
 * Gateway records that do not match the books: they are stored, reported, and closed by a person.
 */
import { formatAmount } from '../../domain/money/money.ts';
import type {
  GatewayAnswer,
  GatewayDifference,
  Withdrawal,
} from '../../providers/gateway/gateway.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { enqueue, type Enqueuing } from '../outbox/enqueue.ts';
import { type Nudge } from '../context/nudge.ts';
import {
  tenantInfo,
  inOperation,
  type Dependencies,
  type OperationContext,
} from '../context/context.ts';
import type { Call } from './call.ts';
import { type PendingPayment, lockCascade } from './cascade.ts';
import { oneRow } from '../../db/queries/context/insertion.ts';
import { GatewayFinding } from '../../db/entities/gateways.ts';
import type { RowOf } from '../../db/entities/rows.ts';

/** The codes in search attributes and details. */
export const findingCodes = {
  difference: 'gateway.difference',
  lateApproval: 'gateway.lateApproval',
  lateDecline: 'gateway.lateDecline',
  withdrawnExcess: 'gateway.withdrawnExcess',
  unknownCall: 'gateway.unknownCall',
} as const;

type Finding = RowOf<typeof GatewayFinding, 'kind' | 'detail' | 'transactionId'>;

const unknownRow = oneRow({
  into: GatewayFinding,
  columns: ['paymentId', 'gatewayKey', 'kind', 'detail', 'transactionId', 'foundAt', 'customerId'],
  ending: `on conflict (tenant_id, gateway_key) where payment_id is null
    do update set detail = excluded.detail`,
});

/** Records a call that no payment and no share of a refund has. What a person has closed stays closed. */
export function noteUnknownCall(
  { tx }: Pick<OperationContext, 'tx'>,
  call: RowOf<
    typeof GatewayFinding,
    'gatewayKey' | 'detail' | 'transactionId' | 'customerId' | 'foundAt'
  >,
): void {
  const row = { ...call, paymentId: null, kind: 'unknownCall' } as const;
  tx.send(unknownRow.text, unknownRow.values(tx.tenantId, row), 'insert-unknown-call');
}

const findingRow = oneRow({
  into: GatewayFinding,
  columns: ['paymentId', 'gatewayKey', 'kind', 'detail', 'transactionId', 'foundAt'],
  ending: 'on conflict (tenant_id, payment_id, gateway_key, kind) do nothing returning id',
});

/** False if the finding was recorded before. */
async function insertFinding(
  context: OperationContext,
  call: Pick<Call, 'paymentId' | 'idempotencyKey'>,
  finding: Finding,
): Promise<boolean> {
  const { tx, time } = context;
  const { paymentId, idempotencyKey: gatewayKey } = call;
  const row = { ...finding, paymentId, gatewayKey, foundAt: time.now };
  const values = findingRow.values(tx.tenantId, row);
  const made = await tx.query(findingRow.text, values, 'insert-finding');
  return made.length > 0;
}

/**
 * Blocks a call that is still under way: from now on the gateway is not asked about it any more.
 */
export async function noteDifference(
  dependencies: Dependencies,
  tenantId: number,
  call: Call,
  difference: GatewayDifference,
): Promise<void> {
  const isNew = await inOperation(dependencies, tenantId, async (context) => {
    const { id, phase, status } = await lockCascade(context, call.cascadeId);
    const isCalled = phase === 'Charging' || status === 'ActionRequired';
    if (id !== call.paymentId || !isCalled) return false;
    const { found, message: detail } = difference;
    const { transactionId } = found;
    return insertFinding(context, call, { kind: 'difference', detail, transactionId });
  });
  if (isNew) await alert(dependencies, tenantId, call, difference.message);
}

/** Why the call is blocked; undefined if it is not. */
export async function heldBy(tx: Tx, call: Call): Promise<string | undefined> {
  const [finding] = await tx.query<{ detail: string }>(
    `select detail from gateway_finding
     where payment_id = $1 and gateway_key = $2 and kind = 'difference' and closed_at is null`,
    [call.paymentId, call.idempotencyKey],
    'held-by-difference',
  );
  return finding?.detail;
}

/** Closes the finding when a person resolves the call, with the reason. */
export function closeDifference({ tx, time }: OperationContext, call: Call, reason: string): void {
  tx.send(
    `update gateway_finding set closed_at = $3, closed_reason = $4
     where payment_id = $1 and gateway_key = $2 and kind = 'difference' and closed_at is null`,
    [call.paymentId, call.idempotencyKey, time.now, reason],
    'close-difference',
  );
}

/** Records an amount that was withdrawn beyond what was paid and not refunded. */
export async function noteWithdrawnExcess(
  context: OperationContext,
  payment: { readonly id: number; readonly gatewayKey: string },
  { kind, ref, amount, currency }: Pick<Withdrawal, 'kind' | 'ref' | 'amount' | 'currency'>,
): Promise<string | undefined> {
  const detail =
    `by ${kind} ${ref} the gateway withdrew ${formatAmount(currency, amount)} ${currency} more ` +
    'than was paid and had not gone back';
  const call = { paymentId: payment.id, idempotencyKey: `${payment.gatewayKey}/${ref}` };
  const finding = { kind: 'withdrawnExcess', detail, transactionId: ref } as const;
  return (await insertFinding(context, call, finding)) ? detail : undefined;
}

/**
 * Records that the gateway declined a call that the books show as paid: a refund that it had
 * approved, or what a person resolved as approved.
 */
export async function noteLateDecline(
  context: OperationContext,
  call: Call,
  { outcome, errorCode, transactionId }: GatewayAnswer,
): Promise<string | undefined> {
  if (outcome !== 'declined' || (await statusOf(context.tx, call)) !== 'Paid') return undefined;
  const detail =
    `the gateway declined the ${call.operation} of ${call.amount} ${call.currency} after it was ` +
    `approved here: ${errorCode}`;
  const finding = { kind: 'lateDecline', detail, transactionId } as const;
  return (await insertFinding(context, call, finding)) ? detail : undefined;
}

/**
 * Records that the gateway has another call under the key of a final payment, or has it under
 * another id. A difference that a person knew when resolving the call is no new one.
 */
export async function noteLateDifference(
  context: OperationContext,
  call: Call,
  detail: string,
  transactionId: string | null,
): Promise<string | undefined> {
  const finding = { kind: 'difference', detail, transactionId } as const;
  return (await insertFinding(context, call, finding)) ? detail : undefined;
}

/**
 * Stores an approval that came after its call was declined, for example by a resolve: the money has
 * moved, and the books do not show it. Returns the message to report after the commit.
 */
export async function noteLateApproval(
  context: OperationContext,
  call: Call,
  { outcome, transactionId }: GatewayAnswer,
): Promise<string | undefined> {
  if (outcome !== 'approved' || (await statusOf(context.tx, call)) !== 'Declined') return undefined;
  const { operation, amount, currency } = call;
  const detail =
    `the gateway approved the ${operation} of ${amount} ${currency} after it was declined here` +
    (transactionId === null ? '' : `: transaction ${transactionId}`);
  const isNew = await insertFinding(context, call, { kind: 'lateApproval', detail, transactionId });
  if (!isNew) return undefined;
  // Its workflow has usually ended: start it once more to show the finding.
  const nudge: Nudge = { kind: 'payment', objectId: call.cascadeId };
  enqueue(context, [nudge]);
  return detail;
}

/** What the books say of the call; 'Paid' also of a charge that was refunded since. */
async function statusOf(tx: Tx, call: Call): Promise<string | undefined> {
  const [row] =
    call.operation === 'charge'
      ? await tx.query<{ status: string }>(
          `select case when charged_on is not null then 'Paid' else status end as status
           from payment where id = $1`,
          [call.paymentId],
          'status-of-charge',
        )
      : await tx.query<{ status: string }>(
          'select status from refund_share where id = $1',
          [call.shareId],
          'status-of-share',
        );
  return row?.status;
}

export interface OpenFinding {
  readonly kind: Finding['kind'];
  readonly detail: string;
}

/** The first open finding of a final cascade or refund. */
export async function openFindingOf(tx: Tx, cascadeId: number): Promise<OpenFinding | undefined> {
  const [finding] = await tx.query<OpenFinding>(
    `select f.kind, f.detail from gateway_finding f
     join payment p on p.tenant_id = f.tenant_id and p.id = f.payment_id
     where p.cascade_id = $1 and f.closed_at is null
     order by f.id limit 1`,
    [cascadeId],
    'open-finding-of',
  );
  return finding;
}

/** A person decides before a payment goes on. */
export interface Held {
  readonly kind: 'held';
  readonly payment: PendingPayment;
  readonly why: string;
  /** Not for a call of its own, but for one of the customer that no payment has. */
  readonly isUnknown?: true;
}

/**
 * While a gateway has a call of the customer's method that no payment has, after the database was put
 * back to an older state, nothing is charged automatically: it may have been paid by that call.
 */
export async function putOffBy(tx: Tx, payment: PendingPayment): Promise<Held | undefined> {
  const { customerId, autopayInvoiceId, collectionAttemptId } = payment;
  if (autopayInvoiceId === null && collectionAttemptId === null) return undefined;
  const [finding] = await tx.query<{ detail: string }>(
    `select detail from gateway_finding
     where tenant_id = $1 and customer_id = $2 and closed_at is null order by id limit 1`,
    [tx.tenantId, customerId],
    'put-off-by',
  );
  return finding && { kind: 'held', payment, why: finding.detail, isUnknown: true };
}

/**
 * Closes the findings that a person has handled; false if the payment or refund has no open one. A
 * difference of a call that is under way is closed by its resolution. An unknown call has the id of
 * the payment that was lost, which no other has.
 */
export async function closeFindings(
  { tx, tenant }: Pick<Enqueuing, 'tx' | 'tenant'>,
  { paymentId, reason, now }: { paymentId: number; reason: string; now: Date },
): Promise<boolean> {
  const unknown = await tx.query<{ customerId: number | null }>(
    `update gateway_finding set closed_at = $3, closed_reason = $4
     where tenant_id = $1 and payment_id is null and split_part(gateway_key, '/', 2) = $2
       and closed_at is null returning customer_id`,
    [tx.tenantId, String(paymentId), now, reason],
  );
  const waiting = await tx.query<{ cascadeId: number }>(
    `select distinct cascade_id from payment where customer_id = any($1) and status = 'Pending'`,
    [unknown.flatMap(({ customerId }) => customerId ?? [])],
  );
  enqueue(
    { tx, tenant },
    waiting.map(({ cascadeId }) => ({ kind: 'payment', objectId: cascadeId })),
  );
  const closed = await tx.query(
    `update gateway_finding set closed_at = $2, closed_reason = $3
     where payment_id = $1 and closed_at is null
       and (kind <> 'difference' or exists (select from payment p
         where p.tenant_id = gateway_finding.tenant_id and p.id = payment_id
           and p.status <> 'Pending')) returning id`,
    [paymentId, now, reason],
  );
  return closed.length + unknown.length > 0;
}

/** Reports to the log what needs a person's attention. */
export async function alert(
  dependencies: Dependencies,
  tenantId: number,
  { paymentId }: Pick<Call, 'paymentId'>,
  detail: string,
): Promise<void> {
  const { label } = await tenantInfo(dependencies, tenantId);
  dependencies.onAlert?.(`tenant ${label}, payment ${paymentId}: ${detail}`);
}
