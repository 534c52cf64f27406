/** The page of a new order. */
import {
  hasMethod,
  makeOwnNew,
  newChoices,
  priceOwnNew,
  type NewPrice,
} from '../../../../operations/self-service/orders-new.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import { HeavyCall } from '../../../calls/route-types.ts';
import { readingMore } from '../../../calls/services.ts';
import { lightOnly } from '../../orders/quotes.ts';
import { partAddress } from '../page/account.ts';
import { accountView, shown, type Visit } from '../page/visit.ts';
import type { ReadChoice } from './choice.ts';
import type { Choosing, OrderingSteps } from './ordering.ts';
import { showRefusal } from './refusals.ts';
import { renderChoose, renderReview } from './render-order.ts';
import { blockTables } from './tables.ts';

export function newSteps(visit: Visit): OrderingSteps<NewPrice> {
  const { dependencies, session } = visit;
  const { customerId } = session;
  return {
    ordering: 'new',
    choose: (choosing) => showChoose(visit, choosing),
    price: (choice, isHurried) => priceInTurn(visit, choice, isHurried),
    termsOf: ({ quote, startDate, due, taxBasis, lasting, isAutoPay }) => [
      quote,
      isAutoPay,
      startDate,
      due,
      taxBasis,
      lasting,
    ],
    review({ status, choice, price, form }) {
      const { planName, hasQuantity, currency, startDate, quote } = price;
      const { isAutoPay, due, lasting, isUntaxed } = price;
      if (price.demandsMethod && !isAutoPay) return { to: partAddress(visit.home, 'card') };
      const html = renderReview({
        ...accountView(visit),
        ordering: 'new',
        form,
        choice: { ...choice.typed, quantity: choice.quantity },
        planName,
        hasQuantity,
        currency,
        startDate,
        now: null,
        couponCode: choice.couponCode,
        isAutoPay,
        tables: blockTables(quote, currency),
        due,
        lasting,
        isUntaxed,
      });
      return shown(visit, status, html);
    },
    make: (context, choice, price) =>
      makeOwnNew(dependencies, context, { ...choice, customerId }, price),
  };
}

/** Visitors reload as they like: the price of a plan with many charges waits for its turn. */
async function priceInTurn(
  { dependencies, call, session }: Visit,
  choice: ReadChoice,
  isHurried: boolean,
): Promise<NewPrice> {
  const { tenant, takeHeavyTurn } = call;
  const wanted = { ...choice, customerId: session.customerId };
  try {
    const limit = lightOnly({ isHeavy: isHurried });
    return await priceOwnNew(dependencies, tenant, wanted, limit);
  } catch (error) {
    if (!(error instanceof HeavyCall)) throw error;
    await takeHeavyTurn();
    return priceOwnNew(dependencies, tenant, wanted);
  }
}

async function showChoose(
  visit: Visit,
  { status, problems, typed }: Choosing,
): Promise<PageAnswer> {
  const { dependencies, call, session, account, today } = visit;
  const { currency } = account;
  const { customerId } = session;
  const { plans, canAutoPay } = await readingMore(dependencies, call.tenant, async (tx) => ({
    plans: await newChoices(dependencies, { tx, customerId, today }, currency),
    canAutoPay: await hasMethod(tx, customerId),
  }));
  if (plans.length === 0) return showRefusal(visit, status, { action: 'new', reason: 'none' });
  const [first, ...others] = plans;
  const contractCode = others.length === 0 ? (first?.contractCode ?? '') : '';
  const html = renderChoose({
    ...accountView(visit),
    ordering: 'new',
    action: call.path,
    problems,
    typed: typed ?? { contractCode, quantity: '1', couponCode: '', isAutoPay: false },
    currency,
    plans,
    effectiveDate: null,
    now: null,
    hasMethod: canAutoPay,
  });
  return shown(visit, status, html);
}
