/** Creates an invoice by hand, with the caller's lines and charges. */
import {
  type MadeFor,
  type ManualInvoiceInput,
  type ManualLineInput,
  type NamedOrder,
  assertFits,
  draftByHand,
  invalid,
  refuseNoContent,
  refuseTooManyCharges,
} from '../../domain/invoices/by-hand.ts';
import { isTaxed, taxCodesByHand, taxedByHand } from '../../domain/invoices/taxes-by-hand.ts';
import { refuseUntaxed } from '../../domain/billing/rate/provider-tax.ts';
import type { DraftInvoice } from '../../domain/billing/rate/total.ts';
import { add } from '../../domain/money/money.ts';
import { metadataOfOrders } from '../../domain/text/metadata.ts';
import { type NotedMetadata, balancesOf } from '../billing/draft-rows.ts';
import { taxingOf } from '../billing/tax-answers.ts';
import { taxCodesOfPlans } from '../plans/versions.ts';
import { type CustomerAddress, type LockedCustomer, lockCustomer } from '../context/locks.ts';
import { claimAutopay } from '../collection/autopay.ts';
import type { OperationContext } from '../context/context.ts';
import { balanceKey, noBalance } from '../../domain/billing/rate/balance.ts';
import { makeInvoice } from '../billing/make.ts';

export interface CreateOptions {
  /** Whether taxes are added; null: what the tenant's file says. */
  readonly calcTax?: boolean | null;
}

/**
 * Returns the invoice's id. Throws customer.unknown, an error that names the element, and
 * UnansweredTaxes.
 */
export async function createInvoice(
  context: OperationContext,
  address: CustomerAddress,
  input: ManualInvoiceInput,
  { calcTax = null }: CreateOptions = {},
): Promise<number> {
  const { tx, time, tenant } = context;
  refuseTooManyCharges(input);
  const customer = await lockCustomer(tx, address);
  const currency = input.currency ?? customer.currency;
  refuseNoContent(input, currency);
  const terms = customer.paymentTerms ?? context.tenant.paymentTerms;
  const orders = await ordersNamed(context, customer, input.invoiceLineItems ?? []);
  const madeFor = { customerId: customer.id, currency, today: time.today, terms, orders };
  const { purchaseOrder } = customer;
  const byFile = tenant.settings.taxesOneOffInvoices;
  const taxing = isTaxed(input, { asked: calcTax, byFile })
    ? await taxingByHand(context, input, { customerId: customer.id, orders })
    : untaxed;
  const { taxCodesOf } = taxing;
  const draft = taxing.tax(draftByHand(input, { ...madeFor, purchaseOrder, taxCodesOf }));
  refuseUntaxed([draft]);
  const balances = await balancesOf(tx, [customer.id]);
  const before = balances.get(balanceKey(customer.id, currency)) ?? noBalance;
  const { currentAmountDue: amount } = draft;
  for (const total of [amount, add(before.balance, amount)]) assertFits(total, 'invoiceLineItems');
  const invoice = await makeInvoice(context, draft, {
    balances,
    autopayOn: tenant.settings.autopayOn,
    notes: input.notes ?? null,
    noted: notedBy(input, orders),
    meetsMoney: before.hasUnapplied,
  });
  if (invoice.autopayOn === time.today) await claimAutopay(context, { invoiceId: invoice.id });
  return invoice.id;
}

/** What the body says, or else that of the orders that lines name. */
function notedBy(
  { metadata }: ManualInvoiceInput,
  orders: readonly (NamedOrder | null)[],
): NotedMetadata {
  if (metadata !== undefined) return { metadata, hasOwnMetadata: true };
  const named = orders.flatMap((order) => order ?? []);
  return { metadata: metadataOfOrders(named), hasOwnMetadata: false };
}

/** How the charges of an invoice get their tax codes, and the invoice its taxes. */
interface TaxingByHand {
  readonly taxCodesOf: MadeFor['taxCodesOf'];
  readonly tax: (draft: DraftInvoice) => DraftInvoice;
}

const untaxed: TaxingByHand = { taxCodesOf: () => [], tax: (draft) => draft };

interface TaxedFor {
  readonly customerId: number;
  readonly orders: readonly (NamedOrder | null)[];
}

async function taxingByHand(
  { tx, tenant, time }: OperationContext,
  { invoiceLineItems }: ManualInvoiceInput,
  { customerId, orders }: TaxedFor,
): Promise<TaxingByHand> {
  const charges = (invoiceLineItems ?? []).flatMap((item) => item.invoiceLineItemCharges ?? []);
  const unsaid = charges.filter(({ taxCodes }) => taxCodes === undefined);
  const [plans, taxing] = await Promise.all([
    taxCodesOfPlans(tx, {
      priceCodes: unsaid.flatMap(({ priceCode }) => priceCode ?? []),
      planIds: orders.flatMap((order) => order?.planId ?? []),
    }),
    taxingOf(tx, tenant, [customerId], time.today),
  ]);
  return {
    taxCodesOf: (charge, order) => taxCodesByHand(charge, { planId: order?.planId ?? null, plans }),
    tax: (draft) => taxedByHand(draft, taxing(customerId, draft.invoiceDate)),
  };
}

async function ordersNamed(
  { tx }: OperationContext,
  customer: LockedCustomer,
  items: readonly ManualLineInput[],
): Promise<(NamedOrder | null)[]> {
  const found = await tx.query<NamedOrder & Record<string, unknown>>(
    `select o.id, o.order_number, o.purchase_order, o.metadata, o.plan_id, p.contract_code
     from subscription_order o join plan p on p.tenant_id = o.tenant_id and p.id = o.plan_id
     where o.customer_id = $1 and o.order_number::text = any($2)`,
    [customer.id, items.map((item) => item.enterpriseSubscription ?? '')],
  );
  return items.map(({ enterpriseSubscription: number }, index) => {
    if (!number) return null;
    const order = found.find(({ orderNumber }) => String(orderNumber) === number);
    if (order) return order;
    const path = `invoiceLineItems/invoiceLineItem[${index + 1}]/enterpriseSubscription`;
    throw invalid(path, 'the customer has no order with this number', number);
  });
}
