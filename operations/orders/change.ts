/** Change orders: a new order replaces the current one, on its day or at once. */
import { changesOf } from '../../domain/access/audit-log.ts';
import { nextTransitionOn } from '../../domain/standing/status.ts';
import { noteChanges } from '../../db/connection/audited.ts';
import { type InvoiceInsert, takeIds } from '../../db/queries/billing/write.ts';
import { takeLinksAlong } from '../../db/queries/commissions/links.ts';
import { datesOf, updateOrders } from '../../db/queries/standing/advance.ts';
import { writeChanges } from '../../db/queries/standing/changes.ts';
import { billedApart, refuseHeld } from '../billing/customers.ts';
import {
  type LockedCustomer,
  type NumberedAddress,
  findOrder,
  lockOrder,
} from '../context/locks.ts';
import {
  type Dependencies,
  type OperationContext,
  type TenantInfo,
  tenantTimeOf,
} from '../context/context.ts';
import { raise } from '../events/raise.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { planVersions } from '../plans/versions.ts';
import { type CarriedOut, carriedOut, orderChangeOf } from '../../domain/billing/credit/changes.ts';
import { type OrderToRate, termsOfOrder } from '../../domain/billing/order-to-rate.ts';
import { withWindows } from '../standing/windows.ts';
import { type ChangeRequest, type ProposedChange, proposeChange } from './current.ts';
import { refuseRemoval, removeOrder } from './remove.ts';
import { type NewOrderRows, newOrderRows, storeOrder } from './store.ts';
import { planIdsOf } from '../../domain/billing/due/new-prices.ts';
import { reschedule } from '../../domain/billing/due/dates.ts';
import { maxDate } from '../../domain/calendar/calendar.ts';
import type { OrderProposal } from '../../domain/orders/propose.ts';
import { refuseIfItCannotBill } from '../../domain/orders/refusals.ts';
import { readNextBill } from '../../db/queries/billing/due-customers.ts';
import { type Tx, inTenant } from '../../db/connection/tenancy.ts';
import { withTaxes } from '../billing/asking.ts';
import { forecast, taxed } from '../../domain/billing/forecast.ts';
import { type Forecastable, readForecast } from '../billing/basis.ts';
import { type InvoicePreview, previewsOf } from '../../domain/invoices/preview.ts';
import { quoteHash } from './quote.ts';

/**
 * Replaces an Active order by a new one, whose id it returns: at once if the effectiveDate has come
 * and the customer is not held, else on its day. Throws order.unknown, and for anything wrong an
 * error that names the element or the parameter.
 */
export async function changeOrder(
  dependencies: Dependencies,
  context: OperationContext,
  address: NumberedAddress,
  request: ChangeRequest,
): Promise<number> {
  return (await changeAndBill(dependencies, context, address, request)).id;
}

export interface ChangedOrder {
  /** Of the new order. */
  readonly id: number;
  /** All that the change has billed the customer. */
  readonly invoices: readonly InvoiceInsert[];
}

/** The same, with the invoices that it makes. */
export async function changeAndBill(
  dependencies: Dependencies,
  context: OperationContext,
  address: NumberedAddress,
  request: ChangeRequest,
): Promise<ChangedOrder> {
  const { tx, tenant, time } = context;
  const addressed = await lockOrder(tx, address);
  const { customer } = addressed;
  const idsOf = (count: number) => takeIds(tx, count);
  const reader = { tx, tenant, today: time.today, isForGood: true, idsOf };
  const change = await proposeChange(dependencies, reader, addressed, request);
  const { bills, deletesCurrent, named } = request;
  if (bills) refuseHeld(customer);
  const { plan, id: to } = change.order;
  // Before any invoice, which earns if the agents are linked.
  takeLinksAlong(tx, { from: addressed.id, to, contractCode: plan.contractCode }, time.now);
  if (!deletesCurrent) {
    return { id: to, invoices: await replace(dependencies, context, change, { bills, customer }) };
  }
  const inPlaceOf = await removeOrder(context, change.current, named);
  const rows = newOrderRows(change.order);
  return { id: to, invoices: await storeOrder(dependencies, context, rows, { bills, inPlaceOf }) };
}

interface ReplaceOptions {
  readonly bills: boolean;
  readonly customer: LockedCustomer;
}

async function replace(
  dependencies: Dependencies,
  context: OperationContext,
  change: ProposedChange,
  { bills, customer }: ReplaceOptions,
): Promise<readonly InvoiceInsert[]> {
  const { today } = context.time;
  const { usageGraceDays } = context.tenant.settings;
  const basis = { customerStatus: customer.status, today, usageGraceDays };
  const { current } = change;
  const pending = { current: awaiting(change), next: change.next };
  const plans = new Map(
    await planVersions(context.db, context.tx, [...planIdsOf(current), ...planIdsOf(change.next)]),
  );
  // Invoices release a customer that is held for its taxes.
  const isHeld = customer.isHeld && !bills;
  const done = isHeld ? null : carriedOut(pending, { plans, today });
  const pair = done ?? { ...pending, lines: [] };
  const basisOf = () => basis;
  const [left] = await withWindows(context.tx, [pair.current], { plans, basisOf });
  const dated = (row: OrderToRate): OrderToRate => ({
    ...row,
    ...reschedule(row, plans, basis),
  });
  const replaced = dated(left ?? pair.current);
  const onCreated = (): void => {
    writeReplaced(context, replaced, pair);
    const object = { type: 'subscriptionOrder', id: current.id } as const;
    noteChanges(context.tx, object, changesOf(seenOf(current), seenOf(replaced)));
    if (done !== null) raiseTaken(context, change);
    enqueue(context, [{ kind: 'order', objectId: current.id }]);
  };
  const rows = rowsOf(change, dated(pair.next));
  return storeOrder(dependencies, context, rows, { bills, replaced, onCreated });
}

