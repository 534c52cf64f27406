/** Orders of pages for a tenant whose taxes AvaTax knows: asked before, and never half made. */
import test, { type ExecutionContext } from 'ava';
import { avataxAccount, startAvatax } from '../../support/avatax.ts';
import { submit } from '../signups/page-calls.ts';
import { startTenantApi } from '../tenant-api.ts';
import { pageOf } from './calls.ts';
import {
  customerIn,
  dueIn,
  orderOf,
  ordersIn,
  ownKey,
  preview,
  textOf,
  totalsOf,
  withOrders,
} from './orders-calls.ts';

const api = await startTenantApi(withOrders);

/** A customer in New York, where AvaTax knows its taxes. */
async function openShop(t: ExecutionContext) {
  const double = await startAvatax();
  t.teardown(double.close);
  const address = { street1: '1 Main St', city: 'Portland', state: 'OR', zip: '97201' };
  const own = await api.another({
    ...withOrders,
    file: {
      ...withOrders.file,
      address: { ...address, countryCode: 'US' },
      tax: { type: 'avatax', ...avataxAccount, url: double.url },
    },
  });
  const customerId = await customerIn(own, 'Ada');
  const home = await pageOf(own, { customerId, editOrderOptions: 'Upgrade,New' });
  return { own, customerId, home, double };
}

const cents = (total: string): string => total.replaceAll(/[$,.]/g, '');

test('an order costs what its preview says, with the taxes of the provider', async (t) => {
  const { own, home } = await openShop(t);
  const path = `${home}/orders/new`;
  const silver = { contractCode: 'SILVER', quantity: '1' };
  const review = await preview(own, path, silver);
  t.is(review.status, 200, textOf(review));
  t.not(dueIn(review), '$19.95', 'taxed');
  const answer = await submit(own, path, { formKey: ownKey(review), ...silver });
  t.is(answer.status, 303, textOf(answer));
  t.deepEqual((await totalsOf(own)).map(cents), [cents(dueIn(review))]);
});

test('an upgrade costs what its preview says, with the taxes of the provider', async (t) => {
  const { own, home, customerId } = await openShop(t);
  const orderId = await orderOf(own, customerId);
  const path = `${home}/orders/${orderId}/upgrade`;
  const plus = { contractCode: 'PLUS', quantity: '1' };
  const review = await preview(own, path, plus);
  t.is(review.status, 200, textOf(review));
  const answer = await submit(own, path, { formKey: ownKey(review), ...plus });
  t.is(answer.status, 303, textOf(answer));
  t.deepEqual((await totalsOf(own)).slice(1).map(cents), [cents(dueIn(review))]);
});

test('while the provider is down nothing is priced, and nothing is made', async (t) => {
  const { own, home, double } = await openShop(t);
  double.be('down');
  const page = await preview(own, `${home}/orders/new`, { contractCode: 'SILVER', quantity: '1' });
  t.is(page.status, 503);
  t.true(textOf(page).includes('|The price cannot be computed at the moment.'), textOf(page));
  t.is(await ordersIn(own), '');
});
