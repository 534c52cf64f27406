/** Orders on a customer's pages whose days another system bills. */
import test from 'ava';
import { startTenantApi } from '../tenant-api.ts';
import { visit } from './calls.ts';
import { goTo, preview, textOf, withGold, withOrders } from './orders-calls.ts';

const api = await startTenantApi(withOrders);
const platinum = { contractCode: 'PLATINUM', quantity: '1' } as const;

test('an order that is billed elsewhere has a downgrade and no upgrade, until that is over', async (t) => {
  const elements = '<contractCode>GOLD</contractCode><billedThrough>2027-02-01</billedThrough>';
  const { own, home, orderId } = await withGold(await api.another(withOrders), { elements });
  const path = `${home}/orders/${orderId}/upgrade`;
  const list = (await visit(own, `${home}/orders`)).body;
  t.true(list.includes(`/orders/${orderId}/downgrade`), list);
  t.false(list.includes(`/orders/${orderId}/upgrade`), list);
  const page = await visit(own, path);
  t.is(page.status, 409);
  t.true(textOf(page).includes('billed elsewhere, so it cannot be upgraded yet'), textOf(page));
  const review = await preview(own, path, platinum);
  t.is(review.status, 409);
  await goTo(own, '2027-02-02');
  t.true((await visit(own, `${home}/orders`)).body.includes(`/orders/${orderId}/upgrade`));
  t.is((await visit(own, path)).status, 200);
});
