/** Sign-ups for a plan with a trial: what is due, when a card is demanded, and what it tells of a customer. */
import test from 'ava';
import { demoPlan } from '../../support/tenants.ts';
import { sharedDatabase } from '../support/books.ts';
import { demoFile, openSignupBooks, type SignupBooks } from '../support/signups.ts';

const db = await sharedDatabase();
const used = 'used@example.org';

/** GOLD with 14 free days from 2027-01-15: 49.00 once and 29.95 a month from 01-29 on. */
const open = (card = 'optional', isMailing = true) =>
  openSignupBooks(db, {
    plans: [
      { ...demoPlan('GOLD'), trial: { value: 14, units: 'Days', card } },
      demoPlan('METERED'),
    ],
    file: {
      tax: { type: 'none' },
      coupons: [],
      notifications: isMailing ? demoFile.notifications : undefined,
    },
  });

async function submitted(books: SignupBooks, given: object = {}, form: object = {}) {
  const id = await books.link({ couponCode: null, phone: null, ...given });
  const { dueToday } = await books.due(id);
  await books.submit(id, { shownAmount: dueToday, ...form, ...(await books.terms(id)) });
  return id;
}

const holder = async (books: SignupBooks): Promise<number> => {
  const customerId = await books.customer({ address: { countryCode: 'US', state: 'NY' } });
  await books.work(({ tx }) =>
    tx.query('update contact set email_primary = $2 where customer_id = $1', [customerId, used]),
  );
  await books.order({ customerId, contractCode: 'GOLD' });
  return customerId;
};

const trialOf = async (books: SignupBooks, id: number) => {
  const { orderId } = await books.row(id);
  const [row] = await books.read((tx) =>
    tx.query<{ end: string | null }>(
      'select trial_end_date as "end" from subscription_order where id = $1',
      [orderId],
    ),
  );
  return row?.end ?? null;
};

test('a trial is confirmed by mail, whoever comes; who has had it sees the price without it', async (t) => {
  const books = await open();
  const customerId = await holder(books);
  const stories: string[] = [];
  const ids: number[] = [];
  for (const email of [used, 'new@example.org']) {
    const id = await submitted(books, { email });
    const price = await books.price(id);
    const { phase, told, happened } = await books.advance(id);
    stories.push(JSON.stringify([price, phase, told, happened, await books.state(id)]));
    ids.push(id);
  }
  t.is(new Set(stories).size, 1, 'nothing differs before');
  t.true(stories[0]?.includes('Confirming'));
  t.true(stories[0]?.includes('49.00 + 29.95 = 78.95, due today 0.00'));
  const [again = 0, fresh = 0] = ids;
  t.is(await books.price(again), '49.00 + 29.95 = 78.95, due today 78.95');
  t.is(await books.price(fresh), '49.00 + 29.95 = 78.95, due today 0.00');
  for (const id of ids) {
    t.true(await books.confirm(id));
    t.is((await books.carry(id)).phase, 'Processed');
  }
  t.like(await books.row(again), { customerId });
  t.is(await trialOf(books, again), null);
  t.is(await trialOf(books, fresh), '2027-01-28');
  t.deepEqual(await books.faults(), []);
});

test('who has had the trial enters a card on the mailed page, if the form had none', async (t) => {
  const books = await open();
  await holder(books);
  const id = await submitted(books, { email: used }, { hasCard: false, cardholderName: null });
  t.is((await books.advance(id)).phase, 'Confirming');
  const method = { token: 'tok', brand: 'Visa', lastFour: '1111', expiry: '2029-12-31' };
  const inVault = { type: 'CreditCard', gateway: 'sandbox', method } as const;
  const entered = { inVault, cardholderName: 'Ada Lovelace', saves: false };
  t.true(await books.confirm(id, { entered }));
  t.is((await books.carry(id)).phase, 'Processed');
  t.is(await trialOf(books, id), null);
  t.deepEqual(await books.faults(), []);
});

test('a customer that the tenant’s site names has no second trial, and needs no mail', async (t) => {
  const books = await open();
  await holder(books);
  const hidden = { hideCustomerFields: true };
  const again = await submitted(books, { email: used, ...hidden });
  t.is((await books.due(again)).dueToday, '78.95');
  t.is((await books.carry(again)).phase, 'Processed');
  t.is(await trialOf(books, again), null);
  const other = await submitted(books, { email: 'new@example.org', ...hidden });
  t.is((await books.carry(other)).phase, 'Processed');
  t.is(await trialOf(books, other), '2027-01-28');
  t.deepEqual(await books.faults(), []);
});

test('a tenant that sends no mails asks nobody, and gives the trial to all', async (t) => {
  const books = await open('optional', false);
  await holder(books);
  const id = await submitted(books, { email: used });
  t.is((await books.carry(id)).phase, 'Processed');
  t.is(await trialOf(books, id), '2027-01-28');
  t.deepEqual(await books.faults(), []);
});

test('a trial with a required card puts it on file, and autopay charges it after the trial', async (t) => {
  const books = await open('required');
  const id = await submitted(books, { email: 'new@example.org' }, { savePaymentMethod: true });
  t.true((await books.due(id)).demandsCard);
  await books.advance(id);
  t.true(await books.confirm(id));
  t.is((await books.carry(id)).phase, 'Processed');
  const { orderId } = await books.row(id);
  const rows = await books.read((tx) =>
    tx.query(
      `select o.is_auto_pay, o.trial_end_date, (select count(*)::int from payment_method m
         where m.customer_id = o.customer_id) as methods
       from subscription_order o where o.id = $1`,
      [orderId],
    ),
  );
  t.like(rows[0], { isAutoPay: true, trialEndDate: '2027-01-28', methods: 1 });
  t.deepEqual(await books.faults(), []);
});
