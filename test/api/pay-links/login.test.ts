/** The way from the page of a link to the account: only the customer's own invoice is paid there. */
import test from 'ava';
import { openSelfService, visit, withProfiles } from '../self-service/calls.ts';
import { chosenIn, invoiced } from '../self-service/pay-calls.ts';
import { locationOf, LOGIN, PASSWORD, personOf, send } from '../self-service/people.ts';

const api = await openSelfService();

const ways = (own: Parameters<typeof send>[0], path: string, password: string = PASSWORD) =>
  send(own, path, { username: 'adafield', password });

test('a login leads to that invoice in the account if it is the contact’s, else home', async (t) => {
  const own = await api.another(withProfiles);
  const id = await personOf(own, 'adafield');
  const bea = await personOf(own, 'beafield');
  await invoiced({ own, id }, '10.00');
  const mine = await invoiced({ own, id }, '81.61', '<currency id="EUR"/>');
  const hers = await invoiced({ own, id: bea }, '5.00');
  const door = await visit(own, `${LOGIN}?invoice=${mine}`);
  t.true(door.body.includes(`action="${LOGIN}?invoice=${mine}"`));
  const led = locationOf(await ways(own, `${LOGIN}?invoice=${mine}`));
  t.regex(led, new RegExp(`^/widget/customerHome/[\\w-]{43}/pay\\?currency=EUR&invoice=${mine}$`));
  t.deepEqual(chosenIn(await visit(own, led)), [mine]);
  for (const other of [hers, '999999999', 'x', `${mine}0`, '']) {
    const home = locationOf(await ways(own, `${LOGIN}?invoice=${other}`));
    t.regex(home, /^\/widget\/customerHome\/[\w-]{43}$/, other);
  }
});

test('a wrong password keeps the invoice, and tells nothing of it', async (t) => {
  const own = await api.another(withProfiles);
  const id = await personOf(own, 'adafield');
  const mine = await invoiced({ own, id }, '81.61');
  const again = await ways(own, `${LOGIN}?invoice=${mine}`, 'Wrong-one-1');
  t.is(again.status, 400);
  t.true(again.body.includes(`action="${LOGIN}?invoice=${mine}"`));
  t.false(again.body.includes('81.61'));
});

test('a profile DEFAULT without payments leads home', async (t) => {
  const file = {
    ...withProfiles.file,
    selfServiceProfiles: [{ id: 'DEFAULT', allowPayments: false }],
  };
  const own = await api.another({ file });
  const id = await personOf(own, 'adafield');
  const mine = await invoiced({ own, id }, '81.61');
  const home = locationOf(await ways(own, `${LOGIN}?invoice=${mine}`));
  t.regex(home, /^\/widget\/customerHome\/[\w-]{43}$/);
});
