/** What facts of each kind debit and credit: the branches of the statements that derive the ledger. */
import type { LedgerAccount } from '../../../domain/ledger/accounts.ts';
import type { FactKind } from './facts.ts';

/** What a branch selects of facts `f`: a debit is above zero, and a credit below. */
interface Row {
  readonly kinds: readonly FactKind[];
  /** An account in quotes, or SQL. */
  readonly account: string;
  readonly amount: string;
  readonly code?: string;
  readonly tax?: Tax;
  readonly gateway?: string;
  readonly method?: string;
  /** The charge that a revenue is of, and its days. */
  readonly charge?: Charge;
  /** What is joined to the facts. */
  readonly joins?: string;
  readonly where?: string;
}

interface Tax {
  readonly name: string;
  readonly percent: string;
  readonly jurisdiction: string;
  readonly category: string;
  readonly code: string;
  /** Of a row that adds to what the tax was taken of, and nothing to the tax. */
  readonly base?: string;
}

interface Charge {
  readonly line: string;
  readonly position: string;
  readonly days: readonly [from: string, to: string];
}

/** What a branch selects of a row, beside its fact. */
function columnsOf({ tax, charge, ...row }: Row): string {
  // Of the first branches PostgreSQL takes the types of all.
  const or = (sql: string | undefined, type: string): string => sql ?? `null::${type}`;
  return `${row.account} as account, ${or(row.code, 'text')} as own_code,
    ${or(tax?.name, 'text')} as tax_name, ${or(tax?.percent, 'numeric')} as tax_percent,
    ${or(tax?.jurisdiction, 'text')} as jurisdiction, ${or(tax?.category, 'text')} as tax_category,
    ${or(tax?.code, 'text')} as tax_code, ${or(tax?.base, 'numeric')} as tax_base,
    ${or(row.gateway, 'text')} as gateway, ${or(row.method, 'text')} as payment_method_type,
    ${or(charge?.line, 'bigint')} as charge_line, ${or(charge?.position, 'int')} as charge_position,
    ${or(charge?.days[0], 'date')} as first_day, ${or(charge?.days[1], 'date')} as last_day,
    ${row.amount} as amount`;
}

const ofFact = `f.kind, f.id, f.written_in, f.day, f.customer_id, f.currency, f.invoice_id, f.payment_id,
    f.debit_id, f.codes_id`;

const isKind = (kinds: readonly FactKind[]): string =>
  kinds.length === 1 ? `f.kind = '${kinds[0]}'` : `f.kind = any('{${kinds.join(',')}}')`;

function selectOf(table: string, row: Row): string {
  const { kinds, joins = '', where } = row;
  const conditions = [isKind(kinds), ...(where === undefined ? [] : [where])];
  return `select ${ofFact}, ${columnsOf(row)} from ${table} f ${joins}
    where ${conditions.join(' and ')}`;
}

/* Invoices, and what is owed at once. A total below zero is money of the customer. */

/** -1 where it takes back. */
const sign = `case when f.kind = 'invoiceCancelled' then -1 else 1 end`;

const owed: Row = {
  kinds: ['invoice', 'invoiceCancelled', 'import', 'debit', 'openingBalance'],
  account: `case when ${sign} * f.amount < 0 then 'unapplied' else 'receivables' end`,
  amount: 'f.amount',
};

/** An invoice of ours is known by its entry; what is cancelled may be of either kind. */
const isImported = `f.kind = 'invoiceCancelled' and exists (select from invoice i
  where i.tenant_id = $1 and i.id = f.invoice_id and i.is_imported)`;

const opened: Row = {
  kinds: ['import', 'openingBalance', 'invoiceCancelled'],
  account: `'openingBalance'`,
  amount: '-f.amount',
  where: `(f.kind <> 'invoiceCancelled' or ${isImported})`,
};

/** Reads a column of a charge. */
type Column = (name: string) => string;

const of =
  (alias: string): Column =>
  (name) =>
    `${alias}.${name}`;

/** A tax of the table, of a provider, of a plan, or one that was written by hand. */
const isTax = (its: Column): string =>
  `(${its('kind')} = 'tax'
    or ${its('kind')} = 'manual' and ${its('price_code')} is not distinct from 'TAX')`;

const taxOf = (its: Column): Tax => ({
  name: its('invoice_text'),
  percent: `case when ${its('kind')} = 'tax' and ${its('is_percent')}
    then trim_scale(${its('unit_price')}) end`,
  jurisdiction: its('tax_jurisdiction'),
  category: its('tax_category'),
  code: its('tax_code'),
});

