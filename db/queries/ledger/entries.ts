/**
 * Derives the rows of the ledger from facts, in one statement: what each fact debits and credits, by
 * account and code. It writes nothing, so the ledger of all that ever happened is there at once.
 */
import {
  codesOf,
  ledgerAccounts,
  type EntryType,
  type LedgerAccount,
} from '../../../domain/ledger/accounts.ts';
import { branchesOfAll, branchesOfEach } from './branches.ts';
import { givenFacts, type FactKind } from './facts.ts';

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

const rateCode = `(select k.value->>'code' from jsonb_array_elements(${codes}->'rates') k(value)
  where k.value->>'taxCode' = r.tax_code and k.value->>'jurisdiction' = r.jurisdiction
    and k.value->>'name' = r.tax_name limit 1)`;

const code = `coalesce(r.own_code, case r.account when 'cash' then ${cashCode}
  when 'tax' then ${rateCode} end, ${codes}->>r.account)`;

const withCodes = (facts: string): string => `select f.*, ${codesId} as codes_id from (${facts}) f`;

const codesOfFact = (f: string): string =>
  `left join accounting_codes c on c.tenant_id = $1 and c.id = ${f}.codes_id`;

/** What a piece has: of its fact, whose columns begin with `fact_`, and its own. */
const pieceOf = (f: string): string => `${f}.kind as fact_kind, ${f}.id as fact_id,
  ${f}.written_in as fact_written_in, ${f}.day as fact_day, ${f}.customer_id as fact_customer_id,
  ${f}.currency as fact_currency, ${f}.invoice_id as fact_invoice_id,
  case when ${f}.debit_id is null then ${f}.payment_id else ${f}.debit_id end as fact_payment_id,
  r.account, ${code} as accounting_code, r.tax_name, r.tax_percent, r.jurisdiction, r.tax_category,
  r.tax_base, r.gateway, r.payment_method_type, r.first_day, r.last_day, r.is_taxed, r.amount`;

/**
 * Selects what facts debit and credit, not added up: the columns of the fact, `account`,
 * `accounting_code`, those of its tax, `gateway`, `payment_method_type`, `first_day`, `last_day`, and
 * `amount`, which is below zero for a credit. The columns of the fact begin with `fact_`. A statement
 * that names few of them is spared the others.
 *
 * @param facts selects facts; $1 is the tenant
 * @param accounts those that are wanted; null: all
 */
export const piecesText = (
  facts: string,
  accounts: readonly LedgerAccount[] | null = null,
): string => `
  with booked as materialized (${withCodes(facts)})
  select ${pieceOf('r')}
  from (${branchesOfAll('booked', accounts)}) r ${codesOfFact('r')}
  ${accounts === null ? '' : `where r.account = any('{${accounts.join(',')}}')`}`;

/** The same, fact by fact: for few facts, and for whoever compares both. */
export const piecesOfEach = (facts: string): string => `
  select ${pieceOf('f')}
  from (${withCodes(facts)} offset 0) f ${codesOfFact('f')}
  cross join lateral (${branchesOfEach()}) r`;

const byRow = `fact_id, account, accounting_code, tax_name, tax_percent, jurisdiction, tax_category,
  gateway, payment_method_type`;

const placeOf = `array_position(array[${quoted(ledgerAccounts)}], account)`;

/**
 * Selects the rows of entries: one for each account and code, of a tax also for each rate, of cash for
 * each way; none of 0.00 but of a tax at 0 percent. `row` is its place in its entry.
 */
const rowsText = (facts: string): string => `
  select ${byRow}, sum(amount) as amount, sum(tax_base) as tax_base,
    row_number() over (partition by fact_id order by sum(amount) <= 0, ${placeOf}, accounting_code,
      tax_name, tax_percent, jurisdiction, tax_category, gateway, payment_method_type)::int as row
  from (${piecesOfEach(facts)}) piece
  group by ${byRow}
  having sum(amount) <> 0 or account = 'tax' and tax_percent = 0`;

/** Of an account: what it grows by, or, of `unapplied`, shrinks by. */
export const sumOf = (account: LedgerAccount): string =>
  `coalesce(sum(amount) filter (where account = '${account}'), 0)`;

/** What entries of a fact are called. */
const entryType = (f: string): string => `case
  when ${f}.kind = 'invoice' and i.credit_note_of is not null then 'CreditNote'
  ${Object.entries(entryTypeOf)
    .map(([kind, type]) => `when ${f}.kind = '${kind}' then '${type}'`)
    .join(' ')} end`;

/**
 * Selects the given facts in their order, each with its rows: at least one, whose `account` is null
 * where the fact comes to nothing. Its text is the same for all facts, so that a connection plans it
 * once. The rows are derived fact by fact: the planner, which knows nothing of how many there are,
 * would otherwise derive all of them again for each fact.
 */
export const entriesText = `
  with fact as materialized (${givenFacts})
  select f.id as fact_id, f.written_in::text as written_in, ${entryType('f')} as entry_type,
    f.day::text as date,
    case when f.kind = 'invoiceCancelled' and n.cancellation_number is not null
           then n.cancellation_number
         when i.id is not null then i.invoice_number
         when f.kind = 'zeroOut' then f.batch_id::text
         when f.debit_id is not null then f.debit_id::text
         else f.payment_id::text end as document_number,
    f.invoice_id, f.payment_id, f.customer_id, c.ext_customer_ref, f.currency, r.row, r.account,
    r.accounting_code, r.tax_name, r.tax_percent::text, r.jurisdiction, r.tax_category,
    r.tax_base::text, r.gateway, r.payment_method_type, r.amount::text
  from fact f
  left join lateral (${rowsText('select f.*')}) r on true
  left join invoice i on i.tenant_id = $1 and i.id = f.invoice_id
  left join cancellation n on n.tenant_id = $1 and n.invoice_id = f.invoice_id
  join customer c on c.tenant_id = $1 and c.id = f.customer_id
  order by f.written_in, f.id, r.row`;
