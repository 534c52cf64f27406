/**
 * Pages of a tenant at Stripe: its fields stand in place of ours, and its form takes what they made.
 * Stripe is a double that checks each request.
 */
import test, { type ExecutionContext } from 'ava';
import { type StripeDouble, startStripeDouble } from '../../support/stripe/double.ts';
import { wholeDatabase } from '../../providers/gateway/support.ts';
import { submit } from '../signups/page-calls.ts';
import type { Received } from '../support.ts';
import { visit, withProfiles } from './calls.ts';
import {
  filedOf,
  formIn,
  hiddenIn,
  invoiced,
  keyOf,
  pay,
  payerOf,
  problemIn,
  type Payer,
} from './pay-calls.ts';
import { startTenantApi } from '../tenant-api.ts';

const api = await startTenantApi(withProfiles);

const OURS = /name="(cardNumber|expiryMonth|expiryYear|cvv|cardholderName|iban|accountNumber)"/;
const card = { type: 'card', number: '4242424242424242' } as const;

interface StripePayer extends Payer {
  readonly double: StripeDouble;
}

async function stripePayer(
  t: ExecutionContext,
  more: Readonly<Record<string, unknown>> = {},
): Promise<StripePayer> {
  const double = await startStripeDouble();
  t.teardown(() => double.stop());
  const gateway = {
    type: 'stripe',
    secretKey: 'sk_test_1',
    publishableKey: 'pk_test_1',
    url: double.url,
    ...more,
  };
  const payer = await payerOf(api, { file: { ...withProfiles.file, gateway } });
  return { ...payer, double };
}

const settingsIn = (page: Received): Readonly<Record<string, unknown>> => {
  const [, text = '{}'] = /data-gateway="([^"]*)"/.exec(page.body) ?? [];
  return JSON.parse(text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) as never;
};

const policyOf = ({ headers }: Received): string => String(headers['content-security-policy']);

const directive = (page: Received, name: string): string | undefined =>
  policyOf(page)
    .split('; ')
    .find((each) => each.startsWith(`${name} `));

test('no field of such a page takes a number, and it says that a script is needed', async (t) => {
  const payer = await stripePayer(t);
  await invoiced(payer, '44.10');
  const page = await visit(payer.own, payer.path);
  t.notRegex(formIn(page), OURS);
  t.regex(formIn(page), /<input type="hidden" name="gatewayToken" value=""/);
  t.regex(formIn(page), /<noscript><p class="error">Payment details are entered into fields/);
  t.like(settingsIn(page), {
    script: 'https://js.stripe.com/endive/stripe.js',
    key: 'pk_test_1',
    mode: 'payment',
    currency: 'usd',
    amount: 4_410,
    types: ['card'],
  });
  const cards = await visit(payer.own, `${payer.home}/card`);
  t.notRegex(cards.body, OURS);
  t.like(settingsIn(cards), { mode: 'setup', amount: null, isSaved: true });
});

test('the policy of these pages alone has Stripe’s addresses, or those of another script', async (t) => {
  const payer = await stripePayer(t);
  await invoiced(payer, '10.00');
  for (const path of [payer.path, `${payer.home}/card`]) {
    const page = await visit(payer.own, path);
    const js = 'https://js.stripe.com https://*.js.stripe.com';
    t.is(directive(page, 'script-src'), `script-src 'self' ${js}`);
    t.is(directive(page, 'frame-src'), `frame-src ${js} https://hooks.stripe.com`);
    t.is(directive(page, 'connect-src'), "connect-src 'self' https://api.stripe.com");
  }
  const others = await visit(payer.own, payer.home);
  t.is(directive(others, 'script-src'), "script-src 'self'");
  t.is(directive(others, 'connect-src'), "connect-src 'self'");
  t.is(directive(others, 'frame-src'), undefined);
  const scriptUrl = `${payer.double.url}/stripe.js`;
  const own = await stripePayer(t, { scriptUrl });
  await invoiced(own, '10.00');
  const page = await visit(own.own, own.path);
  const { origin } = new URL(scriptUrl);
  t.is(directive(page, 'script-src'), `script-src 'self' ${origin}`);
  t.is(directive(page, 'frame-src'), `frame-src ${origin}`);
  t.is(directive(page, 'connect-src'), `connect-src 'self' ${origin}`);
  t.is(settingsIn(page)['script'], scriptUrl);
  const sandbox = await payerOf(api);
  await invoiced(sandbox, '10.00');
  t.is(directive(await visit(sandbox.own, sandbox.path), 'script-src'), "script-src 'self'");
});

