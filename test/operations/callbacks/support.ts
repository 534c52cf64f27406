/** A tenant with a callback endpoint, its receiver, and a clock that the test moves. */
import { randomBytes } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import { type Tx, inTenant } from '../../../db/connection/tenancy.ts';
import type { EventType } from '../../../domain/events/events.ts';
import { eventXml } from '../../../api/resources/callbacks/documents.ts';
import { deliverCallbacks } from '../../../operations/callbacks/deliver.ts';
import { callbackHook } from '../../../operations/feed/numbered-hooks.ts';
import { resumeCallbacks } from '../../../operations/callbacks/resume.ts';
import type { CallbackOptions } from '../../../operations/callbacks/sender.ts';
import { audit } from '../../support/audit.ts';
import {
  type Dependencies,
  type OperationContext,
  inOperation,
} from '../../../operations/context/context.ts';
import { raise } from '../../../operations/events/raise.ts';
import { resendEvent } from '../../../operations/events/read.ts';
import {
  keepEventDocuments,
  readEventViews,
  viewOfDocument,
} from '../../../operations/feed/event-views.ts';
import { sequenceTenant } from '../../../operations/events/sequencer.ts';
import { openLine } from '../../../providers/callbacks/post.ts';
import { createVault } from '../../../providers/vault.ts';
import { SECRET_KEY, makeTenant } from '../../support/tenants.ts';
import { callbackSecret, startReceiver } from '../../support/receiver.ts';
import type { SharedDatabase } from '../support/books.ts';

export interface PostOfficeOptions {
  readonly events?: readonly EventType[];
  readonly timeLimitMs?: number;
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export type PostOffice = Awaited<ReturnType<typeof openPostOffice>>;

export async function openPostOffice(
  t: Pick<ExecutionContext, 'teardown'>,
  db: SharedDatabase,
  { events = ['customer.updated'], timeLimitMs = 10_000 }: PostOfficeOptions = {},
) {
  const receiver = await startReceiver(t);
  let laterMs = 0;
  let requests = 0;
  const bugs: Error[] = [];
  const dependencies: Dependencies = {
    db: db.app,
    realNow: () => Date.now() + laterMs,
    onBug: (bug) => void bugs.push(bug),
    keepDocuments: keepEventDocuments,
  };
  const options: CallbackOptions = {
    vault: createVault(SECRET_KEY),
    xmlOf: eventXml,
    readViews: readEventViews,
    viewOfDocument,
    openLine,
    allowPrivate: true,
    timeLimitMs,
  };
  const file = (callbacks: readonly object[]) => ({ plans: [], file: { callbacks } });
  const label = `t${randomBytes(4).toString('hex')}`;
  const apply = (callbacks: readonly object[]) =>
    makeTenant(dependencies, { label, ...file(callbacks) });
  const own = { url: receiver.url, secret: callbackSecret, events };
  const { id: tenantId } = await apply([own]);
  const work = <Result>(operation: (context: OperationContext) => Promise<Result>) =>
    inOperation(dependencies, tenantId, operation);
  const read = <Row extends object>(text: string, ...values: readonly unknown[]) =>
    inTenant(db.app, tenantId, (tx: Tx) => tx.query<Row & Record<string, unknown>>(text, values));
  const endpointIdOf = async (url: string): Promise<number> => {
    const [row] = await read<{ id: number }>(
      'select id from callback_endpoint where url = $1',
      url,
    );
    return row?.id ?? 0;
  };
  const endpointId = await endpointIdOf(receiver.url);
  const signal = new AbortController().signal;
  const sequence = async (): Promise<void> => {
    const passing = { dependencies, relayDb: db.relay, dispatch: () => undefined };
    const onError = (error: unknown): never => {
      throw error;
    };
    while ((await sequenceTenant({ ...passing, onError, hooks: [callbackHook] }, tenantId)) > 0);
  };
  return {
    receiver,
    dependencies,
    options,
    tenantId,
    label,
    endpointId,
    endpointIdOf,
    own,
    apply,
    bugs,
    work,
    read,
    sequence,
    /** Moves the clock. */
    pass: (ms: number): void => void (laterMs += ms),
    customer: async (): Promise<number> => {
      const [row] = await read<{ id: number }>(
        `insert into customer (tenant_id, name, status, currency, created_at, updated_at)
         values ($1, 'Ada <Lovelace> & Co', 'Active', 'USD', now(), now()) returning id`,
        tenantId,
      );
      return row?.id ?? 0;
    },
    /** Raises events of customers in this order, and numbers them. */
    raise: async (customers: readonly number[], type: EventType = 'customer.updated') => {
      await work(async (context) => {
        const raised = customers.map((customerId) => ({ type, customerId, objectId: customerId }));
        raise(context, raised);
        return Promise.resolve();
      });
      await sequence();
    },
    deliver: (id = endpointId, more: Partial<CallbackOptions> = {}, stop = signal) =>
      deliverCallbacks(
        dependencies,
        tenantId,
        { ...options, ...more },
        { endpointId: id, signal: stop, onProgress: () => undefined },
      ),
    resume: (reason: string, requestId = `request ${(requests += 1)}`) =>
      resumeCallbacks(dependencies, tenantId, { endpointId, reason, requestId }),
    async resend(eventId: number): Promise<void> {
      await work((context) => resendEvent(context, eventId));
      await sequence();
    },
    outbox: () =>
      read<{ id: string }>('select workflow_id as id from outbox order by 1').then((rows) =>
        rows.map(({ id }) => id).filter((id) => id.startsWith('callbacks/')),
      ),
    /** `Waiting 1 http_500`: the deliveries in the order of their events. */
    deliveries: async (): Promise<string[]> =>
      (
        await read<{ text: string }>(
          `select concat_ws(' ', state, attempts, last_error) as text from callback_delivery
           order by event_id, endpoint_id`,
        )
      ).map(({ text }) => text),
    faults: async (): Promise<string[]> => {
      const looking = { relayDb: db.relay, engine: null, only: label };
      const report = await audit(dependencies, looking);
      return report.tenants.flatMap(({ faults }) =>
        faults.filter(({ check }) => check.startsWith('callbacks.')).map(({ check }) => check),
      );
    },
  };
}
