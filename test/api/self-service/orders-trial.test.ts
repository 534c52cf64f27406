/** Trials on the pages of a customer: what is shown, a card that is demanded, a change in a trial. */
import test from 'ava';
import { autopay, token } from '../payments/bodies.ts';
import { submit } from '../signups/page-calls.ts';
import type { PlanFile } from '../../support/tenants.ts';
import { startTenantApi, type TenantApi } from '../tenant-api.ts';
import { pageOf, visit } from './calls.ts';
import {
  customerIn,
  dueIn,
  ordersIn,
  ownKey,
  preview,
  textOf,
  totalsOf,
  withOrders,
} from './orders-calls.ts';

const trial = { value: 14, units: 'Days' };
const tried = ['GOLD', 'PLATINUM'];
const { plans: known = [] } = withOrders.file as { readonly plans?: readonly PlanFile[] };
const plans = known.map((plan) => {
  if (plan.contractCode === 'PHONE') return { ...plan, trial: { ...trial, card: 'required' } };
  return tried.includes(plan.contractCode) ? { ...plan, trial } : plan;
});
const options = { ...withOrders, file: { ...withOrders.file, plans } };
const api = await startTenantApi(options);

async function newcomer() {
  const own = await api.another(options);
  const customerId = await customerIn(own, 'Ada');
  const home = await pageOf(own, { customerId, editOrderOptions: 'New,Upgrade,Downgrade' });
  return { own, customerId, path: `${home}/orders/new`, home };
}

const saveCard = (own: TenantApi, customerId: string) =>
  own.put(`/customer/${customerId}/autopay`, autopay(token('tok_ok')));

const choice = (contractCode: string) => ({ contractCode, quantity: '1', couponCode: '' });

test('lists and reviews say until when it is free and what comes then; a second order has no trial', async (t) => {
  const { own, path, home } = await newcomer();
  const list = textOf(await visit(own, path));
  t.true(list.includes('free to January 28, 2027, then $29.95 a month'), list);
  const review = await preview(own, path, choice('GOLD'));
  const text = textOf(review);
  t.true(text.includes('It is free to January 28, 2027. Billing begins on January 29, 2027'), text);
  t.true(text.includes('|$29.95|'), text);
  t.is(dueIn(review), '$0.00');
  const answer = await submit(own, path, { formKey: ownKey(review), ...choice('GOLD') });
  t.is(answer.status, 303, textOf(answer));
  t.is(await ordersIn(own), 'GOLD Active');
  t.deepEqual(await totalsOf(own), []);
  const orders = textOf(await visit(own, `${home}/orders`));
  t.true(orders.includes('Free to|January 28, 2027'), orders);
  t.false(textOf(await visit(own, path)).includes('then $29.95 a month'));
  const again = await preview(own, path, choice('GOLD'));
  t.false(textOf(again).includes('It is free to'));
  t.not(dueIn(again), '$0.00');
});

test('a trial with a required card leads to the card page, and is then paid by itself', async (t) => {
  const { own, customerId, path, home } = await newcomer();
  const without = await preview(own, path, choice('PHONE'));
  t.is(without.status, 303);
  t.is(without.headers.location, `${home}/card`);
  await saveCard(own, customerId);
  const review = await preview(own, path, choice('PHONE'));
  t.is(review.status, 200, textOf(review));
  const answer = await submit(own, path, { formKey: ownKey(review), ...choice('PHONE') });
  t.is(answer.status, 303, textOf(answer));
  const { body } = await own.get('/orders');
  t.regex(body, /<isAutoPay>true<\/isAutoPay>/);
  t.regex(body, /<trialEndDate>2027-01-28<\/trialEndDate>/);
});

test('an upgrade in a trial goes on with it, and a downgrade begins after it', async (t) => {
  const { own, customerId, home } = await newcomer();
  const made = await own.post(
    '/orders',
    `<subscriptionOrder><customer id="${customerId}"/><contractCode>GOLD</contractCode></subscriptionOrder>`,
  );
  const id = /<subscriptionOrder id="(\d+)"/.exec(made.body)?.[1] ?? '';
  const up = await visit(own, `${home}/orders/${id}/upgrade`);
  t.true(textOf(up).includes('free to January 28, 2027, then $49.95 a month'), textOf(up));
  const review = await preview(own, `${home}/orders/${id}/upgrade`, choice('PLATINUM'));
  t.is(dueIn(review), '$0.00', textOf(review));
  const down = await visit(own, `${home}/orders/${id}/downgrade`);
  t.true(textOf(down).includes('January 29, 2027'), textOf(down));
});
