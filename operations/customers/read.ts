/** Reads customers and their contacts for the interface, in one statement each. */
import { standingStatus } from '../../db/queries/context/invoices.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { CustomerStatus } from '../../domain/customers/status.ts';
import { type Decimal, formatAmount } from '../../domain/money/money.ts';
import { searchPatterns } from './search.ts';
import type { Reader } from '../context/listing.ts';
import { filtersOf } from '../context/list-filters.ts';
import {
  COUNTED_MAX,
  type ListFilter,
  type ListPage,
  type ListedFile,
  type ListedPage,
  type PageColumns,
  nextOf,
  startList,
  totalOf,
} from '../context/lists.ts';
import type { CustomerAddress } from '../context/locks.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import {
  type AddressField,
  type CustomerField,
  type PersonField,
  addressFieldNames,
  customerFieldNames,
  personFieldNames,
} from '../../db/entities/columns.ts';
import type { Contact, Customer } from '../../db/entities/customers.ts';
import { type RowOf, columnOf } from '../../db/entities/rows.ts';

export interface ContactView extends RowOf<typeof Contact, 'id' | PersonField> {
  readonly address: RowOf<typeof Contact, AddressField>;
}

export interface CustomerView extends RowOf<
  typeof Customer,
  'id' | 'version' | 'status' | CustomerField
> {
  /** The day on which its pause ends by itself. */
  readonly suspendedUntil: IsoDate | null;
  /** The day on which all that was personal was emptied. */
  readonly erasedDate: IsoDate | null;
  readonly billingContact: ContactView | null;
  readonly salesContact: ContactView | null;
}

/** In the customer's currency. */
export interface FinancialsView {
  readonly currentBalance: Decimal;
  readonly outstandingBalance: Decimal;
  readonly overdueBalance: Decimal;
  readonly unappliedBalance: Decimal;
  readonly lastPaymentAmount: Decimal | null;
  readonly lastPaymentDate: IsoDate | null;
  readonly lastInvoiceAmount: Decimal | null;
  readonly lastInvoicedDate: IsoDate | null;
  readonly lifetimePayments: Decimal;
  readonly lifetimeValue: Decimal;
  readonly nextBillDate: IsoDate | null;
}

interface MoneyRow {
  readonly balance: Decimal;
  readonly outstanding: Decimal;
  readonly overdue: Decimal;
  readonly lifetime: Decimal;
  readonly lastAmount: Decimal | null;
  readonly lastDate: IsoDate | null;
  readonly nextBillDate: IsoDate | null;
}

interface PaidRow {
  readonly unapplied: Decimal;
  readonly lifetime: Decimal;
  readonly lastAmount: Decimal | null;
  readonly lastDate: IsoDate | null;
}

type FullRow = CustomerView & { readonly money: MoneyRow; readonly paid: PaidRow };
export type FullCustomerView = CustomerView & { readonly financials: FinancialsView };

/** The customer with contacts and financials; overdue as of the tenant's today. */
export async function readCustomer(
  dependencies: Dependencies,
  tx: Reader,
  tenant: TenantInfo,
  address: CustomerAddress,
): Promise<FullCustomerView | undefined> {
  const byId = 'id' in address;
  const [row] = await tx.query<{ readonly whole: FullRow }>(
    whole(`select ${customerColumns}, ${money} as money, ${paid} as paid ${fromCustomer}
     where ${byId ? 'c.id' : 'c.ext_customer_ref'} = $1`),
    [byId ? address.id : address.extCustomerRef, tenant.timezone, new Date(dependencies.realNow())],
    byId ? 'read-customer-by-id' : 'read-customer-by-ref',
  );
  return row && fullView(row.whole);
}

/** Those of the ids that exist, by ascending id. */
export async function readCustomers(
  dependencies: Pick<Dependencies, 'realNow'>,
  tx: Reader,
  tenant: TenantInfo,
  ids: readonly number[],
): Promise<FullCustomerView[]> {
  const rows = await tx.query<{ readonly whole: FullRow }>(
    whole(`select ${customerColumns}, ${money} as money, ${paid} as paid ${fromCustomer}
     where c.id = any($1)`),
    [ids, tenant.timezone, new Date(dependencies.realNow())],
    'read-customers',
  );
  return rows.map((row) => fullView(row.whole));
}

