/** The order in which money is applied to debts. */
import test from 'ava';
import { add, compare, negate, sum } from '../../../domain/money/money.ts';
import {
  applyMoney,
  methodContext,
  setAside,
  type Application,
  type Claim,
  type Money,
} from '../../../domain/payments/allocation.ts';
import { fc } from '../../support/random.ts';

const money = (
  id: number,
  balance: string,
  effectiveDate: string,
  namedInvoiceIds: readonly number[] = [],
): Money => ({ id, balance, effectiveDate, namedInvoiceIds });
const invoice = (id: number, open: string, dueDate: string): Claim => ({
  kind: 'invoice',
  id,
  open,
  dueDate,
});
const debit = (id: number, open: string, dueDate: string): Claim => ({
  kind: 'debit',
  id,
  open,
  dueDate,
});

/** `1: 100 to invoice 7 leaving 200`. */
const told = (applications: readonly Application[]): string[] =>
  applications.map(
    ({ paymentId, amount, kind, claimId, balanceRemaining }) =>
      `${paymentId}: ${amount} to ${kind} ${claimId} leaving ${balanceRemaining}`,
  );

const applied: readonly [
  rule: string,
  moneys: readonly Money[],
  claims: readonly Claim[],
  expected: readonly string[],
][] = [
  [
    '300 over 100 and 200 leaves 200, then 0',
    [money(1, '300', '2027-01-10')],
    [invoice(7, '100', '2027-01-20'), invoice(8, '200', '2027-01-30')],
    ['1: 100 to invoice 7 leaving 200', '1: 200 to invoice 8 leaving 0'],
  ],
  [
    'the oldest due is paid first, whatever its id',
    [money(1, '50', '2027-01-10')],
    [invoice(7, '40', '2027-02-20'), invoice(8, '30', '2027-01-30')],
    ['1: 30 to invoice 8 leaving 20', '1: 20 to invoice 7 leaving 0'],
  ],
  [
    'of invoices with one due date, the lower id is paid first',
    [money(1, '50', '2027-01-10')],
    [invoice(8, '40', '2027-01-30'), invoice(7, '30', '2027-01-30')],
    ['1: 30 to invoice 7 leaving 20', '1: 20 to invoice 8 leaving 0'],
  ],
  [
    'named invoices are paid first, in the order in which they are named',
    [money(1, '75', '2027-01-10', [9, 8])],
    [
      invoice(7, '40', '2027-01-01'),
      invoice(8, '30', '2027-01-02'),
      invoice(9, '20', '2027-03-01'),
    ],
    [
      '1: 20 to invoice 9 leaving 55',
      '1: 30 to invoice 8 leaving 25',
      '1: 25 to invoice 7 leaving 0',
    ],
  ],
  [
    'a named invoice that is no longer open is skipped',
    [money(1, '10', '2027-01-10', [99])],
    [invoice(7, '40', '2027-01-01')],
    ['1: 10 to invoice 7 leaving 0'],
  ],
  [
    'debits come before invoices, the oldest first',
    [money(1, '60', '2027-01-10')],
    [invoice(7, '40', '2026-01-01'), debit(5, '15', '2027-01-09'), debit(6, '10.5', '2027-01-08')],
    [
      '1: 10.5 to debit 6 leaving 49.5',
      '1: 15 to debit 5 leaving 34.5',
      '1: 34.5 to invoice 7 leaving 0',
    ],
  ],
  [
    'a debit and an invoice of one id are two claims',
    [money(1, '10', '2027-01-10', [7])],
    [invoice(7, '4', '2027-01-01'), debit(7, '5', '2027-01-01')],
    ['1: 4 to invoice 7 leaving 6', '1: 5 to debit 7 leaving 1'],
  ],
  [
    'naming an invoice does not name the debit of its id',
    [money(1, '10', '2027-01-10', [7])],
    [debit(7, '5', '2027-01-01'), debit(6, '5', '2026-01-01'), invoice(7, '4', '2027-01-01')],
    ['1: 4 to invoice 7 leaving 6', '1: 5 to debit 6 leaving 1', '1: 1 to debit 7 leaving 0'],
  ],
  [
    'the oldest money is used first, and on one day the lower id',
    [money(3, '10', '2027-01-10'), money(2, '10', '2027-01-10'), money(4, '10', '2027-01-09')],
    [invoice(7, '25', '2027-01-01')],
    ['4: 10 to invoice 7 leaving 0', '2: 10 to invoice 7 leaving 0', '3: 5 to invoice 7 leaving 5'],
  ],
  [
    'a named invoice that older money has paid is not paid again',
    [money(1, '20', '2027-01-01'), money(2, '20', '2027-01-02', [8])],
    [invoice(7, '15', '2027-01-01'), invoice(8, '10', '2027-01-02')],
    ['1: 15 to invoice 7 leaving 5', '1: 5 to invoice 8 leaving 0', '2: 5 to invoice 8 leaving 15'],
  ],
  ['nothing is owed', [money(1, '20', '2027-01-01')], [], []],
  ['there is no money', [], [invoice(7, '15', '2027-01-01')], []],
];

for (const [rule, moneys, claims, expected] of applied) {
  test(`money is applied: ${rule}`, (t) => {
    t.deepEqual(told(applyMoney(moneys, claims)), expected);
  });
}

