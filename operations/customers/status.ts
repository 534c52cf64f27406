/** Suspends a customer's billing by hand, and activates it again. */
import { Customer, ServicePause } from '../../db/entities/customers.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { openOrdersOf } from '../../db/queries/orders/wake.ts';
import { lockCustomer, type CustomerAddress } from '../context/locks.ts';
import { raise } from '../events/raise.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { releaseOrders, rescheduleOrders } from '../standing/reschedule-orders.ts';
import type { OperationContext } from '../context/context.ts';
import { statusByAge } from '../../domain/dunning/ageing.ts';
import { BY_HAND, OUTLIER } from '../../domain/billing/rate/by-answers.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { DomainError } from '../../domain/errors.ts';
import { type CustomerStatus, isSuspending } from '../../domain/customers/status.ts';
import { readIndebted, readRules } from '../../db/queries/ageing/standings.ts';
import { leaveAgeing, reviewDebts, standingOf } from '../ageing/dunning.ts';
import { noteTransition } from '../standing/transitions.ts';

/**
 * Sets the customer to Suspended1, so that none of its orders bills. The status is set by hand, so
 * only an activate ends it, or the day `until`, which a further suspension sets anew.
 */
export async function suspendCustomer(
  context: OperationContext,
  address: CustomerAddress,
  until: IsoDate | null = null,
): Promise<void> {
  const { tx, time } = context;
  const customer = await loadCustomer(context, address);
  const { id } = customer;
  const isMoved = await moveTo(context, customer, 'Suspended1', true);
  const pause = await openPause(context, customer);
  if (pause) pause.until = until;
  else {
    const [pauseId = 0] = await takeIds(tx, 1);
    const { tenantId } = tx;
    tx.em.create(ServicePause, { tenantId, id: pauseId, customer, suspendedOn: time.today, until });
  }
  await saveStatus(context, customer, { isMoved });
  await leaveAgeing(context, id);
  await rescheduleOrders(context, { customerIds: [id] });
}

/**
 * Sets the customer to Active; the days of suspension and of resumption count as served. Ageing
 * forgives the thresholds that its invoices have reached. A customer that is held from billing is
 * only released: the function returns the code of the hold, or null if it set the customer to
 * Active.
 */
export async function activateCustomer(
  context: OperationContext,
  address: CustomerAddress,
): Promise<string | null> {
  const { time } = context;
  const customer = await loadCustomer(context, address);
  const { id } = customer;
  if (customer.billingHeldAt) return releaseCustomer(context, customer);
  const isMoved = await moveTo(context, customer, 'Active');
  const pause = await openPause(context, customer);
  if (pause) {
    pause.resumedOn = time.today;
    pause.until = null;
  }
  await saveStatus(context, customer, { isMoved });
  await leaveAgeing(context, id, { isForgiven: true });
  await rescheduleOrders(context, { customerIds: [id], resumed: [id] });
  return null;
}

/**
 * Holds a customer from billing until somebody releases it, and wakes its orders' workflows, which show
 * it. Throws update.refused for one that is held already.
 */
export async function holdFromBilling(
  context: OperationContext,
  address: CustomerAddress,
  reason: string,
): Promise<void> {
  const customer = await loadCustomer(context, address);
  const { id, billingHeldCode } = customer;
  if (customer.billingHeldAt) {
    const message = `customer ${id} is held already: ${billingHeldCode ?? 'unknown'}`;
    throw new DomainError('update.refused', message);
  }
  customer.billingHeldAt = context.time.now;
  customer.billingHeldCode = BY_HAND;
  customer.billingHeldText = reason;
  await saveStatus(context, customer, { isMoved: false });
  await wakeOrders(context, id);
}

/** Only releases: throws update.refused for a customer that is not held. Returns the code of the hold. */
export async function releaseFromBilling(
  context: OperationContext,
  address: CustomerAddress,
): Promise<string> {
  const customer = await loadCustomer(context, address);
  if (customer.billingHeldAt) return releaseCustomer(context, customer);
  const message = `customer ${customer.id} is not held from billing`;
  throw new DomainError('update.refused', message);
}

/**
 * The suspension of a customer has ended by itself: nothing is forgiven, and no hold is released. Its
 * status is what the age of its invoices says; a status that suspends goes on with the pause. The run
 * of the day, which is still to come, bills what is due.
 */
export async function resumeBySelf(
  context: OperationContext,
  customerId: number,
  until: IsoDate,
): Promise<void> {
  const { tx, time } = context;
  const [customer, rules, [standing]] = await Promise.all([
    loadCustomer(context, { id: customerId }),
    readRules(tx),
    readIndebted(tx, [customerId], time.today),
  ]);
  const to =
    standing === undefined ? 'Active' : statusByAge(standingOf(standing), rules, time.today);
  const isMoved = await moveTo(context, customer, to);
  const pause = await openPause(context, customer);
  if (pause) {
    pause.until = null;
    if (!isSuspending(to)) pause.resumedOn = until;
  }
  await saveStatus(context, customer, { isMoved });
  await reviewDebts(context, [customerId]);
  const resumed = isSuspending(to) ? [] : [customerId];
  await rescheduleOrders(context, { customerIds: [customerId], resumed }, { isBeforeRun: true });
}

async function loadCustomer({ tx }: OperationContext, address: CustomerAddress): Promise<Customer> {
  const { id } = await lockCustomer(tx, address);
  return tx.em.findOneOrFail(Customer, { tenantId: tx.tenantId, id }, { refresh: true });
}

/** Writes the customer with its next version. */
async function saveStatus(
  context: OperationContext,
  customer: Customer,
  { isMoved }: { readonly isMoved: boolean },
): Promise<void> {
  const { tx, time } = context;
  customer.updatedAt = time.now;
  // This does not use `version()` of the ORM, which counts changed columns, because every requested
  // change counts here.
  customer.version += 1;
  await tx.flush();
  if (!isMoved) return;
  const { id, version: objectVersion } = customer;
  raise(context, [{ type: 'customer.updated', customerId: id, objectId: id, objectVersion }]);
}

/** Returns whether the status is another one. */
async function moveTo(
  context: OperationContext,
  customer: Customer,
  to: CustomerStatus,
  isByHand = false,
): Promise<boolean> {
  const isMoved = await noteTransition(context, customer, to);
  customer.status = to;
  customer.statusByHand = isByHand;
  return isMoved;
}

/** The open pause of all the customer's orders. */
function openPause({ tx }: OperationContext, customer: Customer): Promise<ServicePause | null> {
  return tx.em.findOne(
    ServicePause,
    { customer, orderId: null, resumedOn: null },
    { refresh: true },
  );
}

/**
 * Releases a held customer: the next 00:00, or generateInvoice, bills what was due; of an outlier, its
 * workflows at once. It nudges them, and returns the code of the hold.
 */
async function releaseCustomer(context: OperationContext, customer: Customer): Promise<string> {
  const { id } = customer;
  const code = customer.billingHeldCode ?? 'unknown';
  customer.billingHeldAt = null;
  customer.billingHeldCode = null;
  customer.billingHeldText = null;
  await saveStatus(context, customer, { isMoved: false });
  // A person has looked at what an outlier would be billed, so its orders still bill on their day.
  if (code !== OUTLIER) await releaseOrders(context, id);
  await wakeOrders(context, id);
  return code;
}

async function wakeOrders(context: OperationContext, customerId: number): Promise<void> {
  const orders = await openOrdersOf(context.tx, [customerId]);
  enqueue(
    context,
    orders.map((objectId) => ({ kind: 'order', objectId })),
  );
}
