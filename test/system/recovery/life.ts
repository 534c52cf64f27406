/**
 * A tenant whose gateway, receiver of callbacks and Temporal are not in its database, and remember what
 * a restored database has forgotten.
 */
import type { ExecutionContext } from 'ava';
import { openDatabase, type Database } from '../../../db/connection/database.ts';
import { inTenant, type Tx } from '../../../db/connection/tenancy.ts';
import { holdSupervision } from '../../../db/queries/processes/supervision.ts';
import { eventXml } from '../../../api/resources/callbacks/documents.ts';
import { chainTenant } from '../../../operations/access/audit-chain.ts';
import { writeCommand } from '../../../operations/access/audit-log.ts';
import { claimAutopay } from '../../../operations/collection/autopay.ts';
import { deliverCallbacks } from '../../../operations/callbacks/deliver.ts';
import { sequenceTenant } from '../../../operations/events/sequencer.ts';
import { callbackHook } from '../../../operations/feed/numbered-hooks.ts';
import { readEventViews, viewOfDocument } from '../../../operations/feed/event-views.ts';
import { openGateways } from '../../../operations/gateway-calls/gateways.ts';
import { advancePayment } from '../../../operations/gateway-calls/process.ts';
import { fileMethod, keepMethod } from '../../../operations/payment-methods/methods.ts';
import { takeIds } from '../../../db/queries/billing/write.ts';
import { lockCustomer } from '../../../operations/context/locks.ts';
import { deliver } from '../../../operations/outbox/deliver.ts';
import { openEngine, type OpenEngine } from '../../../operations/outbox/engine.ts';
import { raiseMark } from '../../../operations/processes/engine-generation.ts';
import { restore, type GivenByOperator } from '../../../operations/processes/restoration.ts';
import { openLine } from '../../../providers/callbacks/post.ts';
import { gatewayAdapters } from '../../../providers/gateway/adapters.ts';
import type { FileStorage } from '../../../providers/storage/storage.ts';
import { createVault } from '../../../providers/vault.ts';
import { openBooks } from '../../operations/support/books.ts';
import { patientSession } from '../../support/database.ts';
import {
  callbackSecret,
  startReceiver,
  type Received,
  type Receiver,
} from '../../support/receiver.ts';
import { testStorage } from '../../support/storage.ts';
import { startStripeDouble, type StripeDouble } from '../../support/stripe/double.ts';
import { suffix, testTemporal } from '../../support/temporal.ts';
import { SECRET_KEY } from '../../support/tenants.ts';
import { prepaid, recurring } from '../../operations/support/plans.ts';

type Ending = Pick<ExecutionContext, 'teardown'>;

/** What is outside the database. */
export interface World {
  readonly label: string;
  readonly stripe: StripeDouble;
  readonly receiver: Receiver;
  readonly engine: OpenEngine;
  readonly storage: FileStorage;
}

export async function openWorld(t: Ending): Promise<World> {
  const stripe = await startStripeDouble();
  t.teardown(() => stripe.stop());
  const { address, namespace } = await testTemporal();
  const taskQueue = `test-${suffix()}`;
  const engine = openEngine({ address, namespace, taskQueue, identity: 'test' });
  t.teardown(() => engine.close());
  const receiver = await startReceiver(t);
  return { label: `t${suffix()}`, stripe, receiver, engine, storage: testStorage() };
}

/** A database, opened as the service does. */
export interface Opened {
  readonly app: Database;
  readonly relay: Database;
  readonly close: () => Promise<void>;
}

export async function opened(ownerUrl: string): Promise<Opened> {
  const options = { url: ownerUrl, poolMax: 4, ...patientSession, name: 'test' };
  const app = await openDatabase({ ...options, role: 'sundial_app' });
  const relay = await openDatabase({ ...options, role: 'sundial_relay' });
  return {
    app,
    relay,
    async close() {
      await relay.close();
      await app.close();
    },
  };
}

const fileOf = ({ stripe, receiver }: World) => ({
  gateway: { type: 'stripe', secretKey: 'sk_test_1', url: stripe.url },
  numbering: { invoice: { prefix: 'INV-', start: 1 } },
  callbacks: [
    {
      url: receiver.url,
      secret: callbackSecret,
      events: ['customer.created', 'order.created', 'invoice.created', 'payment.success'],
    },
  ],
});

const TODAY = '2027-01-15';

export type Life = Awaited<ReturnType<typeof openLife>>;