/** What a change makes of the current order, as callers see it. */
const seenOf = ({ status, endDate, endedOn, changeOn }: OrderToRate) => ({
  status,
  endDate,
  endedOn,
  changeOn,
});

/** The current order while its change is pending. */
function awaiting({
  current,
  effectiveDate,
}: Pick<ProposedChange, 'current' | 'effectiveDate'>): OrderToRate {
  const row = { ...current, changeOn: effectiveDate };
  return { ...row, transitionOn: nextTransitionOn(termsOfOrder(row)) };
}

/** The rows of the new order, as the change leaves it. */
function rowsOf({ order }: ProposedChange, next: OrderToRate): NewOrderRows {
  const rows = newOrderRows(order);
  const after = new Map(next.lines.map((line) => [line.id, line]));
  return {
    order: { ...rows.order, ...datesOf(next) },
    lines: rows.lines.map((line) => ({
      ...line,
      startsOn: after.get(line.id)?.startsOn ?? null,
      penaltySince: after.get(line.id)?.penaltySince ?? null,
    })),
    rated: next,
  };
}

/** Written before any invoice, whose transaction then clears what it has credited. */
function writeReplaced(
  { tx, time }: OperationContext,
  replaced: OrderToRate,
  { current, lines }: CarriedOut,
): void {
  const own = new Set(current.lines.map(({ id }) => id));
  const changed = lines.filter(({ id }) => own.has(id));
  writeChanges(tx, [orderChangeOf(replaced)], changed);
  updateOrders(tx, [{ id: replaced.id, ...datesOf(replaced) }], time.now);
}

/** A change has taken effect: both of its orders are updated. */
function raiseTaken(context: OperationContext, { current, order }: ProposedChange): void {
  const updated = { type: 'order.updated', customerId: order.customerId } as const;
  raise(context, [
    { ...updated, objectId: current.id },
    { ...updated, objectId: order.id, objectVersion: 1 },
  ]);
}

/* Previews the invoices of a change: it stores nothing, and locks nobody. */

export interface PricedChange {
  readonly invoices: readonly InvoicePreview[];
  /** The new order, as it would be stored. */
  readonly order: OrderProposal;
  /** Of its terms; the change takes it. */
  readonly quoteHash: string;
}

/**
 * All that generateInvoice would bill the customer on the day of the change. Throws what refuses the
 * change, and what refuses generateInvoice.
 */
export function priceChange(
  dependencies: Dependencies,
  tenant: TenantInfo,
  address: NumberedAddress,
  request: ChangeRequest,
): Promise<PricedChange> {
  return withTaxes(dependencies, tenant.id, async () => {
    const read = await inTenant(
      dependencies.db,
      tenant.id,
      (tx) => readChange(dependencies, { tenant, tx }, address, request),
      { readOnly: true, snapshot: true },
    );
    // The connection is free again, however long this takes.
    const { asOf } = read.input;
    const onTheDay = forecast(read.input).filter(({ draft }) => draft.invoiceDate === asOf);
    const invoices = previewsOf(taxed(onTheDay), read.balances, read.billTo);
    return { invoices, order: read.order, quoteHash: quoteHash(read.order, tenant) };
  });
}

async function readChange(
  dependencies: Dependencies,
  { tenant, tx }: { readonly tenant: TenantInfo; readonly tx: Tx },
  address: NumberedAddress,
  request: ChangeRequest,
): Promise<Forecastable & Pick<PricedChange, 'order'>> {
  const addressed = await findOrder(tx, address);
  const { customer } = addressed;
  const [{ today }, { isSuspect }] = await Promise.all([
    tenantTimeOf(dependencies, tenant, tx, 'none'),
    readNextBill(tx, customer.id),
  ]);
  // Ids that are stored nowhere, and above all that are.
  const idsOf = (count: number) =>
    Promise.resolve(Array.from({ length: count }, (_, index) => Number.MAX_SAFE_INTEGER - index));
  const reader = { tx, tenant, today, isForGood: false, idsOf };
  const change = await proposeChange(dependencies, reader, addressed, { ...request, bills: true });
  if (request.deletesCurrent) await refuseRemoval({ tx }, change.current, request.named);
  refuseIfItCannotBill('Active', customer);
  refuseHeld(customer);
  if (isSuspect) throw billedApart(customer.id);
  const asOf = maxDate(change.effectiveDate, today);
  const { next } = change;
  const row = request.deletesCurrent ? next : awaiting(change);
  const forecastable = await readForecast(
    dependencies,
    { tx, tenant },
    { customer, today, asOf, change: { currentId: addressed.id, row, next } },
  );
  return { ...forecastable, order: change.order };
}
