/** What a refund of invoices takes from which payments and invoices. */
import test from 'ava';
import { add, compare, sum } from '../../../domain/money/money.ts';
import { takeApplied, type AppliedMoney } from '../../../domain/payments/allocation.ts';
import { fc } from '../../support/random.ts';

const march = { id: 1, effectiveDate: '2027-03-10', refundable: '50' };
const april = { id: 2, effectiveDate: '2027-04-10', refundable: '30' };
const applied = (
  paymentId: number,
  invoiceId: number,
  amount: string,
  newestId: number,
): AppliedMoney => ({ paymentId, invoiceId, amount, newestId });

const texts = (amount: string, of: readonly AppliedMoney[], payments = [march, april]) =>
  takeApplied(amount, payments, of).map(
    (take) => `${take.amount} of ${take.paymentId} on ${take.invoiceId}`,
  );

test('the newest payment comes first, and of it the newest application', (t) => {
  const all = [applied(1, 7, '20', 10), applied(2, 7, '10', 11), applied(2, 8, '15', 12)];
  t.deepEqual(texts('30', all), ['15 of 2 on 8', '10 of 2 on 7', '5 of 1 on 7']);
  t.deepEqual(texts('100', all), ['15 of 2 on 8', '10 of 2 on 7', '20 of 1 on 7']);
  t.deepEqual(texts('0', all), []);
});

test('at most what is refundable of the payment goes back, whatever is applied', (t) => {
  const all = [applied(1, 7, '20', 10), applied(2, 7, '30', 11)];
  const little = { ...april, refundable: '12' };
  t.deepEqual(texts('40', all, [march, little]), ['12 of 2 on 7', '20 of 1 on 7']);
  t.deepEqual(texts('40', [applied(3, 7, '10', 9)]), [], 'money of no refundable payment');
});

const cents = fc.integer({ min: 0, max: 5_000 }).map((each) => (each / 100).toFixed(2));
const anyPayments = fc.array(cents, { minLength: 1, maxLength: 4 }).map((all) =>
  all.map((refundable, index) => ({
    id: index + 1,
    effectiveDate: `2027-03-${10 + (index % 2)}`,
    refundable,
  })),
);
const anyApplied = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 3 }), cents), {
    maxLength: 8,
  })
  .map((all) => [
    ...new Map(
      all.map(([paymentId, invoiceId, amount], index) => [
        `${paymentId} ${invoiceId}`,
        applied(paymentId, invoiceId, amount, index),
      ]),
    ).values(),
  ]);

test('no payment and no application gives more than it has, the newest first', (t) => {
  fc.assert(
    fc.property(cents, anyPayments, anyApplied, (amount, payments, all) => {
      const takes = takeApplied(amount, payments, all);
      const taken = sum(takes.map((take) => take.amount));
      t.true(compare(taken, amount) <= 0);
      let most = '0';
      for (const { id, refundable } of payments) {
        const own = takes.filter(({ paymentId }) => paymentId === id);
        const there = sum(all.flatMap((each) => (each.paymentId === id ? [each.amount] : [])));
        const has = compare(there, refundable) < 0 ? there : refundable;
        t.true(compare(sum(own.map((take) => take.amount)), has) <= 0);
        most = add(most, has);
      }
      for (const { paymentId, invoiceId, amount: part } of takes) {
        t.is(compare(part, '0'), 1);
        const of = all.find((each) => each.paymentId === paymentId && each.invoiceId === invoiceId);
        t.true(of !== undefined && compare(part, of.amount) <= 0);
      }
      // As much as there is.
      t.is(compare(taken, compare(most, amount) < 0 ? most : amount), 0);
      const days = takes.map(({ paymentId: id }) => `2027-03-${10 + ((id - 1) % 2)} ${id}`);
      t.deepEqual(days, days.toSorted().toReversed());
    }),
  );
});
