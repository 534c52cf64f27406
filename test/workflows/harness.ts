/** A worker on a separate task queue, tenants for it, and what their workflows have done. */

import { testStorage } from '../support/storage.ts';
import type { WorkflowHandle } from '@temporalio/client';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import {
  startWorker,
  type RunningWorker,
  type WorkerSettings,
} from '../../activities/run-worker.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { startOfDay } from '../../domain/calendar/zone.ts';
import type { ClockProgress } from '../../workflows/contract/contract.ts';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import type { Engine } from '../../operations/outbox/engine.ts';
import { billTenant } from '../../operations/due/billing-run.ts';
import { deliver } from '../../operations/outbox/deliver.ts';
import { wakeOrder, type WakeRequest } from '../../operations/orders/wake.ts';
import { openGateways } from '../../operations/gateway-calls/gateways.ts';
import { gatewayAdapters, type GatewayOptions } from '../../providers/gateway/adapters.ts';
import { createOrder } from '../../operations/orders/create.ts';
import type { OrderInput } from '../../domain/orders/input.ts';
import { enqueue, workflowIdOf } from '../../operations/outbox/enqueue.ts';
import type { Nudge } from '../../operations/context/nudge.ts';
import {
  tenantInfo,
  operationContextOf,
  inOperation,
  type Dependencies,
  type OperationContext,
} from '../../operations/context/context.ts';
import type { WorkLine } from '../../operations/context/work-log.ts';
import { advance, advanceClock, type TestClockView } from '../../operations/clock/test-clock.ts';
import { suffix } from '../support/temporal.ts';
import { until } from '../support/until.ts';
import { unsentMail } from '../support/mail.ts';
import { SECRET_KEY, makeTenant, type TenantOptions } from '../support/tenants.ts';

export { until };

Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' } } },
  shutdownSignals: [],
});

/** The tenant's rows and workflows. */
export interface Place {
  readonly dependencies: Dependencies;
  /** Its deliveries begin workflows at once; those of the worker, not before their first step. */
  readonly engine: Engine;
}

export interface Harness extends Place {
  readonly worker: RunningWorker;
  readonly ownerUrl: string;
  /** The log lines of its worker, for all tenants. */
  readonly lines: readonly WorkLine[];
  /** Sets the real time of this file's worker; it continues from there. */
  readonly setTime: (instantMs: number) => void;
  /** Sets it, and it stands there: nothing falls due because the machine is slow. */
  readonly holdTime: (instantMs: number) => void;
}

export interface Where {
  readonly ownerUrl: string;
  /** That of the owner by default. */
  readonly loginUrl?: string;
  readonly address: string;
  readonly namespace: string;
  readonly access?: WorkerSettings['temporalAccess'];
  /** One of its own by default. */
  readonly taskQueue?: string;
  readonly bundle: { readonly codePath: string };
  readonly gateway?: Omit<GatewayOptions, 'secretKeys'>;
  readonly cachedWorkflows?: number;
  readonly lanesFrom?: number;
  readonly mail?: WorkerSettings['mail'];
  readonly storage?: WorkerSettings['storage'];
}

export async function openHarness(where: Where): Promise<Harness> {
  const { ownerUrl, loginUrl = ownerUrl, address, namespace } = where;
  let realNow = Date.now;
  const lines: WorkLine[] = [];
  const worker = await startWorker({
    databaseUrl: loginUrl,
    temporalAddress: address,
    temporalNamespace: namespace,
    temporalAccess: where.access,
    taskQueue: where.taskQueue ?? `test-${suffix()}`,
    identity: `test ${suffix()}`,
    workflowBundle: where.bundle,
    gateway: { secretKeys: SECRET_KEY, ...where.gateway },
    allowPrivateCallbacks: true,
    ...(where.lanesFrom !== undefined && { lanesFrom: where.lanesFrom }),
    mail: where.mail ?? unsentMail(),
    storage: where.storage ?? testStorage(),
    ...(where.cachedWorkflows !== undefined && { cachedWorkflows: where.cachedWorkflows }),
    realNow: () => realNow(),
    // Tests end and begin workflows as they like.
    supervises: false,
    // A test of what a workflow does need not wait for its first step, whoever delivers its start.
    looksFirst: false,
    onError: () => undefined,
    onWork: (line) => void lines.push(line),
  });
  const { dependencies, engine } = worker;
  const setTime = (instantMs: number) => {
    const offset = instantMs - Date.now();
    realNow = () => Date.now() + offset;
  };
  const holdTime = (instantMs: number) => {
    realNow = () => instantMs;
  };
  return { worker, dependencies, engine, ownerUrl, lines, setTime, holdTime };
}

