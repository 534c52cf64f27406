/** Measures callbacks: from the commit of events until a local receiver has all of them, in order. */
import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTenant } from '../db/connection/tenancy.ts';
import { tenantInfo } from '../operations/context/context.ts';
import { readEventViews } from '../operations/feed/event-views.ts';
import { memoryOf } from './support/memory.ts';
import { benchOfSystem, type Asked } from './support/run.ts';
import { callbacksTo } from './support/sink.ts';
import { makeTenant, type BenchSystem } from './support/system.ts';

interface Measured {
  readonly customers: number;
  readonly events: number;
  readonly milliseconds: number;
  /** Events that came again, and customers whose events came in another order. */
  readonly twice: number;
  readonly disordered: number;
  /** The worker's memory before and after, in MB. */
  readonly memoryBefore: number;
  readonly memoryAfter: number;
}

const rounds = [
  { customers: 1, events: 2_000 },
  { customers: 1_000, events: 10_000 },
  { customers: 1_000, events: 10_000 },
];
const POLL_MS = 20;
const LIMIT_MS = 300_000;

export const callbacks = benchOfSystem({ measure, report });

async function measure(system: BenchSystem, { say }: Asked): Promise<readonly Measured[]> {
  const receiver = await startReceiver();
  const measured: Measured[] = [];
  try {
    for (const [index, round] of rounds.entries()) {
      const { customers, events } = round;
      say(`${events} events of ${customers} customers`);
      const more = callbacksTo(receiver.url, 'customer.updated');
      const tenantId = await makeTenant(system, `hooked-${index}`, { more });
      const memoryBefore = await memoryOf(system.pidsNow().worker);
      receiver.begin(events);
      await raiseMany(system, tenantId, round);
      const began = performance.now();
      const milliseconds = (await receiver.all(began)) - began;
      const memoryAfter = await memoryOf(system.pidsNow().worker);
      measured.push({ ...round, milliseconds, ...receiver.faults(), memoryBefore, memoryAfter });
    }
  } finally {
    receiver.close();
  }
  return measured;
}

/** In one transaction, customer after customer, each event with its document. */
async function raiseMany(
  { db }: BenchSystem,
  tenantId: number,
  { customers, events }: { readonly customers: number; readonly events: number },
): Promise<void> {
  const dependencies = { db, realNow: Date.now };
  const tenant = await tenantInfo(dependencies, tenantId);
  await inTenant(db, tenantId, async (tx) => {
    const rows = await tx.query<{ id: number }>(
      `insert into customer (tenant_id, name, status, currency, created_at, updated_at)
       select $1, 'Customer ' || n, 'Active', 'USD', now(), now()
       from generate_series(1, $2::int) n returning id`,
      [tenantId, customers],
    );
    const ids = rows.map(({ id }) => id);
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
      [tenantId, events / customers, ids, documents],
    );
  });
}

async function startReceiver() {
  let wanted = 0;
  let seen = new Set<string>();
  let places = new Map<string, number>();
  let twice = 0;
  let disordered = new Set<string>();
  let lastAt = 0;
  const note = ({ headers }: IncomingMessage, body: string): void => {
    const id = String(headers['webhook-id']);
    const customer = /<customer id="(\d+)"/.exec(body)?.[1] ?? '';
    const place = Number(headers['x-customer-sequence']);
    if (seen.has(id)) {
      twice += 1;
      return;
    }
    seen.add(id);
    if (place <= (places.get(customer) ?? 0)) disordered.add(customer);
    places.set(customer, place);
    lastAt = performance.now();
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      note(request, Buffer.concat(chunks).toString());
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    begin(count: number): void {
      wanted = count;
      [seen, places, disordered] = [new Set(), new Map(), new Set()];
      twice = 0;
    },
    /** Resolves with the time of the last event. */
    async all(began: number): Promise<number> {
      while (seen.size < wanted) {
        if (performance.now() - began > LIMIT_MS) throw new Error(`${seen.size} of ${wanted} came`);
        await sleep(POLL_MS);
      }
      return lastAt;
    },
    faults: () => ({ twice, disordered: disordered.size }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function report(measured: readonly Measured[]): string {
  const lines = measured.map((each) => {
    const { customers, events, milliseconds, twice, disordered } = each;
    return [
      String(customers).padStart(9),
      String(events).padStart(8),
      String(Math.round(events / (milliseconds / 1_000))).padStart(9),
      String(twice).padStart(7),
      String(disordered).padStart(14),
      `${each.memoryBefore} to ${each.memoryAfter} MB`.padStart(20),
    ].join('');
  });
  return [
    'Callbacks to a receiver on this machine, from the commit of all events to the last post',
    'customers  events    per s  twice  out of order     memory of worker',
    ...lines,
    '',
  ].join('\n');
}
