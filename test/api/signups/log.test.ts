/** A password in an address: no log, no audit and no refusal has it. */
import test from 'ava';
import { keptLog } from '../../support/kept-log.ts';
import { startTenantApi } from '../tenant-api.ts';
import { likeDemo, startPath } from './calls.ts';

const { log, lines } = keptLog();
const api = await startTenantApi({ ownDatabase: true, ...likeDemo, log });

test('a start is logged and audited without its query, whatever becomes of it', async (t) => {
  const login = { login: 'ada.field', passwd: 'Hush-word-1' };
  const calls = [
    await api.get(startPath(login)),
    await api.call('HEAD', startPath(login)),
    await api.get(startPath({ ...login, contractCode: 'NONE' })),
    await api.get(startPath({ ...login, passwd: 'Hush-word' })),
    await api.get(`${startPath(login)}&passwd=Hush-word-2`),
    await api.call('GET', startPath(login), { auth: null }),
    await api.call('GET', startPath(login), { auth: 'api@test:wrong' }),
    await api.get(`/signup/verify/unknown?passwd=Hush-word-1`),
  ];
  await api.guarded();
  t.deepEqual(
    calls.map(({ status }) => status),
    [200, 405, 400, 400, 400, 401, 401, 400],
  );
  const audit = await api.asOwner(`select a::text from audit_log a`);
  const logged = lines.join('');
  t.true(logged.includes('"path":"/rest/signup/start"'));
  const seen =
    logged +
    JSON.stringify(audit) +
    calls
      .slice(1)
      .map(({ body }) => body)
      .join('');
  t.false(seen.includes('Hush'));
  const [token = 'none'] = /[\w-]{43}$/.exec(calls[0]?.body ?? '') ?? [];
  t.false(seen.includes(token));
});
