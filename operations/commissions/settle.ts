/** Writes what invoices earn their orders' agents once they are paid, and takes it back. */
import {
  baseOf,
  credited,
  earnedOf,
  takenBack,
  type CommissionBase,
  type Standing,
} from '../../domain/commissions/earned.ts';
import { readBases, type InvoiceBase } from '../../db/queries/commissions/bases.ts';
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
    ...rows.filter((row) => !row.is_paid && !row.is_reversed).flatMap(reversed),
    ...charges.flatMap((charge) => {
      const earlier = before.get(keyOf(charge));
      if (earlier?.is_reversed === false) return [];
      const { order_id: orderId } = charge;
      const base = baseIn(charge.invoice_id, [orderId]);
      const own = { base, turn: nextTurn(earlier), orderIds: [orderId], dueOn: null };
      return earned(charge, own, tenant.currency);
    }),
    // What fell due on a date, and was taken back since, stands again with its invoice.
    ...rows.filter(standsAgain).flatMap((row) => {
      const { order_ids: orderIds, due_on: dueOn } = row;
      const base = baseIn(row.invoice_id, orderIds);
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
    if (row.is_reversed || row.commission_type === 'Amount') return [];
    const { amount: base } = baseIn(row.invoice_id, row.order_ids);
    const less = credited(row.rate, standingOf(row), { base, currency: row.currency });
    return less === null ? [] : [reversal(row, less, { isWhole: false })];
  });
  insertCommissions(tx, made, time);
}

function standsAgain(row: EarnedRow): boolean {
  const isOfDate = row.due_on !== null && row.charge_type !== 'RecurringCharge';
  return row.is_paid && row.is_reversed && isOfDate && row.type === 'Percent' && row.is_in_force;
}

function nextTurn(earlier: EarnedRow | undefined): number {
  return earlier === undefined ? 0 : earlier.turn + 1;
}

function keyOf(
  row: Pick<EarnedRow, 'order_agent_id' | 'commission_charge_id' | 'invoice_id'>,
): string {
  return `${row.order_agent_id} ${row.commission_charge_id} ${row.invoice_id}`;
}

export type BaseReader = (invoiceId: number, orderIds: readonly number[]) => CommissionBase;

/** The base that the charges of some orders make up on an invoice. */
export function baseReader(bases: readonly InvoiceBase[]): BaseReader {
  const byKey = new Map(bases.map((base) => [`${base.invoiceId} ${base.orderId}`, base]));
  return (invoiceId, orderIds) =>
    baseOf(orderIds.flatMap((orderId) => byKey.get(`${invoiceId} ${orderId}`) ?? []));
}

export type EarningLink = Omit<PaidCharge, 'order_id'>;

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
  const { type, percent_or_amount: rate, invoice_currency: invoice } = link;
  const made = earnedOf({ type, rate }, base, { invoice, tenant: tenantCurrency });
  if (made === null) return [];
  return [
    {
      ...linkColumns(link),
      order_ids: orderIds,
      due_on: dueOn,
      commission_type: type,
      rate,
      price_code: made.priceCode,
      base_amount: made.baseAmount,
      amount: made.amount,
      currency: made.currency,
      turn,
      reversal_of: null,
      is_whole: null,
    },
  ];
}

function linkColumns(link: EarningLink) {
  const { customer_id, order_agent_id, sales_agent_id, commission_charge_id } = link;
  const { order_number, invoice_id } = link;
  return {
    customer_id,
    order_agent_id,
    sales_agent_id,
    commission_charge_id,
    order_number,
    invoice_id,
  };
}

function standingOf({ base_amount: baseAmount, amount }: EarnedRow): Standing {
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
  const { id, order_ids, due_on, commission_type, rate, price_code, currency, turn } = row;
  return {
    ...linkColumns(row),
    order_ids,
    due_on,
    commission_type,
    rate,
    price_code,
    base_amount: baseAmount,
    amount,
    currency,
    turn,
    reversal_of: id,
    is_whole: isWhole,
  };
}
