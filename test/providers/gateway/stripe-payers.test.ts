/**
 * Payers at Stripe: present, absent, asked, and what becomes of it, at a double that checks each
 * request against Stripe's description of its interface.
 */
import test, { type ExecutionContext } from 'ava';
import type { ChargeCall, ConfirmCall, WaitingCall } from '../../../providers/gateway/gateway.ts';
import { createStripe } from '../../../providers/gateway/stripe/stripe.ts';
import { type StripeDouble, startStripeDouble } from '../../support/stripe/double.ts';
import { askedFor, chargeOf, endless, failure, validationOf } from './support.ts';

const ASKS_UNLESS_SET_UP = '4000002500003155';
const ASKS = '4000002760003184';
const ASKS_THEN_DECLINES = '4000008260003178';
const APPROVES = '4242424242424242';
const returnUrl = 'http://demo.localhost/pay';

const cardOf = (number: string) => ({ type: 'card', number }) as const;
const present = { payer: 'present', returnUrl } as const;

async function open(t: ExecutionContext) {
  const double = await startStripeDouble();
  t.teardown(() => double.stop());
  const stripe = createStripe({
    secretKey: 'sk_test_1',
    timeLimitMs: 60_000,
    apiUrl: double.url,
  });
  const charge = (key: string, token: string, more: Partial<ChargeCall> = {}) =>
    stripe.charge({ ...chargeOf(key, token), methodType: 'Token', ...more }, endless);
  return { ...double, double, stripe, charge };
}

/** On file, after a charge whose payer was present. */
async function onFile({ double, charge }: Awaited<ReturnType<typeof open>>, number: string) {
  const token = double.token(cardOf(number), { saves: true });
  const asked = await charge(`file/${number}`, token, { ...present, savesMethod: true });
  if (asked.outcome === 'asks') double.act(asked.transactionId ?? '', 'approve');
  return asked.method?.token ?? '';
}

const waiting = (key: string, madeAs: string | null): WaitingCall => ({
  ...askedFor(key),
  operation: 'charge',
  madeAs: madeAs ?? '',
});

const confirming = (key: string, madeAs: string | null, token: string): ConfirmCall => ({
  ...waiting(key, madeAs),
  confirmationKey: `${key}/1`,
  token,
  methodType: 'Token',
  agreed: '12.50',
  returnUrl,
});

const sentTo = ({ requests }: Pick<StripeDouble, 'requests'>, line: string) =>
  requests.filter((request) => request.line === line);

test('with its payer a charge is confirmed on session, by what the page’s fields made', async (t) => {
  const { charge, double, requests, faults } = await open(t);
  const token = double.token(cardOf(APPROVES));
  const answer = await charge('k', token, present);
  t.like(answer, { outcome: 'approved', transactionId: 'pi_1' });
  t.deepEqual(answer.method, { token: 'pm_1', mandate: null });
  const [request] = sentTo({ requests }, 'POST /v1/payment_intents');
  t.is(request?.key, 'k');
  t.deepEqual(request?.parameters, {
    amount: '1250',
    currency: 'usd',
    description: 'Payment 1001',
    confirm: 'true',
    confirmation_token: token,
    expand: { 0: 'latest_charge' },
    metadata: { sundial_key: 'k' },
    payment_method_types: { 0: 'card' },
    return_url: returnUrl,
    use_stripe_sdk: 'true',
  });
  t.is(sentTo({ requests }, 'POST /v1/customers').length, 0);
  t.is(double.world.methods.get('pm_1')?.customer, null);
  t.deepEqual(faults, []);
});

