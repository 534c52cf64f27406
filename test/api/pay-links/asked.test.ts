/** A card whose gateway asks for its payer: the page leads there, and the payer comes back to it. */
import test from 'ava';
import { openSelfService, visit } from '../self-service/calls.ts';
import { buttonIn, problemIn } from '../self-service/pay-calls.ts';
import { keyIn, submit } from '../signups/page-calls.ts';
import type { Received } from '../support.ts';
import {
  books,
  card,
  declinesOf,
  follow,
  keyOf,
  linked,
  pay,
  send,
  show,
  type Linked,
} from './calls.ts';

const api = await openSelfService();

const asking = { ...card, cardNumber: '4000002760003184' } as const;
const thenDeclined = { ...card, cardNumber: '4000008260003178' } as const;

const pathIn = ({ headers }: Received): string => {
  const { pathname, search } = new URL(String(headers.location), 'http://own.localhost');
  return pathname + search;
};

/** The payer answers on the page of the sandbox, and is led back to that of the link. */
async function answered({ own }: Linked, there: string, answer: string): Promise<Received> {
  const page = await visit(own, there);
  const back = await submit(own, there, { formKey: keyIn(page), answer });
  return visit(own, pathIn(back));
}

/** Posts the form, and follows it to the page of the sandbox. */
async function ledOn(link: Linked, fields: typeof asking | typeof thenDeclined): Promise<string> {
  const made = await pay(link, fields);
  const led = await follow(link, made);
  return pathIn(led);
}

test('a card that asks is charged once its payer has confirmed, and the page says so', async (t) => {
  const link = await linked(api);
  const there = await ledOn(link, asking);
  t.regex(there, /^\/sandbox\/[\w-]{43}$/);
  t.regex(await books(link), /^ActionRequired 81\.61 USD; .*open 81\.61 USD; made 1/);
  const thanks = await answered(link, there, 'confirm');
  t.regex(thanks.body, /We have received your payment\. Thank you\./);
  t.regex(await books(link), /^Paid 81\.61 USD; .*open none; made 1/);
  t.is(await declinesOf(link.own), '0 of invoices, 0 of customers');
});

test('refused by the payer, or declined then, it is a decline of the invoice', async (t) => {
  const refusing = await linked(api);
  const page = await answered(refusing, await ledOn(refusing, asking), 'refuse');
  t.regex(String(problemIn(page)), /^Your card was declined, and nothing was charged\./);
  t.is(buttonIn(page), 'Pay $81.61');
  t.is(await declinesOf(refusing.own), '1 of invoices, 0 of customers');
  const declined = await linked(api);
  const after = await answered(declined, await ledOn(declined, thenDeclined), 'confirm');
  t.regex(String(problemIn(after)), /^Your card was declined/);
  t.is(await declinesOf(declined.own), '1 of invoices, 0 of customers');
});

test('who comes to the link meanwhile is told, and pays: what waited ends, and is never charged', async (t) => {
  const link = await linked(api);
  const there = await ledOn(link, asking);
  const page = await show(link);
  t.regex(page.body, /waits for its payer to confirm it/);
  t.is(buttonIn(page), 'Pay $81.61');
  t.is((await send(link, { formKey: keyOf(page), ...card })).status, 303);
  t.regex(await books(link), /open none; made 2/);
  // Its own page is over, and has no button any more.
  t.is(keyIn(await visit(link.own, there)), '');
  t.regex((await show(link)).body, /This invoice is paid\. Thank you\./);
  const [row] = await link.own.asOwner<{ text: string }>(
    `select string_agg(status, ' ' order by id) as text from payment
     where tenant_id = ${link.own.tenantId}`,
  );
  t.is(row?.text, 'Canceled Paid');
});
