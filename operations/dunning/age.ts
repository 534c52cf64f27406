/** The day's run of ageing: opens dunnings, and moves the statuses of many customers at once. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { debitsAhead } from '../../db/queries/collection/debit-notices.ts';
import { payingCustomers } from '../../db/queries/ageing/due.ts';
import {
  noteWaits,
  readIndebted,
  touchDunnings,
  type StandingRow,
  readRules,
} from '../../db/queries/ageing/standings.ts';
import { openInvoices } from '../allocation/allocate.ts';
import { setAsideByProcessing } from '../allocation/set-aside.ts';
import type { OperationContext } from '../context/context.ts';
import { lockCustomers } from '../context/locks.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { ageStandings, openOverdue, type AgedCustomer } from '../ageing/dunning.ts';
import { add, compare, type Decimal } from '../../domain/money/money.ts';

/** A batch is one transaction. */
export const AGED_AT_ONCE_MAX = 500;
/** How long a step that is due waits for payments, from when it is found due beside one. */
export const PAYMENTS_WAIT_MS = 3_600_000;

export interface AgedBatch {
  /** Customers whose status changed. */
  readonly moved: number;
  readonly waiting: readonly WaitingCustomer[];
  /** Customers that another transaction had locked. */
  readonly skipped: readonly number[];
}

/** A customer whose step is due, and waits for a payment. */
export interface WaitingCustomer {
  readonly id: number;
  /** Its step is taken then, in milliseconds since 1970, if the payment has not ended before. */
  readonly untilMs: number;
}

export interface AgeOptions {
  /** Whether to wait for locked customers, or to skip them. */
  readonly wait: boolean;
}

/**
 * Something of these customers has become overdue: opens their dunning, or has the workflow of an
 * open one show it.
 */
export async function openDebts(
  context: OperationContext,
  customerIds: readonly number[],
  options: AgeOptions,
): Promise<AgedBatch> {
  const { tx, time } = context;
  const { locked, skipped } = await lock(context, customerIds, options);
  const [rules, rows] = await Promise.all([readRules(tx), readIndebted(tx, locked, time.today)]);
  const unopened = rows.filter((row) => !row.isOpen);
  openOverdue(context, unopened, rules);
  const opened = rows.filter((row) => row.isOpen).map(({ id }) => id);
  touchDunnings(tx, opened, time.now);
  enqueue(
    context,
    opened.map((objectId) => ({ kind: 'dunning', objectId })),
  );
  return { moved: 0, waiting: [], skipped };
}

/**
 * Takes the steps of customers whose day has come. A customer with payments that wait or are at
 * their gateway waits for them, an hour at most from when this first finds them. A payment in
 * processing holds back the invoices that it would pay.
 */
export async function ageCustomers(
  context: OperationContext,
  customerIds: readonly number[],
  options: AgeOptions,
): Promise<AgedBatch> {
  const { tx, time } = context;
  const { locked, skipped } = await lock(context, customerIds, options);
  const [rules, rows, paying] = await Promise.all([
    readRules(tx),
    readIndebted(tx, locked, time.today),
    payingCustomers(tx, locked),
  ]);
  const due = rows.filter(({ nextStepOn: on }) => on !== null && on <= time.today);
  const isWaiting = (row: StandingRow): boolean =>
    paying.has(row.id) && time.now.getTime() < waitsUntil(row, time.now);
  const waiting = due.filter(isWaiting);
  const found = waiting.filter((row) => row.waitsSince === null).map(({ id }) => id);
  noteWaits(tx, found, time.now);
  // They are left to their workflows, which begin now.
  const begun = waiting.filter((row) => row.awaitsRun).map(({ id }) => id);
  touchDunnings(tx, begun, time.now);
  enqueue(
    context,
    begun.map((objectId) => ({ kind: 'dunning', objectId })),
  );
  const aged = await withoutAided(
    context,
    due.filter((row) => !isWaiting(row)),
  );
  const steps = await ageStandings(context, aged, rules);
  return {
    moved: steps.filter((each) => each.steps.length > 0).length,
    waiting: waiting.map((row) => ({ id: row.id, untilMs: waitsUntil(row, time.now) })),
    skipped,
  };
}

function waitsUntil({ waitsSince: since }: StandingRow, now: Date): number {
  return (since ?? now).getTime() + PAYMENTS_WAIT_MS;
}

interface Locked {
  readonly locked: readonly number[];
  readonly skipped: readonly number[];
}

async function lock(
  { tx }: OperationContext,
  customerIds: readonly number[],
  options: AgeOptions,
): Promise<Locked> {
  const locked = new Set((await lockCustomers(tx, customerIds, options)).map(({ id }) => id));
  return { locked: [...locked], skipped: customerIds.filter((id) => !locked.has(id)) };
}

/** The oldest invoice of each customer that no payment in processing would pay. */
async function withoutAided(
  { tx, time }: OperationContext,
  rows: readonly StandingRow[],
): Promise<AgedCustomer[]> {
  const ids = rows.map(({ id }) => id);
  const [aside, ahead] = await Promise.all([
    setAsideByProcessing(tx, ids),
    debitsAhead(tx, ids, time.today),
  ]);
  // A debit that is announced counts as one in processing.
  const isAided = ({ id, open: owed }: { readonly id: number; readonly open: Decimal }): boolean =>
    compare(add(aside.get(id)?.amount ?? '0', ahead.get(id) ?? '0'), owed) >= 0;
  const open = aside.size + ahead.size === 0 ? [] : await openInvoices(tx, ids);
  const aidedOwners = new Set(open.filter(isAided).map((each) => each.customerId));
  return rows.map((row): AgedCustomer => {
    if (!aidedOwners.has(row.id)) {
      return { row, oldestUnaidedOn: row.oldestDueOn, movedInOn: row.oldestMovedInOn };
    }
    const unaided = open.filter((each) => each.customerId === row.id && !isAided(each));
    const oldest = unaided.toSorted(byAge).at(0);
    const [oldestUnaidedOn, movedInOn] = [oldest?.dueDate ?? null, oldest?.movedInOn ?? null];
    return { row, oldestUnaidedOn, movedInOn };
  });
}

/** Like the statement that reads the oldest: of the same day one made here comes first. */
function byAge(one: DatedInvoice, other: DatedInvoice): number {
  const [age, otherAge] = [ageOf(one), ageOf(other)];
  if (age === otherAge) return 0;
  return age < otherAge ? -1 : 1;
}

interface DatedInvoice {
  readonly dueDate: IsoDate;
  readonly movedInOn: IsoDate | null;
}

const ageOf = ({ dueDate: dueOn, movedInOn }: DatedInvoice): string =>
  `${dueOn} ${movedInOn ?? ''}`;
