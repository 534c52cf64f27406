/** Stores uploaded usage records: all of them, or none. */
import { UnavailableError } from '../../db/connection/faults.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import {
  type CorrectableRow,
  type RecordInsert,
  insertRecords,
  lockRecords,
} from '../../db/queries/usage/records.ts';
import {
  type PricesOfWindow,
  type WindowKey,
  holdWindows,
  inOrderOfLocks,
  pricesOfWindows,
} from '../../db/queries/usage/windows.ts';
import { costOf } from '../../domain/billing/rate/usage.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Decimal } from '../../domain/money/money.ts';
import {
  type DuplicateRecord,
  FAULTS_MAX,
  type FaultOfRecord,
  type PlacedRecord,
  isDuplicate,
  isPlaced,
  placeRecords,
  refuseFaults,
} from '../../domain/usage/placing.ts';
import { holdTrials } from '../../db/queries/orders/trials.ts';
import { erasedOf, holdCustomers } from '../../db/queries/usage/owners.ts';
import { needsBillDay, windowsOfLine } from '../../domain/usage/line-windows.ts';
import type { OrderName } from '../../domain/usage/lines.ts';
import { fault } from '../../domain/usage/records.ts';
import type { OperationContext } from '../context/context.ts';
import { lockCustomer, lockCustomers, refuseErased } from '../context/locks.ts';
import { noteCustomers } from '../../db/connection/audited.ts';
import { rescheduleOrders } from '../standing/reschedule-orders.ts';
import { type UploadFacts, type UploadInput, isUnchanged, readFacts } from './facts.ts';
import { readActivities } from './read.ts';
import { type ActivityView, viewOfPlaced } from './view.ts';

/** How often an upload chooses its windows again because another transaction was quicker. */
const TRIES_MAX = 10;

export interface UploadRequest extends UploadInput {
  /** A record whose reference is taken is passed over, not refused. */
  readonly skipsDuplicates: boolean;
}

/** A record of the answer; a duplicate shows the stored one. */
export interface UploadedActivity extends ActivityView {
  readonly isDuplicate: boolean;
}

/** Another transaction has changed what was chosen; it is to be chosen again under these locks. */
class ChooseAgain extends Error {
  readonly customerIds: readonly number[];

  constructor(customerIds: readonly number[] = []) {
    super('what was chosen has changed');
    this.customerIds = customerIds;
  }
}

/**
 * Stores the records, and returns them in the order in which they were sent. Customers are not
 * locked, so that a billing run does not pass over them, unless an order has to be given a bill day.
 *
 * Throws order.unknown, or one error that lists the faults of the records.
 */
export async function uploadActivities(
  context: OperationContext,
  request: UploadRequest,
): Promise<UploadedActivity[]> {
  const customerIds = new Set<number>();
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    try {
      const locked = [...customerIds].toSorted((a, b) => a - b);
      // Undone, an attempt holds no lock that the next one would take in another order.
      return await context.tx.attempt(() => attemptUpload(context, request, locked));
    } catch (error) {
      if (!(error instanceof ChooseAgain)) throw error;
      for (const id of error.customerIds) customerIds.add(id);
    }
  }
  throw new UnavailableError('others change the same usage all the time');
}

async function attemptUpload(
  context: OperationContext,
  request: UploadRequest,
  customerIds: readonly number[],
): Promise<UploadedActivity[]> {
  const { time, tenant } = context;
  await lockAll(context, customerIds);
  const facts = await readFacts(context, request);
  refuseUnknownOrder(request.ofCall, facts);
  const { usageGraceDays: graceDays } = tenant.settings;
  const { places, faults } = placeRecords(
    {
      ...request,
      named: facts.named,
      storedRefs: new Set(facts.taken.keys()),
      correctable: facts.correctable,
      today: time.today,
      graceDays,
      costOf: (line, sums) => costOf(line, sums, line.order.currency),
    },
    FAULTS_MAX,
  );
  if (faults.length > 0) await refuseErasedOwners(context.tx, request, facts);
  refuseFaults(faults);
  const placed = places.filter(isPlaced);
  const waking = placed
    .filter((each) => needsBillDay(each, graceDays))
    .map(({ line }) => line.order);
  const owners = new Set(waking.map(({ customerId }) => customerId));
  if (!owners.isSubsetOf(new Set(customerIds))) throw new ChooseAgain([...owners]);
  const stored = await store(context, facts, placed);
  if (waking.length > 0) {
    await rescheduleOrders(context, { orderIds: [...new Set(waking.map(({ id }) => id))] });
  }
  const duplicates = await storedDuplicates(context, places, facts);
  const byRef = new Map([...duplicates, ...stored].map((view) => [view.extRefId, view]));
  let next = 0;
  return places.flatMap((place) => {
    const view = isDuplicate(place) ? byRef.get(place.duplicateOf) : stored[next++];
    return view ? [{ ...view, isDuplicate: isDuplicate(place) }] : [];
  });
}

