/** What a quote may have that a change has not. */
import test from 'ava';
import { orderLinesFor } from '../../../domain/orders/lines.ts';
import { otherwiseQuoted, type PricedTerms } from '../../../domain/orders/quoted.ts';
import { chargeWith, planWith } from '../fixtures.ts';

const once = { chargeType: 'OneTimeCharge' } as const;
const setup = chargeWith({ id: 101, priceCode: 'SETUP', ...once, isMandatory: true });
const router = chargeWith({ id: 102, priceCode: 'ROUTER', ...once });
const fee = chargeWith({ id: 103, priceCode: 'FEE' });
const plan = planWith({ charges: [setup, router, fee] });
const taken = { billedOnce: new Set(['SETUP', 'ROUTER']), penalties: new Set<string>() };
const change: PricedTerms = {
  plan,
  currency: 'CAD',
  coupon: null,
  trialLength: null,
  lines: orderLinesFor(plan, [], 'USD', taken),
};

test('a change is told from quotes with the one-time charges, and in the currency of the tenant', (t) => {
  const found = otherwiseQuoted(change, { coupons: [], currency: 'USD' }).map(
    ({ terms, differs }) =>
      `${terms.lines.map(({ charge }) => charge.priceCode).join('+')} ${terms.currency}: ${differs.join(', ')}`,
  );
  t.deepEqual(found, [
    'FEE CAD: ',
    'FEE USD: it is in CAD, not USD',
    'FEE+SETUP+ROUTER CAD: it does not bill SETUP, ROUTER',
    'FEE+SETUP+ROUTER USD: it does not bill SETUP, ROUTER, it is in CAD, not USD',
    'FEE+SETUP CAD: it does not bill SETUP',
    'FEE+SETUP USD: it does not bill SETUP, it is in CAD, not USD',
  ]);
});
