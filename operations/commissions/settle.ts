/** Writes what invoices earn their orders' agents once they are paid, and takes it back. */
import {
  baseOf,
  credited,
  earnedOf,
  takenBack,
  type CommissionBase,
  type Standing,
} from '../../domain/commissions/earned.ts';
import { readBases, type InvoiceBase } from '../../db/queries/commissions/due.ts';
import {
  earningInvoices,
  insertCommissions,
  readEarned,
  readPaidCharges,
  type CommissionInsert,
  type EarnedRow,
  type PaidCharge,
} from '../../db/queries/commissions/rows.ts';
import type { OperationContext } from '../context/context.ts';

/**
 * These invoices have just become Paid, or are no longer: a paid one earns its commissions, and
 * those of another are reversed. This transaction must have locked the customers and written the
 * status of the invoices.
 */
export async function settleCommissions(
  { tx, tenant, time }: OperationContext,
  invoiceIds: readonly number[],
): Promise<void> {
  if (invoiceIds.length === 0) return;
  const [charges, rows, bases] = await Promise.all([
    readPaidCharges(tx, invoiceIds),
    readEarned(tx, invoiceIds),
    readBases(tx, invoiceIds),
  ]);
  const before = new Map(rows.map((row) => [keyOf(row), row]));
  const baseIn = baseReader(bases);
  const made = [
    ...rows.filter((row) => !row.isPaid && !row.isReversed).flatMap(reversed),
    ...charges.flatMap((charge) => {
      const earlier = before.get(keyOf(charge));
      if (earlier?.isReversed === false) return [];
      const { orderId } = charge;
      const base = baseIn(charge.invoiceId, [orderId]);
      const own = { base, turn: nextTurn(earlier), orderIds: [orderId], dueOn: null };
      return earned(charge, own, tenant.currency);
    }),
    // What fell due on a date, and was taken back since, stands again with its invoice.
    ...rows.filter(standsAgain).flatMap((row) => {
      const { orderIds, dueOn } = row;
      const base = baseIn(row.invoiceId, orderIds);
      return earned(row, { base, turn: nextTurn(row), orderIds, dueOn }, tenant.currency);
    }),
  ];
  insertCommissions(tx, made, time);
}

/**
 * These charges have been credited by a payment: of each percentage of theirs stands what the rest
 * earns.
 */
export async function creditCommissions(
  { tx, time }: OperationContext,
  chargeIds: readonly number[],
): Promise<void> {
  if (chargeIds.length === 0) return;
  const invoiceIds = await earningInvoices(tx, chargeIds);
  if (invoiceIds.length === 0) return;
  const [rows, bases] = await Promise.all([readEarned(tx, invoiceIds), readBases(tx, invoiceIds)]);
  const baseIn = baseReader(bases);
  const made = rows.flatMap((row) => {
    if (row.isReversed || row.commissionType === 'Amount') return [];
    const { amount: base } = baseIn(row.invoiceId, row.orderIds);
    const less = credited(row.rate, standingOf(row), { base, currency: row.currency });
    return less === null ? [] : [reversal(row, less, { isWhole: false })];
  });
  insertCommissions(tx, made, time);
}

function standsAgain(row: EarnedRow): boolean {
  const isOfDate = row.dueOn !== null && row.chargeType !== 'RecurringCharge';
  return row.isPaid && row.isReversed && isOfDate && row.type === 'Percent' && row.isInForce;
}

function nextTurn(earlier: EarnedRow | undefined): number {
  return earlier === undefined ? 0 : earlier.turn + 1;
}

function keyOf(row: Pick<EarnedRow, 'orderAgentId' | 'commissionChargeId' | 'invoiceId'>): string {
  return `${row.orderAgentId} ${row.commissionChargeId} ${row.invoiceId}`;
}

export type BaseReader = (invoiceId: number, orderIds: readonly number[]) => CommissionBase;

/** The base that the charges of some orders make up on an invoice. */
export function baseReader(bases: readonly InvoiceBase[]): BaseReader {
  const byKey = new Map(bases.map((base) => [`${base.invoiceId} ${base.orderId}`, base]));
  return (invoiceId, orderIds) =>
    baseOf(orderIds.flatMap((orderId) => byKey.get(`${invoiceId} ${orderId}`) ?? []));
}

export type EarningLink = Omit<PaidCharge, 'orderId'>;

export interface EarnedOwn {
  readonly base: CommissionBase;
  readonly turn: number;
  readonly orderIds: readonly number[];
  readonly dueOn: string | null;
}

/** The row of what an invoice earns by the terms of now; none if its base earns nothing. */
export function earned(
  link: EarningLink,
  { base, turn, orderIds, dueOn }: EarnedOwn,
  tenantCurrency: string,
): CommissionInsert[] {
  const { type, percentOrAmount: rate, invoiceCurrency: invoice } = link;
  const made = earnedOf({ type, rate }, base, { invoice, tenant: tenantCurrency });
  if (made === null) return [];
  return [
    {
      ...linkColumns(link),
      orderIds,
      dueOn,
      commissionType: type,
      rate,
      priceCode: made.priceCode,
      baseAmount: made.baseAmount,
      amount: made.amount,
      currency: made.currency,
      turn,
      reversalOf: null,
      isWhole: null,
    },
  ];
}

function linkColumns(link: EarningLink) {
  const { customerId, orderAgentId, salesAgentId, commissionChargeId } = link;
  const { orderNumber, invoiceId } = link;
  return {
    customerId,
    orderAgentId,
    salesAgentId,
    commissionChargeId,
    orderNumber,
    invoiceId,
  };
}

function standingOf({ baseAmount, amount }: EarnedRow): Standing {
  return { baseAmount, amount };
}

function reversed(row: EarnedRow): CommissionInsert[] {
  const back = takenBack(standingOf(row));
  return back === null ? [] : [reversal(row, back, { isWhole: true })];
}

function reversal(
  row: EarnedRow,
  { baseAmount, amount }: Standing,
  { isWhole }: { readonly isWhole: boolean },
): CommissionInsert {
  const { id, orderIds, dueOn, commissionType, rate, priceCode, currency, turn } = row;
  return {
    ...linkColumns(row),
    orderIds,
    dueOn,
    commissionType,
    rate,
    priceCode,
    baseAmount,
    amount,
    currency,
    turn,
    reversalOf: id,
    isWhole,
  };
}
