/**
 * The facts from which the ledger is derived: entries of the books, applications of money, and what
 * was carried over. They are only added, each with the transaction that wrote it.
 */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { Decimal } from '../../../domain/money/money.ts';

/** `application`, `carried`, or the kind of the entry. A surcharge is a part of its payment. */
export const factKinds = [
  'invoice',
  'invoiceCancelled',
  'payment',
  'paymentCanceled',
  'paymentReturned',
  'paymentDisputed',
  'refund',
  'credit',
  'debit',
  'openingBalance',
  'import',
  'zeroOut',
  'application',
  'carried',
] as const;
export type FactKind = (typeof factKinds)[number];

/** A fact as it is read, and as rows are derived from it. */
export interface Fact {
  readonly kind: FactKind;
  readonly id: number;
  /** The transaction that wrote it. */
  readonly writtenIn: string;
  readonly day: IsoDate;
  readonly customerId: number;
  readonly currency: string;
  readonly amount: Decimal;
  readonly invoiceId: number | null;
  readonly paymentId: number | null;
  readonly debitId: number | null;
  readonly batchId: number | null;
}

/** The facts that `$2` has as JSON. */
export const givenFacts = `
  select r.kind, r.id, r."writtenIn" as written_in, r.day, r."customerId" as customer_id, r.currency,
    r.amount, r."invoiceId" as invoice_id, r."paymentId" as payment_id, r."debitId" as debit_id,
    r."batchId" as batch_id
  from json_to_recordset($2) as r(kind text, id bigint, "writtenIn" xid8, day date,
    "customerId" bigint, currency text, amount numeric, "invoiceId" bigint, "paymentId" bigint,
    "debitId" bigint, "batchId" bigint)`;

/** The round of which facts are, and the fact from which on. */
export interface Round {
  readonly since: string | null;
  readonly until: string;
  readonly from: { readonly transaction: string; readonly factId: number } | null;
}

/** Which facts; null leaves a side open. */
export interface FactChoice {
  readonly round: Round | null;
  readonly from: IsoDate | null;
  readonly to: IsoDate | null;
  readonly kinds: readonly FactKind[] | null;
  readonly customerId: number | null;
  readonly invoiceId: number | null;
  readonly paymentId: number | null;
  readonly currency: string | null;
  readonly limit: number | null;
}

export const everyFact: FactChoice = {
  round: null,
  from: null,
  to: null,
  kinds: null,
  customerId: null,
  invoiceId: null,
  paymentId: null,
  currency: null,
  limit: null,
};

/** Gives the placeholder of a value; $1 is the tenant. */
export type ValueOf = (value: unknown) => string;

/** A table of facts: its alias, its columns, and the kinds that it has. */
interface Source {
  readonly as: string;
  readonly select: string;
  readonly from: string;
  readonly day: string;
  readonly currency: string;
  readonly customer: (id: string) => string;
  readonly kinds: (chosen: readonly FactKind[], value: ValueOf) => string | null;
  readonly where: string;
}

/** The tenant's day of an application; processes of an older version leave the column empty. */
const appliedOn = `coalesce(a.applied_on, (a.created_at at time zone (
  select own.timezone from tenant own where own.id = $1))::date)`;

const isOf = (kind: FactKind) => (chosen: readonly FactKind[]) =>
  chosen.includes(kind) ? 'true' : null;

const entries: Source = {
  as: 'l',
  select: `l.kind, l.id, l.written_in, l.entered_on as day, l.customer_id, l.currency, l.amount,
    l.invoice_id, l.payment_id, null::bigint as debit_id, l.batch_id`,
  from: 'ledger_entry l',
  day: 'l.entered_on',
  currency: 'l.currency',
  customer: (id) => `l.customer_id = ${id}`,
  kinds(chosen, value) {
    const own = chosen.filter((kind) => kind !== 'application' && kind !== 'carried');
    return own.length === 0 ? null : `l.kind = any(${value(own)}::text[])`;
  },
  where: `l.kind <> 'surcharge' and l.kind <> 'surchargePaid'`,
};

const applications: Source = {
  as: 'a',
  select: `'application', a.id, a.written_in, ${appliedOn}, a.customer_id, m.currency,
    a.amount_applied, a.invoice_id, a.payment_id, a.debit_id, null`,
  from: 'invoice_payment a join payment m on m.tenant_id = $1 and m.id = a.payment_id',
  day: appliedOn,
  currency: 'm.currency',
  customer: (id) => `a.customer_id = ${id}`,
  kinds: isOf('application'),
  where: 'true',
};

/**
 * What was closed of a payment is a part of the customer's zeroOut. Where that came to nothing, there
 * is no entry, and the first of what was closed stands for it.
 */
const closesAlone = `not exists (select from ledger_entry z
    where z.tenant_id = $1 and z.batch_id is not null and z.batch_id = o.batch_id
      and z.customer_id = m.customer_id and z.currency = m.currency)
  and not exists (select from carry_over e
    join payment q on q.tenant_id = $1 and q.id = e.payment_id and q.payment_type = 'Payment'
    where e.tenant_id = $1 and e.batch_id = o.batch_id and e.id < o.id
      and q.customer_id = m.customer_id and q.currency = m.currency)`;

