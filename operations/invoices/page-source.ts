/** Reads the data of an invoice's document: the invoice, its customer, the sender, the tiers. */
import type { InvoiceSource } from '../../domain/invoices/page.ts';
import type { Settlement } from '../../domain/invoices/page-summary.ts';
import { compare } from '../../domain/money/money.ts';
import { readInvoice } from './read.ts';
import type { InvoiceView } from './read.ts';
import type { Reader } from '../context/listing.ts';
import { firstOf } from '../context/listing.ts';
import type { NumberedAddress } from '../context/locks.ts';
import type { TenantInfo } from '../context/context.ts';

export async function readInvoiceSource(
  tx: Reader,
  tenant: TenantInfo,
  address: NumberedAddress,
): Promise<InvoiceSource | undefined> {
  const invoice = await readInvoice(tx, tenant, address);
  if (invoice === undefined) return undefined;
  const parties = await readParties(tx, invoice.customerId);
  if (parties === undefined) throw new Error(`invoice ${invoice.id} has lost its customer`);
  const isCreditNote = compare(invoice.currentAmountDue, '0') < 0;
  const settled = isCreditNote
    ? await readCredit(tx, tenant, invoice)
    : await readSettlements(tx, invoice);
  return { invoice, ...parties, tiers: await readTiers(tx, invoice), ...settled };
}

type Settled = Pick<InvoiceSource, 'settlements' | 'creditLeft'>;

/** An application that was reversed has a negative one beside it. */
async function readSettlements(tx: Reader, { id }: InvoiceView): Promise<Settled> {
  const settlements = await tx.query<Settlement & Record<string, unknown>>(
    `select p.effective_date as date, p.payment_type as kind,
       case when p.payment_type = 'Payment'
         then coalesce(p.payment_method_context, p.payment_method_type) end as method,
       null as "invoiceNumber", sum(a.amount_applied)::text as amount
     from invoice_payment a join payment p on p.tenant_id = a.tenant_id and p.id = a.payment_id
     where a.invoice_id = $1
     group by p.tenant_id, p.id having sum(a.amount_applied) <> 0 order by min(a.id)`,
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
       i.invoice_number::text as "invoiceNumber", sum(a.amount_applied)::text as amount
     from invoice_payment a join invoice i on i.tenant_id = a.tenant_id and i.id = a.invoice_id
     where a.payment_id = $1
     group by i.invoice_number having sum(a.amount_applied) <> 0 order by min(a.id)`,
    [credit.id, tenant.timezone],
    'read-credited-invoices',
  );
  return { settlements, creditLeft: credit.balance };
}

/** The recipient and the sender of a document or a mail; undefined without the customer. */
export function readParties(
  tx: Reader,
  customerId: number,
): Promise<Pick<InvoiceSource, 'customer' | 'sender'> | undefined> {
  return firstOf(
    tx.query<Pick<InvoiceSource, 'customer' | 'sender'>>(
      `select ${customer} as customer, ${sender} as sender
       from customer c join tenant t on t.id = c.tenant_id
       left join contact b
         on b.tenant_id = c.tenant_id and b.customer_id = c.id and b.kind = 'billing'
       where c.id = $1`,
      [customerId],
      'read-invoice-parties',
    ),
  );
}

interface TierRow {
  readonly id: number;
  readonly unitsFrom: string;
  readonly unitsTo: string | null;
}

async function readTiers(tx: Reader, invoice: InvoiceView): Promise<InvoiceSource['tiers']> {
  const charges = invoice.lines.flatMap((line) => line.charges);
  const ids = new Set(charges.flatMap(({ pricingTierId: id }) => (id === null ? [] : [id])));
  if (ids.size === 0) return new Map();
  const rows = await tx.query<TierRow>(
    `select id, trim_scale(units_from)::text as "unitsFrom", trim_scale(units_to)::text as "unitsTo"
     from pricing_tier where id = any($1::bigint[])`,
    [[...ids]],
    'read-invoice-tiers',
  );
  return new Map(rows.map((row) => [row.id, row]));
}

const customer = `json_build_object('name', c.name, 'extCustomerRef', c.ext_customer_ref,
  'locale', c.locale, 'billingContact', case when b.id is null then null else json_build_object(
    'firstName', b.first_name, 'lastName', b.last_name, 'companyName', b.company_name,
    'address', json_build_object('street1', b.street1, 'street2', b.street2, 'city', b.city,
      'state', b.state, 'zip', b.zip, 'country', b.country, 'countryCode', b.country_code)) end)`;

const sender = `json_build_object('name', t.name, 'address', t.file->'address',
  'taxId', t.file->>'taxId', 'logo', t.file->>'logo')`;
