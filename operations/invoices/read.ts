/** Reads invoices with their lines and charges: one statement for one invoice or a page of them. */
import type { Tx } from '../../db/connection/tenancy.ts';
import {
  agreedOrder,
  shownPrice,
  type ChargePreview,
  type InvoicePreview,
  type LinePreview,
} from '../../domain/invoices/preview.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { InvoiceStatus } from '../../domain/invoices/happened.ts';
import { billToOf, type SourceCustomer } from '../../domain/invoices/page-parties.ts';
import { formatAmount, type Decimal } from '../../domain/money/money.ts';
import type { Metadata } from '../../domain/text/metadata.ts';
import { dayOf, firstOf, refuseLargeList, type Reader } from '../context/listing.ts';
import {
  type ListFilter,
  type ListedFile,
  type ListedPage,
  type PageColumns,
  type WithReference,
  nextOf,
  referenceOf,
  startList,
  totalOf,
} from '../context/lists.ts';
import type { InvoiceAddress } from '../context/locks.ts';
import {
  applicationsWhere,
  applicationWithAmounts,
  type ApplicationView,
} from '../allocation/applications.ts';
import type { RaisedRow, TenantInfo } from '../context/context.ts';
import type { Invoice } from '../../db/entities/invoices.ts';
import { cancellationNumberOf, cancelledOn } from '../../db/queries/invoices/cancellations.ts';
import { customerOfInvoice } from '../../db/queries/parties/parties.ts';
import { given } from '../../db/queries/context/insertion.ts';
import { Event } from '../../db/entities/events.ts';

export interface InvoiceChargeView extends ChargePreview {
  readonly id: number;
}

export interface InvoiceLineView extends LinePreview {
  readonly id: number;
  readonly charges: readonly InvoiceChargeView[];
}

export interface InvoiceView extends InvoicePreview {
  readonly id: number;
  readonly version: number;
  readonly invoiceNumber: string;
  /** Of a credit note: the invoice of which it gives back, and the refund that goes with it. */
  readonly creditNoteOfId: number | null;
  readonly refundId: number | null;
  /** Of its cancellation; null if that has none. */
  readonly cancellationNumber: string | null;
  readonly dateCancelled: IsoDate | null;
  readonly metadata: Metadata | null;
  readonly lines: readonly InvoiceLineView[];
  readonly applications: readonly ApplicationView[];
}

type Later = 'cancellationNumber' | 'dateCancelled' | 'metadata';

/** Documents that were kept before have no customer, and nothing of a cancellation or of metadata. */
type InvoiceRow = Omit<InvoiceView, 'billTo' | Later> &
  Partial<Pick<InvoiceView, Later>> & { readonly billedCustomer?: SourceCustomer };

/** The number of its cancellation finds an invoice, too. */
export async function readInvoice(
  tx: Reader,
  tenant: TenantInfo,
  address: InvoiceAddress,
): Promise<InvoiceView | undefined> {
  const byId = 'id' in address;
  const row = await firstOf(
    tx.query<InvoiceRow>(
      `select ${columns} from invoice i where i.id = ${byId ? '$2' : idOfNumber}`,
      [tenant.timezone, byId ? address.id : address.number],
      byId ? 'read-invoice-by-id' : 'read-invoice-by-number',
    ),
  );
  return row === undefined ? undefined : withAmounts(row);
}

// It names nothing of the outer row, so that it runs once.
const idOfNumber = `(
  select id from invoice where invoice_number = $2
  union all
  select invoice_id from cancellation where cancellation_number = $2 limit 1)`;

/** Those of the ids that exist, in any order. */
export async function readInvoices(
  tx: Reader,
  tenant: TenantInfo,
  ids: readonly number[],
): Promise<InvoiceView[]> {
  const rows = await tx.query<InvoiceRow>(
    `select ${columns} from invoice i where i.id = any($2)`,
    [tenant.timezone, ids],
    'read-invoices',
  );
  return rows.map(withAmounts);
}

const keptEvents = given(Event, ['id', 'objectId'], { rows: '$3' });

/**
 * Keeps invoices as the documents of events. The rows do not pass through this process, so their
 * amounts are still to be formatted.
 *
 * @see invoiceOfDocument
 */
export function keepInvoices(tx: Tx, tenant: TenantInfo, events: readonly RaisedRow[]): void {
  // The limit has each invoice found by its key, however old the table's statistics are.
  tx.send(
    `insert into event_document (tenant_id, event_id, document)
     select $2, r.id, row_to_json(kept) from ${keptEvents.recordset}
     cross join lateral (
       select ${columns} from invoice i where i.tenant_id = $2 and i.id = r."objectId" limit 1) kept`,
    [tenant.timezone, tx.tenantId, keptEvents.json(events)],
    'keep-invoices',
  );
}

