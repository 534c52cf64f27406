/** Adds the good invoices of a chunk, with their lines, and applies what their customers have paid. */
import assert from 'node:assert';
import type { InvoiceTransition } from '../../domain/invoices/happened.ts';
import { invoiceImported } from '../../domain/invoices/transitions.ts';
import { add } from '../../domain/money/money.ts';
import { insertLedger, takeIds } from '../../db/queries/billing/write.ts';
import { addToBalances } from '../../db/queries/imports/customers.ts';
import {
  insertInvoiceCharges,
  insertInvoiceLines,
  insertInvoices,
  readWithMoney,
} from '../../db/queries/imports/invoices.ts';
import { freezeCustomers } from '../../db/queries/parties/parties.ts';
import type { ImportRowInsert } from '../../db/queries/imports/rows.ts';
import { allocateUnapplied, carryOut } from '../collection/carry-out.ts';
import type { OperationContext } from '../context/context.ts';
import type { GoodInvoice } from './import-invoices.ts';
import { succeededRow } from './rows.ts';

/** Their customers are locked. Returns the outcomes of the invoices and of their line items. */
export async function addInvoices(
  context: OperationContext,
  batchId: number,
  invoices: readonly GoodInvoice[],
): Promise<readonly ImportRowInsert[]> {
  if (invoices.length === 0) return [];
  const { tx, time } = context;
  const count = invoices.reduce((sum, { items }) => sum + 1 + items.length, 0);
  const ids = (await takeIds(tx, count)).values();
  const nextId = (): number => ids.next().value ?? assert.fail('an id for each row');
  // In the order of their numbers, as any other import would insert them.
  const made = invoices
    .toSorted((one, other) => (one.row.invoiceNumber < other.row.invoiceNumber ? -1 : 1))
    .map(({ items, ...invoice }) => ({
      ...invoice,
      transition: invoiceImported(invoice.amounts.totalDue),
      id: nextId(),
      items: items.map((item) => ({ ...item, id: nextId() })),
    }));
  const customerIds = [...new Set(made.map(({ customerId }) => customerId))];
  freezeCustomers(tx, customerIds);
  insertInvoices(
    tx,
    made.map(({ id, row, customerId, currency, amounts, transition: { state } }) => ({
      id,
      status: state.status,
      outstandingBalance: state.open,
      invoiceNumber: row.invoiceNumber,
      customerId,
      currency,
      invoiceDate: row.invoiceDate,
      dueDate: row.dueDate,
      billingStartDate: row.billingStartDate,
      billingEndDate: row.billingEndDate,
      paymentsAndAdjustments: amounts.paymentsAndAdjustments,
      currentAmountDue: amounts.currentAmountDue,
      totalDue: amounts.totalDue,
      notes: row.notes,
    })),
    time,
  );
  insertItems(context, made);
  enter(context, made);
  const withMoney = await readWithMoney(tx, customerIds);
  if (withMoney.length > 0) await allocateUnapplied(context, withMoney, { isMovedIn: true });
  // The run looks for what has become overdue since the run before, and these were so long ago.
  const overdue = made.filter(({ row }) => row.dueDate < time.today);
  await carryOut(context, {
    invoices: overdue.map(({ id, customerId, transition }) => ({
      invoice: { id, customerId },
      transition,
    })),
  });
  return made.flatMap(({ id, line, row, items }) => [
    succeededRow(batchId, line, { id, key: row.invoiceNumber }),
    ...items.map(({ id: itemId, staged }) =>
      succeededRow(staged.batchId, staged.line, { id: itemId, key: null }),
    ),
  ]);
}

interface Made extends Omit<GoodInvoice, 'items'> {
  readonly id: number;
  readonly transition: InvoiceTransition;
  readonly items: readonly (GoodInvoice['items'][number] & { readonly id: number })[];
}

function insertItems({ tx }: OperationContext, made: readonly Made[]): void {
  const items = made.flatMap(({ id: invoiceId, row, items: each }) =>
    each.map((item) => ({ ...item, invoiceId, chargeDate: row.invoiceDate })),
  );
  insertInvoiceLines(
    tx,
    items.map(({ id, invoiceId, staged, charge }) => ({
      id,
      invoiceId,
      position: staged.position ?? assert.fail('a good line item has a position'),
      contractCode: staged.contractCode,
      importedOrderNumber: staged.orderNumber,
      invoiceText: staged.invoiceText,
      billingStartDate: staged.billingStartDate,
      billingEndDate: staged.billingEndDate,
      lineAmountTotal: charge.amount,
    })),
  );
  insertInvoiceCharges(
    tx,
    items.map(({ id, staged, charge, chargeDate }) => ({
      invoiceLineId: id,
      priceCode: charge.priceCode,
      accountingCode: staged.accountingCode,
      invoiceText: charge.invoiceText,
      billingStartDate: staged.billingStartDate,
      billingEndDate: staged.billingEndDate,
      chargeDate,
      unitPrice: charge.unitPrice,
      quantity: charge.quantity,
      amount: charge.amount,
    })),
  );
}

/** What is open of each invoice is owed from now on. */
function enter({ tx, time }: OperationContext, made: readonly Made[]): void {
  insertLedger(
    tx,
    made.map(({ id, customerId, currency, amounts }) => ({
      customerId,
      currency,
      kind: 'import' as const,
      amount: amounts.totalDue,
      invoiceId: id,
    })),
    time,
  );
  const owed = Map.groupBy(made, ({ customerId, currency }) => `${customerId} ${currency}`);
  addToBalances(
    tx,
    [...owed.values()].flatMap((each) => {
      const [first] = each;
      if (first === undefined) return [];
      const balance = each.reduce((sum, { amounts }) => add(sum, amounts.totalDue), '0');
      return [{ customerId: first.customerId, currency: first.currency, balance }];
    }),
  );
}
