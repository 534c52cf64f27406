/** Announces the dates of the day: of each an event, which a mail may follow. */
import { inTenant } from '../../db/connection/tenancy.ts';
import { loadOrders } from '../../db/queries/billing/load.ts';
import {
  customersOfNotices,
  dueNotices,
  noteNoticed,
  passNotices,
  takeNotices,
  type TakenNotice,
} from '../../db/queries/due/notices.ts';
import { planIdsOf, pricesDiffer } from '../../domain/billing/due/new-prices.ts';
import { noticeEvents, type NoticeKind } from '../../domain/events/notices.ts';
import { customersToAnnounce } from '../../db/queries/collection/debit-notices.ts';
import { announceAhead } from '../collection/debit-notices.ts';
import type { OperationContext } from '../context/context.ts';
import { lockCustomers } from '../context/locks.ts';
import { raise, type RaisedEvent } from '../events/raise.ts';
import { planVersions } from '../plans/versions.ts';
import { inBatches, type Alone, type BatchSlice, type Work } from './in-batches.ts';
import type { Emptied } from './slice.ts';

/** Orders or payment methods in one transaction, whoever's they are. */
const BATCH_OBJECTS_MAX = 100;

/**
 * Batches are of objects, so that one customer with many orders makes no large transaction. What
 * cannot be announced delays nothing else, and the next run tries it again; a test clock does not move
 * without it.
 */
export async function giveNotices(kind: NoticeKind, slice: BatchSlice): Emptied {
  const { dependencies, tenant, today } = slice;
  const alone: Alone = (objectId, cause) => {
    if (tenant.hasTestClock) return Promise.reject(cause);
    dependencies.onBug?.(new Error(`the ${kind} of ${objectId} cannot be given`, { cause }));
    return Promise.resolve();
  };
  const part = { batchMax: BATCH_OBJECTS_MAX, work: workOf(kind), alone };
  if (!(await inBatches(slice, (tx, page) => dueNotices(tx, kind, page), part))) return false;
  await inTenant(dependencies.db, tenant.id, (tx) => noteNoticed(tx, kind, today));
  return true;
}

/** The same of SEPA debits, of which no event tells. */
export async function announceAllDebits(slice: BatchSlice): Emptied {
  const { dependencies, tenant, today } = slice;
  const alone: Alone = (customerId, cause) => {
    if (tenant.hasTestClock) return Promise.reject(cause);
    const message = `the debits of customer ${customerId} cannot be announced`;
    dependencies.onBug?.(new Error(message, { cause }));
    return Promise.resolve();
  };
  const work: Work = async (context, customerIds, options) => {
    const locked = (await lockCustomers(context.tx, customerIds, options)).map(({ id }) => id);
    await announceAhead(context, locked);
    return { skipped: customerIds.filter((id) => !locked.includes(id)) };
  };
  const part = { batchMax: BATCH_OBJECTS_MAX, work, alone };
  if (!(await inBatches(slice, customersToAnnounce, part))) return false;
  await inTenant(dependencies.db, tenant.id, (tx) => noteNoticed(tx, 'debitNotice', today));
  return true;
}

function workOf(kind: NoticeKind): Work {
  return async (context, ids, options) => {
    const { tx, time } = context;
    const customers = await customersOfNotices(tx, kind, ids);
    const locked = await lockCustomers(tx, [...new Set(customers.values())], options);
    const mine = new Set(locked.map(({ id }) => id));
    // An object without a customer was deleted meanwhile.
    const isMine = (id: number): boolean => mine.has(customers.get(id) ?? 0);
    const own = ids.filter(isMine);
    const told = kind === 'priceChange' ? await withOtherPrices(context, own) : own;
    const { today } = time;
    passNotices(tx, kind, { ids: own.filter((id) => !told.includes(id)), today });
    const taken = await takeNotices(tx, kind, { ids: told, today });
    raise(
      context,
      taken.map((each) => eventOf(kind, each)),
    );
    return { skipped: ids.filter((id) => customers.has(id) && !isMine(id)) };
  };
}

/** The orders that cost something else, or include other units, from their day on. */
async function withOtherPrices(
  { db, tx }: OperationContext,
  ids: readonly number[],
): Promise<readonly number[]> {
  const rows = await loadOrders(tx, ids);
  const plans = await planVersions(db, tx, rows.flatMap(planIdsOf));
  return rows.filter((row) => pricesDiffer(row, plans)).map(({ id }) => id);
}

function eventOf(kind: NoticeKind, { objectId, customerId, onDate }: TakenNotice): RaisedEvent {
  const type = noticeEvents[kind];
  // Nobody reads a payment method by a call: the event is the customer's.
  return kind === 'cardExpiring'
    ? {
        type,
        customerId,
        objectId: customerId,
        detail: { date: onDate, paymentMethodId: objectId },
      }
    : { type, customerId, objectId, detail: { date: onDate } };
}
