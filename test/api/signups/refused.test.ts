/** What a start is refused for: each rule of its parameters, and all of them at once. */
import test from 'ava';
import { errorsOf } from '../support.ts';
import { refused } from '../tenant-api.ts';
import { hiddenCustomer, openSignups, signupsOf, SITE, start, type Parameters } from './calls.ts';

const fee = { priceCode: 'FEE', chargeType: 'RecurringCharge', pricingType: 'FixedPricing' };
const plan = (contractCode: string, more: Readonly<Record<string, unknown>> = {}) => ({
  contractCode,
  name: contractCode,
  billingPeriod: 'Monthly',
  charges: [{ ...fee, price: '10' }],
  ...more,
});

const api = await openSignups({
  productOfferings: [{ sku: 'AGREED', name: 'By agreement' }],
  plans: [
    plan('OLD', { endDate: '2027-01-31' }),
    plan('SOON', { startDate: '2027-02-01' }),
    plan('EURO', {
      charges: [{ ...fee, tiers: [{ unitsFrom: '0', price: '10', currency: 'EUR' }] }],
    }),
    plan('ASKED', {
      productOffering: 'AGREED',
      charges: [{ ...fee, pricingType: 'UserEnteredPricing' }],
    }),
  ],
  coupons: [
    { code: 'OVER', percent: '10', endDate: '2026-12-31' },
    { code: 'EUROS', amount: '1', currency: 'EUR' },
  ],
});
const taken = await api.post(
  '/customers',
  `<customer><extCustomerRef>OTHER</extCustomerRef><billingContact><firstName>Bea</firstName>
   <username>taken-login</username></billingContact></customer>`,
);
const long = (length: number): string => 'x'.repeat(length);

const table: readonly (readonly [rule: string, parameters: Parameters, errors: string])[] = [
  ['successURL is required', { successURL: '' }, 'query.required successURL'],
  ['failURL is required', { failURL: undefined }, 'query.required failURL'],
  ['cssURL is required', { cssURL: undefined }, 'query.required cssURL'],
  [
    'hideCustomerFields is a boolean',
    { hideCustomerFields: 'yes' },
    'query.invalid hideCustomerFields',
  ],
  ['hideOrderFields is a boolean', { hideOrderFields: '2' }, 'query.invalid hideOrderFields'],
  [
    'hidden customer fields must be given',
    { hideCustomerFields: 'true', firstName: ' ' },
    'query.required extCustomerRef, query.required firstName, query.required lastName, ' +
      'query.required email',
  ],
  ['each of them', { ...hiddenCustomer, email: undefined }, 'query.required email'],
  ['hidden order fields need a plan', { hideOrderFields: 'true' }, 'query.required contractCode'],
  ['a reference has 50 characters', { extCustomerRef: long(51) }, 'query.tooLong extCustomerRef'],
  ['a text has 255 characters', { firstName: long(256) }, 'query.tooLong firstName'],
  ['an e-mail address is one', { email: 'ada' }, 'query.invalid email'],
  ['a login has 6 characters', { login: 'adafi' }, 'query.invalid login'],
  ['a password needs a login', { passwd: 'Secret-word-1' }, 'query.required login'],
  [
    'a password has 8 characters',
    { login: 'ada.field', passwd: 'Secret1' },
    'query.invalid passwd',
  ],
  ['one in upper case', { login: 'ada.field', passwd: 'secret-word-1' }, 'query.invalid passwd'],
  ['one in lower case', { login: 'ada.field', passwd: 'SECRET-WORD-1' }, 'query.invalid passwd'],
  ['and a digit', { login: 'ada.field', passwd: 'Secret-word' }, 'query.invalid passwd'],
  [
    'a password has 255 characters',
    { login: 'ada.field', passwd: `Aa1${long(253)}` },
    'query.tooLong passwd',
  ],
  ['an unknown plan', { contractCode: 'LEAD' }, 'plan.unknown contractCode'],
  [
    'a plan that is over',
    { contractCode: 'OLD', startDate: '2027-02-01' },
    'plan.retired contractCode',
  ],
  ['a plan that begins later', { contractCode: 'SOON' }, 'plan.retired contractCode'],
  [
    'a plan whose price is agreed',
    { contractCode: 'ANNUAL' },
    'order.unitPriceMissing contractCode',
  ],
  ['a plan without a price in USD', { contractCode: 'EURO' }, 'order.priceMissing contractCode'],
  ['a quantity is above 0', { quantity: '0' }, 'query.invalid quantity'],
  ['a quantity is a decimal', { quantity: 'two' }, 'query.invalid quantity'],
  [
    'the limits of the plan',
    { contractCode: 'GOLD', quantity: '101' },
    'quantity.outOfRange quantity',
  ],
  ['6 decimals', { quantity: '0.0000001' }, 'query.invalid quantity'],
  ['a startDate exists', { startDate: '2027-02-30' }, 'query.invalid startDate'],
  ['a startDate is not past', { startDate: '2026-12-31' }, 'query.invalid startDate'],
  ['nor far off', { startDate: '3000-01-01' }, 'query.invalid startDate'],
  ['an unknown sku', { sku: 'NONE' }, 'query.invalid sku'],
  ['a sku without an offered plan', { sku: 'AGREED' }, 'query.invalid sku'],
  ['a plan of another sku', { sku: 'VOICE', contractCode: 'GOLD' }, 'plan.unknown contractCode'],
  ['an unknown coupon', { couponCode: 'NONE' }, 'coupon.unknown couponCode'],
  ['a coupon that is over', { couponCode: 'OVER' }, 'coupon.notValid couponCode'],
  [
    'a coupon of another plan',
    { couponCode: 'WELCOME10', contractCode: 'SEATS' },
    'coupon.plan couponCode',
  ],
  ['a coupon in another currency', { couponCode: 'EUROS' }, 'coupon.currency couponCode'],
  ['an unknown agent', { billerCode: 'AGENT-9' }, 'query.invalid billerCode'],
  ['terms are https', { tosLink: 'http://terms.example/' }, 'query.invalid tosLink'],
  ['displayAmount is one of three', { displayAmount: 'all' }, 'query.invalid displayAmount'],
  ['a profile is a text', { profileId: long(256) }, 'query.tooLong profileId'],
  ['no other parameter', { sucessURL: SITE }, 'query.unknown sucessURL'],
  ['no control character', { street: '1 Main\u0000St' }, 'query.character street'],
  ['a format is xml', { format: 'json' }, 'query.format format'],
];