test('a method that is saved gets a customer of its own as it is charged', async (t) => {
  const { charge, double, requests, faults } = await open(t);
  const token = double.token(cardOf(APPROVES), { saves: true });
  const answer = await charge('k', token, { ...present, savesMethod: true });
  t.deepEqual(answer.method, { token: 'cus_1/pm_1', mandate: null });
  const [request] = sentTo({ requests }, 'POST /v1/payment_intents');
  t.like(request?.parameters, { customer: 'cus_1', setup_future_usage: 'off_session' });
  t.is(double.world.methods.get('pm_1')?.customer, 'cus_1');
  const later = await charge('later', 'cus_1/pm_1', { savesMethod: true });
  t.is(later.outcome, 'approved');
  t.deepEqual(later.method, undefined);
  const [, second] = sentTo({ requests }, 'POST /v1/payment_intents');
  t.like(second?.parameters, { off_session: 'true', payment_method: 'pm_1', customer: 'cus_1' });
  for (const name of ['use_stripe_sdk', 'return_url', 'setup_future_usage']) {
    t.is(second?.parameters[name], undefined, name);
  }
  t.deepEqual(faults, []);
});

test('a present payer is asked, and the charge is what the challenge made of it', async (t) => {
  const { charge, double, stripe, faults } = await open(t);
  const cases = [
    [ASKS, 'approve', 'approved', '0'],
    [ASKS, 'refuse', 'declined', 'authentication_failed'],
    [ASKS_THEN_DECLINES, 'approve', 'declined', 'insufficient_funds'],
    [ASKS_UNLESS_SET_UP, 'approve', 'approved', '0'],
  ] as const;
  for (const [number, does, outcome, errorCode] of cases) {
    const key = `${number}/${does}`;
    const token = double.token(cardOf(number));
    const asked = await charge(key, token, present);
    t.is(asked.outcome, 'asks');
    const { transactionId: madeAs } = asked;
    const challenge = await stripe.challenge(waiting(key, madeAs), endless);
    t.is(challenge?.kind, 'script');
    const known = { ...waiting(key, madeAs), token };
    t.like(await stripe.status('charge', known, endless), { outcome: 'asks' });
    double.act(madeAs ?? '', does);
    t.is(await stripe.challenge(waiting(key, madeAs), endless), null);
    t.like(await stripe.status('charge', known, endless), { outcome, errorCode }, key);
  }
  t.deepEqual(faults, []);
});

test('without its payer a charge asks, and Stripe leaves the intent to be confirmed', async (t) => {
  const it = await open(t);
  const { charge, stripe, double, faults } = it;
  const token = await onFile(it, ASKS);
  const asked = await charge('k', token, { savesMethod: true });
  t.like(asked, { outcome: 'asks', errorCode: 'asks', isHardDecline: false });
  const { transactionId: madeAs } = asked;
  const intent = double.world.intents.get(madeAs ?? '');
  t.is(intent?.status, 'requires_payment_method');
  t.is(await stripe.challenge(waiting('k', madeAs), endless), null);
  t.like(await stripe.status('charge', waiting('k', madeAs), endless), { outcome: 'asks' });
  // Its answer may have been lost.
  t.like(await stripe.status('charge', askedFor('k'), endless), {
    outcome: 'asks',
    transactionId: madeAs,
  });
  const confirmed = await stripe.confirm(confirming('k', madeAs, token), endless);
  t.like(confirmed, { outcome: 'asks', transactionId: madeAs });
  const [request] = sentTo(double, `POST /v1/payment_intents/${madeAs}/confirm`);
  t.is(request?.key, 'k/1');
  const method = token.split('/')[1];
  t.deepEqual(request?.parameters, {
    payment_method: method,
    use_stripe_sdk: 'true',
    return_url: returnUrl,
    expand: { 0: 'latest_charge' },
  });
  // Another tab: the challenge is open already, and is not begun anew.
  const again = { ...confirming('k', madeAs, token), confirmationKey: 'k/2' };
  t.like(await stripe.confirm(again, endless), { outcome: 'asks' });
  t.is(intent?.confirmations, 2);
  double.act(madeAs ?? '', 'approve');
  t.like(await stripe.status('charge', waiting('k', madeAs), endless), { outcome: 'approved' });
  t.like(await stripe.confirm(again, endless), { outcome: 'approved', transactionId: madeAs });
  t.is(intent?.confirmations, 2);
  t.is(double.intents().length, 2);
  t.deepEqual(faults, []);
});

