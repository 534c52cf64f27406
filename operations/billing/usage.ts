/**
 * Reads the usage that customers are billed for: which windows are due, and what their records come
 * to. Billing locks the windows; previews only read them.
 */
import assert from 'node:assert';
import type { Tx } from '../../db/connection/tenancy.ts';
import { type WindowRow, correctedLines } from '../../db/queries/billing/load.ts';
import {
  lockWindows,
  readWindows,
  settleEnded,
  sumWindows,
  type EndedLine,
  type SummedWindow,
  type WindowSums,
} from '../../db/queries/billing/usage-windows.ts';
import type { CorrectedLines } from '../../domain/billing/credit/corrected.ts';
import { RATED_CHARGES_MAX } from '../../domain/billing/due/limits.ts';
import {
  openOrders,
  type OpenedOrder,
  type RateCustomerInput,
} from '../../domain/billing/due/open-orders.ts';
import { dueSlice } from '../../domain/billing/rate-customer.ts';
import { lineDays } from '../../domain/billing/due/walks.ts';
import { periodIndexOf, type IsoDate } from '../../domain/calendar/calendar.ts';
import { DomainError } from '../../domain/errors.ts';
import type { BillableLine } from '../../domain/standing/line.ts';
import { mayBillUsage, replaceWindows, windowChoices } from '../standing/windows.ts';

/** A preview sums them in one statement. */
const PREVIEWED_RECORDS_MAX = 5_000_000;

export interface UsageRead {
  /** The customers, in their order; their orders have the windows of their usage lines. */
  readonly inputs: readonly RateCustomerInput[];
  /** How many of them, from the first one on, can be rated: the next ones have too much usage. */
  readonly count: number;
}

/**
 * Reads the usage that is due of some customers, at least of the first one. Billing, which has locked
 * the customers, locks the windows. Customers whose orders bill no usage need no statement.
 */
export async function readDueUsage(
  tx: Tx,
  inputs: readonly RateCustomerInput[],
  options: { readonly locks: boolean },
): Promise<UsageRead> {
  const opened = await openUsage(tx, inputs, null);
  return readOpened(tx, inputs, opened, { ...options, windowsOf: dueWindows });
}

/**
 * The same up to a day, without locks: also what only becomes due until then, with what the records so
 * far come to.
 */
export async function peekUsages(
  tx: Tx,
  inputs: readonly RateCustomerInput[],
  upTo: IsoDate,
): Promise<UsageRead> {
  const opened = await openUsage(tx, inputs, upTo);
  const windowsOf = (_input: RateCustomerInput, orders: readonly OpenedOrder[]) =>
    unbilledWindows(orders);
  return readOpened(tx, inputs, opened, { locks: false, windowsOf });
}

interface ReadHow {
  readonly locks: boolean;
  /** The windows of one customer that are to be summed. */
  readonly windowsOf: (
    input: RateCustomerInput,
    orders: readonly OpenedOrder[],
  ) => readonly DueLineWindow[];
}

async function readOpened(
  tx: Tx,
  inputs: readonly RateCustomerInput[],
  opened: readonly OpenedUsage[] | null,
  { windowsOf, ...options }: ReadHow,
): Promise<UsageRead> {
  if (opened === null) return { inputs, count: inputs.length };
  const due: (readonly DueLineWindow[])[] = [];
  let windowCount = 0;
  for (const { input, orders } of opened) {
    const own = windowsOf(input, orders);
    if (windowCount > 0 && windowCount + own.length > RATED_CHARGES_MAX) break;
    windowCount += own.length;
    due.push(own);
  }
  const windows = due.flat();
  const [locked, sums] = await Promise.all([
    options.locks ? lockWindows(tx, windows) : [],
    sumsOf(tx, windows, options, due.find((own) => own.length > 0)?.length ?? 0),
  ]);
  // The customers are locked, and only billing closes.
  assert(!locked.some(({ isClosed }) => isClosed), 'an open window stays open under the lock');
  let rated = 0;
  let summed = 0;
  for (const own of due) {
    if (summed + own.length > sums.length) break;
    summed += own.length;
    rated += 1;
  }
  const read = windows.slice(0, sums.length).map((window, index): ReadWindow => ({
    ...window,
    ...(sums[index] ?? noRecords),
    id: locked[index]?.id ?? null,
  }));
  const byLine = Map.groupBy(read, ({ lineId }) => lineId);
  const corrected = await correctedBy(tx, sums);
  const inputsRead = opened.map(({ input }) => ({ ...withSums(input, byLine), corrected }));
  return { inputs: inputsRead, count: rated };
}

