/**
 * What a customer's financials sum of its invoices and payments stands beside its balance, by currency.
 * A trigger for each statement keeps it, in the transaction that writes the documents: so processes of
 * the release before, which know nothing of it, keep it as well. With a new invoice it keeps the balance,
 * too: one version of the row has all, where a statement of its own would write another one.
 */
import { Expanding } from '../connection/migration-kinds.ts';

/** How the documents of a table count. Each function is SQL over a row. */
interface Counted {
  readonly table: 'invoice' | 'payment';
  /** What a document adds to each sum. */
  readonly sums: Readonly<Record<string, (row: string) => string>>;
  /** Whether it may be the last one, of which day and amount are kept. */
  readonly isCounted: (row: string) => string;
  readonly day: string;
  readonly amount: string;
  /** The columns that keep id, day and amount of the last one. */
  readonly last: readonly [id: string, day: string, amount: string];
  /** All columns that any of it reads. */
  readonly reads: readonly string[];
  /** Which documents count at all. */
  readonly counts: (row: string) => string;
}

const invoices: Counted = {
  table: 'invoice',
  sums: {
    outstanding_balance: (row) =>
      `case when ${row}.status = 'Outstanding' then ${row}.outstanding_balance else 0 end`,
    lifetime_value: (row) =>
      `case when ${invoices.isCounted(row)} then ${row}.current_amount_due else 0 end`,
  },
  isCounted: (row) => `coalesce(${row}.carried_over_from, ${row}.status) <> 'Cancelled'`,
  day: 'invoice_date',
  amount: 'current_amount_due',
  last: ['last_invoice_id', 'last_invoiced_date', 'last_invoice_amount'],
  reads: [
    'status',
    'carried_over_from',
    'outstanding_balance',
    'current_amount_due',
    'invoice_date',
  ],
  counts: () => 'true',
};

const payments: Counted = {
  table: 'payment',
  sums: {
    // A debit's balance is negative: that money is owed, not unapplied.
    unapplied_balance: (row) => `greatest(${row}.balance, 0)`,
    // Without refunds. A Canceled payment is without its earlier refunds, which have their own rows.
    lifetime_payments: (row) => `case
        when ${row}.payment_type = 'Payment' and ${row}.status in ('Paid', 'Refunded', 'Voided')
          then ${row}.amount - ${row}.surcharge
        when ${row}.payment_type = 'Payment' and ${row}.status = 'Canceled' then ${row}.refunded
        when ${row}.payment_type = 'Refund' and ${row}.status = 'Paid' then ${row}.amount
        else 0 end`,
  },
  isCounted: (row) => `(${row}.payment_type = 'Payment' and ${row}.status = 'Paid')`,
  day: 'effective_date',
  amount: 'amount',
  last: ['last_payment_id', 'last_payment_date', 'last_payment_amount'],
  reads: ['payment_type', 'status', 'amount', 'surcharge', 'refunded', 'balance', 'effective_date'],
  counts: (row) =>
    `(${row}.balance > 0 or ${row}.status in ('Paid', 'Refunded', 'Voided', 'Canceled'))`,
};

const all = [invoices, payments];

const own = 'tenant_id, customer_id, currency';

const listOf = (row: string, columns: readonly string[]): string =>
  `(${columns.map((column) => `${row}.${column}`).join(', ')})`;

const documentOf = ({ day, amount }: Counted): readonly string[] => ['id', day, amount];

/** A counted document that is none any more, or has another day or amount. */
const isGone = (counted: Counted): string => {
  const [, ...seen] = documentOf(counted);
  return `${counted.isCounted('o')} and (not ${counted.isCounted('n')}
      or ${listOf('o', seen)} is distinct from ${listOf('n', seen)})`;
};

interface Chosen {
  readonly columns?: readonly string[];
  /** Of new ones. */
  readonly where?: string;
}

/** What each document adds: its sums, and whether it may be the last one from now on. */
const addedOf = (
  counted: Counted,
  of: 'insert' | 'update',
  { columns = documentOf(counted), where = counted.counts('n') }: Chosen = {},
): string => {
  const { sums, isCounted, reads } = counted;
  const isNew = of === 'insert';
  const change = ([name, sum]: readonly [string, (row: string) => string]): string =>
    `${sum('n')}${isNew ? '' : ` - ${sum('o')}`} as ${name}`;
  const before = isNew ? '' : ` and not ${isCounted('o')}`;
  return `select n.tenant_id, n.customer_id, n.currency,
      ${Object.entries(sums).map(change).join(',\n      ')},
      ${isCounted('n')}${before} as is_added,
      ${columns.map((column) => `n.${column} as its_${column}`).join(', ')}
    from written n
    ${
      isNew
        ? `where ${where}`
        : `join before o on o.tenant_id = n.tenant_id and o.id = n.id
    where ${listOf('o', reads)} is distinct from ${listOf('n', reads)}`
    }`;
};

/** Further columns, and what replaces them: SQL over the documents of a customer. */
type Also = Readonly<Record<string, string>>;

const nothing: Also = {};

/** An invoice says what its customer owes after it, as the last one by its id does. */
const totalDue = `(max(array[its_id::numeric, its_total_due]))[2]`;
const balances: Also = { balance: totalDue, last_total_due: totalDue };

