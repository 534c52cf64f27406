/** Reads the ledger page by page: rounds of facts, and the rows that are derived from them. */
import { addDays, type IsoDate } from '../../domain/calendar/calendar.ts';
import { dateIn } from '../../domain/calendar/zone.ts';
import type { EntryType, LedgerAccount } from '../../domain/ledger/accounts.ts';
import { cursorOf, type LedgerPlace } from '../../domain/ledger/cursor.ts';
import { compare, negate, type Decimal } from '../../domain/money/money.ts';
import { entryTypeOf, entriesText } from '../../db/queries/ledger/entries.ts';
import {
  everyFact,
  factKinds,
  factsText,
  type Fact,
  type FactChoice,
  type FactKind,
  type Round,
} from '../../db/queries/ledger/facts.ts';
import type { TaxCategory } from '../../domain/tax/rates.ts';
import type { GatewayName } from '../../providers/gateway/gateway.ts';
import type { PaymentMethodType } from '../../domain/payments/allocation.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import type { ByCustomer } from '../context/listing.ts';
import type { Tx } from '../../db/connection/tenancy.ts';

/** A row of an entry; what does not concern it is null. */
export interface LedgerRow {
  readonly cursor: string;
  /** The fact, of which the rows of an entry are. */
  readonly entryId: number;
  readonly date: IsoDate;
  readonly entryType: EntryType;
  readonly documentNumber: string;
  readonly invoiceId: number | null;
  readonly paymentId: number | null;
  readonly customerId: number;
  /** Today's. */
  readonly extCustomerRef: string | null;
  readonly account: LedgerAccount;
  readonly accountingCode: string;
  readonly taxName: string | null;
  readonly taxPercent: Decimal | null;
  readonly jurisdiction: string | null;
  readonly taxCategory: TaxCategory | null;
  readonly taxBase: Decimal | null;
  readonly gateway: GatewayName | null;
  readonly paymentMethodType: PaymentMethodType | null;
  readonly debit: Decimal;
  readonly credit: Decimal;
  readonly currency: string;
}

export interface LedgerQuery extends ByCustomer {
  readonly after: LedgerPlace | null;
  readonly max: number;
  readonly from: IsoDate | null;
  readonly to: IsoDate | null;
  readonly account: LedgerAccount | null;
  readonly accountingCode: string | null;
  readonly entryType: EntryType | null;
  readonly invoiceNumber: string | null;
  readonly paymentId: number | null;
  readonly currency: string | null;
}

export interface LedgerPage {
  readonly rows: readonly LedgerRow[];
  /** The last day that is closed, if the page reaches beyond it. */
  readonly closedTo: IsoDate | null;
}

type Reader = Pick<Tx, 'query' | 'tenantId'>;

/** An entry has two rows or more, but for what comes to nothing. */
const ROWS_OF_FACT_LEAST = 2;
/** So many facts at least are read at a time, where filters leave few rows. */
const FACTS_MIN = 200;
const FACTS_MAX = 5_000;

/** The rows after a place, at most so many, oldest booked first. */
export async function readLedger(
  { realNow }: Pick<Dependencies, 'realNow'>,
  tenant: TenantInfo,
  tx: Reader,
  query: LedgerQuery,
): Promise<LedgerPage> {
  const begun = await readBegun(tx, realNow());
  const present = await readPresent(tx, tenant, begun);
  const choice = await choiceOf(tx, query);
  const rows: LedgerRow[] = [];
  const { max, to } = query;
  let limit = Math.max(FACTS_MIN, Math.ceil(max / ROWS_OF_FACT_LEAST) + 1);
  let round = firstRound(query.after, present.snapshot);
  while (choice !== null && rows.length < max) {
    const facts = await readFacts(tx, { ...choice, round, limit });
    for (const fact of facts) {
      // Of the entry whose row the caller has read last, those after it.
      const read = fact.factId === query.after?.factId ? query.after.row : 0;
      const found = fact.rows.filter((row) => row.row > read && isWanted(row, query));
      rows.push(...found.map((row) => rowOf(fact, row, round)));
    }
    const last = facts.at(-1);
    if (last !== undefined && facts.length === limit) {
      round = { ...round, from: { transaction: last.writtenIn, factId: last.factId + 1 } };
      limit = Math.min(FACTS_MAX, limit * 2);
    } else if (round.until === present.snapshot) break;
    else round = { since: round.until, until: present.snapshot, from: null };
  }
  const page = rows.slice(0, max);
  const lastDay = page.at(-1)?.date ?? null;
  const isAtEnd = rows.length < max && (to === null || to > present.closedTo);
  const isBeyond = isAtEnd || (lastDay !== null && lastDay > present.closedTo);
  return { rows: page, closedTo: isBeyond ? present.closedTo : null };
}

