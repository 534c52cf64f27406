/** The relay's share for each tenant: left-over rows of one do not delay those of another. */

import test from 'ava';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { claimOverdue, type ClaimedRow } from '../../../db/queries/outbox/outbox.ts';
import { administer } from '../../support/template.ts';
import { openBooks, ownDatabase } from '../support/books.ts';
import { rowsReadOf } from '../support/plan-reading.ts';

const db = await ownDatabase();
await administer(db.ownerUrl, 'alter table outbox set (autovacuum_enabled = false)');

/** Tenants with overdue rows: the n-th of a tenant since n seconds before `since`. */
async function tenantsWith(...counts: readonly { rows: number; sinceSeconds: number }[]) {
  await administer(db.ownerUrl, 'delete from outbox');
  const ids: number[] = [];
  for (const { rows, sinceSeconds } of counts) {
    const { tenantId } = await openBooks(db, { today: '2027-01-15', plans: [] });
    await inTenant(db.app, tenantId, (tx) =>
      tx.query(
        `insert into outbox (tenant_id, workflow_id, kind, object_id, deliver_after)
         select $1, 'order/' || n, 'order', n, now() - make_interval(secs => $3 - n / 1000.0)
         from generate_series(1, $2::int) n
         on conflict (tenant_id, workflow_id) do nothing`,
        [tenantId, rows, sinceSeconds],
      ),
    );
    await inTenant(db.app, tenantId, (tx) => tx.query(`delete from outbox where kind <> 'order'`));
    ids.push(tenantId);
  }
  return ids;
}

const countOf = (claimed: readonly ClaimedRow[], tenantId: number | undefined): number =>
  claimed.filter((row) => row.tenantId === tenantId).length;

test.serial(
  'beside a tenant’s flood the others have their place in the very next pass',
  async (t) => {
    const [flood, one, two] = await tenantsWith(
      { rows: 5_000, sinceSeconds: 3_600 },
      { rows: 1, sinceSeconds: 10 },
      { rows: 60, sinceSeconds: 20 },
    );
    const first = await claimOverdue(db.relay.pool, 100);
    t.is(first.length, 100);
    t.is(countOf(first, one), 1);
    t.is(countOf(first, flood), 50);
    t.is(countOf(first, two), 49);
    const second = await claimOverdue(db.relay.pool, 100);
    t.is(countOf(second, two), 11);
    t.is(countOf(second, flood), 89, 'what the others leave is for whoever has more');
  },
);

test.serial('the oldest rows of a tenant come first', async (t) => {
  await tenantsWith({ rows: 30, sinceSeconds: 60 });
  const claimed = await claimOverdue(db.relay.pool, 10);
  t.deepEqual(
    claimed.map((row) => row.workflowId).toSorted(),
    Array.from({ length: 10 }, (_, index) => `order/${index + 1}`).toSorted(),
  );
});

test.serial('two relays at once take different rows of one tenant', async (t) => {
  await tenantsWith({ rows: 100, sinceSeconds: 60 });
  const [one, two] = await Promise.all([
    claimOverdue(db.relay.pool, 50),
    claimOverdue(db.relay.pool, 50),
  ]);
  t.is(new Set([...one, ...two].map((row) => row.workflowId)).size, 100);
});

test.serial("a pass reads no more of a flood than the tenant's share", async (t) => {
  const LIMIT = 10;
  await tenantsWith({ rows: 20_000, sinceSeconds: 3_600 }, { rows: 5, sinceSeconds: 60 });
  await administer(db.ownerUrl, 'analyze outbox');
  const said: { text: string; values: readonly unknown[] }[] = [];
  const watched = {
    query: async (config: { text: string; values: readonly unknown[] }) => {
      said.push(config);
      return { rows: [] };
    },
  };
  await claimOverdue(watched as never, LIMIT);
  const read = await rowsReadOf(
    async (text, values) => (await db.relay.pool.query(text, [...values])).rows,
    said,
  );
  t.true((read['outbox'] ?? Infinity) < 200, `${read['outbox']} rows`);
});
