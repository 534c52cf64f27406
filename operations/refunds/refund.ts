/** Refunds money: plans the shares by payment and method, and records them in the books. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { notedCharges, standsOfInvoice } from '../../domain/billing/credit/note.ts';
import { compare, formatAmount, negate, sum, type Decimal } from '../../domain/money/money.ts';
import type { PaymentState } from '../../domain/payments/happened.ts';
import { paymentAfter } from '../../domain/payments/state.ts';
import { newGatewayKey } from '../../db/queries/payments/new-payments.ts';
import { stateColumns } from '../../db/queries/payments/payments.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { gatewayTable, type GatewayName } from '../../providers/gateway/gateway.ts';
import type { OperationContext } from '../context/context.ts';
import { carryOut, reverseAllocations, type CarriedChange } from '../collection/carry-out.ts';
import { makeNote } from './make-note.ts';
import {
  takesOf,
  type Owner,
  type PlannedShare,
  type RefundableRow,
  type RefundPlan,
  type RefundSource,
} from './refund-source.ts';
import { given, inserting } from '../../db/queries/context/insertion.ts';
import { readCreditable } from '../../db/queries/billing/creditable.ts';
import { RefundReservation, RefundShare, type Payment } from '../../db/entities/payments.ts';
import type { RowOf } from '../../db/entities/rows.ts';

/** A requested refund; `amount` is positive. */
export interface RefundRow extends Owner, RefundSource {
  readonly id: number;
  readonly amount: Decimal;
}

/** Refunds without a gateway. This transaction must have locked the customer. */
export async function refundAtOnce(
  context: OperationContext,
  refund: RefundState & RefundSource,
): Promise<void> {
  await planShares(context, { ...refund, amount: negate(refund.amount) });
  await concludeRefund(context, refund);
  logMade(context, refund);
}

/** The log line of a payment that is final at once; gateway calls have lines of their own. */
export function logMade(
  { lines, tenant }: OperationContext,
  { id, type, amount, currency }: Pick<RefundState, 'id' | 'type' | 'amount' | 'currency'>,
): void {
  const shown = `${formatAmount(currency, amount)} ${currency}`;
  lines.push({
    work: 'payment',
    tenant: tenant.label,
    paymentId: String(id),
    type,
    status: 'Paid',
    amount: shown,
  });
}

const planned = given(RefundShare, ['paymentId', 'position', 'amount', 'way'], { rows: '$3' });

/**
 * Decides how much of each payment to refund and reserves it there, so that no other refund takes
 * it. False if the payments have too little left. The shares of a refund of invoices are reserved
 * since it was made.
 */
export async function planShares(context: OperationContext, refund: RefundRow): Promise<boolean> {
  if (await isPlanned(context, refund)) return true;
  const shares = await takesOf(context.tx, refund, { amount: refund.amount, source: refund });
  if (shares === null) return false;
  await reserveShares(context, refund.id, shares);
  return true;
}

/** A charge that was settled while the refund waited for its turn is not voided any more. */
async function isPlanned({ tx, time }: OperationContext, { id }: RefundRow): Promise<boolean> {
  const shares = await tx.query(
    `update refund_share s
     set way = case when s.way = 'void' and p.charged_on <> $2 then 'refund' else s.way end
     from payment p where s.refund_id = $1 and p.tenant_id = s.tenant_id and p.id = s.payment_id
     returning s.id`,
    [id, time.today],
    'shares-planned-before',
  );
  return shares.length > 0;
}

export async function reserveShares(
  context: OperationContext,
  refundId: number,
  shares: readonly PlannedShare[],
): Promise<void> {
  const { tx, time } = context;
  const rows = shares.map(({ paymentId, amount, row, gateway }, index) => ({
    paymentId,
    position: index + 1,
    amount,
    way: wayOf(amount, row, { gateway, today: time.today }),
  }));
  tx.send(
    `insert into refund_share (tenant_id, id, refund_id, payment_id, position, amount, way,
       status, gateway_key)
     select $1, r.id, $2, r."paymentId", r.position, r.amount, r.way, 'Pending',
       case when r.way <> 'none' then ${newGatewayKey('r.id')} end
     from (select nextval('id_seq') as id, r.* from ${planned.recordset}) r`,
    [tx.tenantId, refundId, planned.json(rows)],
    'plan-shares',
  );
  const changes = shares.map(({ amount, row: payment }) => ({
    payment,
    transition: paymentAfter(payment, { happened: 'reserved', amount }),
  }));
  await carryOut(context, { payments: changes });
}