/** Facts for which rows are derived at a time, where all rows are read. */
const FACTS_AT_ONCE = 1_000;

/** All rows that the filters of a query leave, in a transaction of one snapshot. */
export async function* everyRow(
  tx: Reader,
  query: LedgerQuery,
): AsyncGenerator<readonly LedgerRow[], void> {
  const [own] = await tx.query<{ until: string }>('select pg_current_snapshot()::text as until');
  const choice = await choiceOf(tx, query);
  if (own === undefined || choice === null) return;
  const limit = FACTS_AT_ONCE;
  let round = firstRound(null, own.until);
  for (;;) {
    const facts = await readFacts(tx, { ...choice, round, limit });
    const found = facts.map((fact) => ({
      fact,
      rows: fact.rows.filter((row) => isWanted(row, query)),
    }));
    yield found.flatMap(({ fact, rows }) => rows.map((row) => rowOf(fact, row, round)));
    const last = facts.at(-1);
    if (last === undefined || facts.length < limit) return;
    round = { ...round, from: { transaction: last.writtenIn, factId: last.factId + 1 } };
  }
}

function firstRound(after: LedgerPlace | null, snapshot: string): Round {
  if (after === null) return { since: null, until: snapshot, from: null };
  const { since, until, transaction, factId } = after;
  return { since, until, from: { transaction, factId } };
}

/* What is closed. */

export interface LedgerPresent {
  /** What has ended. */
  readonly snapshot: string;
  readonly today: IsoDate;
  /** The last day that is over, and of which no transaction is left that might still write. */
  readonly closedTo: IsoDate;
}

/** The clocks of a process and of PostgreSQL may differ by so much. */
const CLOCKS_DIFFER_MS_MAX = 60_000;

interface Begun {
  readonly realNow: number;
  /** Since when a transaction may be under way. */
  readonly oldestMs: number;
}

/** Read before the snapshot: what has ended by now is in that. */
export async function readBegun(tx: Reader, realNow: number): Promise<Begun> {
  const [row] = await tx.query<{ ms: number | null }>(
    'select oldest_transaction_ms() as ms',
    [],
    'oldest-transaction',
  );
  return { realNow, oldestMs: Math.ceil(row?.ms ?? 0) };
}

/**
 * A test clock waits for the transactions that write, so a day before its own is closed. In real time
 * a transaction has the day of its begin, or the next one.
 */
export async function readPresent(
  tx: Reader,
  { timezone }: TenantInfo,
  { realNow, oldestMs }: Begun,
): Promise<LedgerPresent> {
  const [row] = await tx.query<{ snapshot: string; clock: Date | null }>(
    // What is compiled for the statements that follow costs more than it saves.
    `select set_config('jit', 'off', true), pg_current_snapshot()::text as snapshot,
       (select k.now from test_clock k where k.tenant_id = $1) as clock`,
    [tx.tenantId],
    'ledger-present',
  );
  if (row === undefined) throw new Error('a statement without a table has a row');
  const { snapshot, clock } = row;
  const now = clock?.getTime() ?? realNow;
  const openMs = clock?.getTime() ?? realNow - oldestMs - CLOCKS_DIFFER_MS_MAX;
  const closedTo = addDays(dateIn(timezone, Math.min(openMs, now)), -1);
  return { snapshot, today: dateIn(timezone, now), closedTo };
}

/* Facts and their rows. */

/** The facts that a query wants; null if there can be none. */
async function choiceOf(
  tx: Reader,
  query: LedgerQuery,
): Promise<Omit<FactChoice, 'round' | 'limit'> | null> {
  const { extCustomerRef, invoiceNumber, entryType, account } = query;
  let { customerId } = query;
  if (extCustomerRef !== null) {
    const named = await idOf(tx, 'customer', { column: 'ext_customer_ref', value: extCustomerRef });
    if (named === null || (customerId !== null && customerId !== named)) return null;
    customerId = named;
  }
  const invoiceId =
    invoiceNumber === null
      ? null
      : await idOf(tx, 'invoice', { column: 'invoice_number', value: invoiceNumber });
  if (invoiceNumber !== null && invoiceId === null) return null;
  const kinds = factKinds.filter(
    (kind) => (entryType === null || isNamed(kind, entryType)) && mayHave(kind, account),
  );
  if (kinds.length === 0) return null;
  const { from, to, paymentId, currency } = query;
  const own = { from, to, customerId, invoiceId, paymentId, currency };
  return { ...everyFact, ...own, kinds: kinds.length === factKinds.length ? null : kinds };
}

async function idOf(
  tx: Reader,
  table: 'customer' | 'invoice',
  { column, value }: { readonly column: string; readonly value: string },
): Promise<number | null> {
  const [row] = await tx.query<{ id: number }>(
    `select id from ${table} where tenant_id = $1 and ${column} = $2`,
    [tx.tenantId, value],
  );
  return row?.id ?? null;
}

