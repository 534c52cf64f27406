/** Reads customers and their contacts for the interface, in one statement each. */
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
import type { Contact, ContactKind, Customer } from '../../db/entities/customers.ts';
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

export type FullCustomerView = CustomerView & { readonly financials: FinancialsView };

/** The customer with contacts and financials; overdue as of the tenant's today. */
export async function readCustomer(
  dependencies: Dependencies,
  tx: Reader,
  tenant: TenantInfo,
  address: CustomerAddress,
): Promise<FullCustomerView | undefined> {
  const [way, value] =
    'id' in address ? (['id', address.id] as const) : (['ref', address.extCustomerRef] as const);
  const [customer] = await readFull(dependencies, tx, tenant, { way, value });
  return customer;
}

/** Those of the ids that exist, by ascending id. */
export async function readCustomers(
  dependencies: Pick<Dependencies, 'realNow'>,
  tx: Reader,
  tenant: TenantInfo,
  ids: readonly number[],
): Promise<FullCustomerView[]> {
  return readFull(dependencies, tx, tenant, { way: 'ids', value: ids });
}

interface Named {
  readonly way: keyof typeof ways;
  readonly value: unknown;
}

/** A tenant in real time costs no look at its clock. */
async function readFull(
  { realNow }: Pick<Dependencies, 'realNow'>,
  tx: Reader,
  { hasTestClock, timezone }: TenantInfo,
  { way, value }: Named,
): Promise<FullCustomerView[]> {
  const { byClock, inRealTime } = ways[way];
  const rows = await (hasTestClock
    ? tx.query<WholeRow>(byClock, [value, timezone], `read-customer-by-${way}-and-clock`)
    : tx.query<WholeRow>(
        inRealTime,
        [value, timezone, new Date(realNow())],
        `read-customer-by-${way}`,
      ));
  return rows.map((row) => fullView(row.whole));
}

interface WholeRow extends Record<string, unknown> {
  readonly whole: CustomerRow & { readonly financials: FinancialsView };
}

/** A customer as it is read: with its contacts by their kinds, if it has any. */
type CustomerRow = Omit<CustomerView, 'billingContact' | 'salesContact'> & {
  readonly contacts: Readonly<Partial<Record<ContactKind, ContactView>>> | null;
};

/** Further columns of the row stay. */
function viewOf<Row extends CustomerRow>({ contacts, ...row }: Row) {
  const { billing = null, sales = null } = contacts ?? {};
  return { ...row, billingContact: billing, salesContact: sales };
}

/** With the decimals of the currency. */
function fullView({ financials, ...row }: WholeRow['whole']): FullCustomerView {
  const amount = (decimal: Decimal): Decimal => formatAmount(row.currency, decimal);
  const { lastPaymentAmount, lastInvoiceAmount } = financials;
  return {
    ...viewOf(row),
    financials: {
      ...financials,
      currentBalance: amount(financials.currentBalance),
      outstandingBalance: amount(financials.outstandingBalance),
      overdueBalance: amount(financials.overdueBalance),
      unappliedBalance: amount(financials.unappliedBalance),
      lastPaymentAmount: lastPaymentAmount && amount(lastPaymentAmount),
      lastInvoiceAmount: lastInvoiceAmount && amount(lastInvoiceAmount),
      lifetimePayments: amount(financials.lifetimePayments),
      lifetimeValue: amount(financials.lifetimeValue),
    },
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
    whole(`select ${customerColumns}, c.listed, '' as "placeKey" from (${page.text}) c`),
    page.values,
    page.name,
  );
  const customers = rows.map((row) => row.whole);
  const view = ({ listed: _listed, placeKey: _placeKey, ...row }: ListedCustomer): CustomerView =>
    viewOf(row);
  return { rows: customers, view, next: nextOf(customers), total };
}

type ListedCustomer = CustomerRow & PageColumns;

/** All of them, in the order of the list. */
export function fileOfCustomers(
  tenant: TenantInfo,
  filter: CustomerFilter,
): ListedFile<CustomerRow, CustomerView> {
  const list = startCustomers(tenant, filter);
  const { search } = filter;
  if (search !== null) {
    list.addText(
      `c.id = any (array(${foundBy(search, whatever, { of: filter, value: list.value })}))`,
    );
  }
  const text = `select ${customerColumns} from (${list.all()}) c order by c.id`;
  return { statement: { text, values: list.values }, view: viewOf };
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

/** Both of them by one look: each table that a statement looks at costs as much again as its row. */
const contacts = `(select json_object_agg(k.kind, json_build_object(${json('k', ['id', ...personFieldNames])},
      'address', json_build_object(${json('k', addressFieldNames)})))
    from contact k where k.tenant_id = c.tenant_id and k.customer_id = c.id)`;

const fields = ['id', 'version', 'status', ...customerFieldNames] as const;

const customerColumns = `${fields.map((name) => `c.${columnOf(name)} as "${name}"`).join(', ')},
  case when c.status <> 'Active' then (
    select p.until from service_pause p where p.tenant_id = c.tenant_id and p.customer_id = c.id
     and p.order_id is null and p.until is not null) end as "suspendedUntil",
  c.erased_on as "erasedDate",
  ${contacts} as contacts`;

const sum = (column: string): string => `coalesce(y.${column}, 0)::text`;

/** What triggers keep in the row `y` of the customer's currency, and what follows from the day. */
const financialsOn = (today: string): string => `json_build_object(
    'currentBalance', ${sum('balance')},
    'outstandingBalance', ${sum('outstanding_balance')},
    'overdueBalance', case when y.outstanding_balance <> 0 then (
      select coalesce(sum(i.outstanding_balance), 0) from invoice i
      where i.tenant_id = c.tenant_id and i.customer_id = c.id and i.currency = c.currency
        and i.status = 'Outstanding' and i.due_date < ${today})::text else '0' end,
    'unappliedBalance', ${sum('unapplied_balance')},
    'lastPaymentAmount', y.last_payment_amount::text,
    'lastPaymentDate', y.last_payment_date,
    'lastInvoiceAmount', y.last_invoice_amount::text,
    'lastInvoicedDate', y.last_invoiced_date,
    'lifetimePayments', ${sum('lifetime_payments')},
    'lifetimeValue', ${sum('lifetime_value')},
    'nextBillDate', (select min(o.next_billable_date) from subscription_order o
      where o.tenant_id = c.tenant_id and o.customer_id = c.id))`;

const fullOn = (today: string, where: string): string =>
  whole(`select ${customerColumns}, ${financialsOn(today)} as financials
    from customer c
    left join customer_balance y on y.tenant_id = c.tenant_id and y.customer_id = c.id
      and y.currency = c.currency
    where ${where}`);

const full = (where: string) => ({
  byClock: fullOn('(select (k.now at time zone $2)::date from test_clock k)', where),
  inRealTime: fullOn('($3::timestamptz at time zone $2)::date', where),
});

const ways = {
  id: full('c.id = $1'),
  ref: full('c.ext_customer_ref = $1'),
  ids: full('c.id = any($1)'),
} as const;
