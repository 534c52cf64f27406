/** Payers of pages whom the gateway asks: they are led on, come back, and only then have paid. */
import test from 'ava';
import type { Received } from '../support.ts';
import { keyIn, submit } from '../signups/page-calls.ts';
import { openSelfService, visit } from './calls.ts';
import { booksOf, card, filedOf, formIn, invoiced, pay, payerOf, type Payer } from './pay-calls.ts';

const api = await openSelfService();
const always = { ...card, cardNumber: '4000002760003184' };
const poor = { ...card, cardNumber: '4000008260003178' };
const onFile = { ...card, cardNumber: '4000002500003155' };

const pathOf = ({ headers }: Received): string => {
  const { pathname, search } = new URL(String(headers.location), 'http://x.example');
  return pathname + search;
};

/** Goes to the page of the payment, and from there to the sandbox's. */
async function led({ own }: Payer, answer: Received): Promise<{ payment: string; there: string }> {
  const payment = pathOf(answer);
  const page = await visit(own, payment);
  return { payment, there: pathOf(page) };
}

/** Presses a button of the sandbox's page; the answer leads back. */
async function answers({ own }: Payer, there: string, answer: string): Promise<Received> {
  const page = await visit(own, there);
  return submit(own, there, { formKey: keyIn(page), answer });
}

test('a card that asks leads to the page of the sandbox, and is charged once it is confirmed', async (t) => {
  const payer = await payerOf(api);
  await invoiced(payer, '44.10');
  const { payment, there } = await led(payer, await pay(payer, always));
  t.regex(there, /^\/sandbox\/[\w-]{43}$/);
  t.regex(await booksOf(payer), /^ActionRequired 44\.10 USD; charges Asks 44\.10; open 44\.10 USD/);
  const page = await visit(payer.own, there);
  t.regex(page.body, /\$44\.10/);
  t.regex(page.body, /name="answer" value="confirm"/);
  t.regex(page.body, /name="answer" value="refuse"/);
  const back = await answers(payer, there, 'confirm');
  t.is(back.status, 303);
  t.is(pathOf(back), payment);
  t.regex((await visit(payer.own, payment)).body, /We have received your payment/);
  t.regex(await booksOf(payer), /^Paid 44\.10 USD; charges Approved 44\.10; open none/);
});

test('whoever comes back without an answer is led on again, to the same page', async (t) => {
  const payer = await payerOf(api);
  await invoiced(payer, '10.00');
  const { payment, there } = await led(payer, await pay(payer, always));
  t.is(pathOf(await visit(payer.own, payment)), there);
  t.is(pathOf(await visit(payer.own, payment)), there);
  t.regex(await booksOf(payer), /charges Asks 10\.00/);
});

test('refused, nothing is charged, and the session has a declined card', async (t) => {
  const payer = await payerOf(api);
  await invoiced(payer, '10.00');
  const { payment, there } = await led(payer, await pay(payer, always));
  await answers(payer, there, 'refuse');
  t.regex((await visit(payer.own, payment)).body, /Your payment was declined/);
  t.regex(await booksOf(payer), /^Declined 10\.00 USD; charges Declined 10\.00; open 10\.00 USD/);
  const [session] = await payer.own.asOwner(
    `select declines from self_service_session where tenant_id = ${payer.own.tenantId}`,
  );
  t.deepEqual(session, { declines: 1 });
});

test('confirmed without funds, it is declined, and a second answer changes nothing', async (t) => {
  const payer = await payerOf(api);
  await invoiced(payer, '10.00');
  const { payment, there } = await led(payer, await pay(payer, poor));
  await answers(payer, there, 'confirm');
  await visit(payer.own, payment);
  const again = await visit(payer.own, there);
  t.regex(again.body, /This was answered, or is over/);
  t.notRegex(again.body, /name="answer"/);
  t.regex(await booksOf(payer), /^Declined 10\.00 USD/);
});

test('two tabs: the second pays the same invoice, and ends what waits of the first', async (t) => {
  const payer = await payerOf(api);
  await invoiced(payer, '10.00');
  const first = await led(payer, await pay(payer, always));
  const page = await visit(payer.own, payer.path);
  t.regex(page.body, /waits for your confirmation/);
  await pay(payer, card);
  await answers(payer, first.there, 'confirm');
  await visit(payer.own, first.payment);
  t.regex(
    await booksOf(payer),
    /^Canceled 10\.00 USD, Paid 10\.00 USD; charges Declined 10\.00, Approved 10\.00; open none/,
  );
});

test('two tabs: what the first has confirmed is Paid, and the second charges nobody', async (t) => {
  const payer = await payerOf(api);
  await invoiced(payer, '10.00');
  const first = await led(payer, await pay(payer, always));
  await answers(payer, first.there, 'confirm');
  await pay(payer, card);
  t.regex(
    await booksOf(payer),
    /^Paid 10\.00 USD, Canceled 10\.00 USD; charges Approved 10\.00; open none/,
  );
});

const cardForm = { ...onFile, preference: '1' };

async function saved(payer: Payer, fields: Readonly<Record<string, string>>): Promise<Received> {
  const path = `${payer.home}/card`;
  const page = await visit(payer.own, path);
  return submit(payer.own, path, { formKey: keyIn({ ...page, body: formIn(page) }), ...fields });
}

test('a card that asks is on file only once it is confirmed', async (t) => {
  const payer = await payerOf(api);
  const answer = await saved(payer, cardForm);
  t.is(answer.status, 303, answer.body);
  const { payment: confirm, there } = await led(payer, answer);
  t.is(await filedOf(payer), 'none');
  t.regex((await visit(payer.own, there)).body, /A card is put on file/);
  const back = await answers(payer, there, 'confirm');
  t.is(pathOf(back), confirm);
  t.is(pathOf(await visit(payer.own, confirm)), `${payer.home}/card?saved=1`);
  t.not(await filedOf(payer), 'none');
  // Whoever comes twice finds it so.
  t.is(pathOf(await visit(payer.own, confirm)), `${payer.home}/card?saved=1`);
});

test('refused, the form is shown again with 400, and nothing is on file', async (t) => {
  const payer = await payerOf(api);
  const { payment: confirm, there } = await led(payer, await saved(payer, cardForm));
  await answers(payer, there, 'refuse');
  const page = await visit(payer.own, confirm);
  t.is(page.status, 400);
  t.is(await filedOf(payer), 'none');
});

test('the secrets of pages are in no row', async (t) => {
  const payer = await payerOf(api);
  await invoiced(payer, '10.00');
  const { there } = await led(payer, await pay(payer, always));
  const rows = await payer.own.asOwner<{ text: string }>(
    `select p::text as text from payment p where tenant_id = ${payer.own.tenantId}
     union all select c::text from sandbox_challenge c where tenant_id = ${payer.own.tenantId}`,
  );
  const all = rows.map(({ text }) => text).join('\n');
  for (const path of [payer.home, there]) {
    t.false(all.includes(path.split('/').at(-1) ?? 'x'), path);
  }
});
