/** What facts of each kind debit and credit: the branches of the statement that derives the ledger. */
import type { LedgerAccount } from '../../../domain/ledger/accounts.ts';
import type { FactKind } from './facts.ts';

/** What a branch selects of a fact: a debit is above zero, and a credit below. */
interface Row {
  /** An account in quotes, or SQL. */
  readonly account: string;
  readonly amount: string;
  readonly code?: string;
  readonly tax?: Tax;
  readonly gateway?: string;
  readonly method?: string;
  /** The days of which a revenue is. */
  readonly days?: readonly [from: string, to: string];
  /** Whether a tax was taken of it. */
  readonly isTaxed?: string;
  readonly from?: string;
  readonly where: string;
}

interface Tax {
  readonly name: string;
  readonly percent: string;
  readonly jurisdiction: string;
  readonly category: string;
  readonly code: string;
  readonly base: string;
  /** Whether a tax provider or a rate took it, or a charge of a plan. */
  readonly isTax: string;
}

/** What a branch selects of a row, beside its fact. */
function columnsOf({ tax, days, ...row }: Row): string {
  // Of the first branches PostgreSQL takes the types of all.
  const or = (sql: string | undefined, type: string): string => sql ?? `null::${type}`;
  const of = (sql: string | undefined, type: string): string =>
    tax === undefined || sql === undefined
      ? or(undefined, type)
      : `case when ${tax.isTax} then ${sql} end`;
  return `${row.account} as account, ${or(row.code, 'text')} as own_code,
    ${of(tax?.name, 'text')} as tax_name, ${of(tax?.percent, 'numeric')} as tax_percent,
    ${of(tax?.jurisdiction, 'text')} as jurisdiction, ${of(tax?.category, 'text')} as tax_category,
    ${of(tax?.code, 'text')} as tax_code, ${of(tax?.base, 'numeric')} as tax_base,
    ${or(row.gateway, 'text')} as gateway, ${or(row.method, 'text')} as payment_method_type,
    ${or(days?.[0], 'date')} as first_day, ${or(days?.[1], 'date')} as last_day,
    ${or(row.isTaxed, 'boolean')} as is_taxed, ${row.amount} as amount`;
}

/** Of one fact `f` of an outer statement. */
function ofEach(row: Row): string {
  const from = row.from === undefined ? '' : `from ${row.from}`;
  return `select ${columnsOf(row)} ${from} where ${row.where}`;
}

const ofFact = `f.kind, f.id, f.written_in, f.day, f.customer_id, f.currency, f.invoice_id, f.payment_id,
    f.debit_id, f.codes_id`;

/** Of all facts of a table at once, with columns of them. */
const ofAll =
  (table: string) =>
  (row: Row): string => {
    const from = row.from === undefined ? '' : `, ${row.from}`;
    return `select ${ofFact}, ${columnsOf(row)} from ${table} f${from} where ${row.where}`;
  };

const isKind = (...kinds: readonly FactKind[]): string =>
  kinds.length === 1 ? `f.kind = '${kinds[0]}'` : `f.kind = any('{${kinds.join(',')}}')`;

/** Null for facts of other kinds, so that nothing is read for them. */
const idIf = (id: string, ...kinds: readonly FactKind[]): string =>
  `case when ${isKind(...kinds)} then ${id} end`;

/* Invoices, and what is owed at once. A total below zero is money of the customer. */

/** -1 where it takes back. */
const sign = `case when f.kind = 'invoiceCancelled' then -1 else 1 end`;

const owed: Row = {
  account: `case when ${sign} * f.amount < 0 then 'unapplied' else 'receivables' end`,
  amount: 'f.amount',
  where: isKind('invoice', 'invoiceCancelled', 'import', 'debit', 'openingBalance'),
};

const isImported = `exists (select from invoice i
  where i.tenant_id = $1 and i.id = f.invoice_id and i.is_imported)`;

const opened: Row = {
  account: `'openingBalance'`,
  amount: '-f.amount',
  where: `(${isKind('import', 'openingBalance')} or f.kind = 'invoiceCancelled' and ${isImported})`,
};

/** A tax of the table, of a provider, of a plan, or one that was written by hand. */
const isTax = (o: string): string =>
  `(${o}.kind = 'tax' or ${o}.kind = 'manual' and ${o}.price_code = 'TAX')`;

const taxOf = (o: string, base: string): Tax => ({
  name: `${o}.invoice_text`,
  percent: `case when ${o}.kind = 'tax' and ${o}.is_percent then trim_scale(${o}.unit_price) end`,
  jurisdiction: `${o}.tax_jurisdiction`,
  category: `${o}.tax_category`,
  code: `${o}.tax_code`,
  base,
  isTax: isTax(o),
});

const accountOf = (o: string): string => `case when ${isTax(o)} then 'tax' else 'revenue' end`;