test('what the gateway’s fields made pays, and only that', async (t) => {
  const payer = await stripePayer(t);
  await invoiced(payer, '44.10');
  const { own, path, double } = payer;
  for (const gatewayToken of ['', 'tok_ok', '4242424242424242', 'ctoken_', 'cus_1/pm_1', 'pm_1;']) {
    const answer = await pay(payer, { method: 'new', gatewayToken });
    t.is(answer.status, 400, gatewayToken);
    t.is(problemIn(answer), 'Card: Please enter your payment details.', gatewayToken);
    t.false(answer.body.includes('4242424242424242'));
    t.regex(formIn(answer), /name="gatewayToken" value=""/);
    t.regex(policyOf(answer), /https:\/\/js\.stripe\.com/);
  }
  t.is(double.requests.length, 0);
  const unknown = await pay(payer, { method: 'new', gatewayToken: 'ctoken_99' });
  t.is(unknown.status, 400);
  t.regex(problemIn(unknown) ?? '', /This card was not accepted/);
  const token = double.token(card);
  const answer = await pay(payer, { method: 'new', gatewayToken: token });
  t.is(answer.status, 303, answer.body);
  const [paid] = await own.asOwner<{ text: string }>(
    `select concat_ws(' ', status, round(amount, 2), gateway, payment_method_context) as text
     from payment where tenant_id = ${own.tenantId}`,
  );
  t.is(paid?.text, 'Paid 44.10 stripe Visa - *****4242');
  t.is(double.intents().length, 1);
  t.deepEqual(double.faults, []);
  // Nobody else pays by it.
  await invoiced(payer, '5.00');
  const again = await submit(own, path, {
    ...hiddenIn(await visit(own, path)),
    method: 'new',
    gatewayToken: token,
  });
  t.is(again.status, 303);
  t.deepEqual(
    double.intents().map(({ status }) => status),
    ['succeeded'],
  );
});

test('a method is put on file by its page, and charged from there', async (t) => {
  const payer = await stripePayer(t);
  const path = `${payer.home}/card`;
  const { own, double } = payer;
  const formKey = keyOf(await visit(own, path));
  const gatewayToken = double.token(card, { saves: true });
  const answer = await submit(own, path, { formKey, preference: '1', gatewayToken });
  t.is(answer.status, 303, answer.body);
  t.is(await filedOf(payer), '1 4242');
  const [filed] = await own.asOwner<{ token: string }>(
    `select token from payment_method where tenant_id = ${own.tenantId}`,
  );
  t.is(filed?.token, 'cus_1/pm_1');
  t.deepEqual(double.faults, []);
});

test('a payer who is asked is shown the challenge, whose secret is in that page alone', async (t) => {
  const payer = await stripePayer(t);
  const { own, double } = payer;
  await invoiced(payer, '12.34');
  const token = double.token({ type: 'card', number: '4000002760003184' });
  const led = await pay(payer, { method: 'new', gatewayToken: token });
  t.is(led.status, 303, led.body);
  const address = String(led.headers.location);
  const asked = await visit(own, address);
  const [intent] = double.intents();
  t.is(intent?.status, 'requires_action');
  t.regex(asked.body, new RegExp(`data-challenge="[^"]*${intent?.secret}`));
  t.regex(policyOf(asked), /https:\/\/js\.stripe\.com/);
  t.notRegex(asked.body, /data-poll/);
  t.notRegex(await wholeDatabase(own.db, own.tenantId), /_secret_/);
  double.act(intent?.id ?? '', 'approve');
  const paid = await visit(own, address);
  t.regex(paid.body, /We have received your payment/);
  t.notRegex(paid.body, /_secret_/);
  t.notRegex(policyOf(paid), /stripe/);
  t.deepEqual(double.faults, []);
});

test('without a publishable key pages take no new method, and say so', async (t) => {
  const double = await startStripeDouble();
  t.teardown(() => double.stop());
  const gateway = { type: 'stripe', secretKey: 'sk_test_1', url: double.url };
  const payer = await payerOf(api, { file: { ...withProfiles.file, gateway } });
  await invoiced(payer, '10.00');
  const page = await visit(payer.own, payer.path);
  t.notRegex(page.body, OURS);
  t.regex(page.body, /New payment methods cannot be entered here at present/);
  t.is(directive(page, 'script-src'), "script-src 'self'");
  const answer = await pay(payer, { method: 'new', gatewayToken: 'pm_1' });
  t.is(answer.status, 400);
  const cards = await visit(payer.own, `${payer.home}/card`);
  t.regex(cards.body, /New payment methods cannot be entered here at present/);
  t.notRegex(cards.body, /name="preference"/);
  t.deepEqual(double.requests, []);
});
