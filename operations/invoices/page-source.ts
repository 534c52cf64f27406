/** Reads the data of an invoice's document: the invoice, its customer, the sender, the tiers. */
import { cancellationOf } from '../../domain/invoices/cancellation.ts';
import type { InvoiceSource } from '../../domain/invoices/page.ts';
import type { SourceTax } from '../../domain/invoices/page-taxes.ts';
import type { Settlement } from '../../domain/invoices/page-summary.ts';
import { compare } from '../../domain/money/money.ts';
import { readInvoice, type InvoiceView } from './read.ts';
import { type Reader, firstOf } from '../context/listing.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { InvoiceAddress } from '../context/locks.ts';
import type { TenantInfo } from '../context/context.ts';
import type { Invoice } from '../../db/entities/invoices.ts';
import type { PricingTier } from '../../db/entities/plans.ts';
import type { RowOf } from '../../db/entities/rows.ts';
import {
  customerContent,
  customersWithContact,
  frozenTenant,
  livingTenant,
} from '../../db/queries/parties/parties.ts';

export async function readInvoiceSource(
  tx: Reader,
  tenant: TenantInfo,
  address: InvoiceAddress,
): Promise<(InvoiceSource & { readonly invoice: InvoiceView }) | undefined> {
  const invoice = await readInvoice(tx, tenant, address);
  if (invoice === undefined) return undefined;
  const parties = await readFrozenParties(tx, invoice);
  const isCreditNote = compare(invoice.currentAmountDue, '0') < 0;
  const settled = isCreditNote
    ? await readCredit(tx, tenant, invoice)
    : await readSettlements(tx, invoice);
  const [tiers, marks, creditNoteOf] = await Promise.all([
    readTiers(tx, invoice),
    readMarks(tx, invoice),
    readCredited(tx, invoice),
  ]);
  return { invoice, ...parties, tiers, ...marks, ...settled, creditNoteOf };
}

/** Which document of an invoice: the one that a call asks for, or that its address names. */
export interface DocumentChoice {
  readonly address: InvoiceAddress;
  readonly document?: 'cancellation' | undefined;
}

/** Whether the number that names the invoice is that of its cancellation. */
export const choosesCancellation = (
  { address, document }: DocumentChoice,
  { cancellationNumber }: Pick<InvoiceView, 'cancellationNumber'>,
): boolean =>
  document === 'cancellation' || ('number' in address && address.number === cancellationNumber);

/** Undefined without the invoice, or without the document of its cancellation. */
export async function readDocumentSource(
  tx: Reader,
  tenant: TenantInfo,
  choice: DocumentChoice,
): Promise<InvoiceSource | undefined> {
  const source = await readInvoiceSource(tx, tenant, choice.address);
  if (source === undefined) return undefined;
  return choosesCancellation(choice, source.invoice) ? cancellationOf(source) : source;
}

/** The invoice of which a credit note gives back; null for any other. */
async function readCredited(
  tx: Reader,
  { creditNoteOfId }: InvoiceView,
): Promise<NonNullable<InvoiceSource['creditNoteOf']> | null> {
  if (creditNoteOfId === null) return null;
  const row = await firstOf(
    tx.query<RowOf<typeof Invoice, 'invoiceNumber' | 'invoiceDate'>>(
      'select invoice_number, invoice_date from invoice where id = $1',
      [creditNoteOfId],
      'read-credited-invoice',
    ),
  );
  return row ?? null;
}

type Settled = Pick<InvoiceSource, 'settlements' | 'creditLeft'>;

/** An application that was reversed has a negative one beside it. */
async function readSettlements(tx: Reader, { id }: InvoiceView): Promise<Settled> {
  const settlements = await tx.query<Settlement & Record<string, unknown>>(
    `select p.effective_date as date, p.payment_type as kind,
       case when p.payment_type = 'Payment'
         then coalesce(p.payment_method_context, p.payment_method_type) end as method,
       null as invoice_number, n.invoice_number as note_number,
       sum(a.amount_applied)::text as amount
     from invoice_payment a join payment p on p.tenant_id = a.tenant_id and p.id = a.payment_id
     left join invoice n on n.tenant_id = p.tenant_id and n.id = p.credited_invoice_id
       and n.credit_note_of = a.invoice_id
     where a.invoice_id = $1
     group by p.tenant_id, p.id, n.invoice_number having sum(a.amount_applied) <> 0 order by min(a.id)`,
    [id],
    'read-settlements',
  );
  return { settlements, creditLeft: null };
}

/** A credit note makes a credit of its amount, which is applied like any other. */
async function readCredit(
  tx: Reader,
  tenant: TenantInfo,
  { id, customerId }: InvoiceView,
): Promise<Settled> {
  const credit = await firstOf(
    tx.query<{ id: number; balance: string }>(
      `select id, balance::text as balance from payment
       where customer_id = $1 and credited_invoice_id = $2 and payment_type = 'Credit'`,
      [customerId, id],
      'read-credit-of-note',
    ),
  );
  // A cancelled credit note leaves nothing.
  if (credit === undefined) return { settlements: [], creditLeft: '0' };
  const settlements = await tx.query<Settlement & Record<string, unknown>>(
    `select (max(a.created_at) at time zone $2)::date as date, 'Credit' as kind, null as method,
       i.invoice_number as invoice_number, sum(a.amount_applied)::text as amount
     from invoice_payment a join invoice i on i.tenant_id = a.tenant_id and i.id = a.invoice_id
     where a.payment_id = $1
     group by i.id, i.invoice_number having sum(a.amount_applied) <> 0 order by min(a.id)`,
    [credit.id, tenant.timezone],
    'read-credited-invoices',
  );
  return { settlements, creditLeft: credit.balance };
}

