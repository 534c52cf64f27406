/** Makes what a sign-up is for: customer, order, invoices of this order alone, a Pending payment. */
import { isCountry } from '../../domain/customers/postal-address.ts';
import { type Coupon, usedUp } from '../../domain/discounts/coupon.ts';
import { DomainError } from '../../domain/errors.ts';
import { refuseIfItCannotBill, refuseInactive } from '../../domain/orders/refusals.ts';
import { compare, sum } from '../../domain/money/money.ts';
import { HELD_REDEMPTIONS_MAX } from '../../domain/signups/signup.ts';
import { signupAfter } from '../../domain/signups/state.ts';
import { countOpenSignups } from '../../db/queries/discounts/redemptions.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { refuseHeld } from '../billing/customers.ts';
import { generateInvoices } from '../billing/generate.ts';
import type { AnswerTo } from '../billing/tax-answers.ts';
import { addOrderAgents } from '../commissions/links.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import { createCustomer } from '../customers/write.ts';
import { findCoupon } from '../discounts/coupons.ts';
import { createOrder } from '../orders/create.ts';
import { findPlan } from '../orders/plan-choice.ts';
import { pagePlan } from '../../domain/orders/quoted-plan.ts';
import { taxBasis } from '../orders/quote.ts';
import type { MadeMethod } from '../../providers/gateway/gateway.ts';
import { type MethodInVault, fileMethod, keepMethod } from '../payment-methods/methods.ts';
import { askToConfirm } from './ask-to-confirm.ts';
import { addressOf, contactOf } from './details.ts';
import { finishSignup, readSignupInvoices } from './steps.ts';
import {
  lockMatch,
  matchFieldsOf,
  needsMail,
  needsMailForCoupon,
  mayNeedMailForTrial,
  needsMailForMoney,
  proofOf,
} from './match.ts';
import { billedAddress, couponOfSignup } from './price.ts';
import { refuseUnoffered } from '../orders/offered.ts';
import { cardOf, payInvoices } from './pay.ts';
import { PriceMoved, openSum, refuseMoved } from '../../domain/signups/price-moved.ts';
import { type SignupRow, stateOf, writeTransition } from './signup-row.ts';

/** Nothing is paid by the card that is to be saved, so the gateway validates it first. */
export class CardUnvalidated extends Error {}

/** Nothing is charged, because money pays that the customer found has on account: it is asked first. */
export class OnlyOwnMoney extends Error {}

export interface MakeOptions {
  /** The gateway has validated the card of the try. */
  readonly isValidated: boolean;
  /** What the gateway made of it, if it was entered into the gateway's own fields. */
  readonly made: MadeMethod | null;
  /** Of a customer of its own: the same each time, as the tax provider is asked about it. */
  readonly newCustomerId: number;
  /** What the tax provider has answered so far. */
  readonly answerTo: AnswerTo;
  /** A customer of its own gets none. */
  readonly isWithoutLogin: boolean;
}

/**
 * The first try that makes something; all of it or nothing. If nothing is left to pay, the sign-up is
 * PROCESSED. This transaction must have locked the signup. Throws PriceMoved, CardUnvalidated,
 * UnansweredTaxes, and what refuses a customer, an order or invoices.
 */
