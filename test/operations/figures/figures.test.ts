/** What waits in an installation, counted by hand: by tenant, in all, and by one process at a time. */
import test from 'ava';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { readInstallation } from '../../../db/queries/context/installation.ts';
import { figureNames, figureTable } from '../../../db/queries/figures/table.ts';
import { figuresPass, startFigures } from '../../../operations/figures/loop.ts';
import {
  figureMetricNames,
  installationMetrics,
  samplesOf,
} from '../../../operations/figures/metrics.ts';
import {
  type FigureName,
  figuresOfInstallation,
  figuresOfTenants,
  type TenantFigures,
} from '../../../operations/figures/read.ts';
import { OTHER_TENANTS, TENANT_LABELS_MAX } from '../../../providers/metrics/metric.ts';
import { administer } from '../../support/template.ts';
import { until } from '../../support/until.ts';
import { openCollectionBooks } from '../support/collection-books.ts';
import { openBooks, ownDatabase } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';

const db = await ownDatabase();
const plans = [recurring('P', 10, prepaid)];
const HOUR = 3_600;

/** `3`, or `3 for 7200`, of each kind; what is not counted is absent. */
function shown({ figures }: TenantFigures): Readonly<Partial<Record<FigureName, string>>> {
  const texts = figureNames.flatMap((name) => {
    const each = figures[name].map(({ kind, count, oldestSeconds }) =>
      [kind, count, oldestSeconds === null ? null : `for ${Math.round(oldestSeconds / 60) * 60}`]
        .filter((it) => it !== null)
        .join(' '),
    );
    return each.length === 0 ? [] : [[name, each.toSorted().join(', ')] as const];
  });
  return Object.fromEntries(texts);
}

test.serial('a tenant without anything open has no figures', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', timezone: 'UTC', plans });
  const { tenants, failed } = await figuresOfTenants(books.dependencies, [books.tenantId]);
  t.deepEqual(failed, []);
  t.deepEqual(
    tenants.map(({ label, tenantId }) => ({ label, tenantId })),
    [{ label: books.label, tenantId: books.tenantId }],
  );
  t.deepEqual(tenants.map(shown), [{}]);
});

test.serial(
  'orders are due from 00:00 of their day on, but for those of held customers',
  async (t) => {
    // 05:00 UTC is 00:00 in New York.
    const books = await openBooks(db, { today: '2027-01-15', plans });
    const [first, second, held] = [
      await books.customer(),
      await books.customer(),
      await books.customer(),
    ];
    for (const customerId of [first, second, held]) {
      await books.order({ customerId, contractCode: 'P', startDate: '2027-01-15' });
    }
    await books.order({ customerId: first, contractCode: 'P', startDate: '2027-01-16' });
    await administer(
      db.ownerUrl,
      `update customer set billing_held_at = '2027-01-15T03:00:00Z', billing_held_code = 'tax.refused'
     where id = ${held}`,
    );
    const figures = async () => {
      const read = await figuresOfTenants(books.dependencies, [books.tenantId]);
      return read.tenants.map((each) => {
        const { ordersDue, heldCustomers } = shown(each);
        return { ordersDue, heldCustomers };
      });
    };
    const isHeld = (hours: number): string => `tax.refused 1 for ${hours * HOUR}`;
    t.deepEqual(await figures(), [{ ordersDue: undefined, heldCustomers: isHeld(2) }]);
    books.tomorrow();
    books.later(2 * HOUR * 1_000);
    t.deepEqual(await figures(), [{ ordersDue: `3 for ${2 * HOUR}`, heldCustomers: isHeld(28) }]);
    await books.run();
    t.deepEqual(await figures(), [{ ordersDue: undefined, heldCustomers: isHeld(28) }]);
  },
);

test.serial(
  'payments, dunnings, mails, records, events and nudges count as long as they are open',
  async (t) => {
    const books = await openCollectionBooks(db, {
      today: '2027-01-15',
      timezone: 'UTC',
      plans,
      file: {
        paymentTerms: { value: 1, units: 'Days' },
        dunning: { thresholds: [{ daysOverdue: 1, status: 'Overdue1' }], retryDays: [1] },
      },
    });
    const { tenantId } = books;
    const sql = (text: string) =>
      inTenant(db.app, tenantId, (tx) => tx.query<{ id: number }>(text, []));
    const customerId = await books.customer();
    await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
    await books.advance('2027-01-18');
    const ago = (hours: number): string => `now() - interval '${hours} hours'`;
    await administer(
      db.ownerUrl,
      `update event set sequence = null, customer_sequence = null, created_at = ${ago(1)}
     where tenant_id = ${tenantId}`,
    );
    await sql(`delete from outbox`);
    await sql(`insert into outbox (tenant_id, workflow_id, kind, deliver_after, waiting_since, attempts)
    values (${tenantId}, 'a', 'order', ${ago(1)}, ${ago(2)}, 0),
      (${tenantId}, 'b', 'order', ${ago(-1)}, ${ago(3)}, 5),
      (${tenantId}, 'c', 'order', ${ago(-1)}, ${ago(4)}, 0)`);
    await sql(`insert into mail (tenant_id, kind, customer_id, object_id, state, created_at, attempted_at)
    values (${tenantId}, 'newInvoice', ${customerId}, 1, 'queued', ${ago(2)}, null),
      (${tenantId}, 'newInvoice', ${customerId}, 1, 'sending', ${ago(1)}, now())`);
    await sql(`insert into mail (tenant_id, kind, customer_id, object_id, state, sent_at, done_at)
    values (${tenantId}, 'newInvoice', ${customerId}, 1, 'sent', now(), now())`);
    await sql(`insert into tax_record (tenant_id, invoice_id, document, expected_total, expected_tax,
      opened_at, failures, failing_since, trouble, error_code)
    select ${tenantId}, id, '{}', 10, 0, ${ago(3)}, 1, ${ago(2)}, 'silent', 'timeout' from invoice`);
    await sql(`insert into billing_suspect (tenant_id, customer_id, since)
    values (${tenantId}, ${customerId}, ${ago(1)})`);
    await sql(`insert into billing_run (tenant_id, run_on, started_at, heartbeat_at, finished_at)
    values (${tenantId}, '2027-01-17', ${ago(30)}, now(), null),
      (${tenantId}, '2027-01-18', ${ago(6)}, now(), null)`);
    const { tenants } = await figuresOfTenants(books.dependencies, [tenantId]);
    const [events] = await sql(`select count(*)::int as id from event`);
    t.deepEqual(tenants.map(shown), [
      {
        billingRuns: `1 for ${6 * HOUR}`,
        suspects: `1 for ${HOUR}`,
        dunnings: 'Overdue1 1',
        outbox: `2 for ${3 * HOUR}`,
        eventsUnnumbered: `${events?.id} for ${HOUR}`,
        mailsWaiting: `queued 1 for ${2 * HOUR}, sending 1 for ${HOUR}`,
        taxRecordsWaiting: `toRecord 1 for ${3 * HOUR}`,
        taxRecordsTroubled: `silent 1 for ${2 * HOUR}`,
      },
    ]);
  },
);

