/** How many cards a pay link tries: by its invoice, by the network, and never by the customer. */
import test from 'ava';
import { openSelfService, visit } from '../self-service/calls.ts';
import {
  buttonIn,
  declining as typedInAccount,
  invoiced,
  pay as payInAccount,
  problemIn,
  sessionOf,
} from '../self-service/pay-calls.ts';
import { NETWORK_POSTS_MAX, TOKEN_POSTS_MAX } from '../../../api/access/post-limits.ts';
import {
  books,
  card,
  declinesOf,
  declining,
  keyOf,
  linked,
  linkOf,
  pay,
  send,
  show,
  type Linked,
} from './calls.ts';

const api = await openSelfService();

const earlier = ({ own }: Linked, hours: number) =>
  own.asOwner(
    `update card_decline set declined_at = declined_at - interval '${hours} hours'
     where tenant_id = ${own.tenantId}`,
  );

const declined = ({ own, invoiceId }: Linked, count: number, hoursAgo: number) =>
  own.asOwner(
    `insert into card_decline (tenant_id, network, invoice_id, declined_at)
     select ${own.tenantId}, 'x', ${invoiceId}, now() - interval '${hoursAgo} hours'
     from generate_series(1, ${count})`,
  );

test('after three declines of an hour no link of the invoice takes a card, and the customer is untouched', async (t) => {
  const link = await linked(api);
  const { own, id, invoiceId } = link;
  const other = { ...link, path: await linkOf(own, invoiceId) };
  const kept = keyOf(await show(other));
  for (const each of [link, other, link]) t.is((await pay(each, declining)).status, 303);
  t.is(await declinesOf(own), '3 of invoices, 0 of customers');
  for (const each of [link, other]) {
    const page = await show(each);
    t.is(page.status, 200);
    t.is(buttonIn(page), undefined);
    t.regex(String(problemIn(page)), /^Too many cards were declined/);
  }
  const refused = await send(other, { formKey: kept, ...card });
  t.is(refused.status, 429);
  const wait = Number(refused.headers['retry-after']);
  t.true(wait > 3_500 && wait <= 3_600, String(wait));
  // Another invoice of the customer, and its own account, pay.
  const second = await invoiced(link, '10.00');
  t.is((await pay({ ...link, path: await linkOf(own, second) })).status, 303);
  const account = { own, ...(await sessionOf(own, id)) };
  t.is((await payInAccount(account, typedInAccount)).status, 303);
  t.is(await declinesOf(own), '3 of invoices, 1 of customers');
  await earlier(link, 1);
  t.is((await pay(link)).status, 303);
  t.regex(await books(link), /Approved 81\.61; open none/);
});

test('ten declines of a day are the most', async (t) => {
  const link = await linked(api);
  await declined(link, 9, 23);
  const formKey = keyOf(await show(link));
  t.is((await send(link, { formKey, ...declining })).status, 303);
  const page = await show(link);
  t.is(buttonIn(page), undefined);
  const answer = await send(link, { formKey, ...declining, cardholderName: 'Again' });
  // A repeat leads where the first one led.
  t.is(answer.status, 303);
  await earlier(link, 2);
  t.is((await pay(link)).status, 303);
});

test('declines of an account do not count for its links', async (t) => {
  const link = await linked(api);
  await link.own.asOwner(
    `insert into card_decline (tenant_id, network, customer_id, declined_at)
     select ${link.own.tenantId}, 'x', ${link.id}, now() from generate_series(1, 10)`,
  );
  t.is((await pay(link)).status, 303);
});

test('twenty declines of a network in an hour are 429 at each invoice', async (t) => {
  const link = await linked(api);
  const formKey = keyOf(await show(link));
  await pay(link, declining);
  const [row] = await link.own.asOwner<{ network: string }>(
    `select network from card_decline where tenant_id = ${link.own.tenantId}`,
  );
  await link.own.asOwner(
    `insert into card_decline (tenant_id, network, declined_at)
     select ${link.own.tenantId}, '${row?.network}', now() from generate_series(1, 19)`,
  );
  t.is((await send(link, { formKey, ...card })).status, 429);
  const other = { ...link, path: await linkOf(link.own, await invoiced(link, '10.00')) };
  t.is(buttonIn(await show(other)), undefined);
});

test('a link takes 60 forms a minute', async (t) => {
  const link = await linked(api);
  t.true(TOKEN_POSTS_MAX < NETWORK_POSTS_MAX);
  const answers = await Promise.all(
    Array.from({ length: TOKEN_POSTS_MAX + 1 }, () => send(link, { formKey: 'x' })),
  );
  const statuses = answers.map(({ status }) => status);
  t.is(statuses.filter((status) => status === 429).length, 1);
  t.is(statuses.filter((status) => status === 403).length, TOKEN_POSTS_MAX);
  t.is((await visit(link.own, link.path)).status, 200);
});