export async function makeSignup(
  dependencies: Dependencies,
  context: OperationContext,
  given: SignupRow,
  { isValidated, made: becomes, newCustomerId, answerTo, isWithoutLogin }: MakeOptions,
): Promise<string> {
  const { tx } = context;
  const row = isWithoutLogin ? { ...given, login: null, passwordHash: null } : given;
  const card = cardOf(row);
  // Before anything depends on whether the customer exists.
  if (isFree(row) && proofOf(row) === null && card !== null && !isValidated) {
    throw new CardUnvalidated();
  }
  const coupon = await couponNamed(context, row);
  const isFreeToConfirm = isFree(row) && needsMail(context.tenant, row);
  const { tenant } = context;
  const isOfOneOrder =
    needsMailForCoupon(tenant, row, coupon) ||
    (mayNeedMailForTrial(tenant, row) && (await hasTrial(dependencies, context, row)));
  if (isFreeToConfirm || isOfOneOrder) {
    return askToConfirm(context, row);
  }
  const customer = await customerOf(context, row, newCustomerId);
  const { id: customerId, isNew } = customer;
  await refuseOtherTaxes(context, row, customer);
  const saves = row.savePaymentMethod && isNew && card !== null;
  const taken = coupon && (await couponOfSignup(tx, row, { coupon, customerId }));
  // Of a code that is gone the order says so.
  const couponCode = coupon === null ? row.couponCode : (taken?.code ?? null);
  const orderId = await makeOrder(
    dependencies,
    context,
    { ...row, couponCode },
    { ...customer, saves },
  );
  if (taken !== null) await refuseHoarding(context, row, taken);
  await linkAgent(context, row, orderId);
  const taxedAt = proofOf(row) === null ? { taxedAt: addressOf(row) } : {};
  const billing = { onlyOrderId: orderId, answerTo, ...taxedAt };
  const made = await generateInvoices(dependencies, context, customerId, billing);
  refuseMoved(row, sum(made.map((invoice) => invoice.currentAmountDue)));
  const invoiceIds = made.map(({ id }) => id);
  const own = {
    ...row,
    couponCode,
    customerId,
    isNewCustomer: isNew,
    orderId,
    invoiceIds,
    savePaymentMethod: saves,
  };
  noteMade(context, own);
  const invoices = await readSignupInvoices(tx, invoiceIds);
  if (compare(openSum(invoices), '0') > 0) {
    const paymentId = await payInvoices(dependencies, context, own, { invoices, saves });
    const charging = signupAfter(stateOf(row), { happened: 'charging' });
    writeTransition(context, own, charging, { paymentId });
    return `made order and invoices, payment ${paymentId}`;
  }
  if (!isFree(row) && needsMailForMoney(context.tenant, row)) throw new OnlyOwnMoney();
  if (saves) {
    if (!isValidated) throw new CardUnvalidated();
    const [methodId = 0] = await takeIds(tx, 1);
    keepMethod(context, { methodId, customerId }, madeOf(card, becomes));
    await fileMethod(context, { customerId, methodId, preference: 1 });
  }
  noteUnproven(context, own);
  await finishSignup(context, own);
  return 'made the order, nothing is to be paid';
}

const madeOf = (card: MethodInVault, made: MadeMethod | null): MethodInVault => ({
  ...card,
  method: { ...card.method, ...made },
});

function noteMade({ tx }: OperationContext, row: SignupRow): void {
  tx.send(
    `update signup set customer_id = $3, is_new_customer = $4, order_id = $5, invoice_ids = $6,
       save_payment_method = $7, login = $8, password_hash = $9, coupon_code = $10
     where tenant_id = $1 and id = $2`,
    [
      tx.tenantId,
      row.id,
      row.customerId,
      row.isNewCustomer,
      row.orderId,
      row.invoiceIds,
      row.savePaymentMethod,
      row.login,
      row.passwordHash,
      row.couponCode,
    ],
    'signup-made',
  );
}

/** As the page showed it. */
const isFree = ({ lastTry }: SignupRow): boolean => compare(lastTry?.shownAmount ?? '0', '0') === 0;

/** Its address gets no mail until it pays: only a card that was validated speaks for it. */
function noteUnproven({ tx, tenant }: OperationContext, row: SignupRow): void {
  if (tenant.confirmsFree === null || proofOf(row) !== null || row.isNewCustomer !== true) return;
  tx.send(
    'update signup set is_unproven = true where tenant_id = $1 and id = $2',
    [tx.tenantId, row.id],
    'signup-is-unproven',
  );
}

/** What is due later is taxed as the page said, too. Throws PriceMoved. */
async function refuseOtherTaxes(
  { tx, tenant }: OperationContext,
  row: SignupRow,
  { id, isNew }: SignupCustomer,
): Promise<void> {
  const shown = row.lastTry?.taxBasis;
  if (shown == null) return;
  const isEntered = isNew || proofOf(row) === null;
  const address = isEntered ? addressOf(row) : await billedAddress(tx, id);
  if (taxBasis(tenant, address) !== shown) throw new PriceMoved();
}

interface SignupCustomer {
  readonly id: number;
  readonly isNew: boolean;
}

