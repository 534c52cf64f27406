/** Logins while their password is changed, or hashed: no session begins by one that is over. */
import test from 'ava';
import { updateContact } from '../../../operations/customers/contact-write.ts';
import { inOperation } from '../../../operations/context/context.ts';
import { passwordContext } from '../../../operations/imports/passwords.ts';
import { logIn as beginSession, passwordMark } from '../../../operations/self-service/login.ts';
import { createVault } from '../../../providers/vault.ts';
import { SECRET_KEY } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { startTenantApi, type TenantApi } from '../tenant-api.ts';
import { sessionsOf } from './calls.ts';
import { logIn, personOf, withMails } from './people.ts';

const api = await startTenantApi({ ...withMails, ownDatabase: true });

const IMPORTED = 'Imported-1';

/** A person with an imported password that waits to be hashed. */
async function importedOf(own: TenantApi) {
  const customerId = Number(await personOf(own, 'ada'));
  const [contact] = await own.asOwner<{ id: string }>(
    `update contact set password_hash = null where tenant_id = ${own.tenantId} returning id`,
  );
  const contactId = Number(contact?.id);
  const sealed = createVault(SECRET_KEY).seal(IMPORTED, passwordContext(own.tenantId, contactId));
  await own.asOwner(
    `set session_replication_role = replica;
     insert into password_to_hash (tenant_id, contact_id, batch_id, sealed)
     values (${own.tenantId}, ${contactId}, 1, '${sealed}')`,
  );
  return { customerId, contactId, sealed };
}

test('an imported password that is changed during its login begins no session', async (t) => {
  const own = await api.another(withMails);
  const { customerId, contactId, sealed } = await importedOf(own);
  const dependencies = { db: own.db, realNow: Date.now };
  const begin = () =>
    inOperation(dependencies, own.tenantId, (context) =>
      beginSession(context, {
        login: 'ada',
        mark: passwordMark({ sealed, passwordHash: null }),
        hashed: { contactId, sealed, hash: 'of the imported one' },
        loginUrl: 'http://demo.localhost/widget/login',
        cssUrl: '/css/signup.css',
      }),
    );
  const { begun } = await inOperation(dependencies, own.tenantId, async (context) => {
    const { tx } = context;
    await updateContact(context, { id: customerId }, 'billing', { passwordHash: 'another' });
    const [backend] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid', []);
    const login = begin();
    await until('the login waits for the change', async () => {
      const waiting = await own.asOwner(
        `select from pg_stat_activity where ${backend?.pid} = any(pg_blocking_pids(pid))`,
      );
      return waiting.length > 0;
    });
    return { begun: login };
  });
  t.is(await begun, undefined);
  t.deepEqual(await sessionsOf(own), []);
  const [kept] = await own.asOwner(`select password_hash from contact where id = ${contactId}`);
  t.deepEqual(kept, { password_hash: 'another' });
});

test('an imported password logs in as often as it comes at once', async (t) => {
  const own = await api.another(withMails);
  await importedOf(own);
  const answers = await Promise.all([1, 2, 3, 4].map(() => logIn(own, 'ada', IMPORTED)));
  t.deepEqual(
    answers.map(({ status }) => status),
    [303, 303, 303, 303],
  );
  t.is(
    (await own.asOwner(`select from password_to_hash where tenant_id = ${own.tenantId}`)).length,
    0,
  );
});