const insertReservations = inserting('reserve-applied', {
  into: RefundReservation,
  columns: ['refundId', 'paymentId', 'invoiceId', 'amount', 'withNote'],
});

/**
 * Reserves what a refund takes of the money applied to invoices.
 *
 * @param withNote credit notes give back of the invoices what went back
 */
export async function reserveTakes(
  context: OperationContext,
  refundId: number,
  { shares, takes, withNote }: RefundPlan & { readonly withNote: boolean },
): Promise<void> {
  await reserveShares(context, refundId, shares);
  const rows = takes.map((take) => ({ ...take, refundId, withNote }));
  insertReservations(context.tx, rows);
}

/** A full refund of an unsettled charge is a void. */
function wayOf(
  amount: Decimal,
  row: RefundableRow,
  { gateway, today }: { readonly gateway: GatewayName | null; readonly today: IsoDate },
): 'none' | 'refund' | 'void' {
  if (gateway === null) return 'none';
  const isUnsettled = gatewayTable[gateway].voidsUntilMidnight && row.chargedOn === today;
  return isUnsettled && compare(amount, row.amount) === 0 ? 'void' : 'refund';
}

/** A share, with the state of the payment from which it takes. */
interface ShareRow
  extends
    PaymentState,
    Owner,
    RowOf<typeof RefundShare, 'paymentId' | 'way'>,
    RowOf<typeof Payment, 'balance'> {
  readonly share: Decimal;
  readonly shareStatus: 'Pending' | 'Processing' | 'Paid' | 'Declined';
}

/** A refund as it was read. */
interface RefundState extends PaymentState, Owner {
  readonly id: number;
}

/**
 * Records the refunded shares: it reduces the payments, unapplied money first, and adds one ledger
 * entry. Failed shares return to their payments. Only a decline of the first share declines the
 * refund.
 */
export async function concludeRefund(
  context: OperationContext,
  refund: RefundState,
): Promise<void> {
  const { tx } = context;
  const { id } = refund;
  tx.send(
    `update refund_share s set status = 'Paid'
     where s.refund_id = $1 and s.way = 'none' and s.position < coalesce((
       select min(d.position) from refund_share d where d.tenant_id = s.tenant_id
         and d.refund_id = s.refund_id and d.status = 'Declined'), s.position + 1)`,
    [id],
    'shares-by-hand',
  );
  await takeBackReserved(context, id);
  const shares = await sharesOf(tx, id);
  const paid = shares.filter((share) => share.shareStatus === 'Paid');
  tx.send(
    `update refund_share set status = 'Declined' where refund_id = $1 and status = 'Pending'`,
    [id],
    'shares-not-asked',
  );
  const amount = sum(paid.map(({ share }) => share));
  const transition = paymentAfter(refund, { happened: 'returned', amount });
  // Reserved money that was not refunded is allocated to invoices that became open meanwhile.
  const payments = [...shares.map(afterShare), { payment: refund, transition }];
  await carryOut(context, { payments });
}

interface Reservation extends RowOf<
  typeof RefundReservation,
  'paymentId' | 'invoiceId' | 'amount' | 'withNote'
> {
  readonly invoiceText: string | null;
  readonly isBack: boolean;
}

/** Of a refund of invoices: these are open again, or credit notes take the place of the money. */
async function takeBackReserved(context: OperationContext, refundId: number): Promise<void> {
  const { tx } = context;
  const reserved = await tx.query<Reservation & Record<string, unknown>>(
    `delete from refund_reservation v using refund_share s, payment r
     where v.refund_id = $1 and s.tenant_id = v.tenant_id and s.refund_id = v.refund_id
       and s.payment_id = v.payment_id and r.tenant_id = v.tenant_id and r.id = v.refund_id
     returning v.payment_id, v.invoice_id, v.amount, v.with_note, r.invoice_text,
       s.status = 'Paid' as is_back`,
    [refundId],
    'end-reservations',
  );
  const back = reserved.filter(({ isBack }) => isBack);
  const byInvoice = Map.groupBy(back, ({ invoiceId }) => invoiceId);
  for (const [invoiceId, of] of [...byInvoice].toSorted(([one], [other]) => one - other)) {
    const amounts = new Map(of.map(({ paymentId, amount }) => [paymentId, amount]));
    const notes = of.find(({ withNote }) => withNote)?.invoiceText ?? null;
    const noted = notes === null ? null : await noteOfBack(context, invoiceId, amounts);
    if (noted === null) await reverseAllocations(context, { invoiceId, amounts });
    else await makeNote(context, noted.original, { ...noted, notes, back: amounts, refundId });
  }
}

