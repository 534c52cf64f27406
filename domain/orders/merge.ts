/** Compares a PUT of an order with the stored order. */
import { DomainError } from '../errors.ts';
import type { Plan } from '../plans/plan.ts';
import { isSameMetadata } from '../text/metadata.ts';
import { compare, type Decimal } from '../money/money.ts';
import type { IsoDate } from '../calendar/calendar.ts';
import type { RequestedLine } from './lines.ts';
import type { OrderInput, OrderLineInput } from './input.ts';
import { invalid, requestedLine } from './terms.ts';

/** A plain value, sent or stored. */
type Sent = string | number | boolean | null | undefined;

/** A line as it is stored. */
export interface StoredLine {
  readonly id: number;
  readonly position: number;
  readonly chargeId: number;
  readonly quantity: Decimal;
  readonly unitPrice?: Decimal | null | undefined;
  readonly invoiceText?: string | null | undefined;
  readonly isActive: boolean;
}

/** An order as it is stored: an element that it lacks is stored as null. */
export interface StoredOrder extends Pick<
  OrderInput,
  | 'separateInvoice'
  | 'jobCode'
  | 'purchaseOrder'
  | 'isAutoPay'
  | 'dueDateValue'
  | 'dueDateUnits'
  | 'invoiceText'
  | 'invoiceNotes'
  | 'notes'
  | 'metadata'
  | 'billedThrough'
> {
  readonly startDate: IsoDate;
  readonly customerId: number;
  readonly currency: string;
  readonly planId: number;
}

export interface MergedLine<Line extends StoredLine> {
  readonly requested: RequestedLine;
  /** The line that is changed; undefined for a new one. */
  readonly stored: Line | undefined;
}

/**
 * The new lines of the order: absent elements of a known line keep their values.
 *
 * @example mergedLines([fee], true, [{ id: fee.id, quantity: '2' }])[0].requested.quantity // '2'
 */
export function mergedLines<Line extends StoredLine>(
  stored: readonly Line[],
  samePlan: boolean,
  sent: readonly OrderLineInput[] | null | undefined,
): readonly MergedLine<Line>[] {
  if (sent === undefined) {
    // Another plan has other charges: without lines the order gets those of the new plan.
    return samePlan ? stored.map((line) => mergedLine(line, {})) : [];
  }
  const taken = new Set<number>();
  return (sent ?? []).map((line, index) => {
    if (line.id === undefined) return { requested: requestedLine(line), stored: undefined };
    if (taken.has(line.id)) {
      throw invalid(lineIdAt(index), 'two lines have the same id', String(line.id));
    }
    taken.add(line.id);
    return mergedLine(lineById(stored, line.id, index), samePlan ? line : withoutCharge(line));
  });
}

function mergedLine<Line extends StoredLine>(stored: Line, sent: OrderLineInput): MergedLine<Line> {
  const byCode = Boolean(sent.priceCode);
  return {
    stored,
    requested: requestedLine({
      position: sent.position ?? stored.position,
      priceCode: sent.priceCode,
      contractChargeId: byCode ? null : (sent.contractChargeId ?? stored.chargeId),
      quantity: sent.quantity === undefined ? stored.quantity : sent.quantity,
      unitPrice: sent.unitPrice === undefined ? stored.unitPrice : sent.unitPrice,
      invoiceText: sent.invoiceText === undefined ? stored.invoiceText : sent.invoiceText,
      isActive: sent.isActive ?? stored.isActive,
    }),
  };
}

// A line sent back may name a charge of the old plan: match it by price code.
function withoutCharge(line: OrderLineInput): OrderLineInput {
  return line.priceCode ? { ...line, contractChargeId: null } : line;
}

const lineIdAt = (index: number) => `orderLineItems/orderLineItem[${index + 1}]/@id`;

function lineById<Line extends StoredLine>(
  stored: readonly Line[],
  id: number,
  index: number,
): Line {
  const line = stored.find((candidate) => candidate.id === id);
  if (line) return line;
  throw invalid(lineIdAt(index), 'the order has no line with this id', String(id));
}

