/** Refusals have a code of the catalogue, the path of the element, and the value. */
import test from 'ava';
import { domainErrors } from '../../domain/error-codes.ts';
import { DomainError } from '../../domain/errors.ts';

test('a refusal has its code, its kind, the path of the element and the value', (t) => {
  const error = new DomainError('customer.unknown', 'no customer 17', {
    path: 'subscriptionOrder/customer',
    value: '17',
  });
  t.like(error, { code: 'customer.unknown', kind: 'notFound', value: '17' });
  t.is(error.path, 'subscriptionOrder/customer');
  t.is(error.message, 'no customer 17');
  t.like(new DomainError('order.transition', 'no'), { path: null, value: null, kind: 'invalid' });
});

test('every code has the form `subject.fault`, and its meaning is a sentence', (t) => {
  for (const [code, { meaning }] of Object.entries(domainErrors)) {
    t.regex(code, /^[a-z][a-zA-Z]*\.[a-z][a-zA-Z]*$/);
    t.regex(meaning, /^[A-Z].*\.$/, code);
  }
});
