/** A tenant with an endpoint of callbacks, whose receiver is the test's own. */
import type { ExecutionContext } from 'ava';
import type { Nudge } from '../../../operations/context/nudge.ts';
import { raise } from '../../../operations/events/raise.ts';
import { callbackHook } from '../../../operations/feed/numbered-hooks.ts';
import { sequenceTenant } from '../../../operations/events/sequencer.ts';
import { callbackSecret, startReceiver } from '../../support/receiver.ts';
import { openTenant, type Harness } from '../harness.ts';

export async function openPostOf(harness: Harness, t: ExecutionContext) {
  const { dependencies, worker } = harness;
  const receiver = await startReceiver(t);
  const callbacks = [{ url: receiver.url, secret: callbackSecret, events: ['customer.updated'] }];
  const tenant = await openTenant(harness, { plans: [], file: { callbacks } });
  const [row] = await tenant.read((tx) =>
    tx.query<{ id: number }>('select id from callback_endpoint'),
  );
  const nudge: Nudge = { kind: 'callbacks', objectId: row?.id ?? 0 };
  const sequence = async (): Promise<void> => {
    const hooks = [callbackHook];
    const onError = (error: unknown): never => {
      throw error;
    };
    const passing = { dependencies, relayDb: worker.relayDb, dispatch: () => undefined, onError };
    while ((await sequenceTenant({ ...passing, hooks }, tenant.tenantId)) > 0);
  };
  return {
    ...tenant,
    receiver,
    nudge,
    host: `127.0.0.1:${receiver.port}`,
    own: tenant.workflow(nudge),
    /** Raises an event of each of these customers, and nudges the endpoint. */
    async raise(...customers: readonly number[]): Promise<void> {
      await tenant.work(async (context) => {
        const type = 'customer.updated';
        raise(
          context,
          customers.map((customerId) => ({ type, customerId, objectId: customerId })),
        );
        return Promise.resolve();
      });
      await sequence();
      await tenant.start(nudge);
    },
  };
}
