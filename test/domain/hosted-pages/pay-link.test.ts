/** How long a link pays its invoice. */
import test from 'ava';
import {
  hasPayLinks,
  payLinkEnd,
  payLinksGoneBefore,
} from '../../../domain/hosted-pages/pay-link.ts';

test('a link pays for 90 days, and is over, not unknown, for 30 more', (t) => {
  t.deepEqual(payLinkEnd(new Date('2027-01-15T15:00:00Z')), new Date('2027-04-15T15:00:00Z'));
  t.deepEqual(
    payLinksGoneBefore(new Date('2027-05-15T15:00:00Z')),
    new Date('2027-04-15T15:00:00Z'),
  );
});

for (const [status, holds] of [
  ['Outstanding', true],
  ['Paid', true],
  ['Cancelled', false],
  ['CarriedOver', false],
] as const) {
  test(`a link of a ${status} invoice ${holds ? 'holds' : 'is over'}`, (t) => {
    t.is(hasPayLinks(status), holds);
  });
}
