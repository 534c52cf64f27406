/** The forms of the payment methods on file that remove one, and that number them anew. */
import test from 'ava';
import type { Received } from '../support.ts';
import { startTenantApi } from '../tenant-api.ts';
import { keyIn, submit } from '../signups/page-calls.ts';
import { visit, withProfiles } from './calls.ts';
import { filedOf, onFile, payerOf, problemIn, sessionOf, type Payer } from './pay-calls.ts';

const api = await startTenantApi(withProfiles);

const pathOf = ({ home }: Payer): string => `${home}/card`;

const changesIn = ({ body }: Received): string =>
  /<form method="post" action="[^"]*\/card\/order">[^]*?<\/form>/.exec(body)?.[0] ?? '';

const keyOf = (page: Received): string => keyIn({ ...page, body: changesIn(page) });

/** Methods that end in 1111 and 4444, and a new page that shows them. */
async function withTwo() {
  const payer = await payerOf(api);
  await onFile(payer, 1);
  await onFile(payer, 3, { number: '5555555555554444' });
  const page = await visit(payer.own, pathOf(payer));
  const send = (path: string, fields: Readonly<Record<string, string>> = {}, key = keyOf(page)) =>
    submit(payer.own, `${pathOf(payer)}${path}`, { formKey: key, ...fields });
  return { payer, page, send };
}

const messageIn = ({ body }: Received): string | undefined =>
  /<p class="message" role="status">(.*?)<\/p>/.exec(body)?.[1];

test('a method is removed, and the page says so', async (t) => {
  const { payer, page, send } = await withTwo();
  const [, removal = ''] = /formaction="([^"]*preference=1)"/.exec(page.body) ?? [];
  t.is(removal, `${pathOf(payer)}/remove?preference=1`);
  t.regex(page.body, /aria-label="Remove: Visa ending in 1111"/);
  const answer = await send('/remove?preference=1');
  t.is(answer.status, 303, answer.body);
  t.is(answer.headers.location, `${pathOf(payer)}?changed=removed`);
  t.is(await filedOf(payer), '3 4444');
  const after = await visit(payer.own, `${pathOf(payer)}?changed=removed`);
  t.is(messageIn(after), 'The payment method has been removed.');
  t.false(after.body.includes('1111'));
});

test('with the last method the page says which orders no longer pay themselves', async (t) => {
  const { payer, send } = await withTwo();
  const order = (isAutoPay: boolean) =>
    payer.own.post(
      '/orders',
      `<subscriptionOrder><customer id="${payer.id}"/><contractCode>FEE</contractCode>` +
        `<isAutoPay>${isAutoPay}</isAutoPay></subscriptionOrder>`,
    );
  const made = await order(true);
  t.is(made.status, 201, made.body);
  t.is((await order(false)).status, 201);
  const [, number = ''] = /<orderNumber>(\d+)</.exec(made.body) ?? [];
  await send('/remove?preference=1');
  const one = await visit(payer.own, pathOf(payer));
  t.false(one.body.includes('not paid automatically'));
  await send('/remove?preference=3', {}, keyOf(one));
  const none = await visit(payer.own, pathOf(payer));
  t.regex(none.body, /No payment method is saved\./);
  t.true(
    none.body.includes(
      `Without a payment method, these subscriptions are not paid automatically: ${number}</p>`,
    ),
  );
});

test('another method is used first', async (t) => {
  const { payer, page, send } = await withTwo();
  const orders = [...changesIn(page).matchAll(/name="order" value="([^"]*)"/g)];
  t.deepEqual(
    orders.map(([, value]) => value),
    ['3,1'],
  );
  const answer = await send('/order', { order: '3,1' });
  t.is(answer.headers.location, `${pathOf(payer)}?changed=reordered`);
  t.is(await filedOf(payer), '1 4444, 2 1111');
  const after = await visit(payer.own, `${pathOf(payer)}?changed=reordered`);
  t.is(messageIn(after), 'The order of your payment methods has been changed.');
});

test('a form whose methods have changed meanwhile changes nothing, and shows them', async (t) => {
  const { payer, send } = await withTwo();
  await onFile(payer, 1, { number: '4242424242424242' });
  for (const answer of [
    await send('/remove?preference=1'),
    await send('/order', { order: '3,1' }),
  ]) {
    t.is(answer.status, 409);
    t.regex(String(problemIn(answer)), /have changed meanwhile/);
    t.regex(answer.body, /ending in 4242/);
  }
  t.is(await filedOf(payer), '1 4242, 3 4444');
});

test('what names no method, or not each once, changes nothing', async (t) => {
  const { payer, send } = await withTwo();
  for (const [path, fields] of [
    ['/remove', {}],
    ['/remove?preference=2', {}],
    ['/remove?preference=x', {}],
    ['/order', {}],
    ['/order', { order: '1' }],
    ['/order', { order: '1,3,3' }],
    ['/order', { order: '1,x' }],
  ] as const) {
    t.is((await send(path, fields)).status, 409, path);
  }
  t.is(await filedOf(payer), '1 1111, 3 4444');
});

test('a repeated form is taken once, and a form of another session is not', async (t) => {
  const { payer, page, send } = await withTwo();
  const answers = await Promise.all([
    send('/order', { order: '3,1' }),
    send('/order', { order: '3,1' }),
  ]);
  for (const { status } of [...answers, await send('/order', { order: '3,1' })]) t.is(status, 303);
  t.is(await filedOf(payer), '1 4444, 2 1111');
  const other = { ...payer, ...(await sessionOf(payer.own, payer.id)) };
  const fields = { formKey: keyOf(page), order: '2,1' };
  t.is((await submit(payer.own, `${pathOf(other)}/order`, fields)).status, 403);
});

test('without payments in the session it is 403', async (t) => {
  const off = await payerOf(api, {}, { allowPayments: 'false' });
  for (const path of ['/remove?preference=1', '/order']) {
    t.is((await submit(off.own, `${pathOf(off)}${path}`, { formKey: 'x' })).status, 403);
  }
});