/** Business in a database of the world. */
export async function openLife(world: World, { app, relay }: Opened, name: string) {
  const { label, engine, stripe } = world;
  const plans = [recurring('TEN', 10, prepaid)];
  const books = await openBooks(
    { name, ownerUrl: '', loginUrl: '', app, relay },
    { label, today: TODAY, plans, file: fileOf(world), timezone: 'UTC' },
  );
  const { tenantId, dependencies, work, read } = books;
  const vault = createVault(SECRET_KEY);
  const gateways = openGateways(
    dependencies,
    gatewayAdapters(dependencies, { secretKeys: SECRET_KEY }),
  );
  const hooks = { onStep: () => undefined, dispatch: () => undefined };

  /** With a card on file that Stripe charges. */
  async function customer(): Promise<number> {
    const customerId = await books.customer();
    const token = stripe.method({ type: 'card', number: '4242424242424242' });
    await work(async (its) => {
      await lockCustomer(its.tx, { id: customerId });
      const [methodId = 0] = await takeIds(its.tx, 1);
      const method = { token, brand: 'Visa', lastFour: '4242', expiry: '2034-12-31' };
      const inVault = { type: 'CreditCard', gateway: 'stripe', method } as const;
      keepMethod(its, { methodId, customerId }, inVault);
      await fileMethod(its, { customerId, methodId, preference: 1 });
    });
    return customerId;
  }

  /** An order, whose first invoice is to pay itself. */
  function order(customerId: number): Promise<number> {
    const input = { customerId, contractCode: 'TEN', isAutoPay: true };
    return books.order(input, { generateInvoice: true });
  }

  /** As its workflows do: what each pending payment then says. */
  async function pay(): Promise<readonly string[]> {
    await work((its) => claimAutopay(its, { limit: 100 }));
    const pending = await read((tx) =>
      tx.query<{ id: number }>(
        `select distinct cascade_id as id from payment where status = 'Pending' order by 1`,
      ),
    );
    const said: string[] = [];
    for (const { id: cascadeId } of pending) {
      const request = { cascadeId, asked: 0 };
      said.push((await advancePayment(dependencies, gateways, tenantId, request, hooks)).did);
    }
    return said;
  }

  /** Numbers what has happened, and tells the receiver and Temporal. */
  async function tell(): Promise<void> {
    const real = { ...dependencies, realNow: Date.now };
    const onError = (error: unknown): never => {
      throw error;
    };
    const passing = { dependencies: real, relayDb: relay, dispatch: () => undefined, onError };
    while ((await sequenceTenant({ ...passing, hooks: [callbackHook] }, tenantId)) > 0);
    const [endpoint] = await read((tx) =>
      tx.query<{ id: number }>('select id from callback_endpoint'),
    );
    const options = { vault, xmlOf: eventXml, readViews: readEventViews, viewOfDocument, openLine };
    await deliverCallbacks(
      real,
      tenantId,
      { ...options, allowPrivate: true, timeLimitMs: 10_000 },
      {
        endpointId: endpoint?.id ?? 0,
        signal: new AbortController().signal,
        onProgress: () => undefined,
      },
    );
    const outbox = await read((tx) =>
      tx.query<{ id: string }>('select workflow_id as id from outbox'),
    );
    await deliver(
      dependencies,
      engine,
      tenantId,
      outbox.map(({ id }) => id),
    );
    await work(async ({ tx }) => writeCommand(tx, { operator: 'a person', command: 'looked' }));
    await chainTenant(dependencies, tenantId);
    // A worker supervises.
    await raiseMark(dependencies, engine);
    await holdSupervision(app.pool, 'one', 60);
  }

  return {
    ...books,
    gateways,
    customer,
    order,
    pay,
    tell,
    given: () => inTenant(app, tenantId, givenOut, { readOnly: true }),
    restore: (given: Partial<GivenByOperator>, more: { isDryRun?: boolean } = {}) =>
      restore({
        dependencies: { ...dependencies, realNow: Date.now },
        relayDb: relay,
        engine,
        storage: world.storage,
        gateways,
        operator: 'an operator',
        given: { numbers: new Map(), ...given },
        ...more,
      }),
  };
}

/** Everything that the tenant has given out, each as a text that names one thing for ever. */
export async function givenOut(tx: Tx): Promise<Set<string>> {
  const tables = await tx.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'id'
       and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id')`,
  );
  const ids = tables.map(({ name }) => `select 'id ' || id as text from ${name}`);
  const rows = await tx.query<{ text: string }>(`
    ${ids.join(' union all ')}
    union all select 'event ' || sequence from event where sequence is not null
    union all select 'event of ' || customer_id || ' ' || customer_sequence from event
      where customer_sequence is not null
    union all select 'audit ' || sequence from audit_log where sequence is not null
    union all select 'order ' || order_number from subscription_order
    union all select 'invoice ' || invoice_number from invoice`);
  return new Set(rows.map(({ text }) => text));
}

export const webhookIds = (received: readonly Received[]): readonly string[] =>
  received.map(({ headers }) => String(headers['webhook-id']));