function fullView({ money: figures, paid: payments, ...customer }: FullRow): FullCustomerView {
  return { ...customer, financials: financialsOf(customer.currency, figures, payments) };
}

function financialsOf(currency: string, row: MoneyRow, payments: PaidRow): FinancialsView {
  const amount = (decimal: Decimal): Decimal => formatAmount(currency, decimal);
  return {
    currentBalance: amount(row.balance),
    outstandingBalance: amount(row.outstanding),
    overdueBalance: amount(row.overdue),
    unappliedBalance: amount(payments.unapplied),
    lastPaymentAmount: payments.lastAmount === null ? null : amount(payments.lastAmount),
    lastPaymentDate: payments.lastDate,
    lastInvoiceAmount: row.lastAmount === null ? null : amount(row.lastAmount),
    lastInvoicedDate: row.lastDate,
    lifetimePayments: amount(payments.lifetime),
    lifetimeValue: amount(row.lifetime),
    nextBillDate: row.nextBillDate,
  };
}

export interface CustomerFilter extends ListFilter {
  readonly status: CustomerStatus | null;
  /** A term to search in name, reference, e-mail, phone and contact names, ignoring case. */
  readonly search: string | null;
}

/** Without financials, by ascending id. */
export async function listCustomers(
  tx: Reader,
  tenant: TenantInfo,
  filter: CustomerFilter,
): Promise<ListedPage<ListedCustomer, CustomerView>> {
  const { page, total } = await pageOf(tx, tenant, filter);
  const rows = await tx.query<{ readonly whole: ListedCustomer }>(
    // Select the page first, so that skipped rows are not built.
    whole(
      `select ${customerColumns}, c.listed, '' as "placeKey" from (${page.text}) c ${withContacts}`,
    ),
    page.values,
    page.name,
  );
  const customers = rows.map((row) => row.whole);
  const view = ({ listed: _listed, placeKey: _placeKey, ...row }: ListedCustomer): CustomerView =>
    row;
  return { rows: customers, view, next: nextOf(customers), total };
}

type ListedCustomer = CustomerView & PageColumns;

/** All of them, in the order of the list. */
export function fileOfCustomers(
  tenant: TenantInfo,
  filter: CustomerFilter,
): ListedFile<CustomerView, CustomerView> {
  const list = startCustomers(tenant, filter);
  const { search } = filter;
  if (search !== null) {
    list.addText(
      `c.id = any (array(${foundBy(search, whatever, { of: filter, value: list.value })}))`,
    );
  }
  const text = `select ${customerColumns} from (${list.all()}) c ${withContacts} order by c.id`;
  return { statement: { text, values: list.values }, view: (row) => row };
}

interface CustomerPage {
  readonly page: ListPage & { readonly values: readonly unknown[] };
  readonly total: number | null;
}

async function pageOf(
  tx: Reader,
  tenant: TenantInfo,
  filter: CustomerFilter,
): Promise<CustomerPage> {
  const { search, isCounted, max, offset } = filter;
  if (search === null) {
    const list = startCustomers(tenant, filter);
    const total = await totalOf(tx, filter, list);
    return { page: { ...list.page(), values: list.values }, total };
  }
  // Without other filters what is found is the page itself; with them all that is found is filtered.
  const isOnly = filtersOf('customers').every((name) => (filter[name] ?? null) === null);
  const found = (part: Part, of: CustomerFilter): ReturnType<typeof startCustomers> => {
    const list = startCustomers(tenant, of);
    list.addText(`c.id = any (array(${foundBy(search, part, { of, value: list.value })}))`);
    return list;
  };
  const counted = isOnly ? { offset: 0, max: COUNTED_MAX + 1 } : whatever;
  const ofAll = { ...filter, after: null };
  const total = isCounted ? await totalOf(tx, filter, found(counted, ofAll)) : null;
  const list = isOnly
    ? found({ offset, max: max + 1 }, { ...filter, offset: 0 })
    : found(whatever, filter);
  return { page: { ...list.page(), values: list.values }, total };
}

function startCustomers(tenant: TenantInfo, filter: CustomerFilter) {
  const list = startList<typeof Customer>('customers', tenant, filter);
  list.add('status', filter.status);
  return list;
}

/** Of what is found, by ascending id; null: all of it. */
interface Part {
  readonly offset: number;
  readonly max: number | null;
}

const whatever: Part = { offset: 0, max: null };