const all = (...conditions: readonly (string | undefined)[]): string =>
  conditions.filter((each) => each !== undefined).join(' and ');

interface Charges extends Pick<Row, 'kinds' | 'amount' | 'joins' | 'where'> {
  readonly code: string;
  readonly its: Column;
  readonly days: Charge['days'];
}

/** Revenue, and taxes, of charges. */
const ofCharges = ({ its, days, where, ...row }: Charges): readonly Row[] => [
  {
    ...row,
    account: `'revenue'`,
    charge: { line: its('invoice_line_id'), position: its('position'), days },
    where: all(where, `not ${isTax(its)}`),
  },
  { ...row, account: `'tax'`, tax: taxOf(its), where: all(where, isTax(its)) },
];

const inInvoice = {
  kinds: ['invoice', 'invoiceCancelled'],
  where: `not (${isImported})`,
} as const;

/** Charge `g` of an invoice. */
const chargesOfInvoice = `
  join invoice_line n on n.tenant_id = $1 and n.invoice_id = f.invoice_id
  join invoice_charge g on g.tenant_id = $1 and g.invoice_line_id = n.id
    and not g.is_usage_charge_sub_total`;

/** Charge `o`, of which charge `g` of an invoice gives back. */
const creditedByInvoice = `${chargesOfInvoice} and g.kind = 'credit'
  join charge_credit k on k.tenant_id = $1 and k.credit_charge_id = g.id
  join invoice_charge o on o.tenant_id = $1 and o.id = k.invoice_charge_id`;

/** What is written by hand is of the day of its entry. */
const daysOf = (its: Column): Charge['days'] => {
  const unlessByHand = (day: string): string =>
    `case when ${its('kind')} <> 'manual' then ${day} end`;
  return [unlessByHand('g.billing_start_date'), unlessByHand('g.billing_end_date')];
};

const charged: readonly Row[] = [
  ...ofCharges({
    ...inInvoice,
    its: of('g'),
    amount: `-(${sign}) * g.amount`,
    code: 'g.accounting_code',
    days: daysOf(of('g')),
    joins: chargesOfInvoice,
    where: all(
      inInvoice.where,
      `(g.kind <> 'credit' or not exists (
        select from charge_credit k where k.tenant_id = $1 and k.credit_charge_id = g.id))`,
    ),
  }),
  ...ofCharges({
    ...inInvoice,
    its: of('o'),
    amount: `-(${sign}) * g.amount`,
    code: 'g.accounting_code',
    days: daysOf(of('o')),
    joins: creditedByInvoice,
  }),
];

/** A row of each charge `b` of which a tax was taken. */
const baseCharged: Row = {
  ...inInvoice,
  account: `'tax'`,
  amount: '0::numeric',
  code: 'g.accounting_code',
  tax: { ...taxOf(of('g')), base: `(${sign}) * b.amount` },
  joins: `${chargesOfInvoice} and g.kind = 'tax'
    join invoice_charge b on b.tenant_id = $1 and b.invoice_line_id = g.invoice_line_id
      and b.position = any(g.base_positions)`,
};

/** What goes back, by the same invoice, of each charge of which a tax that goes back was taken. */
const baseCredited: Row = {
  ...inInvoice,
  account: `'tax'`,
  amount: '0::numeric',
  code: 'g.accounting_code',
  tax: { ...taxOf(of('o')), base: `-(${sign}) * c.amount` },
  joins: `${creditedByInvoice} and o.kind = 'tax'
    join invoice_charge b on b.tenant_id = $1 and b.invoice_line_id = o.invoice_line_id
      and b.position = any(o.base_positions)
    join charge_credit c on c.tenant_id = $1 and c.invoice_charge_id = b.id
    join invoice_charge h on h.tenant_id = $1 and h.id = c.credit_charge_id
      and h.invoice_line_id = g.invoice_line_id`,
};

/* Credits and debits. */

const credited: Row = { kinds: ['credit'], account: `'unapplied'`, amount: 'f.amount' };

const unusedCharges = `
  join charge_credit k on k.tenant_id = $1 and k.payment_id = f.payment_id
  join invoice_charge o on o.tenant_id = $1 and o.id = k.invoice_charge_id`;

/** Unused days give back revenue and tax of their charges. */
const unused: readonly Row[] = ofCharges({
  kinds: ['credit'],
  its: of('o'),
  amount: 'k.amount',
  code: 'o.accounting_code',
  days: ['k.unused_from', 'k.unused_to'],
  joins: unusedCharges,
});

