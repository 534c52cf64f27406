/** The baseline: the rows of a renewal, prepared beforehand and written by set-based SQL and nothing else. */
import { writeBilling } from '../../db/queries/billing/write.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { rateDue } from '../../operations/billing/rate-batch.ts';
import { prepareBilling } from '../../operations/billing/store.ts';
import { inOperation } from '../../operations/context/context.ts';
import { batchesOf, inLanes } from '../../operations/context/lanes.ts';
import { findCustomers } from '../../operations/context/locks.ts';
import { dependenciesOf, moveClock } from '../harness/billing.ts';
import type { BenchSystem } from '../harness/system.ts';
import type { Tenant } from '../harness/tenants.ts';

const BATCH_CUSTOMERS = 200;
const CONNECTIONS = 2;

/** Milliseconds to write one invoice for each order of the tenant. */
export async function bareWrite(system: BenchSystem, { id }: Tenant, day: string): Promise<number> {
  await moveClock(system, id, day);
  const dependencies = dependenciesOf(system);
  const batches = await inOperation(dependencies, id, async (context) => {
    const customers = await context.tx.query<{ id: number }>('select id from customer order by id');
    const prepared = [];
    for (const batch of batchesOf(customers, BATCH_CUSTOMERS)) {
      const found = await findCustomers(
        context.tx,
        batch.map((customer) => customer.id),
      );
      const { billings } = await rateDue(dependencies, context, found, { locks: false });
      prepared.push((await prepareBilling(context, billings)).rows);
    }
    const making = { ...context.time, numbering: context.tenant.numbering };
    return prepared.map((rows) => ({ rows, making }));
  });
  const began = performance.now();
  const write = ({ rows, making }: (typeof batches)[number]) =>
    inTenant(system.db, id, async (tx) => {
      tx.send(raiseCreated, [id, JSON.stringify(rows.invoices), making.now], 'bare-events');
      writeBilling(tx, rows, making);
    });
  await inLanes(batches, write, { lanes: CONNECTIONS });
  return performance.now() - began;
}

const raiseCreated = `
  insert into event (tenant_id, type, customer_id, object_id, object_version, occurred_at)
  select $1, 'invoice.created', r."customerId", r.id, 1, $3
  from json_to_recordset($2) as r(id bigint, "customerId" bigint)`;
