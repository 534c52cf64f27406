/**
 * Derives the rows of the ledger from facts: what each fact debits and credits, by account and code. It
 * writes nothing, so the ledger of all that ever happened is there at once.
 */
import {
  codesOf,
  ledgerAccounts,
  type EntryType,
  type LedgerAccount,
} from '../../../domain/ledger/accounts.ts';
import { branchesOf, type BranchChoice } from './branches.ts';
import { factKinds, givenFacts, type FactKind } from './facts.ts';

/** What entries of a kind of facts are called; an invoice that gives back is a CreditNote. */
export const entryTypeOf: Readonly<Record<FactKind, EntryType>> = {
  invoice: 'Invoice',
  invoiceCancelled: 'InvoiceCancelled',
  payment: 'Payment',
  paymentCanceled: 'PaymentReversed',
  paymentReturned: 'PaymentReversed',
  paymentDisputed: 'PaymentReversed',
  refund: 'Refund',
  credit: 'Credit',
  debit: 'Debit',
  openingBalance: 'OpeningBalance',
  import: 'ImportedInvoice',
  zeroOut: 'ZeroOut',
  application: 'Application',
  carried: 'CarriedOver',
};

const quoted = (texts: readonly string[]): string => texts.map((text) => `'${text}'`).join(', ');

/* Codes. */

/** Those by which a fact was booked: a cancelled invoice goes back by those of the invoice. */
const codedIn = `case when f.kind = 'invoiceCancelled' then (
    select o.written_in from ledger_entry o where o.tenant_id = $1 and o.invoice_id = f.invoice_id
      and (o.kind = 'invoice' or o.kind = 'import'))
  else f.written_in end`;

const firstCodes = `(select c.id from accounting_codes c where c.tenant_id = $1 order by c.id limit 1)`;

/** Few tenants have had more than one file with codes, of which each fact would otherwise be asked. */
const codesId = `case
  when (select count(*) < 2 from accounting_codes c where c.tenant_id = $1) then ${firstCodes}
  else coalesce(
    (select c.id from accounting_codes c
     where c.tenant_id = $1 and c.written_in < ${codedIn} order by c.id desc limit 1),
    ${firstCodes}) end`;

const codes = `coalesce(c.codes, '${JSON.stringify(codesOf({}, []))}'::jsonb)`;

const cashCode = `(select k.value->>'code' from jsonb_array_elements(${codes}->'cashAccounts')
    with ordinality k(value, place)
  where k.value->>'gateway' = r.gateway or k.value->>'method' = r.payment_method_type
  order by k.place limit 1)`;

/** The codes of rates as a table, so that taxes are joined to it. */
const rateCodes = `
  select distinct on (codes_id, tax_code, jurisdiction, tax_name) c.id as codes_id,
    k.value->>'taxCode' as tax_code, k.value->>'jurisdiction' as jurisdiction,
    k.value->>'name' as tax_name, k.value->>'code' as code
  from accounting_codes c
  cross join jsonb_array_elements(c.codes->'rates') with ordinality k(value, place)
  where c.tenant_id = $1
  order by codes_id, tax_code, jurisdiction, tax_name, k.place`;

const code = `coalesce(r.own_code, case r.account when 'cash' then ${cashCode}
  when 'tax' then t.code end, ${codes}->>r.account)`;

/**
 * Selects what facts debit and credit, not added up: the columns of the fact, which begin with `fact_`,
 * `account`, `accounting_code`, those of its tax, `gateway`, `payment_method_type`, `charge_line`,
 * `charge_position`, `first_day`, `last_day`, and `amount`, which is below zero for a credit. What a tax
 * was taken of is a piece for itself, without an amount. A statement that names few columns is spared
 * the others.
 *
 * @param facts selects facts; $1 is the tenant
 */
