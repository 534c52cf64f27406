/** The page that pays open invoices: what it lists, and what its form makes. */
import test, { type ExecutionContext } from 'ava';
import type { Received } from '../support.ts';
import { faultsIn, submit, valueIn } from '../signups/page-calls.ts';
import { customerOf, openSelfService, sessionsOf, setTimes, SITE, visit } from './calls.ts';
import {
  booksOf,
  boxesIn,
  boxOf,
  buttonIn,
  card,
  chosenIn,
  declining,
  filedOf,
  hiddenIn,
  inEuro,
  invoiced,
  onFile,
  pay,
  payerOf,
  problemIn,
  send,
  sessionOf,
  type Payer,
} from './pay-calls.ts';

const api = await openSelfService();

const NOTHING = 'made 0; used 0';

/** It leads to the page of a payment; returns the id. */
function paymentOf(t: ExecutionContext, { home }: Payer, answer: Received): number {
  t.is(answer.status, 303, answer.body);
  const [, id] = /\/payments\/(\d+)$/.exec(String(answer.headers.location)) ?? [];
  t.is(answer.headers.location, `${home}/payments/${id}`);
  return Number(id);
}

test('all open invoices of a currency are paid by a card, and the page leads to the payment', async (t) => {
  const payer = await payerOf(api);
  await invoiced(payer, '44.10');
  await invoiced(payer, '29.34');
  const page = await visit(payer.own, payer.path);
  t.is(page.status, 200);
  t.is(buttonIn(page), 'Pay $73.44');
  t.is(chosenIn(page).length, 2);
  const answer = await pay(payer, card);
  const id = paymentOf(t, payer, answer);
  t.is(await booksOf(payer), 'Paid 73.44 USD; charges Approved 73.44; open none; made 1; used 1');
  const [made] = await payer.own.asOwner(
    `select payment_id, network, shown_amount::float as shown, session_id is not null as "hasSession"
     from self_service_payment where tenant_id = ${payer.own.tenantId}`,
  );
  t.like(made, { payment_id: String(id), shown: 73.44, hasSession: true });
  t.is(await filedOf(payer), 'none');
  t.regex((await visit(payer.own, payer.path)).body, /No invoice is open\./);
});

test('a box that nobody has ticked is not charged: without a script its new total is shown first', async (t) => {
  const payer = await payerOf(api);
  const ticked = await invoiced(payer, '100.00');
  const unticked = await invoiced(payer, '7.00');
  const page = await visit(payer.own, payer.path);
  t.is(buttonIn(page), 'Pay $107.00');
  const { [`invoice-${unticked}`]: _, ...fields } = hiddenIn(page);
  const told = await send(payer, { ...fields, ...card, savePaymentMethod: 'true' });
  t.is(told.status, 409);
  t.regex(String(problemIn(told)), /^Your choice has changed the total, and nothing was charged\./);
  t.is(buttonIn(told), 'Pay $100.00');
  t.deepEqual(chosenIn(told), [ticked]);
  t.deepEqual(Object.keys(boxesIn(told, 'all')).length, 2);
  // What was typed is still there, but for what no page may repeat of a card.
  t.is(valueIn(told, 'cardholderName'), 'Ada Field');
  t.regex(told.body, /id="savePaymentMethod"[^>]* checked/);
  t.is(await booksOf(payer), `charges none; open 100.00 USD, 7.00 USD; ${NOTHING}`);
  paymentOf(t, payer, await send(payer, { ...hiddenIn(told), ...card }));
  t.is(
    await booksOf(payer),
    'Paid 100.00 USD; charges Approved 100.00; open 7.00 USD; made 1; used 1',
  );
});

test('the total that a script has put on the button is charged, and no other one', async (t) => {
  const payer = await payerOf(api);
  const [one, other] = [await invoiced(payer, '100.00'), await invoiced(payer, '7.00')];
  const { formKey = '', currency = '' } = hiddenIn(await visit(payer.own, payer.path));
  const form = { formKey, currency, ...card };
  for (const [boxes, total] of [
    [boxOf(one, '100.00'), '107.00'],
    [boxOf(one, '100.00'), '7.00'],
    [boxOf(one, '100.00'), ''],
    [{ ...boxOf(one, '99.00'), ...boxOf(other, '8.00') }, '107.00'],
    // Less than is open.
    [boxOf(one, '1.00'), '1.00'],
  ] as const) {
    t.is((await send(payer, { ...form, ...boxes, total })).status, 409, total);
  }
  t.is(await booksOf(payer), `charges none; open 100.00 USD, 7.00 USD; ${NOTHING}`);
  paymentOf(t, payer, await send(payer, { ...form, ...boxOf(one, '100.00'), total: '100.00' }));
  t.regex(await booksOf(payer), /charges Approved 100.00; open 7.00 USD; made 1; used 1$/);
});

