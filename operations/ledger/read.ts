/** Reads the ledger page by page: rounds of facts, and the rows that are derived from them. */
import assert from 'node:assert';
import { addDays, type IsoDate } from '../../domain/calendar/calendar.ts';
import { dateIn } from '../../domain/calendar/zone.ts';
import type { EntryType, LedgerAccount } from '../../domain/ledger/accounts.ts';
import { cursorOf, type LedgerPlace } from '../../domain/ledger/cursor.ts';
import { compare, negate, type Decimal } from '../../domain/money/money.ts';
import { entryTypeOf, headsText, rowsPartOf, rowsTexts } from '../../db/queries/ledger/entries.ts';
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

/** From its beginning, without a filter. */
export const wholeLedger: Omit<LedgerQuery, 'max'> = {
  after: null,
  from: null,
  to: null,
  customerId: null,
  extCustomerRef: null,
  account: null,
  accountingCode: null,
  entryType: null,
  invoiceNumber: null,
  paymentId: null,
  currency: null,
};

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
    const entries = await readEntries(tx, { ...choice, round, limit });
    for (const entry of entries) rows.push(...rowsOf(entry, query, round));
    const last = entries.at(-1);
    if (last !== undefined && entries.length === limit) {
      round = { ...round, from: placeAfter(last.fact) };
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
    const entries = await readEntries(tx, { ...choice, round, limit });
    const now = round;
    yield entries.flatMap((entry) => rowsOf(entry, query, now));
    const last = entries.at(-1);
    if (last === undefined || entries.length < limit) return;
    round = { ...round, from: placeAfter(last.fact) };
  }
}

const placeAfter = ({ writtenIn, id }: Fact): Round['from'] => ({
  transaction: writtenIn,
  factId: id + 1,
});

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

/** What the rows of a fact have in common. */
interface Head {
  readonly factId: number;
  readonly entryType: EntryType;
  readonly documentNumber: string;
  /** Today's. */
  readonly extCustomerRef: string | null;
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
> & { readonly factId: number; readonly row: number; readonly amount: Decimal };

interface Entry {
  readonly fact: Fact;
  readonly head: Head;
  readonly rows: readonly EntryRow[];
}

/** In the order of their facts, also those without a row. */
async function readEntries(tx: Reader, choice: FactChoice): Promise<readonly Entry[]> {
  const values: unknown[] = [tx.tenantId];
  const text = factsText(choice, (value) => `$${values.push(value)}`);
  const facts = await tx.query<Fact & Record<string, unknown>>(text, values);
  return facts.length === 0 ? [] : withRows(tx, facts);
}

async function withRows(tx: Reader, facts: readonly Fact[]): Promise<readonly Entry[]> {
  const given = (own: readonly Fact[]): unknown[] => [tx.tenantId, JSON.stringify(own)];
  const parts = [...Map.groupBy(facts, ({ kind }) => rowsPartOf[kind])];
  // The statements are the same for all facts: to plan them for these costs more than it saves.
  const [, heads, rows] = await Promise.all([
    tx.query('set local plan_cache_mode = force_generic_plan'),
    tx.query<Head & Record<string, unknown>>(headsText, given(facts), 'ledger-heads'),
    Promise.all(
      parts.map(([part, own]) =>
        tx.query<EntryRow & Record<string, unknown>>(rowsTexts[part], given(own), `ledger-${part}`),
      ),
    ),
    tx.query('set local plan_cache_mode = auto'),
  ]);
  const headOf = new Map(heads.map((head) => [head.factId, head]));
  const rowsBy = Map.groupBy(rows.flat(), ({ factId }) => factId);
  return facts.map((fact) => {
    const head = headOf.get(fact.id);
    assert(head !== undefined, 'every fact is of a customer');
    return { fact, head, rows: rowsBy.get(fact.id) ?? [] };
  });
}

function isWanted(
  { head, row }: { readonly head: Head; readonly row: EntryRow },
  { account, accountingCode, entryType }: LedgerQuery,
): boolean {
  return (
    (account === null || row.account === account) &&
    (accountingCode === null || row.accountingCode === accountingCode) &&
    (entryType === null || head.entryType === entryType)
  );
}

/** Those of an entry that a query wants. */
function rowsOf(entry: Entry, query: LedgerQuery, round: Round): LedgerRow[] {
  const { fact, head, rows } = entry;
  // Of the entry whose row the caller has read last, those after it.
  const read = fact.id === query.after?.factId ? query.after.row : 0;
  return rows
    .filter((row) => row.row > read && isWanted({ head, row }, query))
    .map((row) => rowOf(entry, row, round));
}

function rowOf({ fact, head }: Entry, row: EntryRow, { since, until }: Round): LedgerRow {
  const { id: factId, writtenIn: transaction } = fact;
  const isDebit = compare(row.amount, '0') > 0;
  return {
    cursor: cursorOf({ since, until, transaction, factId, row: row.row }),
    entryId: factId,
    date: fact.day,
    entryType: head.entryType,
    documentNumber: head.documentNumber,
    invoiceId: fact.invoiceId,
    paymentId: fact.paymentId,
    customerId: fact.customerId,
    extCustomerRef: head.extCustomerRef,
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