test('money under way sets aside what it would pay, and the last payment of it is known', (t) => {
  // 300 over 100 and 250, then 60 over what is left of the second and a debit before it.
  const claims = [invoice(7, '100', '2027-01-20'), invoice(8, '250', '2027-01-30')];
  t.deepEqual(setAside([money(1, '300', '2027-01-10')], claims), [
    { kind: 'invoice', claimId: 7, amount: '100', paymentId: 1 },
    { kind: 'invoice', claimId: 8, amount: '200', paymentId: 1 },
  ]);
  const both = [money(2, '60', '2027-01-12'), money(1, '300', '2027-01-10')];
  t.deepEqual(setAside(both, [...claims, debit(8, '20', '2027-01-05')]), [
    { kind: 'debit', claimId: 8, amount: '20', paymentId: 1 },
    { kind: 'invoice', claimId: 7, amount: '100', paymentId: 1 },
    { kind: 'invoice', claimId: 8, amount: '240', paymentId: 2 },
  ]);
  t.deepEqual(setAside([], claims), []);
});

const cents = fc
  .integer({ min: 1, max: 40_000 })
  .map((n) => add('0', `${n}`.padStart(3, '0').replace(/(\d\d)$/, '.$1')));
const day = fc.integer({ min: 10, max: 28 }).map((n) => `2027-01-${n}`);
const claimLists = fc
  .array(fc.record({ kind: fc.constantFrom('debit', 'invoice'), open: cents, dueDate: day }), {
    maxLength: 8,
  })
  .map((claims) => claims.map((claim, index) => ({ ...claim, id: 100 + index })));
const moneyLists = fc
  .array(
    fc.record({
      balance: cents,
      effectiveDate: day,
      namedInvoiceIds: fc.uniqueArray(fc.integer({ min: 98, max: 108 }), { maxLength: 3 }),
    }),
    { maxLength: 6 },
  )
  .map((moneys) => moneys.map((each, index) => ({ ...each, id: 1 + index })));

test('no claim gets more than its open amount, no money pays more than it has, and none is lost', (t) => {
  fc.assert(
    fc.property(moneyLists, claimLists, (moneys, claims) => {
      const applications = applyMoney(moneys, claims);
      const paid = (owner: (each: Application) => boolean): string =>
        sum(applications.filter(owner).map((each) => each.amount));
      for (const each of applications) t.is(compare(each.amount, '0'), 1);
      for (const { kind, id, open } of claims) {
        const got = paid((each) => each.kind === kind && each.claimId === id);
        t.true(compare(got, open) <= 0);
      }
      for (const { id, balance } of moneys) {
        t.true(
          compare(
            paid((each) => each.paymentId === id),
            balance,
          ) <= 0,
        );
      }
    }),
  );
});

test('unapplied money and open claims never exist together', (t) => {
  fc.assert(
    fc.property(moneyLists, claimLists, (moneys, claims) => {
      const used = sum(applyMoney(moneys, claims).map((each) => each.amount));
      const had = sum(moneys.map((each) => each.balance));
      const owed = sum(claims.map((each) => each.open));
      t.is(compare(used, compare(had, owed) < 0 ? had : owed), 0);
    }),
  );
});

test('balanceRemaining continues from the previous application, downwards from the balance', (t) => {
  fc.assert(
    fc.property(moneyLists, claimLists, (moneys, claims) => {
      const left = new Map(moneys.map(({ id, balance }) => [id, balance]));
      for (const { paymentId, amount, balanceRemaining } of applyMoney(moneys, claims)) {
        const expected = add(left.get(paymentId) ?? '0', negate(amount));
        t.is(balanceRemaining, expected);
        left.set(paymentId, expected);
      }
    }),
  );
});

test('a claim gets nothing while an older debit or unnamed invoice is open', (t) => {
  let behind = 0;
  const nameless = moneyLists.map((list) => list.map((each) => ({ ...each, namedInvoiceIds: [] })));
  fc.assert(
    fc.property(nameless, claimLists, (moneys, claims) => {
      const rank = ({ kind, dueDate, id }: Claim): string =>
        `${kind === 'debit' ? 0 : 1} ${dueDate} ${String(id).padStart(4, '0')}`;
      const inOrder = claims.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
      const applications = applyMoney(moneys, claims);
      const got = inOrder.map(({ kind, id, open }) => ({
        open,
        paid: sum(
          applications
            .filter((each) => each.kind === kind && each.claimId === id)
            .map((each) => each.amount),
        ),
      }));
      const firstShort = got.findIndex(({ open, paid }) => compare(paid, open) < 0);
      if (firstShort < 0) return;
      for (const { paid } of got.slice(firstShort + 1)) t.is(compare(paid, '0'), 0);
      behind += got.length - firstShort - 1;
    }),
  );
  t.true(behind > 20, `${behind} claims stood behind one that got too little`);
});

test('a method is shown by its brand and its last digits only', (t) => {
  const cases = [
    ['CreditCard', 'Visa', '1111', 'Visa - *****1111'],
    ['CreditCard', null, '1111', 'Card - *****1111'],
    ['ACH', null, '6789', 'ACH - *****6789'],
    ['Token', null, null, 'Token - *****'],
    ['Check', null, '0042', 'Check - *****0042'],
    ['Cash', null, null, 'Cash'],
  ] as const;
  for (const [type, brand, lastFour, shown] of cases) {
    t.is(methodContext({ type, brand, lastFour }), shown);
  }
});