test('a card that a confirmed page put on file approves without its payer', async (t) => {
  const it = await open(t);
  const token = await onFile(it, ASKS_UNLESS_SET_UP);
  t.is((await it.charge('k', token, { savesMethod: true })).outcome, 'approved');
  t.deepEqual(it.faults, []);
});

test('a confirmation whose answer was lost is asked for by its key, and confirms once', async (t) => {
  const it = await open(t);
  const { charge, stripe, double } = it;
  const token = await onFile(it, ASKS);
  const { transactionId: madeAs } = await charge('k', token, { savesMethod: true });
  double.loseAnswer(`POST /v1/payment_intents/${madeAs}/confirm`);
  const call = confirming('k', madeAs, token);
  t.is(await failure(stripe.confirm(call, endless)), 'unknown connection');
  t.like(await stripe.confirm(call, endless), { outcome: 'asks', transactionId: madeAs });
  t.is(double.world.intents.get(madeAs ?? '')?.confirmations, 2);
});

test('a payer may agree to less, which is what is charged', async (t) => {
  const it = await open(t);
  const { charge, stripe, double, faults } = it;
  const token = await onFile(it, ASKS);
  const { transactionId: madeAs } = await charge('k', token, { savesMethod: true });
  const call = { ...confirming('k', madeAs, token), agreed: '7.25', mayBeLess: true };
  t.like(await stripe.confirm(call, endless), { outcome: 'asks' });
  double.act(madeAs ?? '', 'approve');
  const known = { ...waiting('k', madeAs), mayBeLess: true };
  t.like(await stripe.status('charge', known, endless), { outcome: 'approved', charged: '7.25' });
  await t.throwsAsync(stripe.status('charge', waiting('k', madeAs), endless), {
    message: /a payment over 725 of the smallest unit of USD/,
  });
  t.deepEqual(faults, []);
});

test('what waits is ended without a charge, and what is paid by then is told', async (t) => {
  const it = await open(t);
  const { charge, stripe, double } = it;
  const token = await onFile(it, ASKS);
  const absent = await charge('a', token, { savesMethod: true });
  const ended = await stripe.end(waiting('a', absent.transactionId), endless);
  t.like(ended, { outcome: 'declined', errorCode: 'authentication_required' });
  t.is(double.world.intents.get(absent.transactionId ?? '')?.status, 'canceled');
  t.like(await stripe.end(waiting('a', absent.transactionId), endless), { outcome: 'declined' });
  const called = confirming('a', absent.transactionId, token);
  t.like(await stripe.confirm(called, endless), { outcome: 'declined' });
  const there = await charge('b', token, { ...present, savesMethod: true });
  double.act(there.transactionId ?? '', 'approve');
  t.like(await stripe.end(waiting('b', there.transactionId), endless), { outcome: 'approved' });
  const refused = await charge('c', token, { ...present, savesMethod: true });
  double.act(refused.transactionId ?? '', 'refuse');
  const after = await stripe.end(waiting('c', refused.transactionId), endless);
  t.like(after, { outcome: 'declined', errorCode: 'authentication_failed' });
});

test('an end whose answer was lost can be asked for again', async (t) => {
  const it = await open(t);
  const token = await onFile(it, ASKS);
  const { transactionId: madeAs } = await it.charge('k', token, { savesMethod: true });
  it.double.loseAnswer(`POST /v1/payment_intents/${madeAs}/cancel`);
  t.is(await failure(it.stripe.end(waiting('k', madeAs), endless)), 'unknown connection');
  t.like(await it.stripe.end(waiting('k', madeAs), endless), { outcome: 'declined' });
});