/** The arguments of an activity that pays; the relay delivers its nudges. */
export function payingBy(dependencies: Dependencies) {
  const gateways = openGateways(
    dependencies,
    gatewayAdapters(dependencies, { secretKeys: SECRET_KEY }),
  );
  return { gateways, dispatch: () => undefined };
}

export type Books = Awaited<ReturnType<typeof openTenant>>;

/** A tenant, operations on it, and the results of its workflows. */
export async function openTenant({ dependencies, engine }: Place, options: TenantOptions) {
  const { id: tenantId, label } = await makeTenant(dependencies, options);
  // The tenant's own run begins when a test says so, not when the relay delivers.
  await inTenant(dependencies.db, tenantId, (tx) => tx.query('delete from outbox'));
  const work = <Result>(operation: (work: OperationContext) => Promise<Result>) =>
    inOperation(dependencies, tenantId, operation);
  const read = <Result>(query: (tx: Tx) => Promise<Result>) =>
    inTenant(dependencies.db, tenantId, query, { readOnly: true });
  const idOf = (nudge: Nudge) => workflowIdOf({ label }, nudge);
  const outbox = () => read(readOutbox);
  // An engine that is slow does not take it at the first attempt, or the relay is delivering it.
  const send = (nudge: Nudge) =>
    until('it is delivered', async () => {
      await deliver(dependencies, engine, tenantId, [idOf(nudge)]);
      return !(await outbox()).includes(idOf(nudge));
    });
  return {
    tenantId,
    label,
    work,
    read,
    customer: (reference: string | null = null) => work(({ tx }) => insertCustomer(tx, reference)),
    order: (input: OrderInput) =>
      work((its) =>
        createOrder(dependencies, its, input, {
          generateInvoice: false,
          forceInvoiceGeneration: false,
        }),
      ),
    /** Delivers as the writing process does after its answer. */
    deliver: send,
    start: (nudge: Nudge) =>
      work(async ({ tx }) => enqueue({ tx, tenant: { label } }, [nudge])).then(() => send(nudge)),
    /** Wakes the order as its workflow does; the relay delivers its nudges. */
    wake: (request: WakeRequest) =>
      wakeOrder(dependencies, tenantId, request, payingBy(dependencies)),
    workflow: (nudge: Nudge): WorkflowHandle => engine.client.getHandle(idOf(nudge)),
    invoices: () => read(readInvoices),
    outbox,
  };
}

export function order(objectId: number): Nudge {
  return { kind: 'order', objectId };
}

export function dunning(objectId: number): Nudge {
  return { kind: 'dunning', objectId };
}

export const billing: Nudge = { kind: 'billing', objectId: null };
export const clock: Nudge = { kind: 'clock', objectId: null };

export function at(timezone: string, date: IsoDate, seconds = 0): number {
  return startOfDay(timezone, date) + seconds * 1_000;
}

async function insertCustomer(tx: Tx, reference: string | null): Promise<number> {
  const [row] = await tx.query<{ id: number }>(
    `insert into customer (tenant_id, name, status, currency, ext_customer_ref, created_at,
       updated_at)
     values ($1, 'A customer', 'Active', 'USD', $2, now(), now()) returning id`,
    [tx.tenantId, reference],
  );
  if (!row) throw new Error('no customer was inserted');
  return row.id;
}

/** `1001 2027-01-16 78.95`, by number. */
async function readInvoices(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ text: string }>(
    `select concat_ws(' ', number_value, invoice_date, round(current_amount_due, 2)) as text
     from invoice order by number_value`,
  );
  return rows.map((row) => row.text);
}

async function readOutbox(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ workflowId: string }>(
    'select workflow_id from outbox order by workflow_id',
  );
  return rows.map((row) => row.workflowId);
}

