/**
 * What customers do in a session of self-service: they pay, keep a card, change their profile and
 * their subscriptions, in the frame of another site, with the script, without it, and by keys alone.
 */
import test from 'ava';
import type { Frame } from 'playwright-core';
import { card } from '../../api/signups/page-calls.ts';
import { valueOf } from '../../api/tenant-api.ts';
import { isLong } from '../../support/random.ts';
import { openAccounts, type Accounts } from './accounts.ts';
import {
  DECLINED,
  DECLINED_CHARGE,
  click,
  enter,
  enterCard,
  follow,
  heading,
  part,
  press,
  says,
  tabTo,
  textOf,
} from './acting.ts';
import { closePlace, openPlace, type Place } from './place.ts';
import { fits, hasBrowser, isQuiet, look, openTab, openWindow, type Window } from './window.ts';

const browserTest = hasBrowser ? test.serial : test.serial.skip;

let place: Place;
let accounts: Accounts;
let shared: Window;

test.before(async () => {
  if (!hasBrowser) return;
  place = await openPlace();
  shared = place.window;
  accounts = await openAccounts(place);
});
test.after.always(closePlace);

const CARD = '4111111111111111';
const PAID = 'We have received your payment. Thank you.';
const LOGIN = 'Log in to the shop';

/** A page of a new session, by its link in the menu. */
async function partOf(ref: string, name: string, own: Window = shared): Promise<Frame> {
  const frame = await place.framed(await accounts.session(ref), own);
  await part(frame, name);
  return frame;
}

browserTest('an open invoice is paid by a new card, whose decline charges nothing', async (t) => {
  await accounts.customer('Payer');
  await accounts.invoice('Payer', '41.07');
  const frame = await partOf('Payer', 'Pay now');
  await heading(frame, 'Pay invoices');
  await enterCard(frame, '4111111111111112');
  await press(frame, 'Pay $41.07');
  await says(frame, 'This is not a card number. Please check its digits.');
  await look(t, frame);
  await enterCard(frame, DECLINED_CHARGE);
  await press(frame, 'Pay $41.07');
  await heading(frame, 'Your payment was declined');
  await look(t, frame);
  t.is(await accounts.timesCharged('41.07'), 0);
  await follow(frame, 'Pay again');
  await heading(frame, 'Pay invoices');
  t.is(await frame.locator('[name=cardNumber]').inputValue(), '');
  await enterCard(frame);
  await click(frame, frame.locator('[name=savePaymentMethod]'));
  await press(frame, 'Pay $41.07');
  await says(frame, PAID);
  await look(t, frame);
  t.is(await accounts.timesCharged('41.07'), 1);
  const receipt = frame.getByRole('link', { name: /^Receipt/ });
  t.is(await receipt.getAttribute('target'), '_blank');
  const { body } = await place.call(
    accounts.label,
    (await receipt.getAttribute('href')) ?? 'no link',
  );
  t.true(body.startsWith('%PDF-'));
  // The way back asks for the page anew: there is nothing left to pay.
  await shared.page.evaluate('history.back()');
  await says(frame, 'No invoice is open.');
  await part(frame, 'Payment methods');
  await says(frame, 'Visa ending in 1111');
  await part(frame, 'Overview');
  t.regex(await textOf(frame), /Open \$0\.00/);
  isQuiet(t, shared);
});

browserTest('two tabs that pay an invoice charge it once', async (t) => {
  await accounts.customer('Tabs', { cardNumber: CARD });
  await accounts.invoice('Tabs', '41.08');
  const home = await accounts.session('Tabs');
  const other = await openTab(shared.context);
  const tabs = [shared, other];
  const frames: Frame[] = [];
  for (const tab of tabs) {
    const frame = await place.framed(`${home}/pay`, tab);
    await heading(frame, 'Pay invoices');
    frames.push(frame);
  }
  // Once the first is Paid, the other one would rightly find nothing to pay.
  await place.whileLocked('sandbox_transaction', async () => {
    for (const frame of frames) await press(frame, 'Pay $41.08');
    for (const frame of frames) await heading(frame, 'Your payment is under way');
  });
  for (const frame of frames) await says(frame, PAID);
  t.is(new Set(frames.map((frame) => new URL(frame.url()).pathname)).size, 1);
  t.is(await accounts.timesCharged('41.08'), 1);
  await other.context.pages()[1]?.close();
  isQuiet(t, shared);
});

