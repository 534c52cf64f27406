/** Puts orders on their next dates after someone changed them, and wakes their workflows. */
import assert from 'node:assert';
import { refuseTooMuchDue } from '../domain/order-limits.ts';
import type { CustomerStatus } from '../domain/model.ts';
import { loadOrders, type OrderChoice } from '../db/queries/billing-load.ts';
import { updateOrders } from '../db/queries/billing-write.ts';
import { billableOn, reschedule } from './billing/settle.ts';
import { enqueue } from './outbox.ts';
import { planVersions } from './plans.ts';
import type { Services, Work } from './services.ts';

export interface RescheduleOptions {
  /** The change may have made much due: more than is billed at once is refused. */
  readonly isLimited?: boolean;
}

/** The customers of the orders are locked by this transaction; their breaks are written. */
export async function rescheduleOrders(
  services: Services,
  work: Work,
  choice: OrderChoice,
  { isLimited = false }: RescheduleOptions = {},
): Promise<void> {
  const { tx, moment } = work;
  const rows = await loadOrders(tx, choice);
  if (rows.length === 0) return;
  const plans = await planVersions(
    services.db,
    tx,
    rows.map((row) => row.plan_id),
  );
  const statuses = await statusesOf(
    work,
    rows.map((row) => row.customer_id),
  );
  const updates = rows.map((row) => {
    const plan = plans.get(row.plan_id);
    const status = statuses.get(row.customer_id);
    assert(plan && status, `order ${row.id} names a plan and a customer`);
    const { today } = moment;
    if (isLimited) refuseTooMuchDue(billableOn(row, plan, status, today), today);
    return reschedule(row, plan, status, today);
  });
  updateOrders(tx, updates, moment.now);
  enqueue(
    work,
    rows.map((row) => ({ kind: 'order', objectId: row.id })),
  );
}

async function statusesOf(
  { tx }: Work,
  customerIds: readonly number[],
): Promise<Map<number, CustomerStatus>> {
  const rows = await tx.query<{ id: number; status: CustomerStatus }>(
    'select id, status from customer where id = any($1)',
    [[...new Set(customerIds)]],
    'statuses-of-customers',
  );
  return new Map(rows.map(({ id, status }) => [id, status]));
}