function isNamed(kind: FactKind, entryType: EntryType): boolean {
  return entryTypeOf[kind] === entryType || (kind === 'invoice' && entryType === 'CreditNote');
}

/** The accounts of kinds of facts that have few. */
const accountsOf: Partial<Readonly<Record<FactKind, readonly LedgerAccount[]>>> = {
  payment: ['cash', 'unapplied', 'surcharges'],
  paymentCanceled: ['cash', 'unapplied', 'carriedOver'],
  paymentReturned: ['cash', 'unapplied', 'carriedOver'],
  paymentDisputed: ['cash', 'unapplied', 'carriedOver'],
  refund: ['cash', 'unapplied', 'carriedOver'],
  application: ['unapplied', 'receivables', 'carriedOver'],
  carried: ['unapplied', 'receivables', 'carriedOver'],
  debit: ['receivables', 'adjustments'],
};

function mayHave(kind: FactKind, account: LedgerAccount | null): boolean {
  return account === null || (accountsOf[kind] ?? [account]).includes(account);
}

interface Entry {
  readonly factId: number;
  readonly writtenIn: string;
  readonly entryType: EntryType;
  readonly date: IsoDate;
  readonly documentNumber: string;
  readonly invoiceId: number | null;
  readonly paymentId: number | null;
  readonly customerId: number;
  readonly extCustomerRef: string | null;
  readonly currency: string;
  readonly rows: readonly EntryRow[];
}

type EntryRow = Pick<
  LedgerRow,
  | 'account'
  | 'accountingCode'
  | 'taxName'
  | 'taxPercent'
  | 'jurisdiction'
  | 'taxCategory'
  | 'taxBase'
  | 'gateway'
  | 'paymentMethodType'
> & { readonly row: number; readonly amount: Decimal; readonly entryType: EntryType };

type ReadRow = Omit<Entry, 'rows'> & { readonly [Key in keyof EntryRow]: EntryRow[Key] | null };

/** Facts in their order, also those without a row. */
async function readFacts(tx: Reader, choice: FactChoice): Promise<readonly Entry[]> {
  const values: unknown[] = [tx.tenantId];
  const text = factsText(choice, (value) => `$${values.push(value)}`);
  const facts = await tx.query<Fact & Record<string, unknown>>(text, values);
  return facts.length === 0 ? [] : withRows(tx, facts);
}

async function withRows(tx: Reader, facts: readonly Fact[]): Promise<readonly Entry[]> {
  const found = new Map<number, Entry & { readonly rows: EntryRow[] }>();
  // The statement is long, and the same for all facts: to plan it for these costs more than it does.
  const [, rows] = await Promise.all([
    tx.query('set local plan_cache_mode = force_generic_plan'),
    tx.query<ReadRow & Record<string, unknown>>(
      entriesText,
      [tx.tenantId, JSON.stringify(facts)],
      'ledger-entries',
    ),
    tx.query('set local plan_cache_mode = auto'),
  ]);
  for (const row of rows) {
    const entry = found.get(row.factId) ?? { ...row, rows: [] };
    found.set(row.factId, entry);
    if (isRow(row)) entry.rows.push(row);
  }
  return [...found.values()];
}

const isRow = (row: ReadRow): row is ReadRow & EntryRow => row.account !== null;

function isWanted(row: EntryRow, { account, accountingCode, entryType }: LedgerQuery): boolean {
  return (
    (account === null || row.account === account) &&
    (accountingCode === null || row.accountingCode === accountingCode) &&
    (entryType === null || row.entryType === entryType)
  );
}

function rowOf(fact: Entry, row: EntryRow, { since, until }: Round): LedgerRow {
  const { factId, writtenIn: transaction } = fact;
  const isDebit = compare(row.amount, '0') > 0;
  return {
    cursor: cursorOf({ since, until, transaction, factId, row: row.row }),
    entryId: factId,
    date: fact.date,
    entryType: fact.entryType,
    documentNumber: fact.documentNumber,
    invoiceId: fact.invoiceId,
    paymentId: fact.paymentId,
    customerId: fact.customerId,
    extCustomerRef: fact.extCustomerRef,
    account: row.account,
    accountingCode: row.accountingCode,
    taxName: row.taxName,
    taxPercent: row.taxPercent,
    jurisdiction: row.jurisdiction,
    taxCategory: row.taxCategory,
    taxBase: row.taxBase,
    gateway: row.gateway,
    paymentMethodType: row.paymentMethodType,
    debit: isDebit ? row.amount : '0',
    credit: isDebit ? '0' : negate(row.amount),
    currency: fact.currency,
  };
}
