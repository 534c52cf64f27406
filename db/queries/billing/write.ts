/** Writes the result of a billing batch in one statement per table. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import {
  type Numbering,
  counterOf,
  filledPrefix,
  seriesOfInvoice,
  yearOf,
} from '../../../domain/invoices/number-series.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { BilledPeriod, Invoice, InvoiceCharge, InvoiceLine } from '../../entities/invoices.ts';
import { OrderLine } from '../../entities/orders.ts';
import { ChargeCredit, CustomerBalance, LedgerEntry } from '../../entities/payments.ts';
import { type TaxRecordInsert, insertTaxRecords } from '../tax-records/records.ts';
import {
  type GivenBy,
  type InsertedBy,
  given,
  givenOf,
  insertText,
  inserting,
} from '../context/insertion.ts';
import { type WindowClose, closeWindows } from './usage-windows.ts';
import { type OrderUpdate, updateOrders } from '../standing/advance.ts';
import { type LineChange, type OrderChange, writeChanges } from '../standing/changes.ts';
import { columnOf, type RowOf } from '../../entities/rows.ts';
import { freezeCustomers, frozenParties } from '../parties/parties.ts';

export interface BillingWrite {
  readonly periods: readonly InsertedBy<typeof insertPeriods>[];
  readonly lines: readonly LineInsert[];
  readonly charges: readonly ChargeInsert[];
  readonly credits: readonly CarriedCredit[];
  readonly ledger: readonly InsertedBy<typeof insertLedger>[];
  readonly balances: readonly BalanceUpsert[];
  readonly orders: readonly OrderUpdate[];
  /** The usage windows that are closed. */
  readonly windows?: readonly WindowClose[];
  readonly pointers: readonly GivenBy<typeof movedPointers>[];
  /** What changes make of orders and their lines. */
  readonly changes?: readonly OrderChange[];
  readonly changedLines?: readonly LineChange[];
  /** Of the invoices that a tax provider taxes. */
  readonly taxRecords: readonly TaxRecordInsert[];
  /** Ordered by number. */
  readonly invoices: readonly InvoiceInsert[];
}

/** Ids for rows that other rows of the same batch refer to; they may have gaps. */
export async function takeIds(tx: Tx, count: number): Promise<number[]> {
  if (count === 0) return [];
  const rows = await tx.query<{ id: number }>(
    `select nextval('id_seq') as id from generate_series(1, $1)`,
    [count],
    'take-ids',
  );
  return rows.map((row) => row.id);
}

export interface Making {
  readonly now: Date;
  readonly today: IsoDate;
  readonly numbering: Numbering;
}

export interface WriteHooks {
  /** Called when the orders are written, and no invoice is. */
  readonly onOrders?: () => void;
  /** Inserts the order that is made with these invoices. */
  readonly insertNewOrder?: (() => void) | undefined;
}

/**
 * Writes what takes a number last, and together with the next statement of the transaction: the
 * counters stay locked until commit, so no round trip may come in between.
 */
export function writeBilling(
  tx: Tx,
  write: BillingWrite,
  making: Making,
  { onOrders, insertNewOrder }: WriteHooks = {},
): void {
  freezeCustomers(
    tx,
    write.invoices.map(({ customerId }) => customerId),
  );
  // Before the pointers, which take the marks of billed penalties away.
  writeChanges(tx, write.changes ?? [], write.changedLines ?? []);
  if (write.orders.length > 0) updateOrders(tx, write.orders, making.now);
  onOrders?.();
  insertPeriods(tx, write.periods);
  insertLines(tx, write.lines);
  insertCharges(tx, write.charges);
  insertCarriedCredits(tx, write.credits);
  insertTaxRecords(tx, write.taxRecords);
  insertLedger(tx, write.ledger, making);
  upsertBalances(tx, write.balances);
  closeWindows(tx, write.windows ?? [], making.now);
  if (write.pointers.length > 0) movePointers(tx, write.pointers);
  insertNewOrder?.();
  if (write.invoices.length > 0) insertInvoices(tx, write.invoices, making);
}

const insertPeriods = inserting('insert-periods', {
  into: BilledPeriod,
  columns: [
    'id',
    'orderLineId',
    'chargeId',
    'periodIndex',
    'segment',
    'billedFrom',
    'billedTo',
    'invoiceId',
  ],
});

const insertLines = inserting('insert-lines', {
  into: InvoiceLine,
  columns: [
    'id',
    'invoiceId',
    'position',
    'orderId',
    'contractCode',
    'invoiceText',
    'billingStartDate',
    'billingEndDate',
    'lineAmountTotal',
    'purchaseOrder',
  ],
});

export type LineInsert = InsertedBy<typeof insertLines>;

const insertCharges = inserting('insert-charges', {
  into: InvoiceCharge,
  columns: [
    'invoiceLineId',
    'position',
    'kind',
    'orderLineId',
    'chargeId',
    'pricingTierId',
    'billedPeriodId',
    'usageWindowId',
    'basePositions',
    'couponId',
    'taxCode',
    'taxCategory',
    'taxReason',
    'taxJurisdiction',
    'taxCodes',
    'priceCode',
    'accountingCode',
    'invoiceText',
    'isPercent',
    'billingStartDate',
    'billingEndDate',
    'chargeDate',
    'unitPrice',
    'quantity',
    'unitOfMeasure',
    'amount',
  ],
  values: { isUsageChargeSubTotal: `r.kind = 'usageSubTotal'` },
});

