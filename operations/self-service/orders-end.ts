/** Ends an order of a customer's own page, or keeps it: what that means before it is done, and that. */
import assert from 'node:assert';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { DomainError } from '../../domain/errors.ts';
import { type Decimal, compare, formatAmount, sum } from '../../domain/money/money.ts';
import { scheduleOfOrder } from '../../domain/billing/order-to-rate.ts';
import { type EndTerms, endDaysOn, requestedEnd } from '../../domain/orders/end.ts';
import { assertTransition } from '../../domain/standing/status.ts';
import type { Plan } from '../../domain/plans/plan.ts';
import { type OrderRow, loadOrders } from '../../db/queries/billing/load.ts';
import { type CurrentFacts, readCurrentFacts } from '../../db/queries/orders/current.ts';
import type { Dependencies, OperationContext, TenantInfo } from '../context/context.ts';
import { lockCustomer } from '../context/locks.ts';
import { type EndRequest, endOrder, keepOrder } from '../orders/end.ts';
import { creditOf, readUnused } from '../payments/credit-unused.ts';
import { planVersions } from '../plans/versions.ts';
import { NoSuchOrder } from './orders-change.ts';
import { type OrdersReader, type OwnOrder, PriceMoved, readOwnOrder } from './orders-own.ts';

export interface Cancellable {
  readonly own: OwnOrder;
  /** For days that were paid and are not used, if it ends today. */
  readonly credit: Decimal;
  /** It has charges that are billed after they were used: a last invoice follows. */
  readonly isBilledLater: boolean;
  /** Its last day, if it ends with its term. */
  readonly endsOn: IsoDate;
  /** It has no term, and ends with its billing period. */
  readonly isPeriodEnd: boolean;
}

/** Throws NoSuchOrder, and order.transition for one that has ended. */
export async function readCancellable(
  dependencies: Dependencies,
  tenant: TenantInfo,
  { tx, customerId, today }: OrdersReader,
  id: number,
): Promise<Cancellable> {
  const own = await readOwnOrder(tx, { id, customerId });
  if (own === undefined) throw new NoSuchOrder();
  if (own.status === 'Canceled') assertTransition('Complete', 'Canceled');
  assertTransition(own.status, 'Canceled');
  const [unused, [row], facts] = await Promise.all([
    readUnused(dependencies, { tx, tenant, today }, [id]),
    loadOrders(tx, [id]),
    readCurrentFacts(tx, id),
  ]);
  assert(row && facts, 'an order that was found has a row');
  const plan = (await planVersions(dependencies.db, tx, [row.planId])).get(row.planId);
  assert(plan, `order ${id} has a plan`);
  const terms = termsOf(row, facts);
  const { startDate, trialEndDate } = row;
  const { newestPeriod } = facts;
  const schedule = scheduleOfOrder(row, plan);
  const days = endDaysOn({ schedule, startDate, trialEndDate, newestPeriod }, today);
  const credit = formatAmount(own.currency, sum(unused.map(creditOf)));
  return {
    own,
    credit,
    isBilledLater: isBilledLater(row, plan) && own.status !== 'Provisioning',
    endsOn: requestedEnd(terms, 'termEnd', days),
    isPeriodEnd: terms.endDate === null,
  };
}

/** As if no end were requested. */
function termsOf(
  { endDate, isAutoRenew }: OrderRow,
  { keptAutoRenew, keptEndDate }: CurrentFacts,
): EndTerms {
  if (keptAutoRenew === null) return { endDate, isAutoRenew };
  return { endDate: keptEndDate, isAutoRenew: keptAutoRenew };
}

function isBilledLater({ lines }: OrderRow, { charges }: Plan): boolean {
  const active = lines.filter((line) => line.isActive);
  return active.some(({ chargeId }) => {
    const charge = charges.find((each) => each.id === chargeId);
    if (charge === undefined || charge.chargeType === 'OneTimeCharge') return false;
    return charge.chargeType === 'UsageCharge' || !charge.isPrepaid;
  });
}

interface OwnAddress {
  readonly id: number;
  readonly customerId: number;
}

/**
 * As a call ends it; throws PriceMoved if it would give back another amount, or end on another day,
 * than was shown.
 */
export async function endOwnOrder(
  dependencies: Dependencies,
  context: OperationContext,
  { id, customerId }: OwnAddress,
  { shown, ...request }: EndRequest & { readonly shown: Pick<Cancellable, 'credit' | 'endsOn'> },
): Promise<void> {
  const { tx, tenant, time } = context;
  await lockCustomer(tx, { id: customerId });
  const reader = { tx, customerId, today: time.today };
  const { credit, endsOn } = await readCancellable(dependencies, tenant, reader, id);
  const isSame =
    request.when === 'now' ? compare(credit, shown.credit) === 0 : endsOn === shown.endsOn;
  if (!isSame) throw new PriceMoved();
  await endOrder(dependencies, context, { id }, request);
}

/** Throws NoSuchOrder, and order.notEnding where there is nothing to take back. */
export async function readKeepable(
  { tx, customerId }: Pick<OrdersReader, 'tx' | 'customerId'>,
  id: number,
): Promise<OwnOrder> {
  const own = await readOwnOrder(tx, { id, customerId });
  if (own === undefined) throw new NoSuchOrder();
  if (!own.isEndRequested) throw new DomainError('order.notEnding', 'no end is requested');
  return own;
}

export async function keepOwnOrder(
  context: OperationContext,
  { id, customerId }: OwnAddress,
): Promise<void> {
  await lockCustomer(context.tx, { id: customerId });
  await readKeepable({ tx: context.tx, customerId }, id);
  await keepOrder(context, { id });
}
