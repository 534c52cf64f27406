/** Callbacks: from the commit of events until a local receiver has all of them, in order. */
import { inTenant } from '../../db/connection/tenancy.ts';
import { tenantInfo } from '../../operations/context/context.ts';
import { readEventViews } from '../../operations/feed/event-views.ts';
import { dependenciesOf } from '../harness/billing.ts';
import { memoryOf } from '../harness/processes.ts';
import { scenario } from '../harness/scenario.ts';
import { startSink } from '../harness/sink.ts';
import type { BenchSystem } from '../harness/system.ts';
import { addCustomers, makeTenant, type Tenant } from '../harness/tenants.ts';

export const callbacks = scenario({
  about:
    'events until a receiver on this machine has all of them, in order: of one customer, and of 1,000 ' +
    'customers, twice',
  sizes: { events: 10_000, customers: 1_000 },
  brief: { events: 20, customers: 5 },
  async measure(bench, { events: most, customers: many }) {
    const system = await bench.system();
    const rows = [];
    for (const [round, customers] of [1, many, many].entries()) {
      const events = customers === 1 ? most / 5 : most;
      bench.say(`${events} events of ${customers} customers`);
      const sink = await startSink(bench);
      const more = sink.callbacks('customer.updated');
      const tenant = await makeTenant(system, `callbacks-${round}`, { more });
      const ids = await addCustomers(system, tenant, customers);
      const { worker: before = 0 } = await memoryOf({ worker: system.pidsNow().worker });
      await raise(system, tenant, { ids, events });
      const began = performance.now();
      await sink.until(events);
      const ms = performance.now() - began;
      const { worker: after = 0 } = await memoryOf({ worker: system.pidsNow().worker });
      const memory = { 'MB of the worker before': before, 'MB after': after };
      const perSecond = (events * 1_000) / ms;
      rows.push({ customers, events, 'per second': perSecond, ...sink.faults(), ...memory });
    }
    return [{ title: 'Callbacks, from the commit of all events to the last post', rows }];
  },
});

interface Raised {
  readonly ids: readonly number[];
  readonly events: number;
}

/** In one transaction, customer after customer, each event with its document. */
async function raise(system: BenchSystem, { id: tenantId }: Tenant, { ids, events }: Raised) {
  const dependencies = dependenciesOf(system);
  const tenant = await tenantInfo(dependencies, tenantId);
  await inTenant(system.db, tenantId, async (tx) => {
    const views = await readEventViews(dependencies, tx, tenant, { kind: 'customer', ids });
    const documents = JSON.stringify(ids.map((id) => ({ id, view: views.get(id) })));
    await tx.query(
      `with raised as (
         insert into event (tenant_id, type, customer_id, object_id, object_version, occurred_at)
         select $1, 'customer.updated', c.id, c.id, 1, now()
         from generate_series(1, $2::int) n, unnest($3::bigint[]) c (id) order by n, c.id
         returning id, object_id)
       insert into event_document (tenant_id, event_id, document)
       select $1, r.id, d.view from raised r
       join json_to_recordset($4) as d(id bigint, view jsonb) on d.id = r.object_id`,
      [tenantId, events / ids.length, ids, documents],
    );
  });
}