/** The billing run of a day; one slice is enough for so few. */
export async function runOn(place: Place, { tenantId }: Books, day: IsoDate): Promise<void> {
  const { signal } = new AbortController();
  const paying = payingBy(place.dependencies);
  const slice = { runOn: day, lanes: 1, onProgress: () => undefined, signal, ...paying };
  const { done } = await billTenant(place.dependencies, tenantId, slice);
  if (!done) throw new Error('the run takes long');
}

/**
 * `Phase=Active NextActionAt=2027-02-15T05:00:00.000Z`, the set ones of the two and FailureCode.
 */
export async function attributesOf(workflow: WorkflowHandle): Promise<string> {
  const { typedSearchAttributes } = await workflow.describe();
  const names = ['Phase', 'FailureCode', 'NextActionAt'];
  return typedSearchAttributes
    .getAll()
    .filter(({ key }) => names.includes(key.name))
    .toSorted((a, b) => names.indexOf(a.key.name) - names.indexOf(b.key.name))
    .map(({ key, value }) => {
      const text = value instanceof Date ? value.toISOString() : JSON.stringify(value);
      return `${key.name}=${text.replaceAll('"', '')}`;
    })
    .join(' ');
}

/** The current details in the Web UI. */
export async function detailsOf(workflow: WorkflowHandle): Promise<string> {
  let details = '';
  await until('it has had its first task', async () => {
    try {
      const metadata = await workflow.query<{ currentDetails?: string }>(
        '__temporal_workflow_metadata',
      );
      details = metadata.currentDetails ?? '';
      return true;
    } catch (error) {
      if (isBeforeFirstTask(error)) return false;
      throw error;
    }
  });
  return details.replace(/\n\n---$/, '');
}

/** Attributes are there from the start of a workflow, and answers to queries from its first task on. */
const isBeforeFirstTask = (error: unknown): boolean =>
  error instanceof Error && String(error.cause).includes('Workflow task is not scheduled yet');

/** The texts that the history shows beside its events: `timerStarted: until ...`. */
export async function summariesOf(workflow: WorkflowHandle): Promise<string[]> {
  const { events } = await workflow.fetchHistory();
  return (events ?? []).flatMap((event) => {
    const { data } = event.userMetadata?.summary ?? {};
    const [name = ''] = Object.keys(event).filter((key) => key.endsWith('EventAttributes'));
    // The end of a timer repeats the summary of its start.
    if (!data || /^timer(Fired|Canceled)/.test(name)) return [];
    const summary = JSON.parse(Buffer.from(data).toString()) as string;
    return `${name.replace(/EventAttributes$/, '')}: ${summary}`;
  });
}

/** Its events by short names. */
export async function eventsOf(workflow: WorkflowHandle): Promise<string[]> {
  const { events } = await workflow.fetchHistory();
  return (events ?? []).map((event) => {
    const [name = ''] = Object.keys(event).filter((key) => key.endsWith('EventAttributes'));
    return name.replace(/EventAttributes$/, '');
  });
}

export async function isRunning(workflow: WorkflowHandle): Promise<boolean> {
  return (await workflow.describe()).status.name === 'RUNNING';
}

/** A slice of the clock; again, as an activity is retried, where the engine is slow. */
export async function advanceSlice(
  { dependencies, engine }: Place,
  { tenantId }: Books,
  options: { readonly lanes: number; readonly signal: AbortSignal },
): Promise<ClockProgress> {
  const slice = { ...options, onProgress: () => undefined, ...payingBy(dependencies) };
  for (;;) {
    try {
      return await advanceClock(dependencies, engine, tenantId, slice);
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('was not nudged'))) throw error;
    }
  }
}

/** As the API does it: in a transaction that has not locked the clock yet. */
export async function sendClock(
  dependencies: Dependencies,
  tenantId: number,
  to: IsoDate,
): Promise<TestClockView> {
  const tenant = await tenantInfo(dependencies, tenantId);
  return inTenant(dependencies.db, tenantId, async (tx) =>
    advance(await operationContextOf(dependencies, tenant, tx, 'none'), to),
  );
}