export type Parties = Pick<InvoiceSource, 'customer' | 'sender'>;

/**
 * As they were when the invoice, or the payment, was made; as they are for one of before that has
 * none yet.
 */
export async function readFrozenParties(
  tx: Reader,
  { id }: { readonly id: number },
  table: 'invoice' | 'payment' = 'invoice',
): Promise<Parties> {
  const parties = await firstOf(
    tx.query<Parties>(
      `select coalesce(p.content, ${customerContent}) as customer,
         coalesce(${frozenTenant}, ${livingTenant}) as sender
       from ${table} i join tenant t on t.id = i.tenant_id
       join ${customersWithContact} on c.tenant_id = i.tenant_id and c.id = i.customer_id
       left join party p on p.tenant_id = i.tenant_id and p.id = i.customer_party_id
       left join party s on s.tenant_id = i.tenant_id and s.id = i.tenant_party_id
       where i.id = $1`,
      [id],
      `read-${table}-parties`,
    ),
  );
  if (parties === undefined) throw new Error(`${table} ${id} has lost its customer`);
  return parties;
}

/** As they are, for what is said now; undefined without the customer. */
export function readParties(tx: Reader, customerId: number): Promise<Parties | undefined> {
  return firstOf(
    tx.query<Parties>(
      `select ${customerContent} as customer, ${livingTenant} as sender
       from ${customersWithContact} join tenant t on t.id = c.tenant_id
       where c.id = $1`,
      [customerId],
      'read-parties',
    ),
  );
}

/** The tenant alone, for who is no customer yet. */
export function readSender(
  tx: Pick<Tx, 'tenantId' | 'query'>,
): Promise<InvoiceSource['sender'] | undefined> {
  return firstOf(
    tx
      .query<{ sender: InvoiceSource['sender'] }>(
        `select ${livingTenant} as sender from tenant t where t.id = $1`,
        [tx.tenantId],
        'read-sender',
      )
      .then((rows) => rows.map((row) => row.sender)),
  );
}

type TierRow = RowOf<typeof PricingTier, 'id' | 'unitsFrom' | 'unitsTo'>;

async function readTiers(tx: Reader, invoice: InvoiceView): Promise<InvoiceSource['tiers']> {
  const charges = invoice.lines.flatMap((line) => line.charges);
  const ids = new Set(charges.flatMap(({ pricingTierId: id }) => (id === null ? [] : [id])));
  if (ids.size === 0) return new Map();
  const rows = await tx.query<TierRow>(
    `select id, trim_scale(units_from)::text as units_from, trim_scale(units_to)::text as units_to
     from pricing_tier where id = any($1::bigint[])`,
    [[...ids]],
    'read-invoice-tiers',
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * The charges of the invoice `g`, each with the one of which it gives something back, else itself, as
 * `o`. Row-level security keeps `coalesce` from an index, since it is not leakproof; `case` is.
 */
export const chargesWithOrigins = `invoice_line n
  join invoice_charge g on g.tenant_id = n.tenant_id and g.invoice_line_id = n.id
  left join charge_credit k on g.kind = 'credit' and k.tenant_id = g.tenant_id
    and k.credit_charge_id = g.id
  join invoice_charge o on o.tenant_id = g.tenant_id
    and o.id = case when k.invoice_charge_id is null then g.id else k.invoice_charge_id end`;

type MarkRow = { readonly isDiscount: boolean } & SourceTax;

/** A discount, or what a credit note gives back of one; other credits show their texts alone. */
const isDiscount = `(g.kind = 'discount' or o.kind = 'discount' and coalesce(k.by_note, false))`;

/**
 * The charges that the document shows otherwise than the rest: discounts, and taxes by rate with their
 * base. A credit of such a tax has as its base what goes back of what the tax was taken of.
 */
async function readMarks(
  tx: Reader,
  { id }: InvoiceView,
): Promise<Pick<InvoiceSource, 'discounts' | 'taxes'>> {
  const rows = await tx.query<MarkRow & Record<string, unknown>>(
    `select g.id as charge_id, ${isDiscount} as is_discount, o.invoice_text as name,
       trim_scale(o.unit_price)::text as percent, o.tax_reason as reason,
       case when g.kind = 'credit' then '{}' else o.base_positions end as base_positions,
       case when g.kind = 'credit' then ${creditedBase} end as credited_base
     from ${chargesWithOrigins}
     where n.invoice_id = $1 and (${isDiscount}
       or g.kind in ('tax', 'credit') and o.kind = 'tax' and o.charge_id is null)`,
    [id],
    'read-invoice-marks',
  );
  const discounts = rows.filter(({ isDiscount }) => isDiscount);
  return {
    discounts: new Set(discounts.map(({ chargeId }) => chargeId)),
    taxes: rows.filter(({ isDiscount }) => !isDiscount),
  };
}

const creditedBase = `(
  select (-sum(c.amount))::text from invoice_charge h
  join charge_credit c on c.tenant_id = h.tenant_id and c.credit_charge_id = h.id
  join invoice_charge b on b.tenant_id = c.tenant_id and b.id = c.invoice_charge_id
  where h.tenant_id = g.tenant_id and h.invoice_line_id = g.invoice_line_id
    and b.invoice_line_id = o.invoice_line_id and b.position = any(o.base_positions))`;