export function piecesText(facts: string, choice: BranchChoice = {}): string {
  const { accounts = null } = choice;
  return `
  with booked as materialized (select f.*, ${codesId} as codes_id from (${facts}) f),
  rate_code as materialized (${rateCodes})
  select r.kind as fact_kind, r.id as fact_id, r.written_in as fact_written_in, r.day as fact_day,
    r.customer_id as fact_customer_id, r.currency as fact_currency, r.invoice_id as fact_invoice_id,
    case when r.debit_id is null then r.payment_id else r.debit_id end as fact_payment_id,
    r.account, ${code} as accounting_code, r.tax_name, r.tax_percent, r.jurisdiction,
    r.tax_category, r.tax_base, r.gateway, r.payment_method_type, r.charge_line, r.charge_position,
    r.first_day, r.last_day, r.amount
  from (${branchesOf('booked', choice)}) r
  left join accounting_codes c on c.tenant_id = $1 and c.id = r.codes_id
  left join rate_code t on t.codes_id = r.codes_id and t.tax_code = r.tax_code
    and t.jurisdiction = r.jurisdiction and t.tax_name = r.tax_name
  ${accounts === null ? '' : `where r.account = any('{${accounts.join(',')}}')`}`;
}

const byRow = `fact_id, account, accounting_code, tax_name, tax_percent, jurisdiction, tax_category,
  gateway, payment_method_type`;

const placeOf = `array_position(array[${quoted(ledgerAccounts)}], account)`;

/** Of an account: what it grows by, or, of `unapplied`, shrinks by. */
export const sumOf = (account: LedgerAccount): string =>
  `coalesce(sum(amount) filter (where account = '${account}'), 0)`;

/* Of the facts of a page, which are given as JSON. Each text is the same for all facts. */

/** What entries of a fact are called. */
const entryType = `case
  when f.kind = 'invoice' and i.credit_note_of is not null then 'CreditNote'
  ${Object.entries(entryTypeOf)
    .map(([kind, type]) => `when f.kind = '${kind}' then '${type}'`)
    .join(' ')} end`;

/** Selects what the rows of an entry have in common. */
export const headsText = `
  select f.id as fact_id, ${entryType} as entry_type,
    case when f.kind = 'invoiceCancelled' and n.cancellation_number is not null
           then n.cancellation_number
         when i.id is not null then i.invoice_number
         when f.kind = 'zeroOut' then f.batch_id::text
         when f.debit_id is not null then f.debit_id::text
         else f.payment_id::text end as document_number,
    c.ext_customer_ref
  from (${givenFacts}) f
  left join invoice i on i.tenant_id = $1 and i.id = f.invoice_id
  left join cancellation n on n.tenant_id = $1 and n.invoice_id = f.invoice_id
  join customer c on c.tenant_id = $1 and c.id = f.customer_id`;

/**
 * Which facts have a statement of their own: the planner looks at what few facts have where there are
 * such facts alone.
 */
export const rowsPartOf = {
  invoice: 'invoices',
  invoiceCancelled: 'invoices',
  import: 'invoices',
  openingBalance: 'invoices',
  credit: 'credits',
  debit: 'credits',
  payment: 'payments',
  paymentCanceled: 'returns',
  paymentReturned: 'returns',
  paymentDisputed: 'returns',
  refund: 'returns',
  application: 'applications',
  carried: 'carried',
  zeroOut: 'carried',
} as const satisfies Readonly<Record<FactKind, string>>;
export type RowsPart = (typeof rowsPartOf)[FactKind];

/**
 * Selects the rows of facts of a part: one for each account and code, of a tax also for each rate, of
 * cash for each way; none of 0.00 but of a tax at 0 percent. `row` is its place in its entry.
 */
function rowsOf(part: RowsPart): string {
  const kinds = factKinds.filter((kind) => rowsPartOf[kind] === part);
  return `
  select ${byRow.replace('tax_percent', 'tax_percent::text')}, sum(amount)::text as amount,
    sum(tax_base)::text as tax_base,
    row_number() over (partition by fact_id order by sum(amount) <= 0, ${placeOf}, accounting_code,
      tax_name, tax_percent, jurisdiction, tax_category, gateway, payment_method_type)::int as row
  from (${piecesText(givenFacts, { kinds })}) piece
  group by ${byRow}
  having sum(amount) <> 0 or account = 'tax' and tax_percent = 0
  order by fact_id, row`;
}

export const rowsTexts: Readonly<Record<RowsPart, string>> = {
  invoices: rowsOf('invoices'),
  credits: rowsOf('credits'),
  payments: rowsOf('payments'),
  returns: rowsOf('returns'),
  applications: rowsOf('applications'),
  carried: rowsOf('carried'),
};