test('a charge whose answer was lost is found by our key, with the method that it made', async (t) => {
  const { charge, double, stripe } = await open(t);
  const token = double.token(cardOf(ASKS), { saves: true });
  double.loseAnswer('POST /v1/payment_intents');
  const call = charge('k', token, { ...present, savesMethod: true });
  t.is(await failure(call), 'unknown connection');
  const found = await stripe.status('charge', { ...askedFor('k'), token }, endless);
  if (typeof found === 'string') return t.fail(found);
  t.like(found, { outcome: 'asks', transactionId: 'pi_1' });
  t.deepEqual(found.method, { token: 'cus_1/pm_1', mandate: null });
  // Under its key Stripe would have repeated the answer.
  t.like(await charge('k', token, { ...present, savesMethod: true }), { transactionId: 'pi_1' });
  t.is(double.intents().length, 1);
});

test('a method is put on file alone by a setup intent, which asks its payer as well', async (t) => {
  const { stripe, double, requests, faults } = await open(t);
  const cases = [
    [APPROVES, null, 'approved', '0'],
    [ASKS, 'approve', 'approved', '0'],
    [ASKS, 'refuse', 'declined', 'authentication_failed'],
  ] as const;
  for (const [index, [number, does, outcome, errorCode]] of cases.entries()) {
    const token = double.token(cardOf(number), { saves: true });
    const key = `v/${index}`;
    const call = { ...validationOf(key, token), ...present };
    const first = await stripe.validate(call, endless);
    const customer = `cus_${index + 1}`;
    t.deepEqual(first.method, { token: `${customer}/pm_${index + 1}`, mandate: null });
    t.is(first.outcome, does === null ? 'approved' : 'asks');
    const madeAs = first.transactionId ?? '';
    const known = { ...askedFor(key, '0'), operation: 'validate', madeAs, token } as const;
    if (does !== null) {
      t.is((await stripe.challenge(known, endless))?.kind, 'script');
      double.act(madeAs, does);
    }
    t.like(await stripe.status('validate', known, endless), { outcome, errorCode });
    const isKept = outcome === 'approved';
    t.is(double.world.methods.get(`pm_${index + 1}`)?.customer, isKept ? customer : null);
  }
  t.like(sentTo({ requests }, 'POST /v1/setup_intents')[0]?.parameters, {
    confirm: 'true',
    usage: 'off_session',
    use_stripe_sdk: 'true',
    return_url: returnUrl,
    customer: 'cus_1',
    metadata: { sundial_key: 'v/0' },
  });
  t.deepEqual(faults, []);
});

test('without its payer a validation asks, and can be ended', async (t) => {
  const { stripe, double, faults } = await open(t);
  const token = double.method(cardOf(ASKS));
  const asked = await stripe.validate(validationOf('v', token), endless);
  t.is(asked.outcome, 'asks');
  const madeAs = asked.transactionId ?? '';
  const call = { ...askedFor('v', '0'), operation: 'validate', madeAs } as const;
  t.like(await stripe.end(call, endless), { outcome: 'declined' });
  t.is(double.world.intents.get(madeAs)?.status, 'canceled');
  t.deepEqual(faults, []);
});

test('what a page’s fields made is shown by its brand and its end, and is used once', async (t) => {
  const { stripe, double, charge } = await open(t);
  const expiry = [2, 2029] as const;
  const token = double.token({ ...cardOf('5555555555554444'), expiry });
  const shown = { type: 'CreditCard', brand: 'MasterCard', lastFour: '4444' };
  t.like(await stripe.entered(token, endless), { ...shown, token, expiry: '2029-02-28' });
  const method = double.method(cardOf(APPROVES));
  t.like(await stripe.entered(method, endless), { brand: 'Visa', lastFour: '4242', token: method });
  const debit = double.token({ type: 'sepa_debit', iban: 'DE89370400440532013000' });
  t.like(await stripe.entered(debit, endless), { type: 'Token', brand: null, lastFour: '3000' });
  t.is((await charge('k', token, present)).outcome, 'approved');
  // Its form may come twice: the same key is the same charge, and another one is refused.
  t.like(await stripe.entered(token, endless), shown);
  t.is((await charge('k', token, present)).transactionId, 'pi_1');
  t.is((await charge('another', token, present)).outcome, 'declined');
});

