/** Chooses the order line of a usage record among those that it may name. */
import type { IsoDate, Schedule } from '../calendar/calendar.ts';
import type { Decimal } from '../money/money.ts';
import type { Charge } from '../plans/plan.ts';
import type { OrderStatus } from '../standing/status.ts';
import { fault, type UsageElement, type UsageFault, type UsageRecord } from './records.ts';

/** The fields of an order that records need. */
export interface UsageOrder {
  readonly id: number;
  readonly number: string;
  /** Of the day. */
  readonly status: OrderStatus;
  readonly currency: string;
  readonly schedule: Schedule;
  readonly startDate: IsoDate;
  /** The last free day; null without a trial. */
  readonly trialEndDate: IsoDate | null;
  readonly endDate: IsoDate | null;
  readonly isAutoRenew: boolean;
  /** The last served day of a Canceled or Superseded one. */
  readonly endedOn: IsoDate | null;
  readonly billsNothingMore: boolean;
  readonly nextBillableDate: IsoDate | null;
  readonly customerId: number;
  readonly extCustomerRef: string | null;
  /** The customer is in a Suspended or InActive status. */
  readonly customerSuspended: boolean;
}

/** An order line with the fields that records need. */
export interface UsageLine {
  readonly id: number;
  readonly charge: Charge;
  /** The agreed price, for UserEnteredPricing. */
  readonly unitPrice: Decimal | null;
  readonly isActive: boolean;
  readonly startsOn: IsoDate | null;
  readonly endsOn: IsoDate | null;
  /** The windows of the periods before it are billed. */
  readonly nextPeriodIndex: number;
  /** The windows from there on that are billed too. */
  readonly closed: ReadonlySet<number>;
  readonly order: UsageOrder;
}

/** By a record or its call. */
export type OrderName = { readonly id: number } | { readonly number: string };

/** What is stored under the names of a record. */
export interface NamedLines {
  readonly line: (id: number) => UsageLine | undefined;
  /** With the lines that the record may mean; two of a kind stand for several. */
  readonly order: (name: OrderName) => NamedOrder | undefined;
  /** Of its Active orders: the two that begin first and the two that end last stand for all. */
  readonly customer: (record: UsageRecord) => readonly UsageLine[] | undefined;
}

export interface NamedOrder {
  readonly order: UsageOrder;
  readonly lines: readonly UsageLine[];
}

/** What a record is resolved with. */
export interface Naming {
  readonly named: NamedLines;
  /** The order that the call itself names. */
  readonly ofCall: OrderName | null;
  /** The day of the record. */
  readonly day: IsoDate;
  /** The line of the record that it corrects. */
  readonly corrected: UsageLine | null;
}

/** A line, or why there is none. */
export type Resolved = { readonly line: UsageLine } | { readonly fault: UsageFault };

/**
 * The line of a record: the line that it names, else that of its order, else of its customer's only
 * order with the priceCode, else that of the record which it corrects.
 *
 * @example // an order with the usage lines MINUTES and DATA
 *   lineOf({ ...record, orderNumber: '1001', priceCode: 'DATA' }, naming) // { line: data }
 */
export function lineOf(record: UsageRecord, naming: Naming): Resolved {
  const found = candidateOf(record, naming);
  if ('fault' in found) return found;
  const { line, by } = found;
  const wrong = contradiction(record, line, naming.ofCall) ?? untaken(line, by);
  return wrong === null ? { line } : { fault: wrong };
}

/** A line, and the element that chose it. */
interface Candidate {
  readonly line: UsageLine;
  readonly by: UsageElement;
}

function candidateOf(
  record: UsageRecord,
  naming: Naming,
): Candidate | { readonly fault: UsageFault } {
  const { lineId, priceCode } = record;
  if (lineId !== null) {
    const line = naming.named.line(lineId);
    const by = 'orderLineItem/@id';
    if (line) return { line, by };
    return { fault: fault('activity.reference', by, `there is no order line ${lineId}`, lineId) };
  }
  const own = orderNameOf(record);
  if (own !== null) return ofOrder(record, own, naming);
  const namesCustomer = record.customerId !== null || record.extCustomerRef !== null;
  if (naming.corrected !== null && (naming.ofCall !== null || !namesCustomer || !priceCode)) {
    return { line: naming.corrected, by: 'correctsExtRefId' };
  }
  if (naming.ofCall !== null) return ofOrder(record, naming.ofCall, naming);
  if (!namesCustomer) {
    const message = 'the record names no orderLineItem, order or customer';
    return { fault: fault('field.required', 'extCustomerRef', message) };
  }
  if (priceCode === null) {
    const message = 'priceCode is required beside a customer without an order';
    return { fault: fault('field.required', 'priceCode', message) };
  }
  return ofCustomer(record, priceCode, naming);
}

function orderNameOf({ orderId, orderNumber }: UsageRecord): OrderName | null {
  if (orderId !== null) return { id: orderId };
  return orderNumber === null ? null : { number: orderNumber };
}

