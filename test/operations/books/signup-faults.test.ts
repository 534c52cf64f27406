/** Breaks sign-ups that have ended, and expects the audit to report it. */
import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import { openSignupBooks, type SignupBooks } from '../support/signups.ts';
import { besideLedger, corrupt, own } from './corrupt.ts';

const db = await sharedDatabase();

/** One that is paid, one that failed at its third decline, one that expired. */
async function story(): Promise<SignupBooks> {
  const books = await openSignupBooks(db);
  books.gateway.onCharge('bad', 'decline', 'decline', 'decline');
  await books.submit(await books.link({ email: 'one@example.org', phone: null }));
  const failing = await books.link({ email: 'two@example.org', phone: null });
  for (let tries = 0; tries < 3; tries += 1) {
    await books.submit(failing, { token: 'bad' });
    await books.carry(failing);
  }
  const expiring = await books.link();
  books.later(30 * 60_000);
  await books.advance(expiring);
  const [paid = 0] = await books.outboxOf('signup');
  await books.carry(paid);
  return books;
}

const of = (status: string): string =>
  `(select id from signup where ${own} and status = '${status}')`;
const orderOf = (status: string): string =>
  `(select order_id from signup where ${own} and status = '${status}')`;

const breaks: readonly [rule: string, statements: readonly string[], found: readonly string[]][] = [
  [
    'a FAILED sign-up whose order goes on',
    [`update subscription_order set status = 'Active' where ${own} and id = ${orderOf('FAILED')}`],
    ['signup.result: is FAILED, but has an order that is not Canceled'],
  ],
  [
    'an EXPIRED one with an invoice',
    [`update signup set invoice_ids = '{1}' where id = ${of('EXPIRED')}`],
    ['signup.result: is EXPIRED, but has made something'],
  ],
  [
    'a PROCESSED one without its invoice',
    [`update signup set invoice_ids = '{1}' where id = ${of('PROCESSED')}`],
    ['signup.result: is PROCESSED, but lacks an invoice of its customer and order'],
  ],
  [
    'a try that is still open',
    [
      `update signup_try set status = 'charging', ended_at = null where signup_id = ${of('PROCESSED')}`,
    ],
    ['signup.result: is PROCESSED, but has an open try'],
  ],
  [
    'a PROCESSED one whose button nobody pressed',
    [
      `update signup_try set confirm_asked_at = created_at, confirm_until = created_at
       where signup_id = ${of('PROCESSED')}`,
    ],
    ['signup.result: is PROCESSED, but was not confirmed'],
  ],
  [
    'a link that nobody ends',
    [
      `update signup set status = 'DRAFT', failure_code = null, ended_at = null,
         expires_at = now() - interval '61 minutes' where id = ${of('EXPIRED')}`,
    ],
    ['signup.late: is DRAFT'],
  ],
];

for (const [rule, statements, found] of breaks) {
  test(`the audit finds ${rule}`, async (t) => {
    const books = await story();
    t.deepEqual(await books.faults(), []);
    await corrupt(books, statements);
    const faults = besideLedger(await books.faults())
      .filter(({ check }) => check.startsWith('signup.'))
      .map(({ check, detail }) => `${check}: ${detail.replace(/ since its link.*/, '')}`);
    t.deepEqual(faults, [...found]);
  });
}