test('a method of somebody, and what is none, is taken from no page', async (t) => {
  const it = await open(t);
  const own = await onFile(it, APPROVES);
  const method = own.split('/')[1] ?? '';
  t.is(await failure(it.stripe.entered(method, endless)), 'invalid token_used token');
  for (const text of ['ctoken_none', 'pm_none', own, 'tok_ok', '4242424242424242', '']) {
    t.is(await failure(it.stripe.entered(text, endless)), 'invalid token_unknown token', text);
  }
});

test('a debit of a page is agreed to there, and settles after days', async (t) => {
  const { charge, double, stripe, requests, faults } = await open(t);
  const iban = 'DE89370400440532013000';
  const token = double.token({ type: 'sepa_debit', iban }, { saves: true });
  const euro = { currency: 'EUR', savesMethod: true } as const;
  const taken = await charge('k', token, { ...present, ...euro });
  t.is(taken.outcome, 'pending');
  t.deepEqual(taken.method, { token: 'cus_1/pm_1', mandate: 'mandate_1' });
  const [request] = sentTo({ requests }, 'POST /v1/payment_intents');
  t.is(request?.parameters['mandate_data'], undefined);
  const known = { ...askedFor('k'), currency: 'EUR', madeAs: 'pi_1' };
  t.like(await stripe.status('charge', known, endless), { outcome: 'pending' });
  double.settle('pi_1', null);
  t.like(await stripe.status('charge', known, endless), { outcome: 'approved' });
  const later = await charge('l', 'cus_1/pm_1', { ...euro, mandate: 'mandate_1' });
  t.is(later.outcome, 'pending');
  t.is(sentTo({ requests }, 'POST /v1/payment_intents')[1]?.parameters['mandate'], 'mandate_1');
  double.settle(later.transactionId ?? '', 'insufficient_funds');
  const failed = { ...known, idempotencyKey: 'l', madeAs: later.transactionId };
  t.like(await stripe.status('charge', failed, endless), {
    outcome: 'declined',
    errorCode: 'insufficient_funds',
  });
  t.deepEqual(faults, []);
});

test('the double takes no parameter that Stripe does not have', async (t) => {
  const { url } = await open(t);
  const send = async (parameters: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams(parameters);
    const { status } = await fetch(`${url}/v1/payment_intents`, { method: 'POST', body });
    return status;
  };
  const good = { amount: '100', currency: 'usd', 'payment_method_types[0]': 'card' };
  t.is(await send(good), 200);
  for (const more of [
    { payer: 'present' },
    { amount: '1.00' },
    { off_session: 'yes', confirm: 'true' },
    { setup_future_usage: 'later' },
    { return_url: 'http://demo.localhost' },
    { 'metadata[a][b]': 'c' },
  ]) {
    t.is(await send({ ...good, ...more }), 400, JSON.stringify(more));
  }
});

test('an American account of a page is verified at once, and no other method says how', async (t) => {
  const { charge, stripe, double, requests, faults } = await open(t);
  const account = () => double.token({ type: 'us_bank_account', account: '000123456789' });
  t.like(await charge('k', account(), present), { outcome: 'pending' });
  const saving = { ...validationOf('v', account()), ...present };
  t.like(await stripe.validate(saving, endless), { outcome: 'approved' });
  await charge('c', double.token(cardOf(APPROVES)), present);
  const made = [
    ...sentTo({ requests }, 'POST /v1/payment_intents'),
    ...sentTo({ requests }, 'POST /v1/setup_intents'),
  ];
  const instant = { us_bank_account: { verification_method: 'instant' } };
  t.deepEqual(
    made.map(({ key, parameters }) => [key, parameters['payment_method_options']]),
    [
      ['k', instant],
      ['c', undefined],
      ['v', instant],
    ],
  );
  t.deepEqual(faults, []);
});
