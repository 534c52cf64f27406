/** What commissions come to, to the cent. */
import test from 'ava';
import { baseOf, credited, earnedOf, takenBack } from '../../../domain/commissions/earned.ts';
import { type CommissionType, lastFourOf, maskedText } from '../../../domain/commissions/terms.ts';

const dollars = { invoice: 'USD', tenant: 'USD' };
const yen = { invoice: 'JPY', tenant: 'USD' };

const table: readonly [
  title: string,
  given: readonly [type: CommissionType, rate: string, base: string],
  currencies: typeof dollars,
  earned: string | null,
][] = [
  ['10 percent of 26.95', ['Percent', '10', '26.95'], dollars, '2.70 USD of 26.95'],
  ['5 percent of 29.95', ['Percent', '5', '29.95'], dollars, '1.50 USD of 29.95'],
  ['half a cent is rounded away from zero', ['Percent', '10', '0.05'], dollars, '0.01 USD of 0.05'],
  ['less is no cent, but a row', ['Percent', '10', '0.04'], dollars, '0.00 USD of 0.04'],
  ['a negative base', ['Percent', '10', '-26.95'], dollars, '-2.70 USD of -26.95'],
  ['a base of 0', ['Percent', '10', '0.00'], dollars, null],
  ['currencies without decimals', ['Percent', '2.5', '1220'], yen, '31 JPY of 1220'],
  ['an amount', ['Amount', '25', '26.95'], dollars, '25.00 USD of 26.95'],
  ["an amount is in the tenant's currency", ['Amount', '25', '1220'], yen, '25.00 USD of 1220'],
  ['an amount of a base of 0', ['Amount', '25', '0'], dollars, null],
  ['an amount of a negative base', ['Amount', '25', '-1'], dollars, null],
];

for (const [title, [type, rate, amount], currencies, expected] of table) {
  test(`earned: ${title}`, (t) => {
    const earned = earnedOf({ type, rate }, { amount, priceCode: 'FEE' }, currencies);
    t.is(earned && `${earned.amount} ${earned.currency} of ${earned.baseAmount}`, expected);
  });
}

test('a base names its price code if it has one only, whatever discounts it', (t) => {
  const fee = { amount: '29.95', priceCodes: ['FEE'] };
  t.deepEqual(baseOf([fee]), { amount: '29.95', priceCode: 'FEE' });
  t.deepEqual(baseOf([fee, { amount: '-10', priceCodes: ['FEE'] }]), {
    amount: '19.95',
    priceCode: 'FEE',
  });
  t.deepEqual(baseOf([fee, { amount: '5', priceCodes: ['OTHER'] }]), {
    amount: '34.95',
    priceCode: null,
  });
  t.deepEqual(baseOf([]), { amount: '0', priceCode: null });
});

test('all that stands is taken back', (t) => {
  t.deepEqual(takenBack({ baseAmount: '26.95', amount: '2.70' }), {
    baseAmount: '-26.95',
    amount: '-2.7',
  });
  t.is(takenBack({ baseAmount: '0.00', amount: '0.00' }), null);
});

test('after a credit stands what the rest earns', (t) => {
  const whole = { baseAmount: '29.95', amount: '3.00' };
  t.deepEqual(credited('10', whole, { base: '16.42', currency: 'USD' }), {
    baseAmount: '-13.53',
    amount: '-1.36',
  });
  t.is(credited('10', whole, { base: '29.95', currency: 'USD' }), null);
});

test('a secret is shown by its last four characters', (t) => {
  t.is(maskedText(lastFourOf('123456789')), '*****6789');
});
