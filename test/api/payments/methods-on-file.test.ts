/** Methods on file are removed, and numbered anew. */
import test from 'ava';
import { account, autopay, card, makeCustomer, token, traces } from './bodies.ts';
import { refused, startTenantApi, valueOf, valuesOf, type TenantApi } from '../tenant-api.ts';

const api = await startTenantApi();

const at = (preference: number): string => `<autopayPreference>${preference}</autopayPreference>`;
const byRef = '/customer/autopay?extCustomerRef=C1';

/** A card, an account and a token, in this order. */
async function withThree() {
  const own = await api.another();
  const id = await makeCustomer(own);
  await own.put(byRef, autopay(card({ more: at(1) })));
  await own.put(byRef, autopay(account('000123456789', '021000021', at(2))));
  await own.put(byRef, autopay(token('tok_ok', at(3))));
  return { own, id };
}

async function filed(own: TenantApi): Promise<string[]> {
  const { body } = await own.get(byRef);
  const types = valuesOf(body, 'type');
  return valuesOf(body, 'autopayPreference').map((each, index) => `${each} ${types[index]}`);
}

test('a method is removed in both forms, and the others keep their numbers', async (t) => {
  const { own, id } = await withThree();
  const answer = await own.remove(`/customer/${id}/autopay?autopayPreference=2`);
  t.is(answer.status, 200, answer.body);
  t.is(valueOf(answer.body, 'success'), 'true');
  t.is(valueOf(answer.body, 'message'), 'The payment method 2 is no longer on file');
  t.deepEqual(await filed(own), ['1 CreditCard', '3 Token']);
  t.is((await own.remove(`${byRef}&autopayPreference=1`)).status, 200);
  t.deepEqual(await filed(own), ['3 Token']);
  t.is((await traces(own))['payment_method'], 3);
});

test('the answer for the last one says how many orders have no method', async (t) => {
  const { own, id } = await withThree();
  const order = (isAutoPay: boolean) =>
    own.post(
      '/orders',
      `<subscriptionOrder><customer id="${id}"/><contractCode>GOLD</contractCode>` +
        `<isAutoPay>${isAutoPay}</isAutoPay></subscriptionOrder>`,
    );
  const remove = async (preference: number) => {
    const { body } = await own.remove(`${byRef}&autopayPreference=${preference}`);
    return String(valueOf(body, 'message')).replace(/^.* is no longer on file/, '');
  };
  const numbers = [];
  for (const isAutoPay of [true, true, false]) {
    const made = await order(isAutoPay);
    t.is(made.status, 201, made.body);
    numbers.push(valueOf(made.body, 'orderNumber'));
  }
  const ended = await order(true);
  const cancel = (number: string) => own.post(`/order?orderNumber=${number}&action=cancel`);
  t.is((await cancel(valueOf(ended.body, 'orderNumber') ?? '')).status, 200);
  t.is(await remove(1), '');
  t.is(await remove(2), '');
  t.is(await remove(3), '; 2 orders with isAutoPay have no method');
  await own.put(byRef, autopay(card({ more: at(1) })));
  t.is((await cancel(numbers[0] ?? '')).status, 200);
  t.is(await remove(1), '; 1 order with isAutoPay has no method');
});

test('what removes none is refused, and changes nothing', async (t) => {
  const { own, id } = await withThree();
  await own.remove(`${byRef}&autopayPreference=2`);
  const path = `/customer/${id}/autopay`;
  refused(t, await own.remove(path), 400, 'query.required autopayPreference');
  refused(
    t,
    await own.remove(`${path}?autopayPreference=2`),
    400,
    'paymentMethod.unknown autopayPreference',
  );
  refused(t, await own.remove(`${path}?autopayPreference=4`), 400, 'query.range autopayPreference');
  refused(
    t,
    await own.remove('/customer/77777777/autopay?autopayPreference=1'),
    404,
    'customer.unknown',
  );
  const { own: other } = await withThree();
  refused(t, await other.remove(`${path}?autopayPreference=1`), 404, 'customer.unknown');
  t.deepEqual(await filed(own), ['1 CreditCard', '3 Token']);
});

test('they are numbered anew by the list of their preferences', async (t) => {
  const { own, id } = await withThree();
  const path = `/customer/${id}/autopay?actionName=reorder`;
  const answer = await own.post(`${path}&order=3,1,2`);
  t.is(answer.status, 200, answer.body);
  t.deepEqual(valuesOf(answer.body, 'type'), ['Token', 'CreditCard', 'ACH']);
  t.deepEqual(await filed(own), ['1 Token', '2 CreditCard', '3 ACH']);
  await own.remove(`${byRef}&autopayPreference=2`);
  t.is((await own.post(`${byRef}&action=reorder&order=3,1`)).status, 200);
  t.deepEqual(await filed(own), ['1 ACH', '2 Token']);
});

for (const order of ['1,2', '1,2,2', '1,2,3,3', '2,3,4', '3', 'x', '1, 2, 3', '1,,3']) {
  test(`an order that has not each preference once is refused: ${order}`, async (t) => {
    const { own, id } = await withThree();
    const path = `/customer/${id}/autopay?actionName=reorder&order=${encodeURIComponent(order)}`;
    refused(t, await own.post(path), 400, 'query.invalid order');
    t.deepEqual(await filed(own), ['1 CreditCard', '2 ACH', '3 Token']);
  });
}

test('without an order, and with an unknown action, nothing is numbered', async (t) => {
  const { own, id } = await withThree();
  const path = `/customer/${id}/autopay`;
  refused(t, await own.post(`${path}?actionName=reorder`), 400, 'query.required order');
  refused(t, await own.post(`${path}?actionName=sort`), 400, 'query.invalid actionName');
  refused(
    t,
    await own.post('/customer/77777777/autopay?actionName=reorder&order=1'),
    404,
    'customer.unknown',
  );
  t.deepEqual(await filed(own), ['1 CreditCard', '2 ACH', '3 Token']);
});