test('without a script, buttons show the total of the boxes, and tick all or none', async (t) => {
  const payer = await payerOf(api);
  const late = await invoiced(payer, '10.00', '<dueDate>2027-03-01</dueDate>');
  const early = await invoiced(payer, '20.00', '<dueDate>2027-02-01</dueDate>');
  const all = await visit(payer.own, payer.path);
  t.deepEqual(chosenIn(all), [early, late]);
  t.regex(all.body, /<noscript>[^]*name="update" value="chosen">Update total</);
  t.regex(all.body, /name="update" value="none">Choose no invoice</);
  const { [`invoice-${early}`]: _, ...fields } = hiddenIn(all);
  const some = await send(payer, { ...fields, cardholderName: 'Ada', update: 'chosen' });
  t.is(some.status, 200);
  t.deepEqual(chosenIn(some), [late]);
  t.is(buttonIn(some), 'Pay $10.00');
  t.is(valueIn(some, 'cardholderName'), 'Ada');
  t.regex(some.body, /name="update" value="all">Choose all invoices</);
  t.is(buttonIn(await send(payer, { ...hiddenIn(some), update: 'all' })), 'Pay $30.00');
  const none = await send(payer, { ...hiddenIn(some), update: 'none' });
  t.deepEqual(chosenIn(none), []);
  t.is(buttonIn(none), 'Pay $0.00');
  const nothing = await send(payer, { ...hiddenIn(none), ...card });
  t.is(nothing.status, 400);
  t.is(problemIn(nothing), 'Please choose the invoices that you want to pay.');
  t.is(await booksOf(payer), `charges none; open 10.00 USD, 20.00 USD; ${NOTHING}`);
  paymentOf(t, payer, await send(payer, { ...hiddenIn(some), ...card }));
  t.regex(await booksOf(payer), /charges Approved 10.00; open 20.00 USD; made 1; used 1$/);
  const page = await visit(payer.own, `${payer.path}?invoice=${early}`);
  t.is(buttonIn(page), 'Pay $20.00');
});

test('each currency is paid by itself: the own one first, with a way to the others', async (t) => {
  const payer = await payerOf(api);
  await invoiced(payer, '12.00', inEuro);
  const euro = await visit(payer.own, payer.path);
  t.is(buttonIn(euro), 'Pay €12.00');
  t.false(euro.body.includes('currency='));
  const usd = await invoiced(payer, '10.00');
  const page = await visit(payer.own, payer.path);
  t.is(buttonIn(page), 'Pay $10.00');
  t.true(page.body.includes(`<a href="${payer.path}?currency=EUR">Open invoices in EUR</a>`));
  // The form of one with an invoice of the other.
  const other = hiddenIn(await visit(payer.own, `${payer.path}?currency=EUR`));
  const mixed = await send(payer, { ...other, ...card, ...boxOf(usd, '10.00'), total: '22.00' });
  t.is(mixed.status, 409);
  t.true((await booksOf(payer)).endsWith(NOTHING));
  paymentOf(t, payer, await pay(payer, card, '?currency=EUR'));
  t.is(
    await booksOf(payer),
    'Paid 12.00 EUR; charges Approved 12.00; open 10.00 USD; made 1; used 1',
  );
});

test('at most 100 invoices are listed and paid, the first due of them', async (t) => {
  const payer = await payerOf(api);
  const first = await invoiced(payer, '1.00');
  await payer.own.asOwner(
    `insert into invoice select (jsonb_populate_record(i, jsonb_build_object(
       'id', i.id + n, 'invoice_number', i.number_value + n,
       'number_value', i.number_value + n, 'due_date', i.due_date + n))).*
     from invoice i, generate_series(1, 100) n where i.id = ${first}`,
  );
  const page = await visit(payer.own, payer.path);
  t.is(chosenIn(page).length, 100);
  t.is(chosenIn(page)[0], first);
  t.is(buttonIn(page), 'Pay $100.00');
  t.regex(page.body, /The 100 invoices that are due first are listed/);
});