for (const hasScript of [true, false]) {
  const how = hasScript ? 'with the script' : 'without it';
  browserTest(`${how}, what is chosen is paid once, and the page waits for it`, async (t) => {
    const own = hasScript ? shared : await openWindow(place.browser, { hasScript });
    const ref = `Chooses${hasScript}`;
    const [paid, left] = hasScript ? ['41.09', '5.01'] : ['41.10', '5.02'];
    await accounts.customer(ref, { cardNumber: CARD });
    await accounts.invoice(ref, paid);
    await accounts.invoice(ref, left);
    const frame = await partOf(ref, 'Pay now', own);
    const box = frame.getByRole('checkbox', { name: /^Pay invoice/ }).last();
    if (hasScript) {
      // Nothing is loaded, so nothing that was typed is lost.
      await click(frame, frame.getByRole('radio', { name: 'Another card' }));
      await enter(frame, { cardholderName: 'Kept' });
      const all = frame.getByRole('checkbox', { name: 'Choose all invoices' });
      await click(frame, all);
      await press(frame, 'Pay $0.00');
      await says(frame, 'Please choose the invoices that you want to pay.');
      await click(frame, all);
      await click(frame, box);
      t.is(await frame.locator('[name=cardholderName]').inputValue(), 'Kept');
      await click(frame, frame.getByRole('radio', { name: /^Visa/ }));
      await look(t, frame);
    } else {
      await click(frame, box);
      await press(frame, `Pay $${(Number(paid) + Number(left)).toFixed(2)}`);
      await says(frame, 'Your choice has changed the total, and nothing was charged.');
    }
    await frame.getByRole('button', { name: `Pay $${paid}` }).waitFor();
    await fits(t, frame);
    await place.whileLocked('sandbox_transaction', async () => {
      const button = frame.getByRole('button', { name: `Pay $${paid}` });
      await click(frame, button, { times: 2 });
      await heading(frame, 'Your payment is under way');
      if (hasScript) await look(t, frame);
      await follow(frame, 'Check now');
      await heading(frame, 'Your payment is under way');
    });
    // By itself.
    await says(frame, PAID);
    t.is(await accounts.timesCharged(paid), 1);
    await part(frame, 'Pay now');
    await frame.getByRole('button', { name: `Pay $${left}` }).waitFor();
    isQuiet(t, own);
    if (!hasScript) await own.context.close();
  });
}

browserTest('the keyboard alone puts a card on file, and changes the profile', async (t) => {
  const { page } = shared;
  const { keyboard } = page;
  await accounts.customer('Keys', { username: 'keys.field', passwd: 'Old-Secret1' });
  const frame = await place.framed(await accounts.session('Keys'));
  const to = (name: string | RegExp) => tabTo(t, { page, frame }, name);
  const type = async (fields: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, value] of Object.entries(fields)) {
      await to(name);
      await keyboard.type(value);
    }
  };
  await to('Payment methods');
  await keyboard.press('Enter');
  await heading(frame, 'Payment methods');
  await type({ ...card, cardNumber: DECLINED });
  await keyboard.press('Enter');
  await frame.locator('#problems:focus').waitFor();
  await look(t, frame);
  t.notRegex(await frame.content(), /4000/);
  await type(card);
  await to('Save card');
  await keyboard.press('Enter');
  await says(frame, 'Your card has been saved.');
  await says(frame, 'Visa ending in 1111');
  await look(t, frame);
  await to(/^Menu/);
  await keyboard.press('Enter');
  await to('Profile');
  await keyboard.press('Enter');
  await heading(frame, 'Your profile');
  // What a field has is selected when the keyboard gets there.
  await type({ city: 'Albany', oldPassword: 'Wrong-Secret1', newPassword: 'New-Secret1' });
  await keyboard.press('Enter');
  await says(frame, 'This is not your present password.');
  await look(t, frame);
  t.is(await frame.locator('[name=city]').inputValue(), 'Albany');
  await type({ oldPassword: 'Old-Secret1', newPassword: 'New-Secret1' });
  await keyboard.press('Enter');
  await says(frame, 'Your changes are saved.');
  await look(t, frame);
  t.is(valueOf(await accounts.get('/customer?extCustomerRef=Keys'), 'city'), 'Albany');
  isQuiet(t, shared);
});

