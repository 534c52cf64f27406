/**
 * Stripe's own fields on hosted pages, as payers see them: a real browser shows our page in the frame of
 * a shop, and in it the frame of a double of Stripe.js, which is of another origin than both. Interface,
 * worker and engine are real; the double of Stripe's interface checks each request.
 */
import test, { type ExecutionContext } from 'ava';
import type { Frame } from 'playwright-core';
import { amount, pay, token } from '../../api/payments/bodies.ts';
import { startPath } from '../../api/signups/calls.ts';
import { hidden } from '../../api/signups/page-calls.ts';
import { valueOf } from '../../api/tenant-api.ts';
import { type StripeDouble, startStripeDouble } from '../../support/stripe/double.ts';
import { until } from '../../support/until.ts';
import { type Accounts, newAccounts } from './accounts.ts';
import { click, heading, part, press, says } from './acting.ts';
import { closePlace, openPlace, type Place } from './place.ts';
import { hasBrowser, isQuiet, look, openWindow, type Window } from './window.ts';

const browserTest = hasBrowser ? test.serial : test.serial.skip;

let place: Place;
let accounts: Accounts;
/** Of a tenant that debits accounts, too. */
let debiting: Accounts;
let double: StripeDouble;
let shared: Window;

test.before(async () => {
  if (!hasBrowser) return;
  [place, double] = await Promise.all([openPlace(), startStripeDouble()]);
  shared = await openWindow(place.browser);
  const gateway = {
    type: 'stripe',
    secretKey: 'sk_test_1',
    publishableKey: 'pk_test_1',
    actionDays: 3,
    url: double.url,
    scriptUrl: `${double.url}/stripe.js`,
  };
  accounts = await newAccounts(place, { gateway });
  debiting = await newAccounts(place, {
    gateway: { ...gateway, methods: ['card', 'sepa', 'usBankAccount'] },
    notifications: { from: 'billing@demo.example', enabled: ['debitNotice'] },
  });
});
test.after.always(closePlace);
test.after.always(() => double?.stop());

const APPROVES = '4242 4242 4242 4242';
const DECLINES = '4000 0000 0000 0002';
const ASKS = '4000 0027 6000 3184';
const ASKS_THEN_DECLINES = '4000 0082 6000 3178';
const PAID = 'We have received your payment. Thank you.';

/** The frame of Stripe's own fields. */
const fieldsOf = (frame: Frame) => frame.frameLocator('iframe[title="Secure payment input frame"]');

async function enterThere(frame: Frame, number: string): Promise<void> {
  const fields = fieldsOf(frame);
  await fields.locator('[name=number]').fill(number);
  await fields.locator('[name=expiry]').fill('12 / 34');
  await fields.locator('[name=cvc]').fill('123');
}

/** What the payer does in the window that Stripe opens over the page. */
const answer = (frame: Frame, name: 'Complete' | 'Fail' | 'Close'): Promise<void> =>
  frame.frameLocator('iframe[title="Authentication"]').getByRole('button', { name }).click();

async function partOf(ref: string, name: string, own: Window = shared): Promise<Frame> {
  const frame = await place.framed(await accounts.session(ref), own);
  await part(frame, name);
  return frame;
}

async function owing(ref: string, amount: string): Promise<void> {
  await accounts.customer(ref);
  await accounts.invoice(ref, amount);
}

/** What Stripe has charged, by amount. */
const charged = (units: number): number =>
  double.intents().filter(({ amount, status }) => amount === units && status === 'succeeded')
    .length;

function stripeIsContent(t: ExecutionContext): void {
  t.deepEqual(double.faults, []);
}

