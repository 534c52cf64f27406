/** Breaks announced debits, and expects the audit to report it. */
import test from 'ava';
import { debitChecks } from '../../../operations/books/checks/debits.ts';
import { sharedDatabase } from '../support/books.ts';
import { openCollectionBooks, type CollectionBooks } from '../support/collection-books.ts';
import { corrupt, own } from './corrupt.ts';

const db = await sharedDatabase();

/** 30.00 of 1 March, announced on that day, are debited on 3 March; 20.00 of 3 March are announced. */
async function story(): Promise<CollectionBooks> {
  const books = await openCollectionBooks(db, {
    today: '2027-03-01',
    currency: 'EUR',
    file: {
      gateway: { methods: ['card', 'sepa'] },
      notifications: { from: 'billing@demo.example', enabled: ['debitNotice'] },
    },
  });
  const customerId = await books.customer({ currency: 'EUR' });
  await books.file(customerId, 1, { token: 'sepa_1', lastFour: '3000', isSepa: true });
  await books.bill(customerId, '30', { isAutoPay: true });
  await books.live('2027-03-03');
  await books.bill(customerId, '20', { isAutoPay: true });
  return books;
}

const breaks: readonly [rule: string, statements: readonly string[], found: readonly string[]][] = [
  [
    'a debit that nobody announced',
    [`delete from debit_notice where ${own} and amount = 30`],
    ['debit.notice: payment #: was not announced for 2027-03-03'],
  ],
  [
    'a debit of more than was announced',
    [`update debit_notice set amount = 29.99 where ${own} and amount = 30`],
    ['debit.notice: payment #: is over 30, announced were 29.99'],
  ],
  [
    'a debit that came too early',
    [`update debit_notice set debit_on = '2027-03-04' where ${own} and amount = 30`],
    ['debit.notice: payment #: was not announced for 2027-03-03'],
  ],
  [
    'a debit of another account than the one announced',
    [
      `insert into payment_method (tenant_id, customer_id, type, gateway, token, last_four, debit,
         country, created_at, updated_at)
       select tenant_id, customer_id, type, gateway, 'sepa_2', '3001', debit, country, created_at,
         updated_at from payment_method where ${own}`,
      `update debit_notice set payment_method_id = (select id from payment_method
         where ${own} and token = 'sepa_2') where ${own} and amount = 30`,
    ],
    ['debit.notice: payment #: was not announced for 2027-03-03'],
  ],
];

for (const [rule, statements, found] of breaks) {
  test(`the audit reports ${rule}`, async (t) => {
    const books = await story();
    t.deepEqual(await books.faults(), []);
    await corrupt(books, statements);
    const faults = (await books.faults()).filter(({ check }) => check === 'debit.notice');
    t.deepEqual(
      faults.map(
        ({ check, object, detail }) => `${check}: ${object.replaceAll(/\d+/g, '#')}: ${detail}`,
      ),
      found,
    );
  });
}

test('each check of debits is broken by a test', (t) => {
  t.deepEqual(
    debitChecks.map(({ name }) => name),
    ['debit.notice'],
  );
});

test('the audit reports a debit whose announcement is late', async (t) => {
  const books = await openCollectionBooks(db, {
    today: '2027-03-01',
    currency: 'EUR',
    file: {
      settings: { autopayOn: 'dueDate' },
      gateway: { methods: ['card', 'sepa'] },
      notifications: { from: 'billing@demo.example', enabled: ['debitNotice'] },
    },
  });
  const customerId = await books.customer({ currency: 'EUR' });
  await books.file(customerId, 1, { token: 'sepa_1', lastFour: '3000', isSepa: true });
  await books.bill(customerId, '30', { isAutoPay: true, dueDate: '2027-03-10' });
  await books.live('2027-03-07');
  t.deepEqual(await books.faults(), []);
  books.jump('2027-03-08');
  const late = (await books.faults()).filter(({ check }) => check === 'debit.notice');
  t.deepEqual(
    late.map(({ detail }) => detail),
    ['its debit should have been announced by 2027-03-08'],
  );
});
