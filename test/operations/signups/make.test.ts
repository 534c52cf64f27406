/** What a submit makes: customer, order, invoices, payment, or nothing at all. */
import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import { thresholds } from '../support/dunning-books.ts';
import { prorated, recurring } from '../support/plans.ts';
import { openSignupBooks } from '../support/signups.ts';

const db = await sharedDatabase();
/** The tenant's site says who it is, so nothing is confirmed by mail. */
const known = { hideCustomerFields: true } as const;

test('a card that is approved: customer, order, invoice and payment, and mails only then', async (t) => {
  const books = await openSignupBooks(db);
  const id = await books.link({ billerCode: 'AGENT-1' });
  await books.submit(id, { savePaymentMethod: true });
  t.like(await books.advance(id), { phase: 'Charging', ended: false });
  t.deepEqual(await books.payments(), ['#1 Payment Pending Waiting 73.44 CreditCard']);
  t.is(await books.mails(), '');
  await books.settle();
  t.deepEqual(await books.outboxOf('signup'), [id]);
  const look = await books.advance(id);
  t.like(look, { phase: 'Processed', ended: true, told: 'PROCESSED, order 1001' });
  t.is(await books.state(id), 'PROCESSED: 1 paid');
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-01-15 due 2027-02-14 Paid 73.44: GOLD-SETUP 2027-01-15 2027-01-15 49.00, ' +
      'DISCOUNT 2027-01-15 2027-01-15 -4.90, GOLD-FEE 2027-01-15 2027-02-14 29.95, ' +
      'DISCOUNT 2027-01-15 2027-02-14 -3.00, TAX 2.39',
  ]);
  t.is(await books.mails(), 'newOrder, newInvoice, paymentReceived');
  const { customerId, isNewCustomer } = await books.row(id);
  t.true(isNewCustomer);
  t.not(await books.filed(customerId ?? 0), '');
  t.deepEqual(await books.faults(), []);
});

test('nothing due today: the order is Provisioning, without invoice, at once', async (t) => {
  const books = await openSignupBooks(db);
  const id = await books.link({ ...known, startDate: '2027-02-01' });
  await books.submit(id, { hasCard: false, shownAmount: '0.00' });
  t.like(await books.advance(id), { phase: 'Processed', ended: true });
  const { orderId, invoiceIds } = await books.row(id);
  t.is(await books.orderNow(orderId ?? 0), 'Provisioning next 2027-02-01 bills 2027-02-01');
  t.deepEqual(invoiceIds, []);
  t.is(await books.mails(), 'newOrder');
  t.deepEqual(await books.faults(), []);
});

test('what is made has the price and the day that were shown, whatever is due today', async (t) => {
  const books = await openSignupBooks(db);
  const id = await books.link({ ...known, startDate: '2027-02-01' });
  const nothingDue = { hasCard: false, shownAmount: '0.00' } as const;
  const shown = await books.terms(id);
  t.is(shown.startDate, '2027-02-01');
  for (const other of [{ quoteHash: '0'.repeat(64) }, { startDate: '2027-01-31' }]) {
    await books.submit(id, { ...nothingDue, ...shown, ...other });
    const look = await books.advance(id);
    t.deepEqual(look.happened, ['the form is shown again (price.moved)']);
  }
  const { orderId } = await books.row(id);
  t.is(orderId, null);
  await books.submit(id, { ...nothingDue, ...shown });
  t.like(await books.advance(id), { phase: 'Processed', ended: true });
});

test('a form whose sign-up has changed since it was priced is priced again', async (t) => {
  const books = await openSignupBooks(db);
  const id = await books.link();
  const { version } = await books.row(id);
  await books.enter(id, { order: { contractCode: 'GOLD', quantity: '9', couponCode: null } });
  t.deepEqual(await books.take(id, { version }), { kind: 'changed' });
  t.is(await books.state(id), 'DRAFT: ');
});