browserTest('an open invoice is paid by what is entered into Stripe’s fields', async (t) => {
  await owing('Pays', '51.01');
  const frame = await partOf('Pays', 'Pay now');
  await heading(frame, 'Pay invoices');
  await fieldsOf(frame).locator('[name=number]').waitFor();
  await look(t, frame);
  await press(frame, 'Pay $51.01');
  await says(frame, 'Your card number is incomplete.');
  await look(t, frame);
  t.is(await frame.locator('[name=gatewayToken]').inputValue(), '');
  await enterThere(frame, APPROVES);
  await press(frame, 'Pay $51.01');
  await says(frame, PAID);
  t.is(charged(5_101), 1);
  const [intent] = double.intents().filter(({ amount }) => amount === 5_101);
  t.is(intent?.customer, null);
  stripeIsContent(t);
  isQuiet(t, shared);
});

browserTest('a declined card charges nothing, and the next one pays and is saved', async (t) => {
  await owing('Declines', '51.02');
  const frame = await partOf('Declines', 'Pay now');
  await enterThere(frame, DECLINES);
  await press(frame, 'Pay $51.02');
  await heading(frame, 'Your payment was declined');
  t.is(charged(5_102), 0);
  await frame.getByRole('link', { name: 'Pay again' }).click();
  await heading(frame, 'Pay invoices');
  await enterThere(frame, APPROVES);
  await click(frame, frame.locator('[name=savePaymentMethod]'));
  await press(frame, 'Pay $51.02');
  await says(frame, PAID);
  t.is(charged(5_102), 1);
  await part(frame, 'Payment methods');
  await says(frame, 'Visa ending in 4242');
  stripeIsContent(t);
  isQuiet(t, shared);
});

browserTest('a card is put on file, and nothing is charged', async (t) => {
  await accounts.customer('Saves');
  const frame = await partOf('Saves', 'Payment methods');
  await fieldsOf(frame).locator('[name=number]').waitFor();
  await look(t, frame);
  await enterThere(frame, APPROVES);
  await press(frame, 'Save card');
  await says(frame, 'Your card has been saved.');
  await says(frame, 'Visa ending in 4242');
  const [setup] = double.intents().filter(({ kind }) => kind === 'setup');
  t.is(setup?.status, 'succeeded');
  stripeIsContent(t);
  isQuiet(t, shared);
});

browserTest('a visitor signs up by Stripe’s fields, and comes back to the shop', async (t) => {
  const { shop } = place;
  const addresses = { successURL: `${shop.origin}/ok`, failURL: `${shop.origin}/fail` };
  const mine = { ...hidden, extCustomerRef: 'S-1', email: 's1@field.example' };
  const body = await accounts.get(startPath({ format: 'xml', ...addresses, ...mine }));
  const frame = await place.framed(valueOf(body, 'url') ?? body, shared);
  await heading(frame, 'Review and pay');
  await fieldsOf(frame).locator('[name=number]').waitFor();
  await look(t, frame);
  await enterThere(frame, APPROVES);
  await press(frame, 'Order and pay');
  await frame.waitForURL((url) => url.origin === shop.origin && url.pathname === '/ok');
  const record = await accounts.get(`/signup/verify/${valueOf(body, 'tracking')}`);
  t.is(valueOf(record, 'status'), 'PROCESSED');
  t.is(valueOf(record, 'cardType'), 'Visa');
  stripeIsContent(t);
  isQuiet(t, shared);
});

browserTest('a script that comes late finds a page that waits for it', async (t) => {
  await owing('Waits', '51.03');
  const late = Promise.withResolvers<'comes'>();
  double.deliver(late.promise);
  const frame = await partOf('Waits', 'Pay now');
  await says(frame, 'The fields are loading …');
  await look(t, frame);
  late.resolve('comes');
  await enterThere(frame, APPROVES);
  await press(frame, 'Pay $51.03');
  await says(frame, PAID);
  t.is(charged(5_103), 1);
  isQuiet(t, shared);
});

