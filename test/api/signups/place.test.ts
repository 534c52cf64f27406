/** What the page of a sign-up shows, by its row and the time. The link is of 10:00 to 10:30. */
import test from 'ava';
import { placeOf, type Place } from '../../../api/resources/signups/page/place.ts';
import type { SignupRow } from '../../../operations/signups/signup-row.ts';

const at = (time: string): Date => new Date(`2027-01-15T${time}Z`);

interface Try {
  readonly status: string;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

const rowOf = (status: string, endedAt: Date | null, lastTry: Try | null): SignupRow =>
  ({
    status,
    endedAt,
    lastTry,
    tracking: 'T',
    successUrl: 'https://a.example/ok',
    failUrl: 'https://a.example/no',
    expiresAt: at('10:30:00'),
    cancelReason: null,
  }) as unknown as SignupRow;

const taken = (status: string, from: string, to: string | null): Try => ({
  status,
  createdAt: at(from),
  endedAt: to === null ? null : at(to),
});

const charging = taken('charging', '10:29:50', null);
const storing = taken('storing', '10:10:00', null);
const lateDecline = taken('declined', '10:29:50', '10:31:00');
const early = taken('declined', '10:10:00', '10:10:05');

const cases: readonly (readonly [what: string, row: SignupRow, now: string, place: Place['is']])[] =
  [
    ['a new link', rowOf('DRAFT', null, null), '10:29:59', 'open'],
    ['a link after its end', rowOf('DRAFT', null, null), '10:30:00', 'gone'],
    ['a try beyond the end', rowOf('DRAFT', null, charging), '11:30:00', 'working'],
    ['a card on its way', rowOf('DRAFT', null, storing), '10:11:00', 'working'],
    ['a card that was lost', rowOf('DRAFT', null, storing), '10:11:01', 'open'],
    ['a lost card after the end', rowOf('DRAFT', null, storing), '10:31:00', 'gone'],
    ['an early success', rowOf('PROCESSED', at('10:10:00'), early), '10:29:59', 'led'],
    ['an early success, late', rowOf('PROCESSED', at('10:10:00'), early), '10:30:00', 'gone'],
    ['a late end, seen', rowOf('FAILED', at('10:31:00'), lateDecline), '10:40:59', 'led'],
    ['a late end, later', rowOf('FAILED', at('10:31:00'), lateDecline), '10:41:00', 'gone'],
    ['a link that ran out', rowOf('FAILED', at('10:30:00'), early), '10:30:01', 'gone'],
    ['an unused link', rowOf('EXPIRED', at('10:30:00'), null), '10:30:01', 'gone'],
  ];

for (const [what, row, now, place] of cases) {
  test(`${what} at ${now}: ${place}`, (t) => {
    t.is(placeOf(row, at(now)).is, place);
  });
}
