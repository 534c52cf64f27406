/** The cookie of a session: how long it lasts, and by which keys. */
import test from 'ava';
import {
  createSessions,
  IDLE_SECONDS_MAX,
  SESSION_SECONDS_MAX,
} from '../../../api/operator/sessions.ts';

const [first, second, third] = ['first', 'second', 'third'].map((name) =>
  `a secret key, the ${name} one`.padEnd(40),
) as [string, string, string];
const anna = { tenantId: 0, name: 'Anna', mark: 'mark' };

test('a session ends after half an hour without a page, and eight hours after its login', (t) => {
  let now = 1_800_000_000_000;
  const sessions = createSessions(first, () => now);
  const begun = sessions.begin(anna);
  let cookie = sessions.write(begun);
  t.like(sessions.read(cookie), anna);
  now += IDLE_SECONDS_MAX * 1_000 - 1;
  t.like(sessions.read(cookie), anna);
  now += 1;
  t.is(sessions.read(cookie), undefined);
  now = 1_800_000_000_000;
  for (let pages = 0; pages < SESSION_SECONDS_MAX / 1_000 - 1; pages += 1) {
    now += 1_000_000;
    const session = sessions.read(cookie);
    t.is(session?.id, begun.id);
    cookie = sessions.write(session ?? begun);
  }
  now = 1_800_000_000_000 + SESSION_SECONDS_MAX * 1_000;
  t.is(sessions.read(cookie), undefined);
});

test('a cookie that was changed, or signed by a key that nobody has, is none', (t) => {
  const now = (): number => 1_800_000_000_000;
  const sessions = createSessions([first, second], now);
  const cookie = sessions.write(sessions.begin(anna));
  const [text = '', signature = ''] = cookie.split('.');
  const forged = Buffer.from(
    Buffer.from(text, 'base64url').toString().replace('Anna', 'Eve'),
  ).toString('base64url');
  for (const wrong of ['', '.', text, `${forged}.${signature}`, `${text}.`, `${cookie}x`]) {
    t.is(sessions.read(wrong), undefined, wrong);
  }
  t.like(createSessions([third, first], now).read(cookie), anna);
  t.is(createSessions(third, now).read(cookie), undefined);
});