for (const [rule, parameters, errors] of table) {
  test(`${rule}: ${errors}`, async (t) => {
    refused(t, await start(api, parameters), 400, ...errors.split(', '));
  });
}

test('a parameter that is repeated is refused', async (t) => {
  const path = `/signup/start?format=xml&successURL=${SITE}&successURL=${SITE}&failURL=${SITE}&cssURL=/css/signup.css`;
  refused(t, await api.get(path), 400, 'query.repeated successURL');
});

test('a refusal names each parameter at fault, whatever else is wrong', async (t) => {
  t.is(taken.status, 201, taken.body);
  const form = await start(api, {
    successURL: 'here',
    failURL: undefined,
    hideCustomerFields: 'true',
    lastName: 'Field',
    passwd: 'short',
    quantity: '-1',
  });
  t.deepEqual(
    errorsOf(form).toSorted(),
    [
      'query.invalid successURL',
      'query.required failURL',
      'query.required extCustomerRef',
      'query.required firstName',
      'query.required email',
      'query.required login',
      'query.invalid passwd',
      'query.invalid quantity',
    ].toSorted(),
  );
  const known = await start(api, {
    successURL: 'https://evil.example/',
    failURL: 'https://evil.example/',
    cssURL: 'https://evil.example/',
    startDate: '2026-01-01',
    contractCode: 'NONE',
    couponCode: 'NONE',
    billerCode: 'NONE',
    login: 'taken-login',
  });
  refused(
    t,
    known,
    400,
    'query.invalid successURL',
    'query.invalid failURL',
    'query.invalid cssURL',
    'query.invalid startDate',
    'plan.unknown contractCode',
    'coupon.unknown couponCode',
    'query.invalid billerCode',
    'contact.usernameTaken login',
  );
  t.deepEqual(await signupsOf(api), [], 'nothing is stored by any of these refusals');
});

test('a refusal shows nothing of a password', async (t) => {
  const { body } = await start(api, { passwd: 'hush-hush', login: 'ada.field' });
  t.false(body.includes('hush'));
  t.regex(body, /upper case/);
});
