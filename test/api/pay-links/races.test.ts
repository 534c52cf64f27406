/** What else happens while somebody pays by a link: nothing is charged twice, or more than shown. */
import test from 'ava';
import { amount, card as cardElement, invoices, pay as payBody } from '../payments/bodies.ts';
import { visit, withProfiles } from '../self-service/calls.ts';
import {
  buttonIn,
  card as typedInAccount,
  hiddenIn,
  invoiced,
  problemIn,
  send as sendInAccount,
  sessionOf,
} from '../self-service/pay-calls.ts';
import type { Received } from '../support.ts';
import { startTenantApi } from '../tenant-api.ts';
import {
  books,
  card,
  follow,
  keyOf,
  linked,
  linkOf,
  pay,
  send,
  show,
  type Linked,
} from './calls.ts';

const api = await startTenantApi({ ownDatabase: true, ...withProfiles });

const ONCE = 'Paid 81.61 USD; charges Approved 81.61; open none; made 1; used 1';
const statusesOf = (answers: readonly Received[]): number[] =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);

const advanced = async ({ own }: Linked, made: Received): Promise<void> => {
  const [, paymentId = ''] = /(\d+)$/.exec(String(made.headers.location)) ?? [];
  await own.advance(paymentId);
};

const payCash = ({ own, id, invoiceId }: Linked, sum: string) =>
  own.post(
    '/payments',
    `<processPayment><customer id="${id}"/>${amount(sum)}${invoices(invoiceId)}` +
      '<paymentMethodDTO type="Cash"><cashPaymentMethod/></paymentMethodDTO></processPayment>',
  );

test('a form that is sent three times at once makes one payment, and each leads to it', async (t) => {
  const link = await linked(api);
  const formKey = keyOf(await show(link));
  const answers = await Promise.all([1, 2, 3].map(() => send(link, { formKey, ...card })));
  answers.push(await send(link, { formKey, ...card }));
  t.deepEqual(statusesOf(answers), [303, 303, 303, 303]);
  t.is(new Set(answers.map(({ headers }) => headers.location)).size, 1);
  t.is(await books(link), ONCE);
});

test('two tabs of two links that pay at once charge once', async (t) => {
  const first = await linked(api);
  const second = { ...first, path: await linkOf(first.own, first.invoiceId) };
  const tabs = await Promise.all(
    [first, second].map(async (link) => ({ link, formKey: keyOf(await show(link)) })),
  );
  const answers = await Promise.all(
    tabs.map(({ link, formKey }) => send(link, { formKey, ...card })),
  );
  t.true(answers.some(({ status }) => status === 303));
  for (const { status } of answers) t.true(status === 303 || status === 409);
  t.is(await books(first), ONCE);
});

test('a link and the account of the customer that pay at once charge once', async (t) => {
  const link = await linked(api);
  const account = { own: link.own, ...(await sessionOf(link.own, link.id)) };
  const [formKey, fields] = await Promise.all([
    show(link).then(keyOf),
    visit(link.own, account.path).then(hiddenIn),
  ]);
  const answers = await Promise.all([
    send(link, { formKey, ...card }),
    sendInAccount(account, { ...fields, ...typedInAccount }),
  ]);
  t.true(answers.some(({ status }) => status === 303));
  for (const { status } of answers) t.true(status === 303 || status === 409);
  t.is(await books(link), ONCE);
});

test('while a payment is under way, its link leads there, and the form of another payment is told so', async (t) => {
  const link = await linked(api, { isEngineDown: true });
  const other = { ...link, path: await linkOf(link.own, link.invoiceId) };
  const [mine, hers] = [keyOf(await show(link)), keyOf(await show(other))];
  const made = await send(link, { formKey: mine, ...card });
  t.is(made.status, 303);
  const page = await follow(link, made);
  t.regex(page.body, /data-poll="/);
  t.regex(page.body, /Your payment is under way/);
  t.is(buttonIn(page), undefined);
  const led = await send(other, { formKey: hers, ...card });
  t.is(led.status, 303);
  t.is(String(led.headers.location).split('?')[1], String(made.headers.location).split('?')[1]);
  await advanced(link, made);
  t.is(await books(link), ONCE);
  // Of the tenant's own call: nobody is led to a payment that no link has made.
  const second = await linked(api, { isEngineDown: true });
  const formKey = keyOf(await show(second));
  const body = payBody(
    `<customer id="${second.id}"/>${amount('81.61')}${invoices(second.invoiceId)}${cardElement({})}`,
  );
  t.is((await second.own.post('/payments', body)).status, 202);
  const told = await send(second, { formKey, ...card });
  t.is(told.status, 409);
  t.regex(String(problemIn(told)), /already under way/);
  t.regex(await books(second), /^Pending 81\.61 USD; charges none; open 81\.61 USD; made 0/);
});

test('what is paid meanwhile is shown anew, and what is paid while it waits is charged no more', async (t) => {
  const link = await linked(api);
  const formKey = keyOf(await show(link));
  t.is((await payCash(link, '1.61')).status, 201);
  const moved = await send(link, { formKey, ...card });
  t.is(moved.status, 409);
  t.regex(String(problemIn(moved)), /^The open amounts have changed/);
  t.is(buttonIn(moved), 'Pay $80.00');
  t.is((await send(link, { formKey: keyOf(moved), ...card })).status, 303);
  t.regex(await books(link), /charges Approved 80\.00; open none; made 1/);
  const waiting = await linked(api, { isEngineDown: true });
  const made = await pay(waiting);
  t.is((await payCash(waiting, '1.61')).status, 201);
  await advanced(waiting, made);
  t.regex(await books(waiting), /charges Approved 80\.00; open none; made 1/);
});

test('an invoice that is paid while a payment of its link waits is charged to nobody', async (t) => {
  const link = await linked(api, { isEngineDown: true });
  const made = await pay(link);
  t.is((await payCash(link, '81.61')).status, 201);
  await advanced(link, made);
  t.regex(await books(link), /^Canceled 81\.61 USD, Paid 81\.61 USD; charges none; open none/);
  const page = await follow(link, made);
  t.regex(page.body, /This invoice is paid\. Thank you\./);
});

test('a form whose process died before it has paid charges the card once when it is sent again', async (t) => {
  const link = await linked(api);
  const { own } = link;
  const formKey = keyOf(await show(link));
  await own.asOwner(
    `create function die() returns trigger language plpgsql as $$ begin
       raise exception 'died'; end $$;
     create trigger die before insert on self_service_payment for each row
       when (new.tenant_id = ${own.tenantId}) execute function die()`,
  );
  t.is((await send(link, { formKey, ...card })).status, 500);
  await own.asOwner('drop trigger die on self_service_payment');
  t.is(await books(link), 'charges none; open 81.61 USD; made 0; used 0');
  t.is((await send(link, { formKey, ...card })).status, 303);
  t.is(await books(link), ONCE);
});

test('an invoice that is cancelled while its form is open is paid by nobody', async (t) => {
  const link = await linked(api);
  const formKey = keyOf(await show(link));
  await invoiced(link, '10.00');
  t.true((await link.own.remove(`/invoice/${link.invoiceId}`)).status < 300);
  t.is((await send(link, { formKey, ...card })).status, 410);
  t.regex(await books(link), /charges none; open 10\.00 USD; made 0/);
});