/** One is waited for like by any write; several at once in the order of all locks. */
async function lockAll({ tx }: OperationContext, customerIds: readonly number[]): Promise<void> {
  const [id, another] = customerIds;
  if (id === undefined) return;
  if (another === undefined) {
    await lockCustomer(tx, { id });
    return;
  }
  tx.beforeWaiting();
  await lockCustomers(tx, customerIds);
}

function refuseUnknownOrder(ofCall: OrderName | null, { named }: UploadFacts): void {
  if (ofCall === null || named.order(ofCall)) return;
  const isId = 'id' in ofCall;
  const text = isId ? `id ${ofCall.id}` : `orderNumber ${ofCall.number}`;
  throw new DomainError('order.unknown', `there is no order with ${text}`, {
    value: String(isId ? ofCall.id : ofCall.number),
    id: isId ? ofCall.id : null,
  });
}

/** Holds the windows, looks whether anything has changed, and inserts the rows. */
async function store(
  { tx, time, tenant }: OperationContext,
  facts: UploadFacts,
  placed: readonly PlacedRecord[],
): Promise<ActivityView[]> {
  if (placed.length === 0) return [];
  noteCustomers(
    tx,
    placed.map(({ line }) => line.order.customerId),
  );
  const { usageGraceDays } = tenant.settings;
  const needed = neededWindows(placed, facts.correctableRows, usageGraceDays);
  const owned = holdOwners(tx, placed);
  // Lines come before windows, as wherever usage of a whole order is locked.
  const trials = hasSameTrials(tx, placed);
  const held = windowsOf(tx, needed, placed);
  lockRecords(
    tx,
    facts.correctableRows.map(({ id }) => id).toSorted((a, b) => a - b),
  );
  const [windows, unchanged, isSame, ids] = await Promise.all([
    held,
    isUnchanged(tx, facts),
    trials,
    takeIds(tx, placed.length + 1),
    owned,
  ]);
  if (windows === null || !unchanged || !isSame) throw new ChooseAgain();
  refuseFaults(refusePrices(placed, windows.prices));
  const [batchId = 0, ...own] = ids;
  const rows = rowsOf(placed, own, (each) => windows.ids.get(keyOf(each)) ?? null);
  const count = await insertRecords(tx, rows, { batchId, now: time.now });
  if (count < rows.length) throw new ChooseAgain();
  return placed.map((each, index) =>
    viewOfPlaced(each, { id: own[index] ?? 0, batchId, today: time.today }),
  );
}

/**
 * A record without a window holds nothing for which an erasure of its customer would wait, so it holds
 * the customer. Throws customer.erased.
 */
async function holdOwners(tx: Tx, placed: readonly PlacedRecord[]): Promise<void> {
  const without = placed.filter(({ periodIndex }) => periodIndex === null);
  const ids = [...new Set(without.map(({ line }) => line.order.customerId))];
  if (ids.length === 0) return;
  for (const each of await holdCustomers(tx, ids)) refuseErased(each);
}

/** What is wrong with a record of an erased customer is that. */
async function refuseErasedOwners(
  tx: Tx,
  { records, ofCall }: UploadRequest,
  { named }: UploadFacts,
): Promise<void> {
  const orders = records.flatMap(({ lineId, orderId, orderNumber }) => [
    lineId === null ? undefined : named.line(lineId)?.order,
    orderId === null ? undefined : named.order({ id: orderId })?.order,
    orderNumber === null ? undefined : named.order({ number: orderNumber })?.order,
  ]);
  if (ofCall !== null) orders.push(named.order(ofCall)?.order);
  const ids = orders.flatMap((order) => order?.customerId ?? []);
  const byId = records.flatMap(({ customerId }) => customerId ?? []);
  const references = records.flatMap(({ extCustomerRef }) => extCustomerRef ?? []);
  const found = await erasedOf(tx, { ids: [...new Set([...ids, ...byId])], references });
  for (const each of found) refuseErased(each);
}

/**
 * Holds the lines of orders with a trial, which a change of the trial waits for: usage of free days has no
 * window that it could hold.
 */
async function hasSameTrials(tx: Tx, placed: readonly PlacedRecord[]): Promise<boolean> {
  const chosen = new Map(
    placed.flatMap(({ line }) =>
      line.order.trialEndDate === null ? [] : [[line.id, line.order.trialEndDate] as const],
    ),
  );
  if (chosen.size === 0) return true;
  const held = await holdTrials(tx, [...chosen.keys()]);
  return held.length === chosen.size && held.every(({ id, until }) => until === chosen.get(id));
}

async function storedDuplicates(
  { tx, tenant, time: { today } }: OperationContext,
  places: readonly (PlacedRecord | DuplicateRecord)[],
  { taken }: UploadFacts,
): Promise<ActivityView[]> {
  const ids = places.filter(isDuplicate).flatMap(({ duplicateOf }) => taken.get(duplicateOf) ?? []);
  return ids.length === 0 ? [] : readActivities(tx, tenant, { ids: [...new Set(ids)], today });
}

/* The rows of uploaded usage records. */

/**
 * Ordered by reference, those without one last.
 *
 * @param ids one for each record, in their order
 */
