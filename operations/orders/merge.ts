/** Compares a PUT of an order with the stored order. */
import { DomainError } from '../../domain/errors.ts';
import type { Plan } from '../../domain/plans/plan.ts';
import { compare } from '../../domain/money/money.ts';
import type { RequestedLine } from '../../domain/orders/lines.ts';
import type { OrderLine, SubscriptionOrder } from '../../db/entities/orders.ts';
import type { OrderInput, OrderLineInput } from '../../domain/orders/input.ts';
import { invalid, requestedLine } from '../../domain/orders/terms.ts';

/** A plain value, sent or stored. */
type Sent = string | number | boolean | null | undefined;

export interface MergedLine {
  readonly requested: RequestedLine;
  /** The line that is changed; undefined for a new one. */
  readonly stored: OrderLine | undefined;
}

/** The new lines of the order: absent elements of a known line keep their values. */
export function mergedLines(
  stored: readonly OrderLine[],
  samePlan: boolean,
  sent: readonly OrderLineInput[] | null | undefined,
): readonly MergedLine[] {
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

function mergedLine(stored: OrderLine, sent: OrderLineInput): MergedLine {
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

function lineById(stored: readonly OrderLine[], id: number, index: number): OrderLine {
  const line = stored.find((candidate) => candidate.id === id);
  if (line) return line;
  throw invalid(lineIdAt(index), 'the order has no line with this id', String(id));
}

/**
 * For an order that has invoices: refuses every element that would change something other than
 * endDate, orderStatus and isAutoRenew. Unchanged values are allowed.
 */
export function refuseFixedFields(
  order: SubscriptionOrder,
  { plan, couponCode }: { readonly plan: Plan; readonly couponCode: string | null },
  input: OrderInput,
): void {
  const fixed: readonly [string, Sent, Sent][] = [
    ['startDate', input.startDate, order.startDate],
    ['customer/@id', input.customerId, order.customerId],
    ['currency/@id', input.currency, order.currency],
    ['contractOffering/@id', input.contractOfferingId, order.planId],
    ['contractCode', input.contractCode, plan.contractCode],
    ['couponCode', input.couponCode, couponCode],
    ['separateInvoice', input.separateInvoice, order.separateInvoice],
    ['jobCode', input.jobCode, order.jobCode],
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
  if (input.orderLineItems) refuseChangedLines(plan, order.lines.getItems(), input.orderLineItems);
  else if (input.orderLineItems === null) throw notEditable('orderLineItems', '');
}

function refuseChangedLines(
  plan: Plan,
  lines: readonly OrderLine[],
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