const carried: Source = {
  as: 'o',
  select: `case when m.payment_type = 'Payment' then 'zeroOut' else 'carried' end, o.id, o.written_in,
    o.carried_on, case when m.id is null then i.customer_id else m.customer_id end,
    case when m.id is null then i.currency else m.currency end,
    case when m.payment_type = 'Payment' then 0 else o.amount end, o.invoice_id,
    case when m.payment_type = 'Payment' then null else o.payment_id end, null, o.batch_id`,
  from: `carry_over o
    left join invoice i on i.tenant_id = $1 and i.id = o.invoice_id
    left join payment m on m.tenant_id = $1 and m.id = o.payment_id`,
  day: 'o.carried_on',
  currency: 'case when m.id is null then i.currency else m.currency end',
  customer: (id) => `(o.invoice_id in (
      select c.id from invoice c where c.tenant_id = $1 and c.customer_id = ${id})
    or o.payment_id in (
      select c.id from payment c where c.tenant_id = $1 and c.customer_id = ${id}))`,
  kinds(chosen) {
    const isClosed = `m.payment_type is not distinct from 'Payment'`;
    if (chosen.includes('carried'))
      return chosen.includes('zeroOut') ? 'true' : `not (${isClosed})`;
    return chosen.includes('zeroOut') ? isClosed : null;
  },
  where: `(m.payment_type is distinct from 'Payment' or ${closesAlone})`,
};

/**
 * Selects facts in the order of their transactions and ids: kind, id, written_in, day, customer_id,
 * currency, amount, invoice_id, payment_id, debit_id, batch_id.
 */
export function factsText(choice: FactChoice, value: ValueOf): string {
  const limit = choice.limit === null ? '' : `limit ${value(choice.limit)}`;
  const ordered = (as: string): string =>
    choice.limit === null ? '' : `order by ${as}.written_in, ${as}.id ${limit}`;
  const parts = [entries, applications, carried].flatMap((source) => {
    const conditions = conditionsOf(source, choice, value);
    if (conditions === null) return [];
    const { as, select, from } = source;
    return [`(select ${select} from ${from} where ${conditions.join(' and ')} ${ordered(as)})`];
  });
  // Columns have the names of the first part, which is missing where none of its kinds is chosen.
  const named = `(select null::text as kind, null::bigint as id, null::xid8 as written_in,
    null::date as day, null::bigint as customer_id, null::text as currency, null::numeric as amount,
    null::bigint as invoice_id, null::bigint as payment_id, null::bigint as debit_id,
    null::bigint as batch_id where false)`;
  const all = [named, ...parts].join(' union all ');
  return choice.limit === null ? all : `${all} order by 3, 2 ${limit}`;
}

function conditionsOf(source: Source, choice: FactChoice, value: ValueOf): string[] | null {
  const { as, day, currency, customer } = source;
  const kinds = choice.kinds === null ? 'true' : source.kinds(choice.kinds, value);
  if (kinds === null) return null;
  const conditions = [`${as}.tenant_id = $1`, source.where, kinds];
  const { from, to, customerId, invoiceId, paymentId } = choice;
  if (from !== null)
    conditions.push(`${day} >= ${value(from)}::date`, afterDayBefore(as, value(from)));
  if (to !== null) conditions.push(`${day} <= ${value(to)}::date`, beforeDayAfter(as, value(to)));
  if (customerId !== null) conditions.push(customer(value(customerId)));
  if (invoiceId !== null) conditions.push(`${as}.invoice_id = ${value(invoiceId)}`);
  if (paymentId !== null) conditions.push(`${as}.payment_id = ${value(paymentId)}`);
  if (choice.currency !== null) conditions.push(`${currency} = ${value(choice.currency)}`);
  if (choice.round !== null) conditions.push(...ofRound(as, choice.round, value));
  return conditions;
}

/**
 * A transaction takes its number and its day at most a day apart, so what has a day was written after
 * all that has the last day but one before it.
 */
const afterDayBefore = (as: string, day: string): string => `${as}.written_in >= coalesce((
  select b.written_in from ledger_entry b where b.tenant_id = $1 and b.entered_on <= ${day}::date - 2
  order by b.entered_on desc, b.written_in desc limit 1), '0'::xid8)`;

const beforeDayAfter = (as: string, day: string): string => `${as}.written_in <= coalesce((
  select b.written_in from ledger_entry b where b.tenant_id = $1 and b.entered_on >= ${day}::date + 2
  order by b.entered_on, b.written_in limit 1), '18446744073709551615'::xid8)`;

function ofRound(as: string, { since, until, from }: Round, value: ValueOf): string[] {
  const writtenIn = `${as}.written_in`;
  const end = `${value(until)}::pg_snapshot`;
  const conditions = [
    `${writtenIn} < pg_snapshot_xmax(${end})`,
    `pg_visible_in_snapshot(${writtenIn}, ${end})`,
  ];
  if (since !== null) {
    const begin = `${value(since)}::pg_snapshot`;
    conditions.push(
      `${writtenIn} >= pg_snapshot_xmin(${begin})`,
      `not pg_visible_in_snapshot(${writtenIn}, ${begin})`,
    );
  }
  if (from !== null) {
    const place = `(${value(from.transaction)}::xid8, ${value(from.factId)}::bigint)`;
    conditions.push(`(${writtenIn}, ${as}.id) >= ${place}`);
  }
  return conditions;
}
