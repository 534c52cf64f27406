/** Shows what a sign-up's page has at this moment. */
import { isCountry } from '../../../../domain/customers/postal-address.ts';
import { gatewayScriptOf } from '../../../pages/gateway-fields.ts';
import { enteredIn } from '../../../../domain/payments/debits.ts';
import { DECLINES_MAX } from '../../../../domain/signups/signup.ts';
import { offeredPlans } from '../../../../operations/orders/offered.ts';
import type { SignupPrice } from '../../../../operations/signups/price.ts';
import type { SignupRow } from '../../../../operations/signups/signup-row.ts';
import { askedOf } from '../../../../operations/signups/validate.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import type { FormFields } from '../../../calls/route-types.ts';
import { renderNotice, type NoticeKey } from '../../../pages/notice.ts';
import { shownTexts, typedAgain } from '../../../pages/form.ts';
import { orderFields } from '../../../pages/order-fields.ts';
import { askedPlaceOf } from '../../../pages/place.ts';
import { writtenQuantity } from '../../../pages/quantity.ts';
import { shownAgain } from '../../../pages/typed-text.ts';
import type { PageProblem, ShownForm } from '../../../pages/view.ts';
import { pageForm } from '../../page-writes.ts';
import { type PayerPlace, payerPlace, validationPlace } from '../../payer-action/place.ts';
import { customerFields, isDetailField } from './detail-fields.ts';
import { placeOf } from './place.ts';
import { isDue, priceView, pricingOf, signedTerms } from './pricing.ts';
import { renderDetails, renderReview, renderWorking } from './render.ts';
import type { DetailsView, OrderView } from './views.ts';
import { addressesOf, pageView, type Visit } from './visit.ts';

export async function showSignup(visit: Visit): Promise<PageAnswer> {
  const { row, now, call } = visit;
  const place = placeOf(row, now);
  switch (place.is) {
    case 'led':
      return place;
    case 'gone':
      return noticed(visit, 410, { key: 'gone', link: place.to });
    case 'working':
      return showWorking(visit);
    case 'mailed':
      return noticed(visit, 200, { key: 'mailed', link: call.path });
    case 'open':
      return showOpen(visit);
  }
}

/** A payer who is asked for is led on; otherwise the page asks again every few seconds. */
export async function showWorking(visit: Visit): Promise<PageAnswer> {
  const { call } = visit;
  const place = await askedPlace(visit);
  if ('to' in place) return place;
  const { tenant, path: to } = call;
  const challenge = 'clientSecret' in place ? { ...place, tenant, to } : null;
  const html = renderWorking({ ...pageView(visit), address: to, challenge });
  return { ...shown(visit, 200, html), ...(challenge && gatewayScriptOf(tenant)) };
}

async function askedPlace({ dependencies, call, row }: Visit): Promise<PayerPlace> {
  const { tenant } = call;
  const { lastTry } = row;
  if (lastTry?.status === 'charging' && lastTry.paymentId !== null) {
    return payerPlace(dependencies, tenant, lastTry.paymentId);
  }
  const asked = await askedOf(dependencies, dependencies.gateways, tenant.id, row);
  if (asked === undefined) return { is: 'over' };
  const place = await validationPlace(asked);
  // Its workflow hears of what the payer did.
  if ('is' in place) dependencies.dispatch(tenant.id, [{ kind: 'signup', objectId: row.id }]);
  return place;
}

/** Step 1 while there is something to enter in it, and when it is asked for. */
function showOpen(visit: Visit): Promise<PageAnswer> {
  const { row, call } = visit;
  const { step } = call.parameters;
  const problems = problemsOfTry(row);
  const areOfDetails = problems.some(({ field }) => isDetailField(field));
  const isWanted = step === 'details' || (areOfDetails && step !== 'review');
  if (canEnter(row) && (!row.hasDetails || isWanted)) {
    return showDetails(visit, { status: 200, problems });
  }
  return showReview(visit, { status: 200, problems: areOfDetails ? [] : problems });
}

/** A try that has made the order leaves nothing but the card to change. */
export function canEnter({ hideCustomerFields, hideOrderFields, orderId }: SignupRow): boolean {
  return orderId === null && !(hideCustomerFields && hideOrderFields);
}