/**
 * Reads the usage of one customer up to a day, without locks: its orders with what the records so far
 * come to. Throws field.invalid for asOf if they are too many to sum.
 */
export async function peekUsage(
  tx: Tx,
  input: RateCustomerInput,
  upTo: IsoDate,
): Promise<RateCustomerInput> {
  const opened = await openUsage(tx, [input], upTo);
  const [only] = opened ?? [];
  if (only === undefined) return input;
  const windows = unbilledWindows(only.orders);
  const sums = windows.length === 0 ? [] : await sumWindows(tx, windows, PREVIEWED_RECORDS_MAX);
  if (sums.length < windows.length) throw tooManyRecords(upTo);
  const read = windows.map((window, index): ReadWindow => ({
    ...window,
    ...(sums[index] ?? noRecords),
    id: null,
  }));
  const byLine = Map.groupBy(read, ({ lineId }) => lineId);
  return { ...withSums(only.input, byLine), corrected: await correctedBy(tx, sums) };
}

function tooManyRecords(upTo: IsoDate): DomainError {
  const text = `more than ${PREVIEWED_RECORDS_MAX} usage records are due up to ${upTo}`;
  return new DomainError('field.invalid', text, { path: 'asOf', value: upTo });
}

/**
 * Settles the records of lines that have ended, if their windows are locked, and sums windows from the
 * first on, as far as one statement goes, and at least so many.
 */
async function sumsOf(
  tx: Tx,
  windows: readonly DueLineWindow[],
  { locks }: { readonly locks: boolean },
  atLeast: number,
): Promise<readonly WindowSums[]> {
  if (windows.length === 0) return [];
  if (locks) settleEnded(tx, endedLines(windows));
  const sums: WindowSums[] = [];
  do sums.push(...(await sumWindows(tx, windows.slice(sums.length))));
  while (sums.length < atLeast);
  return sums;
}

/** By its first window from its last period on. */
function endedLines(windows: readonly DueLineWindow[]): readonly EndedLine[] {
  const ended = new Map<number, EndedLine>();
  for (const { lineId, periodIndex, ended: end } of windows) {
    if (end !== null && !ended.has(lineId)) ended.set(lineId, { lineId, periodIndex, ...end });
  }
  return [...ended.values()];
}

interface OpenedUsage {
  /** With its stored windows, whose sums are not read. */
  readonly input: RateCustomerInput;
  /** The orders that bill usage. */
  readonly orders: readonly OpenedOrder[];
}

/** Null if nothing bills usage. */
async function openUsage(
  tx: Tx,
  inputs: readonly RateCustomerInput[],
  upTo: IsoDate | null,
): Promise<readonly OpenedUsage[] | null> {
  const opened = inputs.map((input) => {
    const rows = input.rows.filter((row) => mayBillUsage(row, input.basis.plans));
    return { input, orders: rows.length === 0 ? [] : openOrders({ ...input, rows }).orders };
  });
  const choices = opened.flatMap(({ input, orders }) =>
    orders.flatMap((each) => windowChoices(each.order, upTo ?? each.upTo ?? input.today)),
  );
  if (choices.length === 0) return null;
  const stored = await readWindows(tx, choices);
  const chosen = new Set(choices.map(({ lineId }) => lineId));
  const windowsOf = (id: number) => (chosen.has(id) ? (stored.get(id) ?? []) : undefined);
  return opened.map(({ input, orders }) => ({
    input: { ...input, rows: input.rows.map((row) => replaceWindows(row, windowsOf)) },
    orders: orders.map((each) => ({ ...each, order: withWindows(each.order, windowsOf) })),
  }));
}