interface FixedBy {
  readonly plan: Plan;
  readonly couponCode: string | null;
  readonly lines: readonly StoredLine[];
}

/**
 * For an order that has invoices: refuses every element that would change something other than
 * endDate, orderStatus and isAutoRenew. Unchanged values are allowed.
 *
 * @example refuseFixedFields(gold, { plan, couponCode: null, lines }, { currency: 'EUR' })
 *   // throws field.notEditable
 */
export function refuseFixedFields(
  order: StoredOrder,
  { plan, couponCode, lines }: FixedBy,
  input: OrderInput,
): void {
  const fixed: readonly [string, Sent, Sent][] = [
    ['startDate', input.startDate, order.startDate],
    ['billedThrough', input.billedThrough, order.billedThrough],
    ['customer/@id', input.customerId, order.customerId],
    ['currency/@id', input.currency, order.currency],
    ['contractOffering/@id', input.contractOfferingId, order.planId],
    ['contractCode', input.contractCode, plan.contractCode],
    ['couponCode', input.couponCode, couponCode],
    ['separateInvoice', input.separateInvoice, order.separateInvoice],
    ['jobCode', input.jobCode, order.jobCode],
    ['purchaseOrder', input.purchaseOrder, order.purchaseOrder],
    ['isAutoPay', input.isAutoPay, order.isAutoPay],
    ['dueDateValue', input.dueDateValue, order.dueDateValue],
    ['dueDateUnits', input.dueDateUnits, order.dueDateUnits],
    ['invoiceText', input.invoiceText, order.invoiceText],
    ['invoiceNotes', input.invoiceNotes, order.invoiceNotes],
    ['notes', input.notes, order.notes],
  ];
  for (const [element, sent, stored] of fixed) {
    if (sent !== undefined && sent !== (stored ?? null)) throw notEditable(element, sent);
  }
  const { metadata } = input;
  if (metadata !== undefined && !isSameMetadata(metadata, order.metadata ?? null)) {
    throw notEditable('metadata', Object.keys(metadata ?? {}).join(', '));
  }
  if (input.orderLineItems) refuseChangedLines(plan, lines, input.orderLineItems);
  else if (input.orderLineItems === null) throw notEditable('orderLineItems', '');
}

function refuseChangedLines(
  plan: Plan,
  lines: readonly StoredLine[],
  sent: readonly OrderLineInput[],
): void {
  const codes = new Map(plan.charges.map((charge) => [charge.id, charge.priceCode]));
  for (const [index, line] of sent.entries()) {
    const at = (element: string) => `orderLineItems/orderLineItem[${index + 1}]/${element}`;
    if (line.id === undefined) throw notEditable(at('@id'), 'a new line');
    const stored = lineById(lines, line.id, index);
    const fixed: readonly [string, Sent, Sent][] = [
      ['position', line.position, stored.position],
      ['contractCharge/@id', line.contractChargeId, stored.chargeId],
      ['priceCode', line.priceCode, codes.get(stored.chargeId)],
      ['invoiceText', line.invoiceText, stored.invoiceText],
      ['isActive', line.isActive, stored.isActive],
    ];
    for (const [element, value, before] of fixed) {
      if (value !== undefined && value !== (before ?? null)) throw notEditable(at(element), value);
    }
    for (const element of ['quantity', 'unitPrice'] as const) {
      const [value, before] = [line[element], stored[element] ?? null];
      if (value !== undefined && !isSameDecimal(value, before)) {
        throw notEditable(at(element), value);
      }
    }
  }
}

function isSameDecimal(left: string | null, right: string | null): boolean {
  return left === null || right === null ? left === right : compare(left, right) === 0;
}

function notEditable(element: string, value: Sent): DomainError {
  return new DomainError(
    'field.notEditable',
    `${element} cannot change once the order has invoices`,
    { path: `subscriptionOrder/${element}`, value: String(value ?? '') },
  );
}
