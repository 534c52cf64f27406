/** What else happens while somebody pays by a page: nothing is charged twice, or more than shown. */
import test from 'ava';
import { GatewayError } from '../../../providers/gateway/gateway.ts';
import { amount, card as cardElement, invoices, pay as payBody } from '../payments/bodies.ts';
import type { Received } from '../support.ts';
import { startTenantApi } from '../tenant-api.ts';
import { visit, withProfiles } from './calls.ts';
import {
  booksOf,
  boxOf,
  buttonIn,
  card,
  chosenIn,
  declining,
  hiddenIn,
  invoiced,
  pay,
  payerOf,
  problemIn,
  send,
  sessionOf,
  type Payer,
} from './pay-calls.ts';

/** Tenants whose vault does not answer. */
const silent = new Set<number>();
const api = await startTenantApi({
  ownDatabase: true,
  ...withProfiles,
  gateways: (real) => ({
    ...real,
    async ofTenant(id) {
      const gateway = await real.ofTenant(id);
      return {
        ...gateway,
        name: gateway.name,
        store: (details, key) =>
          silent.has(id)
            ? Promise.reject(new GatewayError('unavailable', 'breaker_open'))
            : gateway.store(details, key),
      };
    },
  }),
});

const NOTHING = 'made 0; used 0';
const statusesOf = (answers: readonly Received[]): number[] =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);

const byApi = ({ own, id }: Payer, sum: string, ...ids: readonly string[]) =>
  own.post(
    '/payments',
    payBody(`<customer id="${id}"/>${amount(sum)}${invoices(...ids)}${cardElement({})}`),
  );

test('a form that is sent three times at once makes one payment, and each leads to it', async (t) => {
  const payer = await payerOf(api);
  await invoiced(payer, '10.00');
  const fields = hiddenIn(await visit(payer.own, payer.path));
  const answers = await Promise.all([1, 2, 3].map(() => send(payer, { ...fields, ...card })));
  answers.push(await send(payer, { ...fields, ...card }));
  t.deepEqual(statusesOf(answers), [303, 303, 303, 303]);
  t.is(new Set(answers.map(({ headers }) => headers.location)).size, 1);
  t.is(await booksOf(payer), 'Paid 10.00 USD; charges Approved 10.00; open none; made 1; used 1');
});

test('two tabs that pay the same invoice at once charge it once', async (t) => {
  for (const others of [false, true]) {
    const payer = await payerOf(api);
    await invoiced(payer, '10.00');
    const second = others ? { ...payer, ...(await sessionOf(payer.own, payer.id)) } : payer;
    const tabs = await Promise.all(
      [payer, second].map(async (tab) => ({
        tab,
        fields: hiddenIn(await visit(tab.own, tab.path)),
      })),
    );
    const answers = await Promise.all(
      tabs.map(({ tab, fields }) => send(tab, { ...fields, ...card })),
    );
    t.true(answers.some(({ status }) => status === 303));
    for (const { status } of answers) t.true(status === 303 || status === 409);
    t.is(await booksOf(payer), 'Paid 10.00 USD; charges Approved 10.00; open none; made 1; used 1');
  }
});

test('while a payment is under way, its session is led there, and another is told so', async (t) => {
  const payer = await payerOf(api, { isEngineDown: true });
  const first = await invoiced(payer, '10.00');
  const other = await invoiced(payer, '20.00');
  const tab = hiddenIn(await visit(payer.own, payer.path));
  const made = await pay(payer, card, `?invoice=${first}`);
  t.is(made.status, 303);
  const led = await send(payer, { ...tab, ...card });
  t.is(led.status, 303);
  t.is(led.headers.location, made.headers.location);
  // What is under way cannot be chosen.
  const page = await visit(payer.own, payer.path);
  t.is(buttonIn(page), 'Pay $20.00');
  t.regex(page.body, /payment under way/);
  const fresh = { ...payer, ...(await sessionOf(payer.own, payer.id)) };
  const fields = hiddenIn(await visit(fresh.own, fresh.path));
  const both = { ...boxOf(first, '10.00'), ...boxOf(other, '20.00'), total: '30.00' };
  const told = await send(fresh, { ...fields, ...card, ...both });
  t.is(told.status, 409);
  t.regex(String(problemIn(told)), /already under way/);
  t.is(
    await booksOf(payer),
    'Pending 10.00 USD; charges none; open 10.00 USD, 20.00 USD; made 1; used 1',
  );
});

