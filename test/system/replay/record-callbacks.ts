/** The paths of an endpoint's workflow that are kept as histories. */
import type { WorkflowHandle } from '@temporalio/client';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { raise } from '../../../operations/events/raise.ts';
import { resumeCallbacks } from '../../../workflows/contract/contract.ts';
import { callbackSecret } from '../../support/receiver.ts';
import { attributesOf, openTenant, until, type Harness } from '../../workflows/harness.ts';

/** A tenant with an event for an endpoint that answers with these statuses, the last one on. */
async function oneEvent(harness: Harness, ...statuses: readonly number[]) {
  const queue = [...statuses];
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead((queue.length > 1 ? queue.shift() : queue[0]) ?? 200).end();
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const callbacks = [{ url, secret: callbackSecret, events: ['customer.updated'] }];
  const books = await openTenant(harness, { file: { callbacks } });
  const [row] = await books.read((tx) =>
    tx.query<{ id: number }>('select id from callback_endpoint'),
  );
  const endpoint = { kind: 'callbacks', objectId: row?.id ?? 0 } as const;
  const customerId = await books.customer();
  await books.work(async (context) => {
    raise(context, [{ type: 'customer.updated', customerId, objectId: customerId }]);
    return Promise.resolve();
  });
  await until('it is numbered', async () => {
    const rows = await books.read((tx) => tx.query('select from event where sequence is null'));
    return rows.length === 0;
  });
  await books.start(endpoint);
  return { books, endpoint, workflow: books.workflow(endpoint) };
}

export const callbackPaths: Record<string, (harness: Harness) => Promise<WorkflowHandle>> = {
  async 'callbacks-delivers'(harness) {
    const { workflow } = await oneEvent(harness, 200);
    await workflow.result();
    return workflow;
  },

  async 'callbacks-given-up-and-resumed'(harness) {
    const { books, endpoint, workflow } = await oneEvent(harness, 500, 500, 200);
    await until('it waits', async () => (await attributesOf(workflow)).includes('Retrying'));
    await books.work(({ tx }) =>
      tx.query('update callback_delivery set retry_at = now(), give_up_at = now()'),
    );
    await books.start(endpoint);
    await until('it gave up', async () => (await attributesOf(workflow)).includes('GivenUp'));
    await workflow.executeUpdate(resumeCallbacks, {
      args: [{ reason: 'it is mended', by: 'Anna' }],
    });
    await workflow.result();
    return workflow;
  },
};