/** Throws customer.inactive, order.notBillable, customer.held for one that exists and may not order. */
async function customerOf(
  context: OperationContext,
  row: SignupRow,
  newId: number,
): Promise<SignupCustomer> {
  const found = await lockMatch(context.tx, matchFieldsOf(row));
  if (found !== undefined) {
    refuseInactive(found);
    refuseIfItCannotBill('Active', found);
    refuseHeld(found);
    return { id: found.id, isNew: false };
  }
  const { extCustomerRef, companyName } = row;
  const input = { extCustomerRef, locale: localeOf(row), isBusinessAccount: companyName !== null };
  const contacts = { billing: contactOf(row), sales: null };
  const id = await createCustomer(context, input, contacts, { id: newId });
  return { id, isNew: true };
}

/** The region is the browser's, else the country that was entered. */
function localeOf({ locale, country }: SignupRow): string | null {
  const region = country?.toUpperCase() ?? '';
  return locale === null || locale.includes('_') || !isCountry(region)
    ? locale
    : `${locale}_${region}`;
}

interface OrderBasis extends SignupCustomer {
  readonly saves: boolean;
}

/** The whole plan at the price that was shown, with the quantity as in a quote, without invoices. */
async function makeOrder(
  dependencies: Dependencies,
  context: OperationContext,
  row: SignupRow,
  { id: customerId, saves }: OrderBasis,
): Promise<number> {
  const { tx, tenant, time } = context;
  const { contractCode, couponCode, quantity, sku, lastTry } = row;
  const startDate = row.startDate ?? time.today;
  if (lastTry?.startDate != null && lastTry.startDate !== startDate) throw new PriceMoved();
  const where = { path: 'contractCode', value: contractCode };
  if (contractCode === null) throw new DomainError('plan.unknown', 'a plan is required', where);
  const { currency } = tenant;
  await refuseUnoffered(tx, { contractCode, sku, currency, startDate, today: time.today });
  const version = await findPlan(dependencies.db, tx, { contractCode, id: null });
  if (version === undefined) throw new DomainError('plan.unknown', 'the plan is gone', where);
  const order = {
    customerId,
    contractCode,
    couponCode,
    startDate,
    currency,
    isAutoPay: saves,
    orderLineItems: pagePlan(version.plan, { quantity }),
    isWholePlan: true,
    quoteHash: lastTry?.quoteHash,
  };
  const noInvoice = { generateInvoice: false, forceInvoiceGeneration: false };
  const isUnproven = proofOf(row) === null;
  return createOrder(dependencies, context, order, { ...noInvoice, isUnproven });
}

async function hasTrial(
  { db }: Dependencies,
  { tx }: OperationContext,
  { contractCode }: SignupRow,
): Promise<boolean> {
  if (contractCode === null) return false;
  const version = await findPlan(db, tx, { contractCode, id: null });
  return version !== undefined && version.plan.trial !== null;
}

async function couponNamed({ tx }: OperationContext, { couponCode }: SignupRow) {
  return couponCode === null ? null : ((await findCoupon(tx, couponCode)) ?? null);
}

/** Cards that decline may not keep others from the last redemptions. */
async function refuseHoarding(
  { tx }: OperationContext,
  { lastTry }: SignupRow,
  { code, maxRedemptions }: Coupon,
): Promise<void> {
  if (maxRedemptions === null || lastTry === null) return;
  const { network } = lastTry;
  const held = await countOpenSignups(tx, { code, network });
  if (held >= HELD_REDEMPTIONS_MAX) throw usedUp(code, 'couponCode');
}

/** Before any invoice: one that is paid at once earns its commission. */
async function linkAgent(
  context: OperationContext,
  { billerCode }: SignupRow,
  orderId: number,
): Promise<void> {
  if (billerCode === null) return;
  const [agent] = await context.tx.query<{ id: number }>(
    'select id from sales_agent where tenant_id = $1 and code = $2',
    [context.tx.tenantId, billerCode],
    'agent-of-signup',
  );
  const link = { billerId: agent?.id ?? null, commissionPlanId: null, joiningDate: null };
  await addOrderAgents(context, { id: orderId }, [link]);
}