browserTest('the keyboard alone upgrades at the price that was shown', async (t) => {
  const { page } = shared;
  const { keyboard } = page;
  await accounts.customer('Climber');
  await accounts.order('Climber', 'GOLD');
  const frame = await place.framed(await accounts.session('Climber'));
  const go = async (name: string | RegExp): Promise<void> => {
    await tabTo(t, { page, frame }, name);
    await keyboard.press('Enter');
  };
  await go('Subscriptions');
  await heading(frame, 'Your subscriptions');
  await go(/^Upgrade/);
  await heading(frame, 'Upgrade your subscription');
  await tabTo(t, { page, frame }, 'contractCode');
  const platinum = frame.getByRole('radio', { name: /Platinum/ });
  for (let presses = 0; presses < 5 && !(await platinum.isChecked()); presses += 1) {
    await keyboard.press('ArrowDown');
  }
  await go('Show the price');
  await frame.getByRole('button', { name: 'Upgrade now' }).waitFor();
  await look(t, frame);
  const text = await textOf(frame);
  for (const amount of ['$22.56', '$2.00', '-$13.53', '-$1.20', '$9.83']) {
    t.true(text.includes(amount), `${amount} in ${text}`);
  }
  await go('Upgrade now');
  // What stays open leads there.
  await heading(frame, 'Pay invoices');
  await frame.getByRole('button', { name: 'Pay $9.83' }).waitFor();
  await part(frame, 'Subscriptions');
  await heading(frame, 'Your subscriptions');
  await says(frame, 'Platinum internet');
  t.is(await ordersOf('Climber'), 'GOLD Superseded, PLATINUM Active');
  isQuiet(t, shared);
});

const ordersOf = async (ref: string): Promise<string> => {
  const [row] = await place.asOwner<{ text: string }>(
    `select string_agg(concat(p.contract_code, ' ', o.status), ', ' order by o.id) as text
     from subscription_order o
       join plan p on p.tenant_id = o.tenant_id and p.id = o.plan_id
       join customer c on c.tenant_id = o.tenant_id and c.id = o.customer_id
     where c.ext_customer_ref = '${ref}'`,
  );
  return row?.text ?? 'none';
};

browserTest(
  'a subscription is cancelled, and another one ordered, unless its plan retires',
  async (t) => {
    await accounts.customer('Mover');
    await accounts.order('Mover', 'GOLD');
    const frame = await partOf('Mover', 'Subscriptions');
    await heading(frame, 'Your subscriptions');
    await follow(frame, /^Cancel/);
    await heading(frame, 'Cancel your subscription');
    await press(frame, 'Cancel the subscription');
    await says(frame, 'Your subscription is cancelled.');
    await look(t, frame);
    t.is(await ordersOf('Mover'), 'GOLD Canceled');
    await follow(frame, 'Order a new subscription');
    await click(frame, frame.getByRole('radio', { name: /Retiring/ }));
    await press(frame, 'Show the price');
    await frame.getByRole('button', { name: 'Order now' }).waitFor();
    await look(t, frame);
    await place.asOwner(`update plan set end_date = '2027-01-31' where contract_code = 'RETIRING'`);
    await press(frame, 'Order now');
    await says(frame, 'This plan is no longer available. Please choose another one.');
    await look(t, frame);
    t.is(await ordersOf('Mover'), 'GOLD Canceled');
    await click(frame, frame.getByRole('radio', { name: /Bronze/ }));
    await press(frame, 'Show the price');
    await press(frame, 'Order now');
    await heading(frame, 'Pay invoices');
    t.is(await ordersOf('Mover'), 'GOLD Canceled, BRONZE Active');
    isQuiet(t, shared);
  },
);