test.serial('an installation has the sums of its tenants, and the oldest of each', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', timezone: 'UTC', plans });
  const { tenants, totals, failed } = await figuresOfInstallation({
    dependencies: books.dependencies,
    relayDb: db.relay,
  });
  t.deepEqual(failed, []);
  t.true(tenants.length >= 4);
  const held = tenants.flatMap(({ figures }) => figures.heldCustomers);
  t.true(held.length > 0);
  t.deepEqual(totals.heldCustomers, [
    {
      kind: 'tax.refused',
      count: held.reduce((sum, { count }) => sum + count, 0),
      oldestSeconds: Math.max(...held.map(({ oldestSeconds }) => oldestSeconds ?? 0)),
    },
  ]);
});

test.serial('one process at a time reads, and another one goes on where it ends', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', timezone: 'UTC', plans });
  const errors: unknown[] = [];
  const options = {
    dependencies: { ...books.dependencies, realNow: Date.now },
    relayDb: db.relay,
    onError: (error: unknown) => errors.push(error),
  };
  const turn = (holder: string) => ({ key: 'figures', holder, seconds: 60 });
  t.truthy(await figuresPass(options, turn('one')));
  t.is(await figuresPass(options, turn('two')), undefined);
  t.truthy(await figuresPass(options, turn('one')));
  t.regex((await readInstallation(db.app.pool, 'figures')) ?? '', /"one"/);
  await administer(db.ownerUrl, `delete from installation where key = 'figures'`);
  const loop = startFigures(options);
  await until('the first reading', async () => loop.read().length > 0);
  t.true(loop.read().some(({ name }) => name === 'sundial_figures_read_timestamp_seconds'));
  t.is(await figuresPass(options, turn('two')), undefined);
  await loop.stop();
  t.deepEqual(loop.read(), []);
  t.truthy(await figuresPass(options, turn('two')));
  t.deepEqual(errors, []);
});

test('each sample is of a metric, with its labels', (t) => {
  const one = { kind: 'x', count: 2, oldestSeconds: 7 };
  const figures = Object.fromEntries(
    figureNames.map((name) => [
      name,
      [
        {
          ...one,
          kind: 'kinds' in figureTable[name] ? 'x' : null,
          oldestSeconds: 'age' in figureTable[name] ? 7 : null,
        },
      ],
    ]),
  ) as unknown as TenantFigures['figures'];
  const tenants = Array.from({ length: TENANT_LABELS_MAX + 3 }, (_, index) => ({
    tenantId: index,
    label: `t${index}`,
    figures,
  }));
  const kinds = { order: { needed: 5, missing: 1, unneeded: 0, restarted: 4, ended: 3 } };
  const samples = samplesOf({
    figures: { readAt: new Date(5_000), milliseconds: 20, tenants, totals: figures, failed: [] },
    supervision: {
      sweptAt: '2027-01-15T00:00:00Z',
      milliseconds: 1,
      tenants: 1,
      failed: 0,
      unknown: 0,
      kinds,
    },
    builds: new Map([['1-a', 2]]),
  });
  for (const { name, labels } of samples) {
    const row = installationMetrics.find((each) => each.name === name);
    t.deepEqual(Object.keys(labels).toSorted(), row?.labels.toSorted(), name);
  }
  const due = samples.filter(({ name }) => name === figureMetricNames.ordersDue.count);
  t.is(due.length, TENANT_LABELS_MAX + 1);
  t.deepEqual(due.at(-1), {
    name: 'sundial_orders_due',
    labels: { tenant: OTHER_TENANTS },
    value: 6,
  });
  const oldest = samples.findLast(({ name }) => name === figureMetricNames.ordersDue.oldest);
  t.is(oldest?.value, 7);
  t.is(new Set(samples.map(({ name }) => name)).size, installationMetrics.length);
});