test('a method on file is masked, and is charged alone: the others are not tried', async (t) => {
  const payer = await payerOf(api);
  await invoiced(payer, '10.00');
  const first = await onFile(payer, 1, { number: '4000000000000341' });
  const second = await onFile(payer, 2, { number: '5555555555554444' });
  const page = await visit(payer.own, payer.path);
  t.regex(page.body, /Visa ending in 0341 <span class="note">expires 12\/2029/);
  t.regex(page.body, /MasterCard ending in 4444/);
  t.regex(page.body, new RegExp(`id="method-${first}"[^>]* checked`));
  paymentOf(t, payer, await pay(payer, { method: first }));
  t.is(
    await booksOf(payer),
    'Declined 10.00 USD; charges Declined 10.00; open 10.00 USD; made 1; used 1',
  );
  paymentOf(t, payer, await pay(payer, { method: second }));
  t.regex(await booksOf(payer), /charges Declined 10.00, Approved 10.00; open none; made 2/);
});

test('a method that is replaced or gone meanwhile, expired, or of nobody shows the form again', async (t) => {
  const payer = await payerOf(api);
  await invoiced(payer, '10.00');
  const first = await onFile(payer, 1);
  const fields = hiddenIn(await visit(payer.own, payer.path));
  await onFile(payer, 1, { number: '5555555555554444' });
  const old = await onFile(payer, 2, { number: '6011111111111117', expiry: '2027-01-31' });
  await payer.own.asOwner(`update payment_method set expiry = '2026-12-31' where id = ${old}`);
  for (const method of [first, old, '1', '']) {
    const answer = await send(payer, { ...fields, method });
    t.is(answer.status, 400, method);
    t.deepEqual(faultsIn(answer), ['method']);
  }
  const page = await visit(payer.own, payer.path);
  t.regex(page.body, new RegExp(`id="method-${old}"[^>]* disabled`));
  t.regex(page.body, /expired 12\/2026/);
  t.is(await booksOf(payer), `charges none; open 10.00 USD; ${NOTHING}`);
});

test('the box saves the card as the first one, once it is paid, and says what it replaces', async (t) => {
  const payer = await payerOf(api);
  await invoiced(payer, '10.00');
  t.regex(
    (await visit(payer.own, payer.path)).body,
    /> Save this card, and charge|>Save this card, and/,
  );
  await onFile(payer, 1, { number: '5555555555554444' });
  const page = await visit(payer.own, payer.path);
  t.regex(page.body, /Save this card in place of MasterCard ending in 4444/);
  t.false(/id="savePaymentMethod"[^>]* checked/.test(page.body));
  paymentOf(t, payer, await pay(payer, { ...declining, savePaymentMethod: 'true' }));
  t.is(await filedOf(payer), '1 4444');
  paymentOf(t, payer, await pay(payer, { ...card, savePaymentMethod: 'true' }));
  t.is(await filedOf(payer), '1 1111');
});

test('a card at fault shows the form again, without number, expiry and code', async (t) => {
  const payer = await payerOf(api);
  await invoiced(payer, '10.00');
  const typed = { ...card, cardNumber: '4111111111111112', cvv: '12', savePaymentMethod: 'true' };
  const answer = await pay(payer, typed);
  t.is(answer.status, 400);
  t.deepEqual(faultsIn(answer), ['cardNumber', 'cvv']);
  t.is(valueIn(answer, 'cardNumber'), '');
  t.is(valueIn(answer, 'cvv'), '');
  t.is(valueIn(answer, 'expiryMonth'), '');
  t.is(valueIn(answer, 'cardholderName'), 'Ada Field');
  t.regex(answer.body, /id="savePaymentMethod"[^>]* checked/);
  t.false(answer.body.includes('4111'));
  t.is(await booksOf(payer), `charges none; open 10.00 USD; ${NOTHING}`);
});