function withWindows<Order extends { readonly lines: readonly BillableLine[] }>(
  order: Order,
  windowsOf: (lineId: number) => readonly WindowRow[] | undefined,
): Order {
  const lines = order.lines.map((line) => {
    const windows = windowsOf(line.id);
    return windows === undefined ? line : { ...line, windows };
  });
  return { ...order, lines };
}

interface DueLineWindow extends SummedWindow {
  /** The line's end, if this is the window of its last period, or a later one. */
  readonly ended: Pick<EndedLine, 'endedOn' | 'isSuperseded'> | null;
}

/** All that the customer's slice may contain; an order that is not stored has no records. */
function dueWindows(input: RateCustomerInput, orders: readonly OpenedOrder[]): DueLineWindow[] {
  const stored = new Set(input.rows.map(({ id }) => id).filter((id) => id !== input.newOrderId));
  const billing = orders.filter(({ row, upTo }) => upTo !== null && stored.has(row.id));
  return dueSlice(input, billing, 0).dues.flatMap(({ windows }, index) => {
    const order = billing[index]?.order;
    if (order === undefined) return [];
    return windows.map(({ window: { line, periodIndex } }) =>
      dueLineWindow({ order, line, periodIndex }),
    );
  });
}

/** All that are stored and not closed. */
function unbilledWindows(orders: readonly OpenedOrder[]): readonly DueLineWindow[] {
  return orders.flatMap(({ order }) =>
    order.lines.flatMap((line) =>
      (line.windows ?? [])
        .filter(({ isClosed }) => !isClosed)
        .map(({ periodIndex }) => dueLineWindow({ order, line, periodIndex })),
    ),
  );
}

interface PlacedWindow extends Pick<OpenedOrder, 'order'> {
  readonly line: BillableLine;
  readonly periodIndex: number;
}

function dueLineWindow({ order, line, periodIndex }: PlacedWindow): DueLineWindow {
  const { end } = lineDays(order, line);
  const isLast = end !== null && periodIndex >= periodIndexOf(order.schedule, end);
  const isSuperseded = order.status === 'Superseded';
  return {
    lineId: line.id,
    periodIndex,
    until: isLast && !isSuperseded ? end : null,
    ended: isLast ? { endedOn: end, isSuperseded } : null,
  };
}

/* Orders with what the records of their usage windows come to. */

/** A window that is to be billed, with what its records come to. */
interface ReadWindow extends WindowSums {
  readonly lineId: number;
  readonly periodIndex: number;
  /** Null if it was not locked. */
  readonly id: number | null;
}

const noRecords: WindowSums = { sums: null, lastId: null };

/** Windows that were locked are stored by then, whoever opened them. */
function withSums(
  input: RateCustomerInput,
  read: ReadonlyMap<number, readonly ReadWindow[]>,
): RateCustomerInput {
  const rows = input.rows.map((row) => {
    const lines = row.lines.map((line) => {
      const found = read.get(line.id);
      if (found === undefined) return line;
      const byPeriod = new Map((line.windows ?? []).map((each) => [each.periodIndex, each]));
      for (const { periodIndex, sums, lastId, ...window } of found) {
        const id = window.id ?? byPeriod.get(periodIndex)?.id;
        if (id === undefined) continue;
        byPeriod.set(periodIndex, { id, periodIndex, isClosed: false, sums, lastId });
      }
      const windows = [...byPeriod.values()].toSorted(
        (one, other) => one.periodIndex - other.periodIndex,
      );
      return { ...line, windows };
    });
    return { ...row, lines };
  });
  return { ...input, rows };
}

/** The invoices that billed the records which windows correct. */
function correctedBy(tx: Tx, windows: readonly WindowSums[]): Promise<CorrectedLines> {
  const ids = windows.flatMap(({ sums }) => (sums?.corrections ?? []).map((each) => each.of));
  return correctedLines(tx, [...new Set(ids)]);
}
