/** Upgrades and downgrades: what one costs before it is made, and the making at that price. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { Decimal } from '../../domain/money/money.ts';
import type { OrderInput } from '../../domain/orders/input.ts';
import { countedCharges } from '../../domain/orders/quoted-plan.ts';
import type { PeriodPrice } from '../../domain/self-service/per-day.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import {
  type Dependencies,
  type OperationContext,
  type TenantInfo,
  tenantTimeOf,
} from '../context/context.ts';
import { lockCustomer } from '../context/locks.ts';
import type { InvoicePreview } from '../../domain/invoices/preview.ts';
import { changeAndBill, priceChange } from '../orders/change.ts';
import type { ChangeRequest } from '../orders/current.ts';
import { type Lasting, lastingOf } from '../../domain/self-service/lasting.ts';
import {
  type ChangeKind,
  type ChangeableOrder,
  chosenPlan,
  effectiveOn,
  inputOf,
  isInDirection,
  priceOfChoice,
  readChangeable,
} from './orders-current.ts';
import {
  type Due,
  type OpenInvoices,
  type OrdersReader,
  PriceMoved,
  type TaxTerms,
  dueOf,
  isBilledElsewhere,
  openAmong,
  refuseOtherDue,
  refuseOtherTaxes,
  taxTermsOf,
} from './orders-own.ts';

export interface ChangeChoice {
  readonly kind: ChangeKind;
  readonly orderId: number;
  readonly customerId: number;
  readonly contractCode: string;
  readonly quantity: Decimal;
}

export interface ChangePrice extends TaxTerms {
  readonly planName: string;
  readonly currency: string;
  readonly couponCode: string | null;
  readonly effectiveDate: IsoDate;
  /** Something of the plan follows a quantity. */
  readonly hasQuantity: boolean;
  readonly price: PeriodPrice;
  /** Of the terms of the new order. */
  readonly quoteHash: string;
  /** All that the customer is billed on the day of the change. */
  readonly invoices: readonly InvoicePreview[];
  /** Today; nothing of a downgrade. */
  readonly due: readonly Due[];
  readonly lasting: Lasting;
}

/** The choice costs the same per day, or is none of its kind. */
export class NotInDirection extends Error {
  readonly kind: ChangeKind;

  constructor(kind: ChangeKind) {
    super(`the choice is no ${kind}`);
    this.kind = kind;
  }
}

/** An upgrade of an order whose days are billed elsewhere. */
export class StillElsewhere extends Error {}

/** There is no such order of the customer. */
export class NoSuchOrder extends Error {}

/**
 * Stores nothing, and may ask the tax provider. Throws NoSuchOrder, StillElsewhere, NotInDirection, and
 * what refuses a change; errors of the choice name contractCode or quantity.
 */
export async function priceOwnChange(
  dependencies: Dependencies,
  tenant: TenantInfo,
  choice: ChangeChoice,
): Promise<ChangePrice> {
  const { orderId, customerId } = choice;
  const wanted = await inTenant(
    dependencies.db,
    tenant.id,
    async (tx) => {
      const { today } = await tenantTimeOf(dependencies, tenant, tx, 'none');
      const [wanted, taxes] = await Promise.all([
        readWanted(dependencies, { tx, customerId, today }, choice),
        taxTermsOf(tx, tenant, customerId),
      ]);
      return { ...wanted, ...taxes };
    },
    { readOnly: true, snapshot: true },
  );
  const { request, current, isToday, ...terms } = wanted;
  const priced = await priceChange(dependencies, tenant, { id: orderId }, request);
  const { currency } = current.row;
  const invoices = isToday ? priced.invoices : [];
  const billed = invoices.map((invoice) => ({
    currency: invoice.currency,
    amount: invoice.currentAmountDue,
  }));
  return {
    ...terms,
    currency,
    lasting: { ...lastingOf(priced.order, terms.effectiveDate), regular: terms.price },
    couponCode: priced.order.coupon?.code ?? null,
    quoteHash: priced.quoteHash,
    invoices: priced.invoices,
    due: dueOf(billed, currency),
  };
}

interface Wanted extends Pick<ChangePrice, 'planName' | 'effectiveDate' | 'hasQuantity' | 'price'> {
  readonly current: ChangeableOrder;
  readonly request: ChangeRequest;
  /** It begins, and is billed, at once. */
  readonly isToday: boolean;
}

async function readWanted(
  dependencies: Dependencies,
  reader: OrdersReader,
  { kind, orderId, contractCode, quantity }: ChangeChoice,
): Promise<Wanted> {
  const current = await readChangeable(dependencies, reader, orderId);
  if (current === undefined) throw new NoSuchOrder();
  const { today } = reader;
  if (kind === 'upgrade' && isBilledElsewhere(current.own, today)) throw new StillElsewhere();
  const plan = await chosenPlan(dependencies, reader, current, contractCode);
  const effectiveDate = effectiveOn(current, { kind, today });
  const chosen = { plan, quantity, effectiveDate };
  const price = priceOfChoice(current, chosen, today);
  if (!isInDirection(price, current.price, kind)) throw new NotInDirection(kind);
  const input = inputOf(current, chosen);
  const isToday = effectiveDate === today;
  const request = requestOf(input, { effectiveDate, bills: isToday });
  const hasQuantity = countedCharges(plan).length > 0;
  return { planName: plan.name, effectiveDate, hasQuantity, price, current, request, isToday };
}

function requestOf(
  input: OrderInput,
  { effectiveDate, bills }: { readonly effectiveDate: IsoDate; readonly bills: boolean },
): ChangeRequest {
  const named = { path: 'contractCode', value: input.contractCode ?? '' };
  return { input, effectiveDate, bills, deletesCurrent: false, named };
}

/**
 * Makes the change at the price that was shown, or nothing of it; returns what it leaves open. Throws
 * PriceMoved, quote.moved, and what `priceOwnChange` throws.
 */
export async function makeOwnChange(
  dependencies: Dependencies,
  context: OperationContext,
  choice: ChangeChoice,
  shown: ChangePrice,
): Promise<OpenInvoices | null> {
  const { tx, tenant, time } = context;
  const { orderId, customerId } = choice;
  await lockCustomer(tx, { id: customerId });
  await refuseOtherTaxes(tx, tenant, { ...shown, customerId });
  const reader = { tx, customerId, today: time.today };
  const { request, effectiveDate } = await readWanted(dependencies, reader, choice);
  if (effectiveDate !== shown.effectiveDate) throw new PriceMoved();
  const input = { ...request.input, quoteHash: shown.quoteHash };
  const held = { ...request, input };
  const { invoices } = await changeAndBill(dependencies, context, { id: orderId }, held);
  const billed = invoices.map(({ currency, currentAmountDue: amount }) => ({ currency, amount }));
  refuseOtherDue(dueOf(billed, shown.currency), shown.due);
  const ids = invoices.map(({ id }) => id);
  return openAmong(tx, ids, shown.currency);
}
