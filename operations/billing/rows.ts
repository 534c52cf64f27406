/** Builds rows from rated charges: invoices with their balances, ledger entries, pointers. */
import assert from 'node:assert';
import type { DraftInvoice } from '../../domain/billing/total.ts';
import type { DueCharge } from '../../domain/model.ts';
import type { BalanceUpsert, BillingWrite, InvoiceInsert } from '../../db/queries/billing/write.ts';
import type { TenantSettings } from '../context/context.ts';
import { balanceKey, noBalance } from './balances.ts';
import type { Balances } from './balances.ts';
import {
  assertFits,
  autopayOf,
  balanceRow,
  chargeRow,
  invoiceRow,
  ledgerRow,
  lineRow,
  notesOf,
} from './invoice-rows.ts';
import type { CustomerBilling } from './rate-customer.ts';

/** How many ids the rows of the customers need: for invoices, their lines, billed periods. */
export function idsNeeded(billings: readonly CustomerBilling[]): number {
  let count = 0;
  for (const { invoices, orders } of billings) {
    count += invoices.length;
    for (const invoice of invoices) count += invoice.lines.length;
    for (const order of orders) count += order.due.charges.length;
  }
  return count;
}

export interface RowsBasis {
  readonly autopayOn: TenantSettings['autopayOn'];
  /** The payment whose generateInvoice makes these invoices. */
  readonly forPaymentId: number | null;
  readonly balances: Balances;
  /** As many as `idsNeeded` returns. */
  readonly ids: readonly number[];
}

export function billingRows(billings: readonly CustomerBilling[], basis: RowsBasis): BillingWrite {
  const rows: RowsSoFar = {
    basis,
    ids: basis.ids.values(),
    balances: new Map(),
    periods: [],
    lines: [],
    charges: [],
    ledger: [],
    orders: [],
    pointers: [],
    invoices: [],
  };
  for (const billing of billings) addBilling(rows, billing);
  const { periods, lines, charges, ledger, orders, pointers, invoices } = rows;
  const after = [...rows.balances.values()];
  return { periods, lines, charges, ledger, orders, pointers, invoices, balances: after };
}

interface RowsSoFar {
  readonly basis: RowsBasis;
  readonly ids: Iterator<number>;
  readonly balances: Map<string, BalanceUpsert>;
  readonly periods: BillingWrite['periods'][number][];
  readonly lines: BillingWrite['lines'][number][];
  readonly charges: BillingWrite['charges'][number][];
  readonly ledger: BillingWrite['ledger'][number][];
  readonly orders: BillingWrite['orders'][number][];
  readonly pointers: BillingWrite['pointers'][number][];
  readonly invoices: BillingWrite['invoices'][number][];
}

/** The rows that invoices and billed periods of a due charge refer to. */
interface ChargeIds {
  readonly periodId: number;
  invoiceId: number | null;
}

function addBilling(rows: RowsSoFar, { orders, invoices }: CustomerBilling): void {
  const idsOf = new Map<DueCharge, ChargeIds>();
  for (const order of orders) {
    for (const charge of order.due.charges) {
      idsOf.set(charge, { periodId: nextId(rows), invoiceId: null });
    }
  }
  for (const invoice of invoices) addInvoice(rows, invoice, orders, idsOf);
  for (const { update, due, row } of orders) {
    rows.orders.push(update);
    for (const [id, next_period_index] of due.nextPeriodIndex)
      rows.pointers.push({ id, next_period_index });
    const segments = segmentsSoFar(row.lines);
    for (const charge of due.charges) {
      const key = `${charge.line.id} ${charge.periodIndex}`;
      const segment = segments.get(key) ?? 0;
      segments.set(key, segment + 1);
      const ids = idsOf.get(charge);
      assert(ids, 'every due charge has its ids');
      rows.periods.push({
        id: ids.periodId,
        order_line_id: charge.line.id,
        charge_id: charge.line.charge.id,
        period_index: charge.periodIndex,
        segment,
        billed_from: charge.from,
        billed_to: charge.to,
        invoice_id: ids.invoiceId,
      });
    }
  }
}

function addInvoice(
  rows: RowsSoFar,
  invoice: DraftInvoice,
  orders: CustomerBilling['orders'],
  idsOf: ReadonlyMap<DueCharge, ChargeIds>,
): void {
  const id = nextId(rows);
  const made = invoiceRowOf(rows, invoice, id, notesOf(invoice, orders));
  assertFits(invoice, made);
  rows.invoices.push(made);
  rows.ledger.push(ledgerRow(made));
  const idsOfDue = (due: DueCharge): ChargeIds => {
    const ids = idsOf.get(due);
    assert(ids, 'every invoiced charge was due');
    return ids;
  };
  for (const line of invoice.lines) {
    const lineId = nextId(rows);
    rows.lines.push(lineRow(line, lineId, id));
    for (const charge of line.charges) {
      if ('due' in charge.charge) idsOfDue(charge.charge.due).invoiceId = id;
      rows.charges.push(chargeRow(charge, lineId, (due) => idsOfDue(due).periodId));
    }
  }
}

/** The next invoice of the same batch continues from this one. */
function invoiceRowOf(
  rows: RowsSoFar,
  invoice: DraftInvoice,
  id: number,
  notes: string | null,
): InvoiceInsert {
  const { basis, balances } = rows;
  const { customerId, currency, lines } = invoice;
  const key = balanceKey(customerId, currency);
  const earlier = balances.get(key);
  const { balance, lastTotalDue } = earlier
    ? { balance: earlier.balance, lastTotalDue: earlier.last_total_due }
    : (basis.balances.get(key) ?? noBalance);
  const autopay = autopayOf(invoice, {
    isAutoPay: lines.some((line) => line.order.isAutoPay),
    autopayOn: basis.autopayOn,
    orderId: Math.min(...lines.map((line) => line.order.id)),
    afterPaymentId: basis.forPaymentId,
  });
  const own = { id, before: { balance, lastTotalDue }, autopay, notes };
  const made = invoiceRow(invoice, own);
  balances.set(key, balanceRow(made));
  return made;
}

function nextId(rows: RowsSoFar): number {
  const { value, done } = rows.ids.next();
  assert(!done, 'as many ids as idsNeeded returns');
  return value;
}

/** Further days of a partly billed period get the next segment's number. */
function segmentsSoFar(
  lines: CustomerBilling['orders'][number]['row']['lines'],
): Map<string, number> {
  const segments = new Map<string, number>();
  for (const line of lines) {
    for (const { periodIndex, segment } of line.billed) {
      const key = `${line.id} ${periodIndex}`;
      segments.set(key, Math.max(segments.get(key) ?? 0, segment + 1));
    }
  }
  return segments;
}