function rowsOf(
  placed: readonly PlacedRecord[],
  ids: readonly number[],
  windowOf: (record: PlacedRecord) => number | null,
): RecordInsert[] {
  const idAt = new Map(placed.map(({ index }, nth) => [index, ids[nth] ?? 0]));
  const rows = placed.map((each) => rowOf(each, idAt, windowOf(each)));
  return rows.toSorted((a, b) => byText(a.extRefId, b.extRefId));
}

function rowOf(
  placed: PlacedRecord,
  idAt: ReadonlyMap<number, number>,
  windowId: number | null,
): RecordInsert {
  const { record, line, corrects } = placed;
  const correctedId =
    corrects === null ? null : 'id' in corrects ? corrects.id : (idAt.get(corrects.index) ?? null);
  return {
    id: idAt.get(placed.index) ?? 0,
    customerId: line.order.customerId,
    orderLineId: line.id,
    windowId,
    extRefId: record.extRefId,
    quantity: placed.quantity,
    amount: placed.amount,
    unitPrice: placed.unitPrice,
    chargeDate: placed.chargeDate,
    chargeEndDate: record.chargeEndDate,
    invoiceText: record.invoiceText,
    correctsId: correctedId,
    amountIsShare: placed.amountIsShare,
    correctsBilled: placed.correctsBilled,
    correctedPercent: placed.correctedPercent,
  };
}

function byText(left: string | null, right: string | null): number {
  if (left === right) return 0;
  if (left === null || right === null) return left === null ? 1 : -1;
  return left < right ? -1 : 1;
}

/* Holds the windows that uploaded records need, and counts the unit prices in them. */

/** Each unit price of a window becomes a charge of an invoice. */
const UNIT_PRICES_MAX = 500;

const textOf = ({ line, period }: WindowKey): string => `${line} ${period}`;

/** Names the window of a record. */
const keyOf = ({ line, periodIndex }: PlacedRecord): string => `${line.id} ${periodIndex}`;

/**
 * The windows of the records, and the first open one of each line: while an upload holds that one,
 * billing closes no later window of the line, so not the line's last one either. With those that
 * billed what is corrected, which no rollback opens meanwhile.
 */
function neededWindows(
  placed: readonly PlacedRecord[],
  correctable: readonly CorrectableRow[],
  graceDays: number,
): NeededWindow[] {
  const needed = new Map<string, NeededWindow>();
  const lines = new Set<PlacedRecord['line']>();
  const add = (key: NeededWindow): void => void needed.set(textOf(key), key);
  for (const { line, periodIndex } of placed) {
    if (periodIndex === null) continue;
    add({ line: line.id, period: periodIndex });
    if (lines.has(line)) continue;
    lines.add(line);
    add({ line: line.id, period: windowsOfLine(line, graceDays).firstOpen });
  }
  for (const { lineId: line, periodIndex, isBilled } of correctable) {
    if (isBilled && periodIndex !== null) add({ line, period: periodIndex, isBilled });
  }
  return inOrderOfLocks(needed.values());
}

interface NeededWindow extends WindowKey {
  /** It takes no record: it billed some that are corrected. */
  readonly isBilled?: boolean;
}

interface HeldWindows {
  /** By `keyOf`. */
  readonly ids: ReadonlyMap<string, number>;
  readonly prices: readonly PricesOfWindow[];
}

/** Null if one of them was billed meanwhile. */
async function windowsOf(
  tx: Tx,
  needed: readonly NeededWindow[],
  placed: readonly PlacedRecord[],
): Promise<HeldWindows | null> {
  const priced = new Set(placed.filter(hasOwnPrice).map(keyOf));
  const [windows, prices] = await Promise.all([
    holdWindows(tx, needed),
    pricesOfWindows(
      tx,
      needed.filter((key) => priced.has(textOf(key))),
      UNIT_PRICES_MAX,
    ),
  ]);
  const billed = new Set(needed.filter(({ isBilled = false }) => isBilled).map(textOf));
  const isLate = windows.some((window) => window.isClosed && !billed.has(textOf(window)));
  if (windows.length < needed.length || isLate) return null;
  return { ids: new Map(windows.map((window) => [textOf(window), window.id])), prices };
}

const hasOwnPrice = ({ unitPrice, amount }: PlacedRecord): boolean =>
  unitPrice !== null && amount === null;

/** The records whose unit price would be one too many in their window. */
function refusePrices(
  placed: readonly PlacedRecord[],
  stored: readonly PricesOfWindow[],
): FaultOfRecord[] {
  const prices = new Map<string, Set<Decimal>>(
    stored.map((window) => [textOf(window), new Set(window.prices)]),
  );
  return placed.filter(hasOwnPrice).flatMap((each) => {
    const { index, unitPrice } = each;
    const ofWindow = prices.get(keyOf(each));
    if (unitPrice === null || !ofWindow || ofWindow.has(unitPrice)) return [];
    if (ofWindow.size < UNIT_PRICES_MAX) {
      ofWindow.add(unitPrice);
      return [];
    }
    const message = `a window has at most ${UNIT_PRICES_MAX} unit prices; ${unitPrice} is one more`;
    return [{ index, ...fault('field.invalid', 'unitPrice', message, unitPrice) }];
  });
}
