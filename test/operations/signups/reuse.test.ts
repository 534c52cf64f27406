/** Which customer a sign-up reuses, and which it may not. */
import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import { openSignupBooks, type SignupBooks } from '../support/signups.ts';
import { noteAsserted } from '../../support/asserted.ts';

const db = await sharedDatabase();

interface Known {
  readonly ref?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly status?: string;
  readonly state?: string;
}

/** A customer in New York by default, as Ada's links are taxed. */
async function known(books: SignupBooks, given: Known): Promise<number> {
  const address = { countryCode: 'US', state: given.state ?? 'NY' };
  const { ref, status } = given;
  const own = { ...(ref !== undefined && { ref }), ...(status !== undefined && { status }) };
  const id = await books.customer({ ...own, address });
  await books.work(({ tx }) =>
    tx.query('update contact set email_primary = $2, work_phone = $3 where customer_id = $1', [
      id,
      given.email ?? null,
      given.phone ?? null,
    ]),
  );
  return id;
}

/** The customer of a paid sign-up: its index among the known ones, or `own`. */
async function matched(books: SignupBooks, ids: readonly number[], given: object): Promise<string> {
  const id = await books.link(given);
  await books.submit(id);
  await books.carry(id);
  const { customerId, isNewCustomer } = await books.row(id);
  const index = ids.indexOf(customerId ?? 0);
  return isNewCustomer ? 'own' : String(index);
}

test('by extCustomerRef, else e-mail without case, else phone by its digits; the lowest id', async (t) => {
  const books = await openSignupBooks(db);
  const ids = [
    await known(books, { ref: 'ADA-1', email: 'other@example.org' }),
    await known(books, { email: 'Ada@Example.org' }),
    await known(books, { email: 'ada@example.org' }),
    await known(books, { phone: '1-212-555-0100' }),
    await known(books, { phone: '123456' }),
  ];
  const none = { email: null, phone: null };
  const cases = [
    [{ extCustomerRef: 'ADA-1', email: 'ada@example.org' }, '0'],
    [{ extCustomerRef: 'NEW-1', email: 'ADA@example.org' }, '1'],
    [{ ...none, phone: '+1 (212) 555-0100' }, '3'],
    [{ ...none, phone: '12-34-56' }, 'own'],
    [{ email: 'new@example.org', phone: '+12125550100' }, '3'],
    [{ ...none, extCustomerRef: 'NEW-2' }, 'own'],
  ] as const;
  for (const [given, expected] of cases) {
    t.is(await matched(books, ids, given), expected, JSON.stringify(given));
  }
  t.deepEqual(await books.faults(), []);
});

test('a reused customer keeps its contact, its login and its methods', async (t) => {
  const books = await openSignupBooks(db);
  const customerId = await known(books, { email: 'ada@example.org' });
  const id = await books.link({ login: 'ada-lovelace', passwordHash: 'x', street: '9 New St' });
  await books.submit(id, { savePaymentMethod: true });
  await books.carry(id);
  t.is(await books.state(id), 'PROCESSED: 1 paid');
  t.false((await books.row(id)).savePaymentMethod);
  t.is(await books.filed(customerId), '');
  const [contact] = await books.read((tx) =>
    tx.query('select username, street1 from contact where customer_id = $1', [customerId]),
  );
  t.deepEqual(contact, { username: null, street1: null });
});

test('an inactive, a suspended and a held customer fail the sign-up', async (t) => {
  const books = await openSignupBooks(db);
  await known(books, { email: 'inactive@example.org', status: 'InActive1' });
  await known(books, { email: 'suspended@example.org', status: 'Suspended1' });
  const held = await known(books, { email: 'held@example.org' });
  await books.work(({ tx }) =>
    tx.query(
      `update customer set billing_held_at = now(), billing_held_code = 'billing.crashed'
       where id = $1`,
      [held],
    ),
  );
  for (const [email, code] of [
    ['inactive@example.org', 'customer.inactive'],
    ['suspended@example.org', 'order.notBillable'],
    ['held@example.org', 'customer.held'],
  ]) {
    const id = await books.link({ email, phone: null });
    await books.submit(id);
    t.is((await books.advance(id)).phase, 'Failed');
    t.is(await books.state(id), `FAILED ${code}: 1 returned ${code}`);
  }
  t.deepEqual(await books.invoices(), []);
  const faults = (await books.faults()).filter(({ check }) => !check.startsWith('dunning.'));
  t.deepEqual(faults, []);
});

test('two at once with one e-mail address make one customer', async (t) => {
  const books = await openSignupBooks(db);
  const ids = [
    await books.link({ phone: null }),
    await books.link({ phone: null, email: 'ADA@example.org' }),
    await books.link({ email: null, phone: '+1 212 555 0100', extCustomerRef: 'ADA-1' }),
    await books.link({ extCustomerRef: 'ADA-1' }),
  ];
  await Promise.all(ids.map((id) => books.submit(id)));
  await Promise.all(ids.map((id) => books.advance(id)));
  await books.settle();
  await Promise.all(ids.map((id) => books.advance(id)));
  const rows = await Promise.all(ids.map((id) => books.row(id)));
  t.true(rows.every(({ status }) => status === 'PROCESSED'));
  // The third has nothing in common with the first two, and the last with all.
  t.true(new Set(rows.map(({ customerId }) => customerId)).size <= 2);
  t.is(rows[0]?.customerId, rows[1]?.customerId);
  t.is(new Set(rows.map(({ orderId }) => orderId)).size, 4);
  t.deepEqual(await books.faults(), []);
});

