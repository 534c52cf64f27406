/** Breaks each invariant of retries and payment plans, and expects the audit to report it. */

import test from 'ava';
import { attemptChecks } from '../../../operations/books/checks/attempts.ts';
import { sharedDatabase } from '../support/books.ts';
import { monthly, openCollectionBooks, type CollectionBooks } from '../support/collection-books.ts';
import { besideLedger, corrupt, own } from './corrupt.ts';

const db = await sharedDatabase();

/**
 * The card of ONE declined 30 on 1 February, and is tried again the day after. TWO owes 200, has
 * paid the installment of 31 January, and the next one is due on 28 February.
 */
async function story(): Promise<CollectionBooks> {
  const books = await openCollectionBooks(db, { today: '2027-01-15' });
  const [one, two] = [await books.customer({ ref: 'ONE' }), await books.customer({ ref: 'TWO' })];
  await books.file(one, 1, { token: 'bad' });
  await books.file(two, 1, { token: 'tok_2' });
  books.gateway.onCharge('bad', 'decline', 'decline');
  await books.bill(two, '200');
  await books.plan(two, monthly);
  await books.live('2027-02-01');
  await books.bill(one, '30', { isAutoPay: true });
  await books.settle();
  return books;
}

const breaks: readonly [rule: string, statements: readonly string[], found: readonly string[]][] = [
  [
    'an installment that says declined, and was paid',
    [`update collection_attempt set outcome = 'declined' where ${own} and outcome = 'paid'`],
    [
      'attempt.payment: installment 1 of plan #, attempt 1: is done as declined, but its payment # is Paid',
    ],
  ],
  [
    'a claimed attempt without a payment',
    [
      `update collection_attempt set state = 'claimed' where ${own} and kind = 'retry' and state = 'due'`,
    ],
    ['attempt.payment: retry # of invoice #: is claimed, but its payment does not exist'],
  ],
  [
    'a payment of an attempt that did not make it',
    [
      `update payment set collection_attempt_id = (select id from collection_attempt
         where ${own} and kind = 'retry') where ${own} and status = 'Declined'`,
    ],
    ['attempt.charged: payment #: is of cascade #, its attempt # of none'],
  ],
  [
    'a retry of an invoice whose payment nobody declined',
    [
      `update collection_attempt set invoice_id = (select id from invoice where ${own}
         and number_value = 1001) where ${own} and kind = 'retry'`,
    ],
    ['attempt.retry: retry # of invoice #: is due, its invoice Outstanding'],
  ],
  [
    'a plan that counts an installment twice',
    [`update payment_plan set counted_installments = 2 where ${own}`],
    ['paymentPlan.installments: payment plan #: counts 2 of 3, had 1, next: 1, last number 2'],
  ],
  [
    'a plan that is enabled, and has lost what is to come',
    [
      `update collection_attempt set state = 'ended', outcome = 'planEnded',
         concluded_on = '2027-02-01' where ${own} and state = 'due' and kind = 'installment'`,
    ],
    [
      'paymentPlan.installments: payment plan #: counts 1 of 3, had 1, next: 0, last number 1',
      'paymentPlan.enabled: payment plan #: is enabled, but nothing of it is left',
    ],
  ],
  [
    'an installment whose event is lost',
    [`delete from event where ${own} and type = 'paymentPlan.installment'`],
    ['event.fact: paymentPlan.installment of #: 0 events, should be 1'],
  ],
  [
    'an installment that charged more than its amount',
    [`update collection_attempt set amount = 40 where ${own} and outcome = 'paid'`],
    ['paymentPlan.charged: installment 1 of plan #: 1 payments of 50 for 40'],
  ],
];

async function found(books: CollectionBooks): Promise<string[]> {
  return besideLedger(await books.faults()).map(({ check, object, detail }) =>
    `${check}: ${object}: ${detail}`.replaceAll(
      /\b(plan|installment|retry|invoice|payment|cascade|attempt)( of)? \d{2,}/g,
      '$1$2 #',
    ),
  );
}

test.serial('the audit finds no fault in these attempts', async (t) => {
  const books = await story();
  t.deepEqual(await books.attempts(), [
    '2027-01-31 installment 1 #1: done paid',
    '2027-02-28 installment 2 #1: due',
    '2027-02-02 1002 #1: due',
  ]);
  t.deepEqual(await found(books), []);
});

for (const [rule, statements, expected] of breaks) {
  test.serial(`the audit finds ${rule}`, async (t) => {
    const books = await story();
    await corrupt(books, statements);
    t.deepEqual(await found(books), [...expected]);
  });
}

test('these faults break every rule of attempts and plans', (t) => {
  const seen = new Set(breaks.flatMap(([, , each]) => each.map((text) => text.split(':')[0])));
  t.deepEqual(
    attemptChecks.map(({ name }) => name).filter((name) => !seen.has(name)),
    [],
  );
});