/** What a charge of these invoices gives back of an earlier one. */
const insertCarriedCredits = inserting('insert-carried-credits', {
  into: ChargeCredit,
  columns: ['invoiceChargeId', 'amount', 'unusedFrom', 'unusedTo', 'byNote'],
  // The charge that carries the credit.
  besides: { invoiceLineId: 'bigint', position: 'int' },
  values: {
    creditChargeId: `(select c.id from invoice_charge c where c.tenant_id = $1
      and c.invoice_line_id = r."invoiceLineId" and c.position = r.position)`,
  },
});

export type CarriedCredit = InsertedBy<typeof insertCarriedCredits>;

export type ChargeInsert = InsertedBy<typeof insertCharges>;

export const insertLedger = inserting('insert-ledger', {
  into: LedgerEntry,
  columns: ['customerId', 'currency', 'kind', 'amount', 'invoiceId'],
  at: { enteredOn: 'today', enteredAt: 'now' },
});

export const upsertBalances = inserting('upsert-balances', {
  into: CustomerBalance,
  columns: ['customerId', 'currency', 'balance', 'lastTotalDue'],
  ending: `on conflict (tenant_id, customer_id, currency) do update
    set balance = excluded.balance, last_total_due = excluded.last_total_due`,
});

export type BalanceUpsert = InsertedBy<typeof upsertBalances>;

const movedPointers = given(OrderLine, ['id', 'nextPeriodIndex']);

function movePointers(tx: Tx, rows: BillingWrite['pointers']): void {
  tx.send(
    `update order_line l set next_period_index = r."nextPeriodIndex",
       penalty_since = case when l.penalty_since is not null and not exists (
         select from plan_charge g where g.tenant_id = l.tenant_id and g.id = l.charge_id
           and g.charge_type = 'OneTimeCharge') then l.penalty_since end
     from ${movedPointers.recordset}
     where l.tenant_id = $1 and l.id = r.id`,
    [tx.tenantId, movedPointers.json(rows)],
    'move-pointers',
  );
}

const invoiceColumns = [
  'id',
  'status',
  'customerId',
  'currency',
  'invoiceDate',
  'dueDate',
  'billingStartDate',
  'billingEndDate',
  'billingPeriod',
  'previousBalance',
  'paymentsAndAdjustments',
  'currentAmountDue',
  'totalDue',
  'outstandingBalance',
  'isAutoPay',
  /** The day from which autopay pays it; null without autopay. */
  'autopayOn',
  /** The order whose workflow pays it; null for an invoice made by hand. */
  'autopayOrderId',
  /** The payment whose generateInvoice made it. */
  'autopayAfterPaymentId',
  'notes',
  'creditNoteOf',
  'refundId',
] as const;

/** A credit note has the parties of the invoice of which it gives back. */
const partyOfNote = (key: keyof typeof frozenParties): string =>
  `coalesce((select o.${columnOf(key)} from invoice o
     where o.tenant_id = $1 and o.id = r."creditNoteOf"), ${frozenParties[key]})`;

/** The numbers that the counter of a series gives at once. */
const wantedNumbers = givenOf({
  key: 'text',
  prefix: 'text',
  year: 'int',
  start: 'bigint',
  count: 'int',
});

const numbered = (column: string): string =>
  `(select n.${column} from numbered n where n.key = r.counter)`;

export type InvoiceInsert = RowOf<typeof Invoice, (typeof invoiceColumns)[number]>;

/**
 * The counters come in one order, so that two transactions never wait for each other; that of a new
 * year is made by its first number.
 */
const insertInvoicesText = `with wanted as (
    select * from ${wantedNumbers.recordset}),
  taken as (
    insert into counter (tenant_id, kind, prefix, year, first, next)
    select $1, 'invoice', prefix, year, start, start + count from wanted order by prefix, year
    on conflict (tenant_id, kind, prefix, year) do update
      set next = counter.next + excluded.next - excluded.first
    returning prefix, year, next),
  numbered as (
    select w.key, t.prefix, t.year, t.next - w.count as first
    from wanted w join taken t on t.prefix = w.prefix and t.year = w.year)
  ${insertText({
    into: Invoice,
    columns: invoiceColumns,
    besides: { counter: 'text', place: 'int', filled: 'text', digits: 'int' },
    rows: '$3',
    values: {
      numberPrefix: numbered('prefix'),
      numberYear: numbered('year'),
      numberValue: `${numbered('first')} + r.place`,
      invoiceNumber: `document_number(r.filled, r.digits, ${numbered('first')} + r.place)`,
      createdAt: '$4',
      updatedAt: '$4',
      customerPartyId: partyOfNote('customerPartyId'),
      tenantPartyId: partyOfNote('tenantPartyId'),
    },
  })}`;

/** The statement takes as many numbers as there are rows, and numbers those of a series in their order. */
function insertInvoices(tx: Tx, rows: readonly InvoiceInsert[], { now, numbering }: Making): void {
  const { numbered, counters } = placed(rows, numbering);
  const values = [tx.tenantId, wantedNumbers.json(counters), JSON.stringify(numbered), now];
  tx.send(insertInvoicesText, values, 'insert-invoices');
}

/** The place of each row among those that one counter numbers, and how many numbers each gives. */
function placed(rows: readonly InvoiceInsert[], numbering: Numbering) {
  const counters = new Map<string, GivenBy<typeof wantedNumbers>>();
  const numbered = rows.map((row) => {
    const series = seriesOfInvoice(numbering, row.currentAmountDue);
    const { prefix, year } = counterOf(series, row.invoiceDate);
    const counter = `${year} ${prefix}`;
    const place = counters.get(counter)?.count ?? 0;
    counters.set(counter, { key: counter, prefix, year, start: series.start, count: place + 1 });
    const filled = filledPrefix(prefix, yearOf(row.invoiceDate));
    return { ...row, counter, place, filled, digits: series.digits };
  });
  return { numbered, counters: [...counters.values()] };
}
