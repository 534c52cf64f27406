/** What each order costs PostgreSQL: it plans no statement of one anew for each. */

import test from 'ava';
import { numberedHooks } from '../../../operations/feed/numbered-hooks.ts';
import { readOrder } from '../../../operations/orders/read.ts';
import { readDeliveries } from '../../../operations/outbox/deliveries.ts';
import { sequencerPass } from '../../../operations/events/sequencer.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { readWokenOrder } from '../../../db/queries/orders/wake.ts';
import { testServers } from '../../support/servers.ts';
import { administer } from '../../support/template.ts';
import { openBooks, ownDatabase } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';

/** After so many executions PostgreSQL decides whether it keeps the plan of a statement. */
const CUSTOM_PLANS_MAX = 5;
const ORDERS = 3 * CUSTOM_PLANS_MAX;

/** The servers of the tests keep every plan. */
async function planningAsAnywhere(url: string): Promise<string> {
  const { adminUrl } = await testServers('postgres');
  const name = new URL(url).pathname.slice(1);
  await administer(adminUrl, `alter database ${name} set plan_cache_mode = auto`);
  return url;
}

test('PostgreSQL keeps the plans of what an order sends, with its invoice, its events and its delivery', async (t) => {
  const db = await ownDatabase(planningAsAnywhere);
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 10, prepaid)] });
  const { dependencies, tenantId, label } = books;
  const tenant = await tenantInfo(dependencies, tenantId);
  const following = {
    dependencies,
    relayDb: db.relay,
    dispatch: () => undefined,
    onError: (error: unknown) => t.fail(String(error)),
    hooks: numberedHooks,
  };
  const customerIds = [await books.customer(), await books.customer()];
  await db.owner.query('analyze');
  for (let n = 0; n < ORDERS; n += 1) {
    const customerId = customerIds[n % 2] ?? 0;
    const id = await books.order(
      { customerId, contractCode: 'P' },
      { generateInvoice: n % 3 !== 0 },
    );
    await books.read(async (tx) => {
      await readOrder(tx, tenant, { id });
      t.is((await readDeliveries(tx, [`order/${label}/${id}`])).length, 1);
      await readWokenOrder(tx, id);
    });
    await sequencerPass(following);
  }
  // One after the other, all had the same connection.
  const planned = await books.read((tx) =>
    tx.query<{ name: string; kept: number; anew: number }>(
      `select name, generic_plans as kept, custom_plans as anew
       from pg_prepared_statements order by name`,
    ),
  );
  const isKept = (name: string): boolean =>
    planned.some((statement) => statement.name === name && statement.kept > 0);
  t.true(isKept('insert-order') && isKept('readDeliveries'));
  const anew = planned.filter((statement) => statement.anew > CUSTOM_PLANS_MAX);
  t.deepEqual(anew, []);
});