/** Adds them to the rows of their customers; a later document than the last becomes it. */
function adding(counted: Counted, added: string, also: Also = nothing): string {
  const { sums, last, day } = counted;
  const [lastId, lastDay] = last;
  const names = Object.keys(sums);
  const others = Object.keys(also);
  const newest = documentOf(counted).map(
    (column) => `(array_agg(its_${column} order by its_${day} desc, its_id desc)
      filter (where is_added))[1]`,
  );
  const isLater = `excluded.${lastId} is not null and (b.${lastId} is null
        or (excluded.${lastDay}, excluded.${lastId}) > (b.${lastDay}, b.${lastId}))`;
  return `insert into customer_balance as b (${own}, ${[...names, ...last, ...others].join(', ')})
  select ${own}, ${[...names.map((name) => `sum(${name})`), ...newest, ...Object.values(also)].join(',\n    ')}
  from (${added}) a
  group by ${own}
  on conflict (${own}) do update set
    ${[
      ...names.map((name) => `${name} = b.${name} + excluded.${name}`),
      ...last.map(
        (column) => `${column} = case when ${isLater}
        then excluded.${column} else b.${column} end`,
      ),
      ...others.map((column) => `${column} = excluded.${column}`),
    ].join(',\n    ')}`;
}

/** Id, day and amount of the last counted document of a customer; no row if there is none. */
const lastOf = ({ table, isCounted, day, amount }: Counted, of: string) => `
      select d.id, d.${day}, d.${amount}
      from ${table} d
      where d.tenant_id = ${of}.tenant_id and d.customer_id = ${of}.customer_id
        and d.currency = ${of}.currency and ${isCounted('d')}
      order by d.${day} desc, d.id desc limit 1`;

/** Only where the last one itself goes, or comes later, is the last looked for again. */
function lookingAgain(counted: Counted): string {
  const { last, isCounted, day } = counted;
  const [lastId, lastDay] = last;
  return `update customer_balance b set (${last.join(', ')}) = (${lastOf(counted, 'b')})
    from (
      select n.tenant_id, n.customer_id, n.currency, n.id, n.${day} as day,
             ${isCounted('n')} as is_counted
      from written n join before o on o.tenant_id = n.tenant_id and o.id = n.id
      where ${isGone(counted)}) g
    where b.tenant_id = g.tenant_id and b.customer_id = g.customer_id and b.currency = g.currency
      and (b.${lastId} = g.id or g.is_counted and (g.day, g.id) > (b.${lastDay}, b.${lastId}))`;
}

/** An imported invoice says nothing of the balance, to which the import adds what is open. */
const addingInvoices = `${adding(
  invoices,
  addedOf(invoices, 'insert', {
    columns: [...documentOf(invoices), 'total_due'],
    where: 'not n.is_imported',
  }),
  balances,
)};
  if exists (select from written where is_imported) then
    ${adding(invoices, addedOf(invoices, 'insert', { where: 'n.is_imported' }))};
  end if`;

function keeping(counted: Counted): readonly string[] {
  const { table } = counted;
  const addingNew =
    counted === invoices ? addingInvoices : adding(counted, addedOf(counted, 'insert'));
  return [
    `create function keep_sums_of_new_${table}() returns trigger language plpgsql as $$
begin
  ${addingNew};
  return null;
end $$`,
    `create function keep_sums_of_changed_${table}() returns trigger language plpgsql as $$
begin
  ${adding(counted, addedOf(counted, 'update'))};
  if exists (
    select from written n join before o on o.tenant_id = n.tenant_id and o.id = n.id
    where ${isGone(counted)}) then
    ${lookingAgain(counted)};
  end if;
  return null;
end $$`,
    `create trigger keep_sums_of_new after insert on ${table}
  referencing new table as written
  for each statement execute function keep_sums_of_new_${table}()`,
    `create trigger keep_sums_of_changed after update on ${table}
  referencing old table as before new table as written
  for each statement execute function keep_sums_of_changed_${table}()`,
  ];
}

/** Of the documents of before. */
function filling(counted: Counted): string {
  const { table, sums, last, counts } = counted;
  const columns = [...Object.keys(sums), ...last];
  const summed = Object.values(sums).map((sum) => `sum(${sum('n')})`);
  return `insert into customer_balance as b (${own}, ${columns.join(', ')})
select s.*, ${last.map((column) => `l.${column}`).join(', ')}
from (
  select n.tenant_id, n.customer_id, n.currency, ${summed.join(', ')}
  from ${table} n where ${counts('n')} group by 1, 2, 3) s
left join lateral (${lastOf(counted, 's')}) l(${last.join(', ')}) on true
on conflict (${own}) do update
set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`;
}

const tables = ['customer_balance', 'invoice', 'payment'] as const;

export class KeptFinancials extends Expanding {
  override up(): void {
    this.addSql(`alter table customer_balance
      -- Of the standing invoices: what is open of them, and what they came to.
      add column outstanding_balance numeric(20, 4) not null default 0,
      add column lifetime_value numeric(20, 4) not null default 0,
      add column last_invoice_id bigint,
      add column last_invoiced_date date,
      add column last_invoice_amount numeric(20, 4),
      add column unapplied_balance numeric(20, 4) not null default 0,
      add column lifetime_payments numeric(20, 4) not null default 0,
      add column last_payment_id bigint,
      add column last_payment_date date,
      add column last_payment_amount numeric(20, 4)`);
    // First, so that no document is written between the filling and the commit without being counted.
    for (const statement of all.flatMap(keeping)) this.addSql(statement);
    for (const table of tables) this.addSql(`alter table ${table} no force row level security`);
    for (const counted of all) this.addSql(filling(counted));
    for (const table of tables) this.addSql(`alter table ${table} force row level security`);
  }
}
