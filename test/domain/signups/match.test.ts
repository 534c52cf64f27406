/** By what a sign-up finds a customer, and which faults its visitor can mend. */
import test from 'ava';
import { matchKeys, matchNames } from '../../../domain/signups/signup.ts';
import { type Askable, verdictOn } from '../../../domain/signups/refusals.ts';

const none = { extCustomerRef: null, email: null, phone: null };

test('e-mail is compared without case, a phone by its digits if they are 7 or more', (t) => {
  t.deepEqual(matchKeys({ extCustomerRef: 'Ada-1', email: 'Ada@X.org', phone: '+1 (555) 0100' }), {
    extCustomerRef: 'Ada-1',
    email: 'ada@x.org',
    phone: '15550100',
  });
  t.is(matchKeys({ ...none, phone: '555-010' }).phone, null);
  t.is(matchKeys({ ...none, phone: '5550101' }).phone, '5550101');
  t.deepEqual(matchKeys({ extCustomerRef: '', email: '', phone: '' }), none);
});

test('two sign-ups wait for each other by what they have in common, in one order', (t) => {
  const all = matchNames({ extCustomerRef: 'A', email: 'a@x', phone: '5550101' });
  t.deepEqual(all, ['email a@x', 'phone 5550101', 'ref A']);
  t.deepEqual(matchNames(none), []);
});

const shown: Askable = {
  hideCustomerFields: false,
  hideOrderFields: false,
  isMade: false,
};

test('a fault of a field that the page asks for is returned, another one fails the sign-up', (t) => {
  const cases = [
    ['coupon.notValid', null, {}, 'couponCode'],
    ['coupon.notValid', null, { hideOrderFields: true }, 'failed'],
    ['quantity.outOfRange', null, {}, 'quantity'],
    ['plan.retired', null, {}, 'contractCode'],
    ['plan.retired', null, { isMade: true }, 'failed'],
    ['contact.usernameTaken', null, {}, 'failed'],
    ['tax.refused', 'customer/billingContact/address', {}, 'street'],
    ['tax.refused', null, {}, 'failed'],
    ['tax.unavailable', null, { isMade: true }, 'null'],
    ['customer.billedApart', null, {}, 'null'],
    ['payment.method', 'cardNumber', { isMade: true }, 'cardNumber'],
    ['customer.inactive', null, {}, 'failed'],
    ['order.notBillable', null, {}, 'failed'],
  ] as const;
  for (const [code, path, hidden, expected] of cases) {
    const verdict = verdictOn({ code, path }, { ...shown, ...hidden });
    t.is(verdict.is === 'failed' ? 'failed' : String(verdict.field), expected, code);
  }
});
