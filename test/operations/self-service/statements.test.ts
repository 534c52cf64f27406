/**
 * Statements: the ledger with its running balance, and that opening, entries and closing always sum
 * up to the balance of the customer.
 */
import test from 'ava';
import { addDays, daysFromTo } from '../../../domain/calendar/calendar.ts';
import { compare, sum } from '../../../domain/money/money.ts';
import { readHome } from '../../../operations/self-service/home.ts';
import {
  STATEMENT_ENTRIES_MAX,
  readStatement,
  type CurrencyStatement,
  type StatementEntry,
  type StatementSelection,
} from '../../../operations/self-service/statements.ts';
import { costly, fc } from '../../support/random.ts';
import { sharedDatabase } from '../support/books.ts';
import { cash, openPaymentBooks, type PaymentBooks } from '../support/payment-books.ts';
import { newWorld, perform } from '../support/payment-lives.ts';
import { step } from '../support/payment-steps.ts';

const db = await sharedDatabase();
const ALL = { currency: 'USD', from: '2026-01-16', to: '2027-12-31', before: null } as const;

type Asked = Partial<StatementSelection> & { readonly customerId: number };

const statementOf = ({ read }: Pick<PaymentBooks, 'read'>, asked: Asked) =>
  read((tx) => readStatement(tx, { ...ALL, ...asked }));

const textOf = ({ currency, opening, closing, entries }: CurrencyStatement): string[] => [
  `${currency} ${Number(opening).toFixed(2)}`,
  ...entries.map(({ enteredOn, kind, amount, balance, invoiceNumber }) =>
    [enteredOn, kind, invoiceNumber, Number(amount).toFixed(2), Number(balance).toFixed(2)]
      .filter((each) => each !== null)
      .join(' '),
  ),
  `${currency} ${Number(closing).toFixed(2)}`,
];

test('each entry has the balance after it; a period begins with what was owed before', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.bill(customerId, '100');
  books.jump('2027-02-01');
  await books.paid({ customerId, amount: '30', method: cash });
  await books.bill(customerId, '29.95');
  await books.cancelInvoice('1002');
  await books.bill(customerId, '10', { currency: 'EUR' });
  const { currencies, olderThan } = await statementOf(books, { customerId });
  t.is(olderThan, null);
  t.deepEqual(currencies.flatMap(textOf), [
    'USD 0.00',
    '2027-01-15 invoice 1001 100.00 100.00',
    '2027-02-01 payment -30.00 70.00',
    '2027-02-01 invoice 1002 29.95 99.95',
    '2027-02-01 invoiceCancelled 1002 -29.95 70.00',
    'USD 70.00',
    'EUR 0.00',
    '2027-02-01 invoice 1003 10.00 10.00',
    'EUR 10.00',
  ]);
  const january = await statementOf(books, { customerId, to: '2027-01-31' });
  t.deepEqual(january.currencies.flatMap(textOf), [
    'USD 0.00',
    '2027-01-15 invoice 1001 100.00 100.00',
    'USD 100.00',
  ]);
  const february = await statementOf(books, { customerId, from: '2027-01-16', to: '2027-02-28' });
  t.deepEqual(february.currencies.map(textOf)[0]?.slice(0, 2), [
    'USD 100.00',
    '2027-02-01 payment -30.00 70.00',
  ]);
});

test('a customer without any money has an empty statement in its currency', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const { currencies } = await statementOf(books, { customerId: await books.customer() });
  t.deepEqual(currencies, [{ currency: 'USD', opening: '0', closing: '0', entries: [] }]);
});

/** Writes invoices of 1.00 each, a few a day, as the owner of the rows that stand for them. */
async function manyEntries(
  { work }: Pick<PaymentBooks, 'work'>,
  { customerId, count }: { readonly customerId: number; readonly count: number },
): Promise<void> {
  await work(async ({ tx, time }) => {
    const values = [tx.tenantId, customerId, count, time.now];
    await tx.query(
      `insert into payment (tenant_id, customer_id, payment_type, status, currency, amount, balance,
         effective_date, cascade_id, created_at, updated_at, id)
       select $1, $2, 'Credit', 'Paid', 'USD', -1, -1, date '2027-01-01' + n / 7, 900000 + n, $4,
         $4, 900000 + n from generate_series(1, $3::int) n`,
      values,
    );
    await tx.query(
      `with entered as (
         insert into ledger_entry (tenant_id, customer_id, currency, kind, amount, payment_id,
           entered_on, entered_at)
         select $1, $2, 'USD', 'debit', 1, 900000 + n, date '2027-01-01' + n / 7, $4
         from generate_series(1, $3::int) n returning amount)
       insert into customer_balance (tenant_id, customer_id, currency, balance)
       select $1, $2, 'USD', sum(amount) from entered
       on conflict (tenant_id, customer_id, currency) do update set balance = excluded.balance`,
      values,
    );
  });
}

