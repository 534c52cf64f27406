/** Reads the data of an invoice's document: the invoice, its customer, the sender, the tiers. */
import type { InvoiceSource } from '../../domain/invoices/page.ts';
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
  return { invoice, ...parties, tiers: await readTiers(tx, invoice) };
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
