/** When a session ends, and which switches it has. */
import test from 'ava';
import { goneBefore, sessionEnd, sessionState } from '../../../domain/self-service/session.ts';
import { editOrderOptionsOf, switchesOf } from '../../../domain/self-service/switches.ts';

const at = (time: string): Date => new Date(`2027-01-01T${time}:00Z`);
const startedAt = at('10:00');

for (const [clicked, ends] of [
  ['10:00', '10:30'],
  ['17:30', '18:00'],
  ['17:45', '18:00'],
] as const) {
  test(`a session of 10:00 with its last click at ${clicked} ends at ${ends}`, (t) => {
    t.deepEqual(sessionEnd(startedAt, at(clicked)), at(ends));
  });
}

test('a session is open before its end, leads to the login for a day, then is gone', (t) => {
  const expiresAt = at('10:30');
  const before = new Date(expiresAt.getTime() - 1);
  const nextDay = new Date('2027-01-02T10:30:00Z');
  const last = new Date(nextDay.getTime() - 1);
  const times = { startedAt, expiresAt, endedAt: null };
  t.deepEqual(
    [before, expiresAt, last, nextDay].map((now) => sessionState(times, now)),
    ['open', 'ended', 'ended', 'gone'],
  );
  t.is(sessionState({ ...times, endedAt: at('10:10') }, at('10:10')), 'ended');
  t.deepEqual(goneBefore(nextDay), expiresAt);
});

test('a given switch counts before that of the profile, which counts before the default', (t) => {
  const profile = { ...switchesOf({}, undefined), pdfMode: true, allowPayments: false };
  const given = { allowPayments: true, showPayments: undefined };
  t.deepEqual(switchesOf(given, profile), { ...profile, allowPayments: true });
  t.true(switchesOf({}, undefined).showStatements);
});

test('options of orders are read in the order of the list, each once', (t) => {
  t.deepEqual(editOrderOptionsOf('New, Cancel,New'), ['Cancel', 'New']);
  t.deepEqual(editOrderOptionsOf('none'), []);
  for (const wrong of ['new', 'Cancel,', 'Cancel;New', 'none,New', '']) {
    t.is(editOrderOptionsOf(wrong), undefined, wrong);
  }
});