test('three declines: all is reversed, and nobody is told', async (t) => {
  const books = await openSignupBooks(db);
  const id = await books.link();
  books.gateway.onCharge('bad', 'decline', 'decline', 'decline');
  for (const phase of ['Open', 'Open', 'Failed']) {
    await books.submit(id, { token: 'bad' });
    t.is((await books.carry(id)).phase, phase);
  }
  t.is(
    await books.state(id),
    'FAILED declined: 1 declined card_declined, 2 declined card_declined, 3 declined card_declined',
  );
  t.regex((await books.invoices()).join(), /^1001 .* Cancelled 73\.44/);
  const { orderId } = await books.row(id);
  t.regex(await books.orderNow(orderId ?? 0), /^Canceled/);
  t.is(await books.mails(), '');
  t.is((await books.payments()).length, 3);
  t.deepEqual(await books.faults(), []);
});

test('a decline, then another card: one order, one invoice, two payments', async (t) => {
  const books = await openSignupBooks(db);
  const id = await books.link();
  books.gateway.onCharge('bad', 'decline');
  await books.submit(id, { token: 'bad' });
  const look = await books.carry(id);
  t.regex(look.told, /^open until \d\d:\d\d, 1 of 3 tries declined, order 1001$/);
  t.is(await books.price(id), '44.10 + 29.34 = 73.44, due today 73.44');
  await books.submit(id, { token: 'good' });
  t.is((await books.carry(id)).phase, 'Processed');
  t.is(await books.state(id), 'PROCESSED: 1 declined card_declined, 2 paid');
  t.deepEqual(await books.payments(), [
    '#1 Payment Declined 73.44 CreditCard',
    '#2 Payment Paid 73.44 CreditCard',
  ]);
  // Of the decline nobody is told.
  t.is(await books.mails(), 'newOrder, newInvoice, paymentReceived');
  t.deepEqual(await books.faults(), []);
});

test('the last form decides whether the card is saved, and the order pays itself by it', async (t) => {
  const books = await openSignupBooks(db);
  const autoPays = async (id: number) => {
    const { orderId, customerId } = await books.row(id);
    const [order] = await books.read((tx) =>
      tx.query<{ isAutoPay: boolean }>('select is_auto_pay from subscription_order where id = $1', [
        orderId,
      ]),
    );
    return [order?.isAutoPay, (await books.filed(customerId ?? 0)) !== ''];
  };
  for (const [first, last] of [
    [true, false],
    [false, true],
  ]) {
    const id = await books.link({ email: `${first}@example.org`, phone: null });
    books.gateway.onCharge('bad', 'decline');
    await books.submit(id, { token: 'bad', savePaymentMethod: first ?? false });
    await books.carry(id);
    t.deepEqual(await autoPays(id), [first, false]);
    await books.submit(id, { token: 'good', savePaymentMethod: last ?? false });
    t.is((await books.carry(id)).phase, 'Processed');
    t.deepEqual(await autoPays(id), [last, last]);
  }
  t.deepEqual(await books.faults(), []);
});

const late = {
  priceCode: 'LATE',
  chargeType: 'OneTimeCharge',
  pricingType: 'FixedPricing',
  price: 7,
  isPenalty: true,
  penaltyStatus: 'Overdue1',
};
const fee = recurring('FEE', 31, prorated);

for (const quantity of ['1', '2']) {
  test(`a sign-up takes the penalties of its plan, as an order of the whole plan: ${quantity}`, async (t) => {
    const books = await openSignupBooks(db, {
      plans: [{ ...fee, charges: [...fee.charges, late] }],
      file: { dunning: { thresholds }, coupons: [], commissionPlans: [], salesAgents: [] },
    });
    const id = await books.link({ contractCode: 'FEE', couponCode: null, quantity });
    await books.submit(id, { shownAmount: quantity === '1' ? '31.00' : '62.00' });
    t.is((await books.carry(id)).phase, 'Processed');
    // The invoice of 15 February is due on 17 March, and 15 days overdue on 1 April.
    await books.advanceTo('2027-04-02');
    const penalties = (await books.invoices()).filter((text) => text.includes('LATE'));
    t.deepEqual(penalties, [
      '1004 on 2027-04-02 due 2027-05-02 Outstanding 7.00: LATE 2027-04-01 2027-04-01 7.00',
    ]);
    t.deepEqual(await books.faults(), []);
  });
}