export function invoiceOfDocument(document: unknown): InvoiceView {
  return withAmounts(document as InvoiceRow);
}

export interface InvoiceFilter extends ListFilter {
  readonly status: InvoiceStatus | null;
  /** The invoice of which they give back. */
  readonly creditNoteOf: number | null;
  /** Whether their total is negative; null: any. */
  readonly isCreditNote: boolean | null;
}

/** The latest dueDate first. */
export async function listInvoices(
  tx: Reader,
  tenant: TenantInfo,
  filter: InvoiceFilter,
): Promise<ListedPage<ListedInvoice, InvoiceView>> {
  const list = startInvoices(tenant, filter);
  const total = await totalOf(tx, filter, list);
  // Select the page first, so that skipped rows are not built.
  const page = list.page();
  const { values, order, pageColumns } = list;
  await refuseLargeList(tx, { page: page.text, parts: partsOfPage, values }, filter.max);
  const rows = await tx.query<ListedInvoice>(
    `select ${columns}, ${pageColumns} from (${page.text}) i order by ${order}`,
    values,
    page.name,
  );
  const view = ({ listed: _listed, placeKey: _placeKey, ...row }: ListedInvoice): InvoiceView =>
    withAmounts(row);
  return { rows, view, next: nextOf(rows), total };
}

type ListedInvoice = InvoiceRow & PageColumns;

function startInvoices(tenant: TenantInfo, filter: InvoiceFilter) {
  const list = startList<typeof Invoice>('invoices', tenant, filter);
  list.add('status', filter.status);
  list.add('creditNoteOf', filter.creditNoteOf);
  if (filter.isCreditNote !== null) {
    list.add('currentAmountDue', '0', filter.isCreditNote ? '<' : '>=');
  }
  return list;
}

/** All of them, in the order of the list; of their lines no more than their purchase orders. */
export function fileOfInvoices(
  tenant: TenantInfo,
  filter: InvoiceFilter,
): ListedFile<InvoiceRow & WithReference, InvoiceView & WithReference> {
  const list = startInvoices(tenant, filter);
  const text = `select ${headColumns}, ${referenceOf('i')}, ${purchaseOrders} as lines,
      '[]'::json as applications
    from (${list.all()}) i order by ${list.order}`;
  return {
    statement: { text, values: list.values },
    view: ({ customerRef, ...row }) => ({ ...withAmounts(row), customerRef }),
  };
}

const purchaseOrders = `(select coalesce(json_agg(json_build_object(
    'purchaseOrder', d.purchase_order, 'charges', '[]'::json, 'lineAmountTotal', '0')), '[]')
  from (select distinct n.purchase_order from invoice_line n
    where n.tenant_id = i.tenant_id and n.invoice_id = i.id) d)`;

/** A charge of an invoice, with what its line and its invoice say. */
export interface InvoiceLineRow extends InvoiceChargeView, WithReference {
  readonly invoiceId: number;
  readonly invoiceNumber: string;
  readonly invoiceDate: IsoDate;
  readonly status: InvoiceStatus;
  readonly customerId: number;
  readonly orderNumber: string | null;
  readonly contractCode: string | null;
  readonly currency: string;
}

/** The charges of all of them, by line and position. */
export function fileOfInvoiceLines(
  tenant: TenantInfo,
  filter: InvoiceFilter,
): ListedFile<InvoiceLineRow, InvoiceLineRow> {
  const list = startInvoices(tenant, filter);
  const text = `select i.id as invoice_id, i.invoice_number, i.invoice_date, i.status,
      i.customer_id, ${referenceOf('i')}, ${orderNumberOfLine} as order_number, n.contract_code,
      i.currency, ${chargeColumns}
    from (${list.all()}) i
    join invoice_line n on n.tenant_id = i.tenant_id and n.invoice_id = i.id
    join invoice_charge g on g.tenant_id = n.tenant_id and g.invoice_line_id = n.id
    left join subscription_order o on o.tenant_id = n.tenant_id and o.id = n.order_id
    order by ${list.order}, n.position, n.id, g.position, g.id`;
  const view = (row: InvoiceLineRow): InvoiceLineRow => ({
    ...row,
    amount: formatAmount(row.currency, row.amount),
    unitPrice: shownPrice(row.currency, row),
  });
  return { statement: { text, values: list.values }, view };
}

const orderNumberOfLine = 'coalesce(o.order_number::text, n.imported_order_number)';