interface Found {
  readonly of: CustomerFilter;
  readonly value: (value: unknown) => string;
}

/** Finds ids by an index that row-level security bars; the rows are read under it. */
function foundBy(term: string, { offset, max }: Part, { of, value }: Found): string {
  const { created, updated, status, after = null } = of;
  const { pattern, otherPattern } = searchPatterns(term);
  const { from, before } = created;
  const times = [from, before, updated.from, updated.before];
  const values = [pattern, otherPattern, status, ...times, after?.id ?? null, offset, max];
  return `select find_customers(${values.map(value).join(', ')})`;
}

/** Rows by id, in one JSON column, which costs less to parse than twelve columns. */
const whole = (select: string): string =>
  `select to_json(q) as whole from (${select}) q order by q.id`;

const json = (alias: string, names: readonly string[]): string =>
  names.map((name) => `'${name}', ${alias}.${columnOf(name)}`).join(', ');

const contact = (alias: string): string => `case when ${alias}.id is null then null else
  json_build_object(${json(alias, ['id', ...personFieldNames])},
    'address', json_build_object(${json(alias, addressFieldNames)})) end`;

const fields = ['id', 'version', 'status', ...customerFieldNames] as const;

const customerColumns = `${fields.map((name) => `c.${columnOf(name)} as "${name}"`).join(', ')},
  case when c.status <> 'Active' then (
    select p.until from service_pause p where p.tenant_id = c.tenant_id and p.customer_id = c.id
     and p.order_id is null and p.until is not null) end as "suspendedUntil",
  c.erased_on as "erasedDate",
  ${contact('b')} as "billingContact", ${contact('s')} as "salesContact"`;

const withContacts = `
  left join contact b on b.tenant_id = c.tenant_id and b.customer_id = c.id and b.kind = 'billing'
  left join contact s on s.tenant_id = c.tenant_id and s.customer_id = c.id and s.kind = 'sales'`;

const fromCustomer = `from customer c ${withContacts}`;

const today = `(coalesce((select k.now from test_clock k), $3) at time zone $2)::date`;

const money = `(select json_build_object(
    'balance', coalesce((select y.balance from customer_balance y where y.tenant_id = c.tenant_id
                         and y.customer_id = c.id and y.currency = c.currency), 0)::text,
    'outstanding', coalesce(sum(i.outstanding_balance) filter (where i.status = 'Outstanding'), 0)::text,
    'overdue', coalesce(sum(i.outstanding_balance)
                 filter (where i.status = 'Outstanding' and i.due_date < ${today}), 0)::text,
    'lifetime', coalesce(sum(i.current_amount_due), 0)::text,
    'lastAmount', (array_agg(i.current_amount_due::text order by i.invoice_date desc, i.id desc))[1],
    'lastDate', (array_agg(i.invoice_date order by i.invoice_date desc, i.id desc))[1],
    'nextBillDate', (select min(o.next_billable_date) from subscription_order o
                     where o.tenant_id = c.tenant_id and o.customer_id = c.id))
  from invoice i where i.tenant_id = c.tenant_id and i.customer_id = c.id
   and i.currency = c.currency and ${standingStatus('i')} <> 'Cancelled')`;

// A debit's balance is negative: that money is owed, not unapplied. Lifetime payments exclude
// refunds; a Canceled payment is without its earlier refunds, which have their own rows.
const paid = `(select json_build_object(
    'unapplied', coalesce(sum(p.balance) filter (where p.balance > 0), 0)::text,
    'lifetime', coalesce(sum(case
        when p.payment_type = 'Payment' and p.status in ('Paid', 'Refunded', 'Voided')
          then p.amount - p.surcharge
        when p.payment_type = 'Payment' and p.status = 'Canceled' then p.refunded
        when p.payment_type = 'Refund' and p.status = 'Paid' then p.amount
        else 0 end), 0)::text,
    'lastAmount', (array_agg(p.amount::text order by p.effective_date desc, p.id desc)
                   filter (where p.payment_type = 'Payment' and p.status = 'Paid'))[1],
    'lastDate', (array_agg(p.effective_date order by p.effective_date desc, p.id desc)
                 filter (where p.payment_type = 'Payment' and p.status = 'Paid'))[1])
  from payment p where p.tenant_id = c.tenant_id and p.customer_id = c.id
   and p.currency = c.currency)`;