const baseUnused: Row = {
  kinds: ['credit'],
  account: `'tax'`,
  amount: '0::numeric',
  code: 'o.accounting_code',
  tax: { ...taxOf(of('o')), base: '-c.amount' },
  joins: `${unusedCharges} and o.kind = 'tax'
    join invoice_charge b on b.tenant_id = $1 and b.invoice_line_id = o.invoice_line_id
      and b.position = any(o.base_positions)
    join charge_credit c on c.tenant_id = $1 and c.payment_id = k.payment_id
      and c.invoice_charge_id = b.id`,
};

const adjusted: Row = {
  kinds: ['credit', 'debit'],
  account: `'adjustments'`,
  amount: `-f.amount - coalesce((select sum(k.amount) from charge_credit k
    where k.tenant_id = $1 and k.payment_id = f.payment_id), 0)`,
};

/* Money that comes, and money that goes. */

const ofPayment = {
  gateway: 'p.gateway',
  method: 'p.payment_method_type',
  joins: 'join payment p on p.tenant_id = $1 and p.id = f.payment_id',
} as const;

const ofSurcharge = `join ledger_entry e on e.tenant_id = $1 and e.payment_id = f.payment_id
  and e.kind = 'surcharge'`;

const received: readonly Row[] = [
  { ...ofPayment, kinds: ['payment'], account: `'cash'`, amount: '-f.amount' },
  {
    ...ofPayment,
    kinds: ['payment'],
    account: `'cash'`,
    amount: 'e.amount',
    joins: `${ofPayment.joins} ${ofSurcharge}`,
  },
  { kinds: ['payment'], account: `'surcharges'`, amount: '-e.amount', joins: ofSurcharge },
  { kinds: ['payment'], account: `'unapplied'`, amount: 'f.amount' },
];

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

/** Of payment `p`, of which an amount leaves. */
const leaves = (amount: string, its: Pick<Row, 'kinds' | 'joins'>): readonly Row[] => [
  { ...ofPayment, ...its, account: `'cash'`, amount: `-${amount}` },
  { ...its, account: `'unapplied'`, amount: `${amount} - ${ofClosed}` },
  { ...its, account: `'carriedOver'`, amount: ofClosed },
];

const left: readonly Row[] = [
  ...leaves('f.amount', {
    kinds: ['paymentCanceled', 'paymentReturned', 'paymentDisputed'],
    joins: ofPayment.joins,
  }),
  ...leaves('s.amount', {
    kinds: ['refund'],
    joins: `join refund_share s on s.tenant_id = $1 and s.refund_id = f.payment_id
        and s.status = 'Paid'
      join payment p on p.tenant_id = $1 and p.id = s.payment_id`,
  }),
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
    kinds: ['application'],
  },
  {
    account: `case when ${wasCarried('invoice_id', 'f.invoice_id')}
        or ${wasCarried('payment_id', 'f.debit_id')} then 'carriedOver' else 'receivables' end`,
    amount: '-f.amount',
    kinds: ['application'],
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
    kinds: ['carried'],
  },
  {
    account: `case when f.payment_id is not null and f.amount > 0 then 'carriedOver' else 'receivables' end`,
    amount: '-abs(f.amount)',
    kinds: ['carried'],
  },
  { account: `'writeOffs'`, amount: '-f.amount', kinds: ['zeroOut'] },
  { account: `'unapplied'`, amount: closed, kinds: ['zeroOut'] },
  { account: `'carriedOver'`, amount: `f.amount - ${closed}`, kinds: ['zeroOut'] },
];

const allBranches: readonly Row[] = [
  owed,
  opened,
  ...charged,
  baseCharged,
  baseCredited,
  credited,
  ...unused,
  baseUnused,
  adjusted,
  ...received,
  ...left,
  ...applied,
  ...carriedOver,
];

/** Which branches a statement needs; null: all. */
export interface BranchChoice {
  readonly accounts?: readonly LedgerAccount[] | null;
  readonly kinds?: readonly FactKind[] | null;
}

/** Selects what the facts of a table debit and credit, with the columns of their facts. */
export function branchesOf(
  table: string,
  { accounts = null, kinds = null }: BranchChoice = {},
): string {
  return allBranches
    .filter(
      (row) =>
        (accounts === null || accounts.some((each) => row.account.includes(`'${each}'`))) &&
        (kinds === null || kinds.some((kind) => row.kinds.includes(kind))),
    )
    .map((row) => selectOf(table, row))
    .join('\n union all ');
}