/** By the keys of their views; of a charge `g`. */
const chargeParts = {
  id: 'g.id',
  accountingCode: 'g.accounting_code',
  position: 'g.position',
  priceCode: 'g.price_code',
  contractChargeId: 'g.charge_id',
  isPercent: 'g.is_percent',
  billingStartDate: 'g.billing_start_date',
  billingEndDate: 'g.billing_end_date',
  chargeDate: 'g.charge_date',
  unitPrice: 'trim_scale(g.unit_price)::text',
  amount: 'g.amount::text',
  quantity: 'trim_scale(g.quantity)::text',
  unitOfMeasure: 'g.unit_of_measure',
  orderLineItemId: 'g.order_line_id',
  invoiceText: 'g.invoice_text',
  pricingTierId: 'g.pricing_tier_id',
  isUsageChargeSubTotal: 'g.is_usage_charge_sub_total',
} as const satisfies Readonly<Record<keyof InvoiceChargeView, string>>;

const chargeColumns = Object.entries(chargeParts)
  .map(([key, sql]) => `${sql} as "${key}"`)
  .join(', ');
const chargeJson = Object.entries(chargeParts)
  .map(([key, sql]) => `'${key}', ${sql}`)
  .join(', ');

const linesOfPage = `from p join invoice_line n
  on n.tenant_id = p.tenant_id and n.invoice_id = p.id`;
const partsOfPage = [
  `select ${linesOfPage}`,
  `select ${linesOfPage} join invoice_charge g
     on g.tenant_id = n.tenant_id and g.invoice_line_id = n.id`,
];

function withAmounts({ billedCustomer, ...invoice }: InvoiceRow): InvoiceView {
  const amount = (decimal: Decimal): Decimal => formatAmount(invoice.currency, decimal);
  return {
    ...invoice,
    billTo: billedCustomer === undefined ? null : billToOf(billedCustomer),
    cancellationNumber: invoice.cancellationNumber ?? null,
    dateCancelled: invoice.dateCancelled ?? null,
    metadata: invoice.metadata ?? null,
    previousBalance: amount(invoice.previousBalance),
    paymentsAndAdjustments: amount(invoice.paymentsAndAdjustments),
    outstandingBalance: amount(invoice.outstandingBalance),
    currentAmountDue: amount(invoice.currentAmountDue),
    totalDue: amount(invoice.totalDue),
    purchaseOrder: agreedOrder(invoice.lines),
    lines: invoice.lines.map((line) => ({
      ...line,
      lineAmountTotal: amount(line.lineAmountTotal),
      charges: line.charges.map((charge) => ({
        ...charge,
        amount: amount(charge.amount),
        unitPrice: shownPrice(invoice.currency, charge),
      })),
    })),
    applications: invoice.applications.map((each) =>
      applicationWithAmounts(invoice.currency, each),
    ),
  };
}

const charges = `(select coalesce(json_agg(json_build_object(${chargeJson})
    order by g.position, g.id), '[]')
  from invoice_charge g where g.tenant_id = n.tenant_id and g.invoice_line_id = n.id)`;

const lines = `(select coalesce(json_agg(json_build_object('id', n.id, 'position', n.position,
    'invoiceText', n.invoice_text, 'billingStartDate', n.billing_start_date,
    'billingEndDate', n.billing_end_date, 'charges', ${charges},
    'lineAmountTotal', n.line_amount_total::text, 'orderNumber', ${orderNumberOfLine},
    'subscriptionOrderId', n.order_id, 'contractCode', n.contract_code,
    'purchaseOrder', n.purchase_order)
    order by n.position, n.id), '[]')
  from invoice_line n
  left join subscription_order o on o.tenant_id = n.tenant_id and o.id = n.order_id
  where n.tenant_id = i.tenant_id and n.invoice_id = i.id)`;

const applications = applicationsWhere('a.tenant_id = i.tenant_id and a.invoice_id = i.id', '$1');

const headColumns = `i.id, i.version, i.invoice_number as "invoiceNumber", i.status,
  i.invoice_date as "invoiceDate", i.due_date as "dueDate",
  i.billing_start_date as "billingStartDate", i.billing_end_date as "billingEndDate",
  i.customer_id as "customerId", ${customerOfInvoice} as "billedCustomer", i.currency, i.billing_period as "billingPeriod",
  i.previous_balance::text as "previousBalance",
  i.payments_and_adjustments::text as "paymentsAndAdjustments",
  i.outstanding_balance::text as "outstandingBalance",
  i.current_amount_due::text as "currentAmountDue",
  i.total_due::text as "totalDue", i.notes, i.metadata, i.credit_note_of as "creditNoteOfId",
  i.refund_id as "refundId", ${cancellationNumberOf('i')} as "cancellationNumber",
  ${cancelledOn('i')} as "dateCancelled",
  ${dayOf('i.updated_at', '$1')} as "lastUpdated", ${dayOf('i.created_at', '$1')} as "dateCreated"`;

const columns = `${headColumns}, ${lines} as lines, ${applications} as applications`;
