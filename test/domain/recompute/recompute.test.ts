/**
 * The second calculator agrees with the worked examples of the rules, and finds each of their
 * charges that is a cent off, though every sum includes the cent.
 */
import test from 'ava';
import type { Shown, ShownInvoice } from '../../../domain/recompute/documents.ts';
import { recompute } from '../../../domain/recompute/recompute.ts';
import { shownOf } from './documents.ts';
import { examples } from './examples.ts';

const texts = (shown: Shown): string[] =>
  recompute(shown).faults.map(({ check, object, detail }) => `${check}: ${object}: ${detail}`);

/** A cent more on one charge, and in every sum of its invoice. */
function withCent(shown: Shown, chargeId: number): Shown {
  const more = (amount: string, by: number) => (Number(amount) + by).toFixed(2);
  const sample = shown.sample.map((invoice): ShownInvoice => {
    const lines = invoice.lines.map((line) => {
      const charges = line.charges.map((charge) =>
        charge.id === chargeId ? { ...charge, amount: more(charge.amount, 0.01) } : charge,
      );
      const moved = charges.find(({ id }) => id === chargeId);
      const by = moved && !moved.isUsageChargeSubTotal ? 0.01 : 0;
      return { ...line, charges, lineAmountTotal: more(line.lineAmountTotal, by) };
    });
    const total = lines.reduce((sum, { lineAmountTotal }) => sum + Number(lineAmountTotal), 0);
    const [currentAmountDue, totalDue] = [0, Number(invoice.previousBalance)].map((before) =>
      (before + total).toFixed(2),
    );
    return {
      ...invoice,
      lines,
      currentAmountDue: currentAmountDue ?? '',
      totalDue: totalDue ?? '',
    };
  });
  return { ...shown, sample };
}

for (const [title, world] of Object.entries(examples)) {
  test(`it computes ${title}, to the cent`, (t) => {
    const shown = shownOf(world);
    const { faults, notRecomputed, charges } = recompute(shown);
    t.deepEqual([faults, notRecomputed], [[], {}]);
    const all = shown.sample.flatMap(({ lines }) => lines.flatMap((line) => line.charges));
    t.is(charges, all.length, 'every charge is computed');
    for (const { id, priceCode } of all) {
      const found = recompute(withCent(shown, id)).faults.map(({ check }) => check);
      t.true(
        found.some((check) => check !== 'recompute.chain'),
        `a cent more of ${priceCode}`,
      );
    }
  });
}

const fee = { charges: [{ priceCode: 'FEE', price: '31.00' }] };
const month = { on: '2027-01-15', of: { 100: ['FEE 2027-01-15 2027-02-14 31.00'] } };
const third = { on: '2027-03-15', of: { 100: ['FEE 2027-03-15 2027-04-14 31.00'] } };

test('a period that no invoice bills is found, unless its days are not served', (t) => {
  const shown = shownOf({ ...fee, invoices: [month, third] });
  t.deepEqual(texts(shown), [
    'recompute.periods: order 1001: FEE does not bill 2027-02-15, with invoices up to 2027-03-15',
  ]);
  const pauses = new Map([[100, [{ suspendedOn: '2027-02-14', resumedOn: '2027-03-15' }]]]);
  t.deepEqual(texts({ ...shown, pauses }), []);
});

test('days that two invoices bill are found, unless one is cancelled', (t) => {
  const again = { on: '2027-01-20', of: month.of };
  t.deepEqual(texts(shownOf({ ...fee, invoices: [month, again] })), [
    'recompute.periods: order 1001: FEE bills 2027-01-15 on invoice 1001, and again on invoice 1002',
  ]);
  const cancelled = { ...month, status: 'Cancelled' };
  t.deepEqual(texts(shownOf({ ...fee, invoices: [cancelled, again] })), []);
});

test('a change that gives nothing back is found', (t) => {
  const orders = [
    { orderStatus: 'Superseded', endDate: '2027-01-31', nextOrderId: 200 },
    { startDate: '2027-02-01', previousOrderId: 100 },
  ];
  const invoices = [month, { on: '2027-02-01', of: { 200: ['FEE 2027-02-01 2027-02-14 14.00'] } }];
  t.deepEqual(texts(shownOf({ ...fee, orders, invoices })), [
    'recompute.credit: order 1001: nothing is given back of FEE charge 1 of line 1 (FEE) of invoice 1001',
  ]);
});

test('a dueDate follows the terms of the order or its plan, and months clip', (t) => {
  const plan = { dueDateValue: 1, dueDateUnits: 'Months' };
  const invoices = [{ ...month, on: '2027-01-31', dueDate: '2027-02-28' }];
  const orders = [{ startDate: '2027-01-31' }];
  const of = { 100: ['FEE 2027-01-31 2027-02-27 31.00'] };
  const own = (dueDate: string) =>
    texts(
      shownOf({
        ...fee,
        plan,
        orders,
        invoices: [{ ...invoices[0], on: '2027-01-31', of, dueDate }],
      }),
    );
  t.deepEqual(own('2027-02-28'), []);
  t.deepEqual(own('2027-03-03'), [
    'recompute.dueDate: invoice 1001: dueDate is 2027-03-03, should be 2027-02-28',
  ]);
});

test('an order with invoices of its own shares none', (t) => {
  const orders = [{ separateInvoice: 1 }, {}];
  const of = { 100: month.of[100], 200: month.of[100] };
  t.deepEqual(texts(shownOf({ ...fee, orders, invoices: [{ on: '2027-01-15', of }] })), [
    'recompute.grouping: invoice 1001: orders 1001, 1002 share it',
  ]);
});

test('balances are chained', (t) => {
  const invoices = [
    month,
    { ...third, on: '2027-02-15', of: { 100: ['FEE 2027-02-15 2027-03-14 31.00'] } },
  ];
  const shown = shownOf({ ...fee, invoices });
  const [one, two] = shown.sample;
  if (!one || !two) return t.fail();
  const moved = { ...two, previousBalance: '30.00', totalDue: '61.00' };
  t.deepEqual(texts({ ...shown, sample: [one, moved] }), [
    'recompute.chain: invoice 1002: previousBalance says 30.00, should be 31.00',
  ]);
});

test('charges made by hand are unitPrice x quantity, or a percentage; others are named', (t) => {
  const shown = shownOf({ ...fee, invoices: [month] });
  const [made] = shown.sample;
  const [line] = made?.lines ?? [];
  const [charge] = line?.charges ?? [];
  if (!made || !line || !charge) return t.fail();
  const byHand = {
    ...charge,
    contractChargeId: null,
    orderLineItemId: null,
    quantity: '2',
    unitPrice: '3.25',
  };
  const ofHand = (charges: readonly object[], total: string): Shown => ({
    ...shown,
    sample: [
      {
        ...made,
        currentAmountDue: total,
        totalDue: total,
        lines: [{ ...line, lineAmountTotal: total, charges: charges as never }],
      },
    ],
  });
  t.deepEqual(texts(ofHand([{ ...byHand, amount: '6.50' }], '6.50')), []);
  t.deepEqual(texts(ofHand([{ ...byHand, amount: '6.51' }], '6.51')), [
    'recompute.byHand: invoice 1001: charge 1 of line 1 says 6.51, should be 6.50',
  ]);
  const alone = ofHand([{ ...byHand, unitPrice: null, amount: '6.51' }], '6.51');
  t.deepEqual(recompute(alone).notRecomputed, {
    'a charge made by hand or imported, with an amount alone': 1,
  });
});