test('of more than 1,000 entries the newest are shown, and each page goes on where the last ended', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-12-31' });
  const customerId = await books.customer();
  await manyEntries(books, { customerId, count: 2_100 });
  const seen: string[] = [];
  let asked: Asked = { customerId };
  for (const [shown, opening] of [
    [STATEMENT_ENTRIES_MAX, 1_100],
    [STATEMENT_ENTRIES_MAX, 100],
    [100, 0],
  ] as const) {
    const { currencies, olderThan } = await statementOf(books, asked);
    const [own] = currencies;
    if (own === undefined) return t.fail();
    t.is(own.entries.length, shown);
    t.is(Number(own.opening), opening);
    t.is(Number(own.closing), opening + shown);
    t.is(Number(own.entries.at(-1)?.balance), opening + shown);
    seen.unshift(...own.entries.map(({ balance }) => String(Number(balance))));
    if (olderThan === null) continue;
    asked = { customerId, to: olderThan.enteredOn, before: olderThan.id };
  }
  t.deepEqual(seen, oneTo(2_100));
});

const oneTo = (last: number): string[] => Array.from({ length: last }, (_, at) => String(at + 1));

test('an index has the entries in their order: nothing is sorted, and no other customer is read', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-12-31' });
  const customerId = await books.customer();
  const plan = await books.read(async (tx) => {
    await tx.query('set local enable_seqscan = off');
    return tx.query<{ 'QUERY PLAN': string }>(
      `explain select e.id, e.amount from ledger_entry e
       where e.tenant_id = ${tx.tenantId} and e.customer_id = ${customerId} and e.currency = 'USD'
         and e.entered_on >= '2026-01-01' and (e.entered_on, e.id) < ('2027-01-01'::date, 5)
       order by e.entered_on desc, e.id desc limit 1001`,
    );
  });
  const text = plan.map((row) => row['QUERY PLAN']).join('\n');
  t.regex(text, /Index (Only )?Scan Backward using ledger_entry_of_customer/);
  t.notRegex(text, /Sort/);
});

const shownOf = ({ id, amount, balance }: StatementEntry) => ({ id, amount, balance });

/** Opening and entries sum up to closing, step by step. */
function assertSums({ opening, closing, entries }: CurrencyStatement): void {
  let balance = opening;
  for (const entry of entries) {
    balance = sum([balance, entry.amount]);
    if (compare(balance, entry.balance) !== 0) throw new Error(JSON.stringify(entry));
  }
  if (compare(balance, closing) !== 0) throw new Error(`${balance}, not ${closing}`);
}

test('whatever happens, statements tile, and the last one ends with the balance of the customer', async (t) => {
  const steps = fc.array(step, { minLength: 8, maxLength: 20 });
  const property = fc.asyncProperty(steps, fc.nat({ max: 400 }), async (all, cut) => {
    const { books, customers } = await newWorld(db);
    for (const each of all) await perform({ books, customers }, each).catch(() => undefined);
    for (const customerId of customers) {
      const today = books.today();
      const day = addDays('2027-01-01', cut % daysFromTo('2027-01-01', today));
      const [first, second, whole] = await Promise.all([
        statementOf(books, { customerId, to: day }),
        statementOf(books, { customerId, from: addDays(day, 1), to: today }),
        statementOf(books, { customerId, to: today }),
      ]);
      for (const each of [first, second, whole]) each.currencies.forEach(assertSums);
      for (const { currency, opening, closing, entries } of whole.currencies) {
        const [a, b] = [first, second].map(({ currencies }) =>
          currencies.find((each) => each.currency === currency),
        );
        const parts = [...(a?.entries ?? []), ...(b?.entries ?? [])];
        t.deepEqual(parts.map(shownOf), entries.map(shownOf));
        t.is(compare(a?.closing ?? opening, b?.opening ?? closing), 0);
        t.is(compare(opening, '0'), 0);
        t.is(compare(closing, await balanceOf(books, customerId, currency)), 0);
        t.is(compare(closing, await openOf(books, customerId, currency)), 0);
      }
    }
  });
  await fc.assert(property, { ...costly, numRuns: 6 });
});

async function balanceOf({ read }: PaymentBooks, customerId: number, currency: string) {
  const [row] = await read((tx) =>
    tx.query<{ balance: string }>(
      `select balance::text from customer_balance where customer_id = $1 and currency = $2`,
      [customerId, currency],
    ),
  );
  return row?.balance ?? '0';
}

/** As the first page has it; debits, which are no invoices, come on top. */
async function openOf({ read }: PaymentBooks, customerId: number, currency: string) {
  const { balances } = await read((tx) => readHome(tx, { customerId, currency }, '2027-01-01'));
  const [debits] = await read((tx) =>
    tx.query<{ open: string }>(
      `select coalesce(-sum(balance), 0)::text as open from payment
       where customer_id = $1 and currency = $2 and balance < 0`,
      [customerId, currency],
    ),
  );
  const own = balances.find((each) => each.currency === currency);
  return sum([own?.open ?? '0', `-${own?.unapplied ?? '0'}`, debits?.open ?? '0']);
}