browserTest('a script that never comes is told, and nothing is sent', async (t) => {
  await owing('Never', '51.04');
  double.deliver(Promise.resolve('never'));
  const frame = await partOf('Never', 'Pay now');
  await says(frame, 'The payment fields could not be loaded.');
  await look(t, frame);
  await press(frame, 'Pay $51.04');
  await until('the fault is in the list', async () =>
    (await frame.locator('#problems').innerText()).includes('could not be loaded'),
  );
  double.deliver(Promise.resolve('comes'));
  t.is(charged(5_104), 0);
});

browserTest('without a script the page says that one is needed', async (t) => {
  await owing('Bare', '51.05');
  const own = await openWindow(place.browser, { hasScript: false });
  const frame = await place.framed(`${await accounts.session('Bare')}/pay`, own);
  const note = await frame.locator('.gateway-fields noscript').textContent();
  t.regex(note ?? '', /Payment details are entered into fields of our payment provider/);
  await press(frame, 'Pay $51.05');
  await says(frame, 'Please enter your payment details.');
  t.is(charged(5_105), 0);
  await own.context.close();
});

browserTest(
  'a payer who is asked confirms in the window over the page, and has paid',
  async (t) => {
    await owing('Confirms', '51.06');
    const frame = await partOf('Confirms', 'Pay now');
    await enterThere(frame, ASKS);
    await press(frame, 'Pay $51.06');
    await answer(frame, 'Complete');
    await says(frame, PAID);
    t.is(charged(5_106), 1);
    stripeIsContent(t);
    isQuiet(t, shared);
  },
);

const refusals = [
  ['a payer who refuses', '51.07', ASKS, 'Fail'],
  ['a payer who closes the window', '51.08', ASKS, 'Close'],
  ['a card that is declined after it was confirmed', '51.09', ASKS_THEN_DECLINES, 'Complete'],
] as const;

for (const [who, amount, number, does] of refusals) {
  browserTest(`${who} has paid nothing, and may try another card`, async (t) => {
    const ref = `Refuses${amount}`;
    await owing(ref, amount);
    const frame = await partOf(ref, 'Pay now');
    await enterThere(frame, number);
    await press(frame, `Pay $${amount}`);
    await answer(frame, does);
    await heading(frame, 'Your payment was declined');
    t.is(charged(Number(amount.replace('.', ''))), 0);
    await frame.getByRole('link', { name: 'Pay again' }).click();
    await heading(frame, 'Pay invoices');
    await enterThere(frame, APPROVES);
    await press(frame, `Pay $${amount}`);
    await says(frame, PAID);
    t.is(charged(Number(amount.replace('.', ''))), 1);
    stripeIsContent(t);
    isQuiet(t, shared);
  });
}

browserTest(
  'a page that is opened again while the bank asks leads on to it once more',
  async (t) => {
    await owing('Returns', '51.10');
    const frame = await partOf('Returns', 'Pay now');
    await enterThere(frame, ASKS);
    await press(frame, 'Pay $51.10');
    const dialog = 'iframe[title="Authentication"]';
    await frame.frameLocator(dialog).getByRole('button', { name: 'Complete' }).waitFor();
    const again = await place.framed(frame.url(), shared);
    await answer(again, 'Complete');
    await says(again, PAID);
    t.is(charged(5_110), 1);
    stripeIsContent(t);
    isQuiet(t, shared);
  },
);

browserTest('a card that asks is on file once its payer has confirmed it', async (t) => {
  await accounts.customer('Keeps');
  const frame = await partOf('Keeps', 'Payment methods');
  await enterThere(frame, ASKS);
  await press(frame, 'Save card');
  await answer(frame, 'Fail');
  await says(frame, 'This card was not accepted.');
  await enterThere(frame, ASKS);
  await press(frame, 'Save card');
  await answer(frame, 'Complete');
  await says(frame, 'Your card has been saved.');
  await says(frame, 'Visa ending in 3184');
  stripeIsContent(t);
  isQuiet(t, shared);
});