/** Unused days may have been credited meanwhile: of what they left, nothing goes back twice. */
async function noteOfBack(
  { tx }: OperationContext,
  invoiceId: number,
  amounts: ReadonlyMap<number, Decimal>,
) {
  const original = await readCreditable(tx, invoiceId);
  const [back, stands] = [sum(amounts.values()), standsOfInvoice(original)];
  const amount = compare(back, stands) < 0 ? back : stands;
  if (compare(amount, '0') <= 0) return null;
  return { original, noted: notedCharges(original, { of: 'amount', amount }) };
}

function afterShare(row: ShareRow): CarriedChange {
  const { share: amount, way, shareStatus: status } = row;
  const transition = paymentAfter(
    row,
    status === 'Paid'
      ? { happened: 'shareReturned', amount, isVoid: way === 'void' }
      : { happened: 'shareKept', amount },
  );
  return { payment: { ...row, id: row.paymentId }, transition };
}

function sharesOf(tx: Tx, refundId: number): Promise<ShareRow[]> {
  return tx.query<ShareRow & Record<string, unknown>>(
    `select s.payment_id, s.amount as share, s.way, s.status as share_status, p.customer_id,
            p.currency, p.balance, ${stateColumns('p')}
     from refund_share s join payment p on p.tenant_id = s.tenant_id and p.id = s.payment_id
     where s.refund_id = $1 order by s.position`,
    [refundId],
    'shares-of-refund',
  );
}

/** The next share of a refund to send to its gateway. */
export interface ShareToAsk {
  readonly id: number;
  readonly way: 'refund' | 'void';
  readonly amount: Decimal;
  readonly gateway: GatewayName;
  readonly gatewayKey: string;
  /** The transaction of the charge to refund. */
  readonly transactionId: string;
  /** The gateway's own id of the share that it is processing. */
  readonly madeAs: string | null;
}

const shareColumns = `s.id, s.way, s.amount, s.gateway_key, p.gateway, p.transaction_id,
  s.transaction_id as made_as`;

/** Undefined once a share was declined: later shares are not sent. */
export async function nextShare(tx: Tx, refundId: number): Promise<ShareToAsk | undefined> {
  const [share] = await tx.query<ShareToAsk>(
    `select ${shareColumns}
     from refund_share s join payment p on p.tenant_id = s.tenant_id and p.id = s.payment_id
     where s.refund_id = $1 and s.status = 'Pending' and s.way <> 'none' and not exists (
       select from refund_share d where d.tenant_id = s.tenant_id and d.refund_id = s.refund_id
         and d.status = 'Declined')
     order by s.position limit 1`,
    [refundId],
    'next-share',
  );
  return share;
}

/** The first share that the gateway has accepted without an outcome yet. */
export async function processingShare(tx: Tx, refundId: number): Promise<ShareToAsk | undefined> {
  const [share] = await tx.query<ShareToAsk>(
    `select ${shareColumns}
     from refund_share s join payment p on p.tenant_id = s.tenant_id and p.id = s.payment_id
     where s.refund_id = $1 and s.status = 'Processing' order by s.position limit 1`,
    [refundId],
    'processing-share',
  );
  return share;
}

/** What the gateway has made for a refund, whatever its outcome. */
export function sharesMade(tx: Tx, refundId: number): Promise<ShareToAsk[]> {
  return tx.query<ShareToAsk>(
    `select ${shareColumns}
     from refund_share s join payment p on p.tenant_id = s.tenant_id and p.id = s.payment_id
     where s.refund_id = $1 and s.way <> 'none' and s.transaction_id is not null
     order by s.position`,
    [refundId],
    'shares-made',
  );
}

/** What may have been sent to a gateway for a refund, and has an outcome in the books. */
export function sharesEnded(tx: Tx, refundId: number): Promise<ShareToAsk[]> {
  return tx.query<ShareToAsk>(
    `select ${shareColumns}
     from refund_share s join payment p on p.tenant_id = s.tenant_id and p.id = s.payment_id
     where s.refund_id = $1 and s.way <> 'none' and s.status in ('Paid', 'Declined')
     order by s.position`,
    [refundId],
    'shares-ended',
  );
}