test('a customer that is taxed elsewhere is reused at the price that the page showed', async (t) => {
  const books = await openSignupBooks(db);
  const customerId = await known(books, { email: 'ada@example.org', state: 'CA' });
  const id = await books.link();
  t.is(await books.price(id), '44.10 + 29.34 = 73.44, due today 73.44');
  await books.submit(id, await books.terms(id));
  t.is((await books.carry(id)).phase, 'Processed');
  t.is((await books.row(id)).customerId, customerId);
  t.regex((await books.invoices()).join(), /TAX 2\.39/);
  t.deepEqual(await books.faults(), []);
});

test('what a link says of its customer is priced as that customer is billed', async (t) => {
  const books = await openSignupBooks(db);
  await known(books, { email: 'ada@example.org', state: 'CA' });
  const id = await books.link({ hideCustomerFields: true });
  t.is(await books.price(id), '44.10 + 26.95 = 71.05, due today 71.05');
  // What an earlier page showed, before the customer was made.
  await books.submit(id);
  t.deepEqual((await books.advance(id)).happened, ['the form is shown again (price.moved)']);
  t.deepEqual(await books.invoices(), []);
  await books.submit(id, { shownAmount: '71.05', ...(await books.terms(id)) });
  t.is((await books.carry(id)).phase, 'Processed');
  t.deepEqual(await books.faults(), []);
});

test('with nothing due today, another tax shows the form again, too', async (t) => {
  const books = await openSignupBooks(db);
  const own = { hideCustomerFields: true, startDate: '2027-02-01' };
  const id = await books.link(own);
  const shown = { ...(await books.terms(id)), hasCard: false, shownAmount: '0.00' };
  await known(books, { email: 'ada@example.org', state: 'CA' });
  await books.submit(id, shown);
  t.deepEqual((await books.advance(id)).happened, ['the form is shown again (price.moved)']);
  await books.submit(id, { ...shown, ...(await books.terms(id)) });
  t.is((await books.advance(id)).phase, 'Processed');
  t.deepEqual(await books.faults(), []);
});

test('what else the customer owes is not billed, and its money pays first', async (t) => {
  const books = await openSignupBooks(db);
  const customerId = await known(books, { email: 'ada@example.org' });
  await books.order({ customerId, contractCode: 'GOLD' });
  await books.credit({ customerId, amount: '40' });
  const id = await books.link();
  await books.submit(id);
  t.is((await books.carry(id)).phase, 'Processed');
  t.is((await books.invoices()).length, 1);
  // 73.44 less the credit of 40.00.
  t.regex((await books.payments()).join(), /Payment Paid 33\.44/);
  t.deepEqual(await books.faults(), []);
});

test('the money on account pays all: no card is charged', async (t) => {
  const books = await openSignupBooks(db);
  const customerId = await known(books, { email: 'ada@example.org' });
  await books.credit({ customerId, amount: '100' });
  const id = await books.link({ hideCustomerFields: true });
  await books.submit(id);
  t.is((await books.advance(id)).phase, 'Processed');
  t.deepEqual(books.gateway.calls, []);
  t.deepEqual(await books.faults(), []);
});

test('the money on account is spent for nobody who only typed its e-mail address', async (t) => {
  const books = await openSignupBooks(db);
  const customerId = await known(books, { email: 'ada@example.org' });
  await books.credit({ customerId, amount: '100' });
  const id = await books.link();
  await books.submit(id);
  t.is((await books.advance(id)).phase, 'Confirming');
  t.deepEqual(await books.invoices(), []);
  t.true(await books.confirm(id));
  t.is((await books.advance(id)).phase, 'Processed');
  t.is((await books.row(id)).customerId, customerId);
  t.deepEqual(books.gateway.calls, []);
  t.deepEqual(await books.faults(), []);
});

test('too many declines of a network are refused, whatever customer was typed', async (t) => {
  const books = await openSignupBooks(db);
  const declined = (count: number) =>
    books.work(({ tx, realNow }) =>
      tx.query(
        `insert into card_decline (tenant_id, network, declined_at)
         select $1, '192.0.2.7', $2 from generate_series(1, $3)`,
        [tx.tenantId, realNow, count],
      ),
    );
  await declined(19);
  const id = await books.link();
  t.is((await books.take(id, { network: '192.0.2.7' })).kind, 'taken');
  await declined(1);
  const other = await books.link({ email: 'b@example.org', phone: null });
  const error = await t.throwsAsync(books.take(other, { network: '192.0.2.7' }));
  t.like(error, { code: 'card.tooManyDeclines' });
  noteAsserted('card.tooManyDeclines');
  t.is((await books.take(other, { network: '192.0.2.9' })).kind, 'taken');
  // After an hour the network may try again.
  books.later(3_600_001);
  const again = await books.link();
  t.is((await books.take(again, { network: '192.0.2.7' })).kind, 'taken');
});
