/** Rehearsals on the operator's page: what they found, and the release of an outlier. */
import test from 'ava';
import { operatorSettings, linksIn, openDesk, saidIn } from './desk.ts';
import { startTenantApi } from '../tenant-api.ts';
import { openCallsOf, withAdmins } from './people.ts';

const api = await startTenantApi({
  ownDatabase: true,
  ...withAdmins,
  operator: (dependencies, loginUrl) => operatorSettings(dependencies, loginUrl).settings,
});

const figures = {
  run: { customers: 2, orders: 2, invoices: 2, amounts: { USD: '520' }, charges: [], untaxed: 0 },
  before: { customers: 0, orders: 0, invoices: 0, amounts: {}, charges: [], untaxed: 0 },
  compared: { amounts: { USD: '520' }, lastAmounts: { USD: '20' }, first: 0 },
  outliers: 1,
  passedOver: { held: 3, suspects: 0, tooLarge: 0, failing: {} },
};
const limits = { ratio: '3', amount: '100', amounts: {} };

test.serial(
  'rehearsals are shown with their outliers, and a held one is released with a reason',
  async (t) => {
    const { held, logOf } = openCallsOf(api);
    const id = await held('ADA');
    await api.asOwner(`
      update customer set billing_held_code = 'billing.outlier' where id = ${id};
      insert into rehearsal (tenant_id, id, run_on, rehearsed_at, operator, limits, figures)
      values (${api.tenantId}, 1, '2027-02-15', '2027-02-14T20:00:00Z', 'Bob',
        '${JSON.stringify(limits)}', '${JSON.stringify(figures)}');
      insert into rehearsal_outlier (tenant_id, rehearsal_id, customer_id, currency, total, amount,
        last_amount, held_at)
      values (${api.tenantId}, 1, ${id}, 'USD', 510, 510, 10, now())`);
    const desk = openDesk({ port: api.port, host: `${api.label}.localhost` });
    await desk.logInAs('admin@test');
    const page = await desk.get('/ops');
    t.is(page.status, 200);
    for (const shown of ['Bob', '520.00 USD', '20.00 USD', '3 held', '510.00 USD', '\\+500.00']) {
      t.regex(page.body, new RegExp(`>${shown}<`));
    }
    const release = `/ops/acts/release/${id}`;
    t.true(linksIn(page).includes(release));
    const done = await desk.submit(release, { reason: 'a large order' });
    t.is(saidIn(done), `Customer ${id} is released (billing.outlier); its orders are billed now.`);
    t.like(await logOf('ops release'), [{ username: 'admin@test', objectId: id }]);
    t.regex((await desk.get('/ops')).body, />released</);
  },
);