/** What is written by hand is of the day of its entry. */
const unlessByHand = (day: string): string => `case when o.kind <> 'manual' then ${day} end`;

const hasTax = `exists (select from invoice_charge x
  where x.tenant_id = $1 and x.invoice_line_id = o.invoice_line_id and x.kind = 'tax'
    and o.position = any(x.base_positions))`;

/** What goes back of the charges of which a tax that goes back was taken. */
const creditedBase = `(select -sum(k.amount) from invoice_charge h
  join charge_credit k on k.tenant_id = $1 and k.credit_charge_id = h.id
  join invoice_charge b on b.tenant_id = $1 and b.id = k.invoice_charge_id
  where h.tenant_id = $1 and h.invoice_line_id = g.invoice_line_id
    and b.invoice_line_id = o.invoice_line_id and b.position = any(o.base_positions))`;

const taxedBase = `(select sum(b.amount) from invoice_charge b
  where b.tenant_id = $1 and b.invoice_line_id = g.invoice_line_id
    and b.position = any(g.base_positions))`;

const charged: Row = {
  account: accountOf('o'),
  amount: `-(${sign}) * g.amount`,
  code: 'g.accounting_code',
  tax: taxOf(
    'o',
    `${sign} * case when g.kind = 'credit' then ${creditedBase} else ${taxedBase} end`,
  ),
  days: [unlessByHand('g.billing_start_date'), unlessByHand('g.billing_end_date')],
  isTaxed: hasTax,
  // Of what gives back the charge of which it does, else itself.
  from: `invoice i
    join invoice_line n on n.tenant_id = $1 and n.invoice_id = i.id
    join invoice_charge g on g.tenant_id = $1 and g.invoice_line_id = n.id
      and not g.is_usage_charge_sub_total
    left join charge_credit k on g.kind = 'credit' and k.tenant_id = $1 and k.credit_charge_id = g.id
    join invoice_charge o on o.tenant_id = $1
      and o.id = case when k.invoice_charge_id is null then g.id else k.invoice_charge_id end`,
  where: `i.tenant_id = $1 and i.id = ${idIf('f.invoice_id', 'invoice', 'invoiceCancelled')}
    and not i.is_imported`,
};

/* Credits and debits. */

const credited: Row = { account: `'unapplied'`, amount: 'f.amount', where: isKind('credit') };

const unusedBase = `(select -sum(b.amount) from charge_credit b
  join invoice_charge c on c.tenant_id = $1 and c.id = b.invoice_charge_id
  where b.tenant_id = $1 and b.payment_id = k.payment_id
    and c.invoice_line_id = o.invoice_line_id and c.position = any(o.base_positions))`;

/** Unused days give back revenue and tax of their charges. */
const unused: Row = {
  account: accountOf('o'),
  amount: 'k.amount',
  code: 'o.accounting_code',
  tax: taxOf('o', unusedBase),
  days: ['k.unused_from', 'k.unused_to'],
  isTaxed: hasTax,
  from: `charge_credit k
    join invoice_charge o on o.tenant_id = $1 and o.id = k.invoice_charge_id`,
  where: `k.tenant_id = $1 and k.payment_id = ${idIf('f.payment_id', 'credit')}`,
};

const adjusted: Row = {
  account: `'adjustments'`,
  amount: `-f.amount - coalesce((select sum(k.amount) from charge_credit k
    where k.tenant_id = $1 and k.payment_id = f.payment_id), 0)`,
  where: isKind('credit', 'debit'),
};

/* Money that comes, and money that goes. */

const surcharge = `coalesce((select e.amount from ledger_entry e
  where e.tenant_id = $1 and e.payment_id = f.payment_id and e.kind = 'surcharge'), 0)`;

const ofPayment = {
  gateway: 'p.gateway',
  method: 'p.payment_method_type',
  from: 'payment p',
} as const;

const received: readonly Row[] = [
  {
    ...ofPayment,
    account: `'cash'`,
    amount: `-f.amount + ${surcharge}`,
    where: `p.tenant_id = $1 and p.id = ${idIf('f.payment_id', 'payment')}`,
  },
  { account: `'unapplied'`, amount: 'f.amount', where: isKind('payment') },
  { account: `'surcharges'`, amount: `-${surcharge}`, where: isKind('payment') },
];

/** What leaves a payment: the payments of what a fact takes out, and how much of each. */
const outs = `lateral (
    select f.payment_id, f.amount where ${isKind('paymentCanceled', 'paymentReturned', 'paymentDisputed')}
    union all
    select s.payment_id, s.amount from refund_share s
    where s.tenant_id = $1 and s.refund_id = ${idIf('f.payment_id', 'refund')}
      and s.status = 'Paid') x
  join payment p on p.tenant_id = $1 and p.id = x.payment_id`;
const isOut = isKind('paymentCanceled', 'paymentReturned', 'paymentDisputed', 'refund');

