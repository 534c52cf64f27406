/** The users of a file that was applied hold at once, in a process that has just read them. */
import test from 'ava';
import { makeTenant, PASSWORD } from '../../support/tenants.ts';
import { CLOCK, startTenantApi } from '../tenant-api.ts';

const api = await startTenantApi({ ownDatabase: true });

test('after apply the new password is taken, and neither the old one nor a removed user', async (t) => {
  const user = { username: 'api@test', password: PASSWORD, roles: ['ROLE_API'] };
  const gone = { username: 'gone@test', password: PASSWORD, roles: ['ROLE_API'] };
  const own = await api.another({ file: { users: [user, gone] } });
  const statusOf = async (auth: string) => (await own.call('GET', '/plans', { auth })).status;
  const before = [`api@test:${PASSWORD}`, `gone@test:${PASSWORD}`];
  for (const auth of before) t.is(await statusOf(auth), 200);
  const users = [{ ...user, password: 'another-secret' }];
  const { db, label } = own;
  await makeTenant({ db, realNow: Date.now }, { label, testClock: CLOCK, file: { users } });
  for (const auth of before) t.is(await statusOf(auth), 401);
  t.is(await statusOf('api@test:another-secret'), 200);
});
