/** Cancels an order of a customer's own page: what it gives back before it is cancelled, and that. */
import { compare, formatAmount, sum, type Decimal } from '../../domain/money/money.ts';
import { assertTransition } from '../../domain/standing/status.ts';
import { loadOrders } from '../../db/queries/billing/load.ts';
import type { Dependencies, OperationContext, TenantInfo } from '../context/context.ts';
import { lockCustomer } from '../context/locks.ts';
import { updateOrder } from '../orders/update.ts';
import { creditOf, readUnused } from '../payments/credit-unused.ts';
import { planVersions } from '../plans/versions.ts';
import { NoSuchOrder } from './orders-change.ts';
import { PriceMoved } from './orders-due.ts';
import { readOwnOrder, type OrdersReader, type OwnOrder } from './orders-own.ts';

export interface Cancellable {
  readonly own: OwnOrder;
  /** For days that were paid and are not used. */
  readonly credit: Decimal;
  /** It has charges that are billed after they were used: a last invoice follows. */
  readonly isBilledLater: boolean;
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
  const [unused, [row]] = await Promise.all([
    readUnused(dependencies, { tx, tenant, today }, [id]),
    loadOrders(tx, [id]),
  ]);
  const planIds = row === undefined ? [] : [row.planId];
  const [plan] = [...(await planVersions(dependencies.db, tx, planIds)).values()];
  const active = row?.lines.filter((line) => line.isActive) ?? [];
  const isBilledLater = active.some(({ chargeId }) => {
    const charge = plan?.charges.find((each) => each.id === chargeId);
    if (charge === undefined || charge.chargeType === 'OneTimeCharge') return false;
    return charge.chargeType === 'UsageCharge' || !charge.isPrepaid;
  });
  const credit = formatAmount(own.currency, sum(unused.map(creditOf)));
  return { own, credit, isBilledLater: isBilledLater && own.status !== 'Provisioning' };
}

/** As a call cancels it; throws PriceMoved if it would give back another amount than was shown. */
export async function cancelOwnOrder(
  dependencies: Dependencies,
  context: OperationContext,
  { id, customerId }: { readonly id: number; readonly customerId: number },
  shownCredit: Decimal,
): Promise<void> {
  const { tx, tenant, time } = context;
  await lockCustomer(tx, { id: customerId });
  const reader = { tx, customerId, today: time.today };
  const { credit } = await readCancellable(dependencies, tenant, reader, id);
  if (compare(credit, shownCredit) !== 0) throw new PriceMoved();
  await updateOrder(dependencies, context, { id }, { orderStatus: 'Canceled' });
}
