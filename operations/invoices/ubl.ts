/** Electronic invoices: what they are made of, and what is kept when the first is given out. */
import { type DomainError, DomainErrors } from '../../domain/errors.ts';
import { cancellationUbl } from '../../domain/invoices/cancellation.ts';
import { missingOf } from '../../domain/invoices/ubl-missing.ts';
import {
  supplementOf,
  supplemented,
  type UblSupplement,
} from '../../domain/invoices/ubl-supplement.ts';
import type { UblSource } from '../../domain/invoices/ubl.ts';
import type { UblCharge, UblTax } from '../../domain/invoices/ubl-taxes.ts';
import { categoryAt, usualReason } from '../../domain/tax/rates.ts';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import type { UblSupplement as SupplementEntity } from '../../db/entities/invoices.ts';
import type { RowOf } from '../../db/entities/rows.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import { type Reader, firstOf } from '../context/listing.ts';
import {
  chargesWithOrigins,
  choosesCancellation,
  type DocumentChoice,
  readFrozenParties,
  readParties,
} from './page-source.ts';
import { readInvoice, type InvoiceView } from './read.ts';

/** An electronic invoice, or what it lacks. */
export type MadeUbl =
  | { readonly source: UblSource }
  | { readonly missing: readonly [DomainError, ...DomainError[]] };

interface Read {
  readonly id: number;
  readonly source: UblSource;
  /** What is to be kept once it is given out; null if it is kept already. */
  readonly supplement: UblSupplement | null;
}

/**
 * Undefined without the document. What the parties of its making do not say comes from those of today,
 * and is kept. Throws invoice.ubl, an error for each thing that is missing.
 */
export async function giveUbl(
  { db }: Pick<Dependencies, 'db'>,
  tenant: TenantInfo,
  choice: DocumentChoice,
): Promise<UblSource | undefined> {
  const read = await inTenant(db, tenant.id, (tx) => readUbl(tx, tenant, choice), {
    readOnly: true,
    snapshot: true,
  });
  if (read === undefined) return undefined;
  const { supplement, source } = read;
  const [first, ...others] = missingOf(source);
  if (first !== undefined) throw new DomainErrors([first, ...others]);
  if (supplement === null) return source;
  const made = await inTenant(db, tenant.id, (tx) => makeUbl(tx, tenant, choice));
  if (made === undefined) return undefined;
  if ('missing' in made) throw new DomainErrors(made.missing);
  return made.source;
}

/** In a transaction that writes: it keeps what the first one takes from today's parties. */
export async function makeUbl(
  tx: Tx,
  tenant: TenantInfo,
  choice: DocumentChoice,
): Promise<MadeUbl | undefined> {
  const read = await readUbl(tx, tenant, choice);
  if (read === undefined) return undefined;
  const { id, supplement, source } = read;
  const [first, ...others] = missingOf(source);
  if (first !== undefined) return { missing: [first, ...others] };
  if (supplement === null) return { source };
  keepSupplement(tx, id, supplement);
  // Of two that are given out at once, the first decides.
  const kept = await readUbl(tx, tenant, choice);
  return kept && { source: kept.source };
}

async function readUbl(
  tx: Reader,
  tenant: TenantInfo,
  choice: DocumentChoice,
): Promise<Read | undefined> {
  const invoice = await readInvoice(tx, tenant, choice.address);
  if (invoice === undefined) return undefined;
  const { id, customerId } = invoice;
  const [frozen, today, kept, charges, credited] = await Promise.all([
    readFrozenParties(tx, invoice),
    readParties(tx, customerId),
    readSupplement(tx, id),
    readCharges(tx, id),
    readCredited(tx, id),
  ]);
  const supplement = kept ?? supplementOf(frozen, today ?? frozen);
  const own = { invoice, ...supplemented(frozen, supplement), charges, credited };
  const source = choosesCancellation(choice, invoice) ? cancellationUbl(own) : own;
  return source && { id, source, supplement: kept === undefined ? supplement : null };
}

