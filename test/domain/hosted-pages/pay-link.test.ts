/** How long a link pays its invoice. */
import test from 'ava';
import {
  hasPayLinks,
  payLinkEnd,
  payLinksGoneBefore,
  showsPayLink,
} from '../../../domain/hosted-pages/pay-link.ts';

test('a link pays for 90 days, and is over, not unknown, for 30 more', (t) => {
  t.deepEqual(payLinkEnd(new Date('2027-01-15T15:00:00Z')), new Date('2027-04-15T15:00:00Z'));
  t.deepEqual(
    payLinksGoneBefore(new Date('2027-05-15T15:00:00Z')),
    new Date('2027-04-15T15:00:00Z'),
  );
});

for (const [status, isMade, isShown] of [
  ['Outstanding', true, true],
  ['Paid', true, true],
  ['Cancelled', false, false],
  ['CarriedOver', false, true],
] as const) {
  test(`a ${status} invoice: new links ${isMade}, old ones ${isShown}`, (t) => {
    t.is(hasPayLinks(status), isMade);
    t.is(showsPayLink(status), isShown);
  });
}