const elementOf = (name: OrderName): UsageElement => ('id' in name ? 'order/@id' : 'orderNumber');
const textOf = (name: OrderName): string => String('id' in name ? name.id : name.number);

function ofOrder(
  { priceCode }: UsageRecord,
  name: OrderName,
  { named }: Naming,
): Candidate | { readonly fault: UsageFault } {
  const element = elementOf(name);
  const text = textOf(name);
  const found = named.order(name);
  if (!found)
    return { fault: fault('activity.reference', element, `there is no order ${text}`, text) };
  const { order, lines } = found;
  const unready = draftFault(order, element, text);
  if (unready) return { fault: unready };
  if (priceCode === null) {
    const usage = lines.filter((line) => line.isActive && isUsage(line));
    const what = `order ${order.number} has`;
    return onlyOne(usage, { by: element, value: text, none: `${what} no active usage line` });
  }
  const ofCode = lines.filter((line) => line.charge.priceCode === priceCode);
  const active = ofCode.filter((line) => line.isActive);
  return onlyOne(active.length === 0 ? ofCode.slice(0, 1) : active, {
    by: 'priceCode',
    value: priceCode,
    none: `order ${order.number} has no line ${priceCode}`,
  });
}

function ofCustomer(
  record: UsageRecord,
  priceCode: string,
  { named, day }: Naming,
): Candidate | { readonly fault: UsageFault } {
  const lines = named.customer(record)?.filter(({ order }) => spans(order, day));
  if (lines) {
    const none = `the customer has no Active order with ${priceCode} on ${day}`;
    return onlyOne(lines, { by: 'priceCode', value: priceCode, none });
  }
  const { customerId, extCustomerRef } = record;
  const element = customerId === null ? 'extCustomerRef' : 'customer/@id';
  const value = customerId ?? extCustomerRef;
  return { fault: fault('activity.reference', element, `there is no customer ${value}`, value) };
}

/** From the first day of an Active order to its last one. */
function spans({ startDate, endDate, isAutoRenew }: UsageOrder, day: IsoDate): boolean {
  return startDate <= day && (isAutoRenew || endDate === null || day <= endDate);
}

interface Choosing {
  readonly by: UsageElement;
  readonly value: string;
  /** The text if nothing fits. */
  readonly none: string;
}

function onlyOne(
  lines: readonly UsageLine[],
  { by, value, none }: Choosing,
): Candidate | { readonly fault: UsageFault } {
  const [line, another] = lines;
  if (!line) return { fault: fault('activity.noMatch', by, none, value) };
  if (!another) return { line, by };
  const message = `several order lines fit ${value}; name the orderLineItem`;
  return { fault: fault('activity.severalMatches', by, message, value) };
}

/** The first name of a record that is not its line's. */
function contradiction(
  record: UsageRecord,
  line: UsageLine,
  ofCall: OrderName | null,
): UsageFault | null {
  const { order } = line;
  const names: readonly (readonly [
    UsageElement,
    string | number | null,
    string | number | null,
  ])[] = [
    ['order/@id', record.orderId, order.id],
    ['orderNumber', record.orderNumber, order.number],
    ['customer/@id', record.customerId, order.customerId],
    ['extCustomerRef', record.extCustomerRef, order.extCustomerRef],
    ['priceCode', record.priceCode, line.charge.priceCode],
  ];
  for (const [element, said, stored] of names) {
    if (said === null || said === stored) continue;
    const message = `${element} ${said} is not that of order line ${line.id}`;
    return fault('activity.reference', element, message, said);
  }
  if (ofCall === null || textOf(ofCall) === String('id' in ofCall ? order.id : order.number)) {
    return null;
  }
  const element = record.lineId === null ? lineNamer(record) : 'orderLineItem/@id';
  const value = record.lineId ?? record.orderId ?? record.orderNumber ?? record.correctsExtRefId;
  const message = `order line ${line.id} is not of the order of the call`;
  return fault('activity.reference', element, message, value);
}

function lineNamer(record: UsageRecord): UsageElement {
  const own = orderNameOf(record);
  return own === null ? 'correctsExtRefId' : elementOf(own);
}

function untaken({ id, isActive, order, ...line }: UsageLine, by: UsageElement): UsageFault | null {
  const unready = draftFault(order, by, String(id));
  if (unready) return unready;
  if (!isActive) return fault('activity.notTaken', by, `order line ${id} is not active`, id);
  if (line.charge.chargeType === 'UsageCharge') return null;
  const message = `${line.charge.priceCode} is a ${line.charge.chargeType}, not a UsageCharge`;
  return fault('activity.notTaken', by, message, line.charge.priceCode);
}

function draftFault(order: UsageOrder, by: UsageElement, value: string): UsageFault | null {
  const { status, number } = order;
  if (status !== 'Draft' && status !== 'Provisioning') return null;
  return fault('activity.notTaken', by, `order ${number} is ${status}`, value);
}

const isUsage = ({ charge }: UsageLine): boolean => charge.chargeType === 'UsageCharge';
