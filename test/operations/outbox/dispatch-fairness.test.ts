/** The writer's own delivery: a tenant with endless nudges occupies only its own places. */

import test from 'ava';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { startDispatcher } from '../../../operations/outbox/dispatch-after-commit.ts';
import type { Engine } from '../../../operations/outbox/engine.ts';
import { enqueue } from '../../../operations/outbox/enqueue.ts';
import type { Nudge } from '../../../operations/context/nudge.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';

const db = await sharedDatabase();
const FLOOD = 3_000;
/** As many of them fit. */
const FLOOD_WAITING = 1_000;

async function enqueued(count: number): Promise<{ books: Books; nudges: Nudge[] }> {
  const books = await openBooks(db, { today: '2027-01-15', plans: [] });
  const nudges = Array.from({ length: count }, (_, index) => ({
    kind: 'payment' as const,
    objectId: index + 1,
  }));
  await inTenant(db.app, books.tenantId, async (tx) =>
    enqueue({ tx, tenant: { label: books.label } }, nudges),
  );
  return { books, nudges };
}

/** Records which workflows are nudged. */
function listening(heard: string[]): Engine {
  const client = {
    withDeadline: (_deadline: number, call: () => Promise<unknown>) => call(),
    signalWithStart: async (_type: string, { workflowId }: { workflowId: string }) => {
      heard.push(workflowId);
    },
  };
  return { client, taskQueue: 'none' } as unknown as Engine;
}

test('one nudge of a tenant is delivered beside a flood of another tenant', async (t) => {
  const flood = await enqueued(FLOOD);
  const other = await enqueued(1);
  const heard: string[] = [];
  const soon = startDispatcher(other.books.dependencies, listening(heard), (error) =>
    t.fail(String(error)),
  );
  soon.dispatch(flood.books.tenantId, flood.nudges);
  soon.dispatch(other.books.tenantId, other.nudges);
  const own = `payment/${other.books.label}/1`;
  while (heard.length < FLOOD_WAITING && !heard.includes(own)) await new Promise(setImmediate);
  // Before even half of the flood's waiting nudges.
  t.true(
    heard.indexOf(own) >= 0 && heard.indexOf(own) < FLOOD_WAITING / 2,
    String(heard.indexOf(own)),
  );
  await soon.close();
});