test('no invoice, another customer’s, or none that exists is 409, and stores nothing', async (t) => {
  const payer = await payerOf(api);
  const mine = await invoiced(payer, '10.00');
  const bea = await customerOf(payer.own, 'Bea');
  const hers = await invoiced({ own: payer.own, id: bea }, '10.00');
  const fields = hiddenIn(await visit(payer.own, payer.path));
  const { formKey = '', currency = '' } = fields;
  for (const [boxes, total, status] of [
    [{}, '0', 400],
    [boxOf(hers, '10.00'), '10.00', 409],
    [{ ...boxOf(mine, '10.00'), ...boxOf(hers, '10.00') }, '20.00', 409],
    [boxOf('1', '10.00'), '10.00', 409],
    [boxOf(`${mine} or true`, '10.00'), '10.00', 400],
    [boxOf(mine, '10 or true'), '10.00', 400],
  ] as const) {
    const answer = await send(payer, { formKey, currency, ...card, ...boxes, total });
    t.is(answer.status, status, JSON.stringify(boxes));
    t.false(answer.body.includes(`invoice-${hers}`));
  }
  const page = await visit(payer.own, `${payer.path}?invoice=${hers}`);
  t.is(buttonIn(page), 'Pay $0.00');
  t.is(await booksOf(payer), `charges none; open 10.00 USD, 10.00 USD; ${NOTHING}`);
});

test('the page is 403 if payments are off, and needs its own form', async (t) => {
  const off = await payerOf(api, {}, { allowPayments: 'false' });
  t.is((await visit(off.own, off.path)).status, 403);
  t.is((await send(off, { formKey: 'x', ...card })).status, 403);
  const payer = await payerOf(api);
  await invoiced(payer, '10.00');
  const fields = hiddenIn(await visit(payer.own, payer.path));
  const other = await sessionOf(payer.own, payer.id);
  t.is((await send({ ...payer, ...other }, { ...fields, ...card })).status, 403);
  t.is((await send(payer, { ...fields, ...card, formKey: 'x' })).status, 403);
  t.is(await booksOf(payer), `charges none; open 10.00 USD; ${NOTHING}`);
});

test('an ended session leads to the login, and nothing is paid', async (t) => {
  const payer = await payerOf(api);
  await invoiced(payer, '10.00');
  const fields = hiddenIn(await visit(payer.own, payer.path));
  await setTimes(payer.own, `ended_at = now() - interval '1 second'`);
  const answer = await submit(payer.own, payer.path, { ...fields, ...card });
  t.is(answer.status, 303);
  t.is(answer.headers.location, `${SITE}/login`);
  t.is(await booksOf(payer), `charges none; open 10.00 USD; ${NOTHING}`);
});

test('the third decline of a session ends its payments; another session pays', async (t) => {
  const payer = await payerOf(api);
  await invoiced(payer, '10.00');
  const kept = hiddenIn(await visit(payer.own, payer.path));
  for (const _ of [1, 2, 3]) paymentOf(t, payer, await pay(payer, declining));
  const [session] = await sessionsOf(payer.own);
  t.is(session?.['declines'], 3);
  const page = await visit(payer.own, payer.path);
  t.regex(String(problemIn(page)), /^Three payments were declined\./);
  t.is(buttonIn(page), undefined);
  const answer = await send(payer, { ...kept, ...card });
  t.is(answer.status, 429);
  t.regex(String(problemIn(answer)), /^Three payments were declined\./);
  t.regex(await booksOf(payer), /charges Declined 10.00, Declined 10.00, Declined 10.00; open/);
  const fresh = { ...payer, ...(await sessionOf(payer.own, payer.id)) };
  paymentOf(t, fresh, await pay(fresh, card));
});

test('ten declines of a customer in a day are 429 in every session, until the day is over', async (t) => {
  const payer = await payerOf(api);
  await invoiced(payer, '10.00');
  const [{ declines } = { declines: 0 }] = await payer.own.asOwner<{ declines: number }>(
    `insert into card_decline (tenant_id, network, customer_id, declined_at)
     select ${payer.own.tenantId}, 'x', ${payer.id}, now() - interval '23 hours'
     from generate_series(1, 9) returning 9 as declines`,
  );
  t.is(declines, 9);
  paymentOf(t, payer, await pay(payer, declining));
  const answer = await pay(payer, card);
  t.is(answer.status, 429, answer.body);
  const wait = Number(answer.headers['retry-after']);
  t.true(wait > 3_500 && wait <= 3_600, `${wait}: a day after the tenth newest`);
  const fresh = { ...payer, ...(await sessionOf(payer.own, payer.id)) };
  t.is((await pay(fresh, card)).status, 429);
  await payer.own.asOwner(
    `update card_decline set declined_at = declined_at - interval '25 hours'
     where tenant_id = ${payer.own.tenantId}`,
  );
  paymentOf(t, payer, await pay(payer, card));
});