browserTest('a sign-up whose bank asks is made once its visitor has confirmed', async (t) => {
  const { shop } = place;
  const addresses = { successURL: `${shop.origin}/ok`, failURL: `${shop.origin}/fail` };
  const mine = { ...hidden, extCustomerRef: 'S-2', email: 's2@field.example' };
  const body = await accounts.get(startPath({ format: 'xml', ...addresses, ...mine }));
  const frame = await place.framed(valueOf(body, 'url') ?? body, shared);
  await enterThere(frame, ASKS);
  await press(frame, 'Order and pay');
  await answer(frame, 'Complete');
  await frame.waitForURL((url) => url.origin === shop.origin && url.pathname === '/ok');
  const record = await accounts.get(`/signup/verify/${valueOf(body, 'tracking')}`);
  t.is(valueOf(record, 'status'), 'PROCESSED');
  stripeIsContent(t);
  isQuiet(t, shared);
});

/** A page that no shop frames. */
async function opened(own: Accounts, path: string): Promise<Frame> {
  await shared.page.goto(valueOf(await own.get(path), 'url') ?? path, { waitUntil: 'load' });
  return shared.page.mainFrame();
}

browserTest(
  'an absent payer who leaves while his bank asks comes back by the link, and confirms',
  async (t) => {
    await accounts.customer('Absent');
    const method = double.method({ type: 'card', number: ASKS.replaceAll(' ', '') });
    const sent = pay(amount('51.11') + token(method));
    const made = await accounts.post('/payments?extCustomerRef=Absent', sent);
    t.is(valueOf(made, 'status'), 'ActionRequired');
    const path = `/payment/${valueOf(made, 'payment@id')}`;
    const frame = await opened(accounts, `${path}/actionLink`);
    await heading(frame, 'Confirm your payment');
    await look(t, frame);
    await press(frame, 'Confirm and pay $51.11');
    const dialog = frame.frameLocator('iframe[title="Authentication"]');
    await dialog.getByRole('button', { name: 'Complete' }).waitFor();
    await shared.page.goto(frame.url(), { waitUntil: 'load' });
    t.is(charged(5_111), 0);
    await press(frame, 'Confirm and pay $51.11');
    await answer(frame, 'Complete');
    await heading(frame, 'There is nothing to confirm');
    t.is(charged(5_111), 1);
    t.is(valueOf(await accounts.get(path), 'status'), 'Paid');
    stripeIsContent(t);
    isQuiet(t, shared);
  },
);

const debits = [
  ['EUR', 'sepa_debit', 'iban', 'DE89370400440532013000', 'Pay €51.12', 5_112, /Within 8 weeks/],
  [
    'USD',
    'us_bank_account',
    'account',
    '000123456789',
    'Pay $51.13',
    5_113,
    /debit the bank account/,
  ],
] as const;

for (const [currency, type, field, number, button, units, mandate] of debits) {
  browserTest(`an invoice in ${currency} is debited, and is under way for days`, async (t) => {
    await debiting.customer(type);
    const charge = `<invoiceLineItemCharge><amount>${units / 100}</amount></invoiceLineItemCharge>`;
    const made = await debiting.post(
      `/invoices?extCustomerRef=${type}`,
      `<invoice><currency id="${currency}"/><invoiceLineItems><invoiceLineItem>
       <invoiceLineItemCharges>${charge}</invoiceLineItemCharges></invoiceLineItem>
       </invoiceLineItems></invoice>`,
    );
    const frame = await opened(debiting, `/invoice/${valueOf(made, 'invoice@id')}/payLink`);
    const fields = fieldsOf(frame);
    await fields.getByRole('button', { name: type }).click();
    await fields.locator(`[name=${field}]`).fill(number);
    await says(frame, mandate);
    await look(t, frame);
    await press(frame, button);
    await says(frame, 'A payment of this invoice is under way, and may take some days.');
    const [intent] = double.intents().filter((each) => each.amount === units);
    t.is(intent?.status, 'processing');
    t.false(intent?.mandate === null);
    stripeIsContent(t);
    isQuiet(t, shared);
  });
}
