/** What lists of customers, orders, invoices and payments are filtered by: a row for each parameter. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { MetadataEntry, MetadataKind } from '../../domain/text/metadata.ts';

/** The tables of lists; payments, credits and refunds share one. */
export type ListedTable = 'customers' | 'orders' | 'invoices' | 'payments';

/** Of these days, both inclusive; null leaves that side open. */
export interface DayRange {
  readonly from: IsoDate | null;
  readonly to: IsoDate | null;
}

/** The values of the filters; an absent one is no condition. */
export interface FilterValues {
  readonly customerId: number;
  readonly extCustomerRef: string;
  /** Whether it is Outstanding and its dueDate has passed; of a customer, whether it has such invoices. */
  readonly overdue: boolean;
  readonly orderNumber: string;
  readonly priceCode: string;
  readonly invoiceDate: DayRange;
  readonly dueDate: DayRange;
  readonly effectiveDate: DayRange;
  readonly metadata: readonly MetadataEntry[];
}

export type FilterName = keyof FilterValues;
export type Filters = { readonly [Name in FilterName]?: FilterValues[Name] | null | undefined };

/** The placeholder of a value, and the day on which something is overdue. */
interface Places {
  readonly value: (value: unknown) => string;
  readonly today: () => string;
}

/** The condition that a value makes; each compares columns, so that an index has it. */
type Condition<Value> = (value: Value, places: Places) => string;

type FilterTable = {
  readonly [Name in FilterName]: {
    readonly [Table in ListedTable]?: Condition<FilterValues[Name]>;
  };
};

// Row-level security adds the tenant to each of the tables.
const overdueInvoices = (today: string): string => `status = 'Outstanding' and due_date < ${today}`;

const byReference =
  (alias: string): Condition<string> =>
  (reference, { value }) =>
    `${alias}.customer_id = (select r.id from customer r where r.ext_customer_ref = ${value(reference)})`;

const byId =
  (alias: string): Condition<number> =>
  (id, { value }) =>
    `${alias}.customer_id = ${value(id)}`;

const within =
  (column: string): Condition<DayRange> =>
  ({ from, to }, { value }) =>
    [
      ...(from === null ? [] : [`${column} >= ${value(from)}`]),
      ...(to === null ? [] : [`${column} <= ${value(to)}`]),
    ].join(' and ') || 'true';

const having =
  (alias: string, kind: MetadataKind): Condition<readonly MetadataEntry[]> =>
  (entries, { value }) =>
    entries
      .map(
        (entry) => `${alias}.id in (select m.object_id from metadata_entry m
          where m.kind = '${kind}' and m.key = ${value(entry.key)} and m.value = ${value(entry.value)})`,
      )
      .join(' and ') || 'true';

const whether = (is: boolean, condition: string): string => (is ? condition : `not (${condition})`);

/** Text that is no number is the number of no order. */
const numberIn = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);

const filterTable: FilterTable = {
  customerId: { orders: byId('o'), invoices: byId('i'), payments: byId('p') },
  extCustomerRef: {
    customers: (reference, { value }) => `c.ext_customer_ref = ${value(reference)}`,
    orders: byReference('o'),
    invoices: byReference('i'),
    payments: byReference('p'),
  },
  overdue: {
    customers: (is, { today }) =>
      `c.id ${is ? '' : 'not '}in (select customer_id from invoice where ${overdueInvoices(today())})`,
    invoices: (is, { today }) =>
      whether(is, `i.status = 'Outstanding' and i.due_date < ${today()}`),
  },
  orderNumber: {
    orders: (number, { value }) => `o.order_number = ${value(numberIn(number))}`,
    invoices: (number, { value }) => `i.id in (
      select n.invoice_id from invoice_line n where n.order_id =
        (select r.id from subscription_order r where r.order_number = ${value(numberIn(number))})
      union all
      select n.invoice_id from invoice_line n where n.imported_order_number = ${value(number)})`,
  },
  priceCode: {
    orders: (code, { value }) => `o.id in (
      select l.order_id from plan_charge h
      join order_line l on l.tenant_id = h.tenant_id and l.charge_id = h.id
      where h.price_code = ${value(code)})`,
    invoices: (code, { value }) => `i.id in (
      select n.invoice_id from invoice_charge g
      join invoice_line n on n.tenant_id = g.tenant_id and n.id = g.invoice_line_id
      where g.price_code collate "C" = ${value(code)})`,
  },
  invoiceDate: { invoices: within('i.invoice_date') },
  dueDate: { invoices: within('i.due_date') },
  effectiveDate: { payments: within('p.effective_date') },
  metadata: {
    customers: having('c', 'customer'),
    orders: having('o', 'order'),
    invoices: having('i', 'invoice'),
    payments: having('p', 'payment'),
  },
};

/** The filters that a list has. */
export const filtersOf = (table: ListedTable): readonly FilterName[] =>
  (Object.keys(filterTable) as FilterName[]).filter((name) => table in filterTable[name]);

/** The conditions of those values that are given. */
export function conditionsOf(table: ListedTable, filters: Filters, places: Places): string[] {
  return filtersOf(table).flatMap((name) => {
    const value = filters[name];
    if (value === null || value === undefined) return [];
    const condition = filterTable[name][table] as Condition<typeof value> | undefined;
    return condition === undefined ? [] : [condition(value, places)];
  });
}
