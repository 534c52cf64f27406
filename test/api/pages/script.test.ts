/** The checks of the script are those of the server, so that no card passes one of them only. */
import test from 'ava';
import {
  cardBrand,
  cardDigits,
  isCardNumber,
  isExpired,
  isSecurityCode,
} from '../../../domain/payments/cards.ts';
import { formatAmount, formatDecimal, minorDigits, sum } from '../../../domain/money/money.ts';
import { stripeAmount, stripeDigits } from '../../../providers/gateway/stripe/amount.ts';
import { fc } from '../../support/random.ts';

/** As the browser has it; a name in a variable, as the script has no types. */
const path = '../../../api/pages/assets/cards.js';
const script = (await import(path)) as {
  brandOf: (digits: string) => { readonly name: string } | undefined;
  faultOfNumber: (text: string) => 'number' | 'length' | null;
  isExpired: (expiry: { month: string; year: string; today: string }) => boolean;
  isSecurityCode: (code: string, number: string) => boolean;
  grouped: (digits: string) => string;
  needsNewMethod: (elements: object) => boolean;
  isOfKind: (elements: object, kinds: readonly string[]) => boolean;
  faultOfIban: (text: string) => 'iban' | null;
};

/** The edges of every brand's range. */
const leads = (
  '4 51 55 50 56 2221 2720 2220 2721 34 37 35 6011 622126 622925 622125 622926 644 649 643 65 ' +
  '300 305 306 3095 36 38 39 3528 3589 3527 3590 62 81 5018 5020 5038 5893 6304 6759 6761 6763 6764'
).split(' ');

const decimals = Array.from({ length: 10 }, (_, digit) => String(digit));

const digits = (lengths: { minLength: number; maxLength: number }) =>
  fc.string({ ...lengths, unit: fc.constantFrom(...decimals) });

const numbers = fc
  .tuple(fc.constantFrom(...leads), digits({ minLength: 6, maxLength: 17 }))
  .map((parts) => parts.join(''));

/** With the check digit that makes it pass. */
function checked(number: string): string {
  const rest = number.slice(0, -1);
  return rest + (decimals.find((digit) => passes(rest + digit)) ?? '');
}

function passes(number: string): boolean {
  const sum = Array.from(number)
    .toReversed()
    .map((digit, place) => Number(digit) * (place % 2 === 0 ? 1 : 2))
    .reduce((all, each) => all + Math.floor(each / 10) + (each % 10), 0);
  return sum % 10 === 0;
}

const { sumOf } = (await import(
  String(new URL('../../../api/pages/assets/choice.js', import.meta.url))
)) as {
  sumOf: (amounts: readonly string[], digits: number) => string;
};

const { unitsOf } = (await import(
  String(new URL('../../../api/pages/assets/gateway.js', import.meta.url))
)) as { unitsOf: (amount: string, digits: number) => number };

test('the script counts the smallest units that Stripe charges as the server does', (t) => {
  for (const [currency, amount] of [
    ['USD', '12.50'],
    ['USD', '0.07'],
    ['EUR', '1204.5'],
    ['JPY', '500'],
    ['ISK', '500'],
    ['KWD', '1.230'],
  ] as const) {
    t.is(unitsOf(amount, stripeDigits(currency)), stripeAmount(currency, amount) ?? 0, currency);
  }
});

test('the script sums up what the server does', (t) => {
  t.is(sumOf(['29.95', '1204.55'], 2), '1234.50');
  t.is(sumOf([], 2), '0.00');
  t.is(sumOf(['0.05', '0.05'], 2), '0.10');
  t.is(sumOf(['900', '100'], 0), '1000');
  t.is(sumOf([], 0), '0');
  const amounts = (digits: number) =>
    fc
      .array(fc.bigInt({ min: 0n, max: 999_999_999_999_999n }), { maxLength: 100 })
      .map((minor) => minor.map((each) => formatDecimal(each * 10n ** BigInt(6 - digits))));
  const currencies = fc.constantFrom('USD', 'JPY', 'KWD');
  fc.assert(
    fc.property(
      currencies.chain((currency) =>
        fc.tuple(fc.constant(currency), amounts(minorDigits(currency))),
      ),
      ([currency, some]) => {
        const written = some.map((each) => formatAmount(currency, each));
        t.is(sumOf(written, minorDigits(currency)), formatAmount(currency, sum(some)));
      },
    ),
  );
});

test('a card number passes the script if and only if it passes the server', (t) => {
  fc.assert(
    fc.property(numbers, fc.boolean(), (number, isChecked) => {
      const text = isChecked ? checked(number) : number;
      t.is(script.faultOfNumber(text) === null, isCardNumber(text), text);
      if (isCardNumber(text)) t.is(script.brandOf(text)?.name ?? null, cardBrand(text), text);
    }),
  );
});

test('the script says whether digits or their number are wrong', (t) => {
  t.is(script.faultOfNumber('4111 1111-1111 1111'), null);
  t.is(script.faultOfNumber('4111111111111112'), 'number');
  t.is(script.faultOfNumber('411111111111111'), 'length');
  t.is(script.faultOfNumber('4111x'), 'number');
});

test('a code and an expiry pass the script if and only if they pass the server', (t) => {
  const codes = digits({ minLength: 0, maxLength: 5 });
  fc.assert(
    fc.property(numbers, codes, (number, code) => {
      t.is(script.isSecurityCode(code, number), isSecurityCode(code, number));
    }),
  );
  for (const [month, year] of [
    ['12', '2026'],
    ['01', '2027'],
    ['02', '2027'],
  ] as const) {
    const today = '2027-01-31';
    t.is(script.isExpired({ month, year, today }), isExpired(`${year}-${month}-01`, today));
  }
});

test('digits are grouped as on the card, and nothing of them is lost', (t) => {
  t.is(script.grouped('4111111111111111'), '4111 1111 1111 1111');
  t.is(script.grouped('378282246310005'), '3782 822463 10005');
  t.is(script.grouped('3782'), '3782');
  t.is(script.grouped('37828'), '3782 8');
  fc.assert(
    fc.property(digits({ minLength: 1, maxLength: 19 }), (number) => {
      t.is(cardDigits(script.grouped(number)), number);
    }),
  );
});

test('a form needs a new method if it is chosen, else to pay, or to be saved', (t) => {
  const card = (required: boolean, checked: boolean, method?: string): boolean =>
    script.needsNewMethod({
      cardNumber: { required },
      savePaymentMethod: { checked },
      ...(method !== undefined && { method: { value: method } }),
    });
  t.deepEqual([card(true, true, '17'), card(true, false, 'new')], [false, true]);
  t.deepEqual([card(true, false), card(false, true), card(false, false)], [true, true, false]);
});

test('without a choice a form takes a card, else the kind that is chosen', (t) => {
  const chosen = (value?: string) => (value === undefined ? {} : { methodType: { value } });
  t.true(script.isOfKind(chosen(), ['card']));
  t.false(script.isOfKind(chosen(), ['sepa', 'usBankAccount']));
  t.true(script.isOfKind(chosen('sepa'), ['sepa', 'usBankAccount']));
  t.false(script.isOfKind(chosen('sepa'), ['card']));
});

test('the script sees wrong check digits of an IBAN as the server does', (t) => {
  t.is(script.faultOfIban('DE89 3704 0044 0532 0130 00'), null);
  t.is(script.faultOfIban('DE88 3704 0044 0532 0130 00'), 'iban');
  t.is(script.faultOfIban('12'), 'iban');
});