test('cards that are at the gateway count, so that a session tries three at once at most', async (t) => {
  const payer = await payerOf(api, { isEngineDown: true });
  const ids: string[] = [];
  for (const _ of [1, 2, 3, 4]) ids.push(await invoiced(payer, '10.00'));
  const forms: Readonly<Record<string, string>>[] = [];
  for (const id of ids) {
    forms.push(hiddenIn(await visit(payer.own, `${payer.path}?invoice=${id}`)));
  }
  const answers = await Promise.all(
    forms.map((fields) => send(payer, { ...fields, ...declining })),
  );
  t.deepEqual(statusesOf(answers), [303, 303, 303, 429]);
});

test('an invoice that the API pays meanwhile is not paid again', async (t) => {
  const payer = await payerOf(api);
  const [paid, open] = [await invoiced(payer, '10.00'), await invoiced(payer, '20.00')];
  const fields = hiddenIn(await visit(payer.own, payer.path));
  t.is((await byApi(payer, '10.00', paid)).status, 201);
  const answer = await send(payer, { ...fields, ...card });
  t.is(answer.status, 409);
  t.regex(String(problemIn(answer)), /^The open amounts have changed/);
  t.is(buttonIn(answer), 'Pay $20.00');
  t.is(await booksOf(payer), `Paid 10.00 USD; charges Approved 10.00; open 20.00 USD; ${NOTHING}`);
  t.is((await send(payer, { ...hiddenIn(answer), ...card })).status, 303);
  t.deepEqual(chosenIn(answer), [open]);
});

test('an amount that a credit lowers, or an invoice that is cancelled, shows the new total', async (t) => {
  const payer = await payerOf(api);
  const [credited, cancelled] = [await invoiced(payer, '10.00'), await invoiced(payer, '20.00')];
  const fields = hiddenIn(await visit(payer.own, payer.path));
  const credit =
    `<processPayment><customer id="${payer.id}"/>${amount('4.00')}` +
    `${invoices(credited)}</processPayment>`;
  t.is((await payer.own.post('/credits', credit)).status, 201);
  const lower = await send(payer, { ...fields, ...card });
  t.is(lower.status, 409);
  t.is(buttonIn(lower), 'Pay $26.00');
  const gone = await payer.own.remove(`/invoice/${cancelled}`);
  t.true(gone.status < 300, gone.body);
  const again = await send(payer, { ...hiddenIn(lower), ...card });
  t.is(again.status, 409);
  t.is(buttonIn(again), 'Pay $6.00');
  t.is((await send(payer, { ...hiddenIn(again), ...card })).status, 303);
  t.regex(await booksOf(payer), /charges Approved 6.00; open none; made 1; used 1$/);
});

test('what is paid by others while the payment waits is charged no more', async (t) => {
  const payer = await payerOf(api, { isEngineDown: true });
  const id = await invoiced(payer, '10.00');
  const made = await pay(payer, card);
  const [, paymentId = ''] = /(\d+)$/.exec(String(made.headers.location)) ?? [];
  const cash =
    `<processPayment><customer id="${payer.id}"/>${amount('4.00')}${invoices(id)}` +
    '<paymentMethodDTO type="Cash"><cashPaymentMethod/></paymentMethodDTO></processPayment>';
  t.is((await payer.own.post('/payments', cash)).status, 201);
  await payer.own.advance(paymentId);
  t.regex(await booksOf(payer), /charges Approved 6.00; open none; made 1; used 1$/);
});

test('a vault that does not answer shows the form again, and stores nothing', async (t) => {
  const payer = await payerOf(api);
  await invoiced(payer, '10.00');
  silent.add(payer.own.tenantId);
  const answer = await pay(payer, card);
  t.is(answer.status, 503);
  t.regex(String(problemIn(answer)), /^This did not work just now/);
  t.is(await booksOf(payer), `charges none; open 10.00 USD; ${NOTHING}`);
  silent.clear();
  t.is((await send(payer, { ...hiddenIn(answer), ...card })).status, 303);
});

test('a form that comes back with another card before it has paid does not charge the first', async (t) => {
  const payer = await payerOf(api);
  await invoiced(payer, '10.00');
  const fields = hiddenIn(await visit(payer.own, payer.path));
  // Its card came to the vault, and then its process died.
  await payer.own.asOwner(
    `create function die() returns trigger language plpgsql as $$ begin
       raise exception 'died'; end $$;
     create trigger die before insert on self_service_payment for each row
       when (new.tenant_id = ${payer.own.tenantId}) execute function die()`,
  );
  t.is((await send(payer, { ...fields, ...card })).status, 500);
  await payer.own.asOwner('drop trigger die on self_service_payment');
  t.is(await booksOf(payer), `charges none; open 10.00 USD; ${NOTHING}`);
  const other = await send(payer, { ...fields, ...card, cardNumber: '5555555555554444' });
  t.is(other.status, 400);
  t.is((await send(payer, { ...fields, ...card })).status, 303);
  t.is(await booksOf(payer), 'Paid 10.00 USD; charges Approved 10.00; open none; made 1; used 1');
});