for (const hasScript of isLong ? [true, false] : [true]) {
  const how = hasScript ? 'with the script' : 'without the script';
  browserTest(`${how}, a subscription ends with its period, is kept, and ends today`, async (t) => {
    const own = hasScript ? shared : await openWindow(place.browser, { hasScript });
    const ref = `Leaver${hasScript}`;
    await accounts.customer(ref);
    await accounts.order(ref, 'GOLD');
    const both = { editOrderOptions: 'Cancel,CancelAtEnd' };
    const frame = await place.framed(await accounts.session(ref, both), own);
    await part(frame, 'Subscriptions');
    await follow(frame, /^Cancel/);
    await heading(frame, 'Cancel your subscription');
    await look(t, frame);
    await enter(frame, { reason: 'too dear' });
    await press(frame, 'Cancel the subscription');
    await says(frame, 'Your subscription is cancelled. It goes on until its last day.');
    await says(frame, 'February 14, 2027');
    await look(t, frame);
    t.is(await ordersOf(ref), 'GOLD Active');
    await follow(frame, /^Keep/);
    await heading(frame, 'Keep your subscription');
    await look(t, frame);
    await press(frame, 'Keep the subscription');
    await says(frame, 'Your subscription goes on.');
    await follow(frame, /^Cancel/);
    await click(frame, frame.getByRole('radio', { name: /^Today/ }));
    await press(frame, 'Cancel the subscription');
    await says(frame, 'Your subscription is cancelled.');
    t.is(await ordersOf(ref), 'GOLD Canceled');
    isQuiet(t, own);
    if (!hasScript) await own.context.close();
  });
}

browserTest('without the script, a customer upgrades, and changes its profile', async (t) => {
  const own = await openWindow(place.browser, { hasScript: false });
  await accounts.customer('Plain');
  await accounts.order('Plain', 'GOLD');
  const frame = await partOf('Plain', 'Subscriptions', own);
  await follow(frame, /^Upgrade/);
  await press(frame, 'Show the price');
  await says(frame, 'Please choose');
  await click(frame, frame.getByRole('radio', { name: /Platinum/ }));
  await press(frame, 'Show the price');
  await press(frame, 'Upgrade now');
  await heading(frame, 'Pay invoices');
  t.is(await ordersOf('Plain'), 'GOLD Superseded, PLATINUM Active');
  await part(frame, 'Profile');
  await enter(frame, { firstName: '', city: 'Albany' });
  await press(frame, 'Save');
  await says(frame, 'Please fill in this field.');
  await enter(frame, { firstName: 'Plain' });
  await press(frame, 'Save');
  await says(frame, 'Your changes are saved.');
  t.is(valueOf(await accounts.get('/customer?extCustomerRef=Plain'), 'city'), 'Albany');
  isQuiet(t, own);
  await own.context.close();
});

browserTest('a form does nothing once its session has ended', async (t) => {
  await accounts.customer('Late', { cardNumber: CARD });
  await accounts.invoice('Late', '41.11');
  for (const [name, button] of [
    ['Pay now', 'Pay $41.11'],
    ['Profile', 'Save'],
  ] as const) {
    const frame = await partOf('Late', name);
    // The page is there before its session ends.
    await frame.getByRole('button', { name: button, exact: true }).waitFor();
    if (name === 'Profile') await enter(frame, { city: 'Albany' });
    await accounts.setSession('Late', 'ended_at = now()');
    await press(frame, button);
    await heading(frame, LOGIN);
  }
  t.is(await accounts.timesCharged('41.11'), 0);
  t.is(valueOf(await accounts.get('/customer?extCustomerRef=Late'), 'city'), 'New York');
  isQuiet(t, shared);
});

browserTest('no page has set a cookie, and the books are right', async (t) => {
  t.deepEqual(await shared.context.cookies(), []);
  const report = await place.system.audit(accounts.label);
  t.true(report.clean, JSON.stringify(report));
});