type SupplementRow = RowOf<typeof SupplementEntity, 'content'>;

async function readSupplement(tx: Reader, id: number): Promise<UblSupplement | undefined> {
  const row = await firstOf(
    tx.query<SupplementRow>(
      'select content from ubl_supplement where invoice_id = $1',
      [id],
      'read-ubl-supplement',
    ),
  );
  return row?.content;
}

function keepSupplement(tx: Tx, id: number, supplement: UblSupplement): void {
  tx.send(
    `insert into ubl_supplement (tenant_id, invoice_id, content) values ($1, $2, $3)
     on conflict (tenant_id, invoice_id) do nothing`,
    [tx.tenantId, id, JSON.stringify(supplement)],
    'keep-ubl-supplement',
  );
}

/** A charge, and the place of what it is to a tax: itself, or what it gives back of. */
interface ChargeRow extends Record<string, unknown> {
  readonly chargeId: number;
  readonly lineId: number;
  readonly position: number;
  readonly isTax: boolean;
}

interface TaxRow extends Record<string, unknown> {
  readonly lineId: number;
  readonly position: number;
  readonly percent: string;
  readonly category: UblTax['category'] | null;
  readonly reason: string | null;
  readonly basePositions: readonly number[];
}

async function readCharges(tx: Reader, id: number): Promise<ReadonlyMap<number, UblCharge>> {
  const [rows, taxes] = await Promise.all([
    tx.query<ChargeRow>(
      `select g.id as charge_id, o.invoice_line_id as line_id, o.position,
         o.kind = 'tax' and o.charge_id is null as is_tax
       from ${chargesWithOrigins} where n.invoice_id = $1`,
      [id],
      'read-ubl-charges',
    ),
    tx.query<TaxRow>(
      `select x.invoice_line_id as line_id, x.position, trim_scale(x.unit_price)::text as percent,
         x.tax_category as category, x.tax_reason as reason,
         coalesce(x.base_positions, '{}') as base_positions
       from invoice_charge x
       where x.kind = 'tax' and x.charge_id is null and x.invoice_line_id in (
         select o.invoice_line_id from ${chargesWithOrigins} where n.invoice_id = $1)
       order by x.invoice_line_id, x.position`,
      [id],
      'read-ubl-taxes',
    ),
  ]);
  const rates = new Map<string, UblTax[]>();
  for (const { lineId, position, basePositions, ...tax } of taxes) {
    for (const taxed of [position, ...basePositions]) {
      const place = `${lineId} ${taxed}`;
      rates.set(place, [...(rates.get(place) ?? []), taxOf(tax)]);
    }
  }
  return new Map(
    rows.map(({ chargeId, lineId, position, isTax }) => [
      chargeId,
      { isTax, rates: rates.get(`${lineId} ${position}`) ?? [] },
    ]),
  );
}

type Rate = Pick<TaxRow, 'percent' | 'category' | 'reason'>;

function taxOf({ percent, category, reason }: Rate): UblTax {
  const known = category ?? categoryAt(percent);
  return { category: known, percent, reason: reason ?? usualReason(known) };
}

/** The invoices whose charges it gives back. */
function readCredited(tx: Reader, id: number): Promise<UblSource['credited']> {
  return tx.query<Pick<InvoiceView, 'invoiceNumber' | 'invoiceDate'> & Record<string, unknown>>(
    `select i.invoice_number as invoice_number, i.invoice_date
     from invoice i where i.id in (
       select m.invoice_id from invoice_line n
       join invoice_charge g on g.tenant_id = n.tenant_id and g.invoice_line_id = n.id
       join charge_credit k on k.tenant_id = g.tenant_id and k.credit_charge_id = g.id
       join invoice_charge o on o.tenant_id = k.tenant_id and o.id = k.invoice_charge_id
       join invoice_line m on m.tenant_id = o.tenant_id and m.id = o.invoice_line_id
       where n.invoice_id = $1)
     order by i.id`,
    [id],
    'read-credited-by-invoice',
  );
}