/** Everything that left a payment. */
const leaving = `(
  select w.id, w.amount from ledger_entry w
  where w.tenant_id = $1 and w.payment_id = p.id
    and w.kind = any('{paymentCanceled,paymentReturned,paymentDisputed}')
  union all
  select w.id, s.amount from refund_share s
  join ledger_entry w on w.tenant_id = $1 and w.payment_id = s.refund_id and w.kind = 'refund'
  where s.tenant_id = $1 and s.payment_id = p.id and s.status = 'Paid')`;

/** How much of what was closed of a payment had to go back, once it was left so often. */
const takenOfClosed = (condition: string): string => `(
  select coalesce(max(greatest(0,
    (select coalesce(sum(c.amount), 0) from carry_over c
     where c.tenant_id = $1 and c.payment_id = p.id and c.id < e.id)
    - (p.amount - p.surcharge
       - (select coalesce(sum(a.amount_applied), 0) from invoice_payment a
          where a.tenant_id = $1 and a.payment_id = p.id and a.id < e.id)
       - (select coalesce(sum(b.amount), 0) from ${leaving} b where b.id <= e.id)))), 0)
  from ${leaving} e where e.id ${condition} f.id)`;

/** What was closed of a payment goes back last: it is taken from what was carried over. */
const ofClosed = `case when p.payment_type = 'Payment' and p.carried_open is not null
  then ${takenOfClosed('<=')} - ${takenOfClosed('<')} else 0 end`;

const left: readonly Row[] = [
  { ...ofPayment, account: `'cash'`, amount: '-x.amount', from: outs, where: isOut },
  { account: `'unapplied'`, amount: `x.amount - ${ofClosed}`, from: outs, where: isOut },
  { account: `'carriedOver'`, amount: ofClosed, from: outs, where: isOut },
];

/* What is applied, and what was carried over. */

/** Most tenants have carried nothing over, of which each fact would otherwise be asked. */
const wasCarried = (key: 'invoice_id' | 'payment_id', id: string): string => `(
  (select exists (select from carry_over o where o.tenant_id = $1)) and exists (
    select from carry_over o where o.tenant_id = $1 and o.${key} = ${id} and o.id < f.id))`;

/** A payment that was closed in part still has money; a credit that was carried over has none. */
const isCarriedCredit = `${wasCarried('payment_id', 'f.payment_id')} and exists (
  select from payment p where p.tenant_id = $1 and p.id = f.payment_id
    and p.payment_type = 'Credit')`;

const applied: readonly Row[] = [
  {
    account: `case when ${isCarriedCredit} then 'carriedOver' else 'unapplied' end`,
    amount: 'f.amount',
    where: isKind('application'),
  },
  {
    account: `case when ${wasCarried('invoice_id', 'f.invoice_id')}
        or ${wasCarried('payment_id', 'f.debit_id')} then 'carriedOver' else 'receivables' end`,
    amount: '-f.amount',
    where: isKind('application'),
  },
];

const closed = `coalesce((select sum(o.amount) from payment p
  join carry_over o on o.tenant_id = $1 and o.payment_id = p.id and o.batch_id = f.batch_id
  where p.tenant_id = $1 and p.customer_id = f.customer_id and p.currency = f.currency
    and p.payment_type = 'Payment'), 0)`;

const carriedOver: readonly Row[] = [
  {
    account: `case when f.payment_id is not null and f.amount > 0 then 'unapplied' else 'carriedOver' end`,
    amount: 'abs(f.amount)',
    where: isKind('carried'),
  },
  {
    account: `case when f.payment_id is not null and f.amount > 0 then 'carriedOver' else 'receivables' end`,
    amount: '-abs(f.amount)',
    where: isKind('carried'),
  },
  { account: `'writeOffs'`, amount: '-f.amount', where: isKind('zeroOut') },
  { account: `'unapplied'`, amount: closed, where: isKind('zeroOut') },
  { account: `'carriedOver'`, amount: `f.amount - ${closed}`, where: isKind('zeroOut') },
];

const allBranches: readonly Row[] = [
  owed,
  opened,
  charged,
  credited,
  unused,
  adjusted,
  ...received,
  ...left,
  ...applied,
  ...carriedOver,
];

const mayHave =
  (accounts: readonly LedgerAccount[] | null) =>
  ({ account }: Row): boolean =>
    accounts === null || accounts.some((each) => account.includes(`'${each}'`));

const UNION = '\n union all ';

/** Selects what a fact `f` of an outer statement debits and credits. */
export const branchesOfEach = (): string => allBranches.map(ofEach).join(UNION);

/**
 * Selects what all facts of a table debit and credit, with the columns of their facts; only the
 * branches that may have one of the accounts. The planner joins what they read.
 */
export const branchesOfAll = (table: string, accounts: readonly LedgerAccount[] | null): string =>
  allBranches.filter(mayHave(accounts)).map(ofAll(table)).join(UNION);
