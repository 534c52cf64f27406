/**
 * Kills the worker, then the engine, with SIGKILL in the middle of 200 callbacks: none is lost, the
 * events of each customer arrive in order, and one that comes twice has the same webhook-id.
 */
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { inOperation } from '../../../operations/context/context.ts';
import { raise } from '../../../operations/events/raise.ts';
import { callbackSecret, startReceiver } from '../../support/receiver.ts';
import { makeTenant } from '../../support/tenants.ts';
import { auditIsClean, endConnections } from './aftermath.ts';
import { startParts } from './parts.ts';
import { openTestDatabase } from './till.ts';
import { until } from '../../support/until.ts';

const parts = await startParts({ CALLBACK_ALLOW_PRIVATE: 'true' });
const db = await openTestDatabase(parts, 'sundial_app');
const relayDb = await openTestDatabase(parts, 'sundial_relay');
const dependencies = { db, realNow: Date.now };

test.after.always(async () => {
  await parts.stop();
  for (const opened of [db, relayDb]) await opened.close();
});

const CUSTOMERS = 20;
const EVENTS = 200;

/** A tenant with customers, whose receiver calls back in the middle. */
async function openStream(t: ExecutionContext) {
  const receiver = await startReceiver(t);
  const events = ['customer.updated'];
  const { id: tenantId } = await makeTenant(dependencies, {
    plans: [],
    file: { callbacks: [{ url: receiver.url, secret: callbackSecret, events }] },
  });
  const customers = await inOperation(dependencies, tenantId, async (context) => {
    const rows = await context.tx.query<{ id: number }>(
      `insert into customer (tenant_id, name, status, currency, created_at, updated_at)
       select $1, 'Customer ' || n, 'Active', 'USD', now(), now()
       from generate_series(1, $2::int) n returning id`,
      [tenantId, CUSTOMERS],
    );
    const type = 'customer.created';
    raise(
      context,
      rows.map(({ id }) => ({ type, customerId: id, objectId: id })),
    );
    return rows;
  });
  // Posts are held in the middle, so that the kill finds some that are under way.
  const middle = Promise.withResolvers<void>();
  const held: (() => void)[] = [];
  let isHolding = true;
  receiver.behave((_, response) => {
    if (!isHolding || receiver.received.length < EVENTS / 4) return 200;
    held.push(() => response.writeHead(200).end());
    middle.resolve();
    return undefined;
  });
  return {
    receiver,
    /** Resolves when posts are held. */
    middle: middle.promise,
    letGo(): void {
      isHolding = false;
      for (const answer of held) answer();
    },
    raise: () =>
      inOperation(dependencies, tenantId, async (context) => {
        const raised = Array.from({ length: EVENTS }, (_, index) => customers[index % CUSTOMERS]);
        raise(
          context,
          raised.map((customer) => {
            const id = customer?.id ?? 0;
            return { type: 'customer.updated', customerId: id, objectId: id } as const;
          }),
        );
        return Promise.resolve();
      }),
    delivered: async (): Promise<number> => {
      const [row] = await inTenant(db, tenantId, (tx) =>
        tx.query<{ n: number }>(
          `select count(*) as n from callback_delivery where state = 'Delivered'`,
        ),
      );
      return row?.n ?? 0;
    },
    /** The places of each customer's events as they first came. */
    places: (): string[] => {
      const seen = new Set<number>();
      const places = new Map<string, number[]>();
      for (const { event, place, body } of receiver.received) {
        if (seen.has(event)) continue;
        seen.add(event);
        const customer = /<customer id="(\d+)"/.exec(body)?.[1] ?? '';
        places.set(customer, [...(places.get(customer) ?? []), place]);
      }
      return [...places.values()].map((own) => own.join(' '));
    },
  };
}

/** The first event of each is its creation, to which the endpoint does not subscribe. */
const inOrder = Array.from({ length: CUSTOMERS }, () =>
  Array.from({ length: EVENTS / CUSTOMERS }, (_, index) => index + 2).join(' '),
);

for (const part of ['worker', 'temporal'] as const) {
  test.serial(
    `after a kill of the ${part} in the middle, every callback arrives, in order`,
    async (t) => {
      const stream = await openStream(t);
      await stream.raise();
      await stream.middle;
      await parts[part].kill();
      if (part === 'worker') await endConnections(parts, part);
      t.true((await stream.delivered()) < EVENTS);
      stream.letGo();
      await parts[part].start();
      await until('all are delivered', async () => (await stream.delivered()) === EVENTS);
      const { received } = stream.receiver;
      const ids = new Set(received.map(({ headers }) => headers['webhook-id']));
      t.is(ids.size, EVENTS);
      t.is(new Set(received.map(({ event }) => event)).size, EVENTS);
      // At most a batch comes again.
      t.true(received.length <= 2 * EVENTS, `${received.length} posts`);
      t.deepEqual(stream.places(), inOrder);
      await auditIsClean(t, parts, { db, relayDb });
    },
  );
}