function problemsOfTry({ lastTry, declines }: SignupRow): PageProblem[] {
  if (lastTry?.status === 'declined') {
    return [{ field: null, key: declines === DECLINES_MAX - 1 ? 'declined.last' : 'declined' }];
  }
  if (lastTry?.status !== 'returned') return [];
  return [{ field: lastTry.field, code: lastTry.code ?? 'tryAgain' }];
}

export async function showDetails(
  visit: Visit,
  { status, problems, typed }: ShownForm,
): Promise<PageAnswer> {
  const { row, call, dependencies } = visit;
  const { hideCustomerFields, hideOrderFields, sku, startDate, displayAmount } = row;
  const plans = hideOrderFields
    ? []
    : await offeredPlans(dependencies, call.tenant, { sku, startDate });
  const view: DetailsView = {
    ...pageView(visit),
    form: pageForm(dependencies, call, { form: 'details', problems }),
    customer: hideCustomerFields ? null : customerValues(row, typed),
    asksLogin: !row.linkHasPassword,
    order: hideOrderFields ? null : orderValues(visit, typed),
    asked: askedPlaceOf(call.tenant),
    plans,
    currency: call.tenant.currency,
    displayAmount,
  };
  return shown(visit, status, renderDetails(view));
}

function customerValues(row: SignupRow, typed: FormFields | undefined) {
  if (typed !== undefined) return typedAgain(customerFields, typed);
  return shownTexts(customerFields, { ...row, country: countryOf(row) });
}

/** A code of a country is in the list in capitals. */
function countryOf({ country }: SignupRow): string | null {
  const code = country?.toUpperCase() ?? '';
  return isCountry(code) ? code : country;
}

function orderValues(visit: Visit, typed: FormFields | undefined) {
  if (typed !== undefined) return typedAgain(orderFields, typed);
  const { row } = visit;
  const quantity = writtenQuantity(row.quantity, pageView(visit).locale);
  return shownTexts(orderFields, { ...row, quantity });
}

export async function showReview(visit: Visit, how: ShownForm): Promise<PageAnswer> {
  const pricing = await pricingOf(visit, visit.row);
  if ('price' in pricing) return showPriced(visit, pricing.price, how);
  const { problem, status } = pricing;
  if (canEnter(visit.row)) return showDetails(visit, { status: how.status, problems: [problem] });
  // What the link says cannot be mended here.
  return noticed(visit, status === 503 ? 503 : 409, { key: 'unavailable', link: visit.call.path });
}

export function showPriced(
  visit: Visit,
  price: SignupPrice,
  { status, problems, typed }: ShownForm,
): PageAnswer {
  const { dependencies, row, call, today } = visit;
  const html = renderReview({
    ...orderView(visit, price),
    form: pageForm(dependencies, call, { form: 'pay', shown: signedTerms(row, price), problems }),
    today,
    cardholderName: typed ? shownAgain(typed.get('cardholderName')) : (row.cardholderName ?? ''),
    savePaymentMethod: typed ? typed.has('savePaymentMethod') : row.savePaymentMethod,
    tosLink: row.tosLink,
    tosAccepted: typed ? typed.has('tosAccepted') : row.tosAccepted,
    detailsAddress: canEnter(row) ? `${call.path}?step=details` : null,
    triesLeft: DECLINES_MAX - row.declines,
    tenant: call.tenant,
    amount: isDue(price) ? price.dueToday : null,
    taken: enteredIn(price.currency, call.tenant.gatewaySettings.methods),
    typed,
  });
  return { ...shown(visit, status, html), ...gatewayScriptOf(call.tenant) };
}

/** What the order is and costs. */
export function orderView(visit: Visit, price: SignupPrice): OrderView {
  const { row } = visit;
  const { planName, couponCode, startDate, hasQuantity, quote, currency, lasting, isUntaxed } =
    price;
  return {
    ...pageView(visit),
    planName,
    startDate,
    quantity: hasQuantity ? row.quantity : null,
    billingPeriod: quote.billingPeriod,
    couponCode,
    price: priceView(row, price),
    currency,
    lasting,
    isUntaxed,
    isCardRequired: isDue(price),
    isCardSaved: price.demandsCard && !isDue(price),
  };
}

export function noticed(
  visit: Visit,
  status: number,
  notice: { readonly key: NoticeKey; readonly link: string },
): PageAnswer {
  return shown(visit, status, renderNotice({ ...pageView(visit), ...notice }));
}

export const shown = ({ row }: Visit, status: number, html: string): PageAnswer => ({
  ...addressesOf(row),
  status,
  html,
});
