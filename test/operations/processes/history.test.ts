/**
 * What loops, nudges and runs repeat costs as much after years as on the first day: the statements
 * that the product sends are recorded with the plans that PostgreSQL made for them, beside the
 * history of some thousand customers, and none reads that history.
 */
import test, { registerCompletionHandler } from 'ava';
import { inTenant } from '../../../db/connection/tenancy.ts';
import {
  type AgendaBranch,
  agendaBranches,
  isOnAgenda,
  nextOnAgenda,
} from '../../../db/queries/due/agenda.ts';
import { countPending } from '../../../db/queries/clock/test-clock.ts';
import { countOpenOrders } from '../../../db/queries/orders/wake.ts';
import {
  markPayersBehind,
  noteSeen,
  objectsBehind,
  stillBehind,
} from '../../../db/queries/clock/workflows-seen.ts';
import { awaitedWorkflows } from '../../../operations/due/due.ts';
import { deliverCallbacks } from '../../../operations/callbacks/deliver.ts';
import { createCreditNote } from '../../../operations/refunds/credit-note.ts';
import { keepAnswer } from '../../../operations/context/idempotency.ts';
import { wakeDunning } from '../../../operations/dunning/wake.ts';
import { resendEvent } from '../../../operations/events/read.ts';
import { createLateAnswers } from '../../../operations/mail/late-answers.ts';
import { sendMails } from '../../../operations/mail/send.ts';
import type { Engine } from '../../../operations/outbox/engine.ts';
import { relayPass } from '../../../operations/outbox/relay.ts';
import { wakePaymentPlan } from '../../../operations/payment-plans/wake.ts';
import { takeGatewayEvent } from '../../../operations/gateway-calls/gateway-event.ts';
import { billTenant, planBillingRun } from '../../../operations/due/billing-run.ts';
import {
  keepEventDocuments,
  readEventViews,
  viewOfDocument,
} from '../../../operations/feed/event-views.ts';
import { COUNTED_MAX } from '../../../db/queries/figures/table.ts';
import { figuresOfInstallation } from '../../../operations/figures/read.ts';
import { overviewOf } from '../../../operations/operator/overview.ts';
import { retentionPass } from '../../../operations/processes/retention.ts';
import { recordTaxes } from '../../../operations/tax-records/pass.ts';
import { sequencerPass } from '../../../operations/events/sequencer.ts';
import { suspectsPass } from '../../../operations/processes/suspects.ts';
import { wakeOrder } from '../../../operations/orders/wake.ts';
import { numberedHooks } from '../../../operations/feed/numbered-hooks.ts';
import { createVault } from '../../../providers/vault.ts';
import { drawInvoice } from '../../../providers/invoice-documents/pdf/drawing.ts';
import { renderApart } from '../../../providers/mail/render-apart.ts';
import { testDatabase } from '../../support/database.ts';
import { administer } from '../../support/template.ts';
import { callbackSecret } from '../../support/receiver.ts';
import { SECRET_KEY } from '../../support/tenants.ts';
import { openCollectionBooks } from '../support/collection-books.ts';
import { copyLife } from '../support/history.ts';
import { type MadePlan, openTelling, recordPlans, tellPlans } from '../support/plans-made.ts';
import { prepaid, recurring } from '../support/plans.ts';

/** Customers whose lives are over, or that never pay what they owe. */
const COPIES = 1_500;
const COUNTING = 'the figures of the installation';
/** Open dunnings are not over: they are counted by the status of their customer, up to a limit. */
const counted: ReadonlySet<string | null> = new Set(['dunning_open', 'customer_pkey']);
/** More than the few customers that are alive have of anything, and far less than the history. */
const ROWS_MAX = 400;
const PAGES_MAX = 2_000;

const { name, ownerUrl, loginUrl } = await testDatabase();
await tellPlans(ownerUrl, name);
const db = { name, ownerUrl, loginUrl, ...(await openTelling(ownerUrl)) };
registerCompletionHandler(() => {
  for (const each of [db.app, db.relay]) {
    each.pool.on('error', () => {});
    void each.close().catch(() => {});
  }
});
const made: MadePlan[] = [];
let part: string | null = null;
let isRecording = false;
for (const each of [db.app, db.relay]) recordPlans(each, () => (isRecording ? part : null), made);

const types = ['customer.created', 'customer.transition', 'order.created', 'invoice.created'];
const books = await openCollectionBooks(db, {
  today: '2027-01-15',
  timezone: 'UTC',
  plans: [recurring('P', 10, prepaid)],
  file: {
    coupons: [
      { code: 'ONCE', percent: 50, once: true },
      { code: 'TWO', percent: 10, periods: 2 },
    ],
    callbacks: [{ url: 'https://example.com/hook', secret: callbackSecret, events: types }],
    notifications: {
      from: 'billing@demo.example',
      enabled: ['newInvoice', 'newOrder', 'paymentReceived', 'paymentFailed', 'customerOverdue'],
    },
    dunning: {
      thresholds: [
        { daysOverdue: 1, status: 'Overdue1' },
        { daysOverdue: 3, status: 'InActive1' },
      ],
      retryDays: [1, 2],
    },
    paymentTerms: { value: 5, units: 'Days' },
  },
});
const { dependencies, tenantId, gateway } = books;
// The tenant lives in real time, and its versions are noted as on a test clock.
await administer(
  ownerUrl,
  `insert into test_clock (tenant_id, now, status) values (${tenantId}, '2027-01-15', 'Ready')`,
);
const none = () => Promise.reject(new Error('not called'));
const record = () => Promise.resolve({ total: '10', tax: '0' });
const taxProvider = { calculate: none, resolve: none, void: none, record };
Object.assign(dependencies, {
  keepDocuments: keepEventDocuments,
  taxProviderOf: () => Promise.resolve(taxProvider),
});
gateway.onCharge('tok_bad', ...Array.from({ length: 50 }, () => 'decline' as const));
const signal = new AbortController().signal;
const dispatch = (): void => undefined;
const onError = (error: unknown): never => {
  throw error;
};
const engine = {
  taskQueue: 'none',
  client: {
    withDeadline: (_at: unknown, call: () => Promise<unknown>) => call(),
    signalWithStart: () => Promise.resolve(),
  },
} as unknown as Engine;

const sql = <Row extends object>(text: string, ...values: readonly unknown[]) =>
  inTenant(db.app, tenantId, (tx) => tx.query<Row & Record<string, unknown>>(text, values));
const idsOf = async (table: string, column = 'id'): Promise<number[]> =>
  (await sql<{ id: number }>(`select ${column} as id from ${table} order by 1 desc limit 9`)).map(
    ({ id }) => id,
  );

const parts: Readonly<Record<string, () => Promise<unknown>>> = {
  'the run of a day': async () => {
    const { runOn } = await planBillingRun(dependencies, tenantId);
    const slice = { runOn, lanes: 1, signal, dispatch, onProgress: dispatch };
    await billTenant(dependencies, tenantId, { ...slice, gateways: gateway.gateways });
  },
  payments: () => books.settle(),
  'the workflows of orders': async () => {
    const hooks = { dispatch, gateways: gateway.gateways };
    for (const orderId of await idsOf('subscription_order')) {
      await wakeOrder(dependencies, tenantId, { orderId, yields: 1 }, hooks);
    }
  },
  'the workflows of dunnings': async () => {
    const hooks = { dispatch, gateways: gateway.gateways };
    for (const customerId of await idsOf('dunning', 'customer_id')) {
      await wakeDunning(dependencies, tenantId, { customerId, yields: 1 }, hooks);
    }
  },
  'the workflows of payment plans': async () => {
    const hooks = { dispatch, gateways: gateway.gateways };
    for (const id of await idsOf('payment_plan')) {
      await wakePaymentPlan(dependencies, tenantId, id, hooks);
    }
  },
  'the sequencer': () =>
    sequencerPass({ dependencies, relayDb: db.relay, dispatch, onError, hooks: numberedHooks }),
  'callbacks of an endpoint': async () => {
    const [endpointId = 0] = await idsOf('callback_endpoint');
    const options = {
      vault: createVault(SECRET_KEY),
      xmlOf: () => '<event/>',
      readViews: readEventViews,
      viewOfDocument,
      allowPrivate: true,
      openLine: () =>
        Promise.resolve({
          post: () => Promise.resolve({ kind: 'delivered' as const }),
          close: dispatch,
        }),
    };
    await deliverCallbacks(dependencies, tenantId, options, {
      endpointId,
      signal,
      onProgress: dispatch,
    });
  },
  'the mails of a tenant': () =>
    sendMails(dependencies, tenantId, {
      originOf: (label) => `https://${label}.example`,
      host: 'billing.example',
      render: renderApart,
      drawInvoice,
      late: createLateAnswers(),
      signal,
      onProgress: dispatch,
      mailer: {
        destination: 'nowhere',
        check: () => Promise.resolve(null),
        send: () => Promise.resolve({ outcome: 'sent' }),
        close: dispatch,
      },
    }),
  'the tax records of a tenant': () => recordTaxes(dependencies, tenantId, { signal }),
  'the relay': () => relayPass({ dependencies, relayDb: db.relay, engine, onError }),
  'the agenda of a test clock': async () => {
    const today = books.today();
    await books.read(async (tx) => {
      await nextOnAgenda(tx, today);
      for (const branch of Object.keys(agendaBranches) as AgendaBranch[]) {
        await isOnAgenda(tx, branch, today);
      }
      await countPending(tx);
      await countOpenOrders(tx);
    });
    await inTenant(db.app, tenantId, (tx) => markPayersBehind(tx, today));
  },
  'the workflows that a test clock awaits': async () => {
    for (const kind of awaitedWorkflows) {
      const range = { after: 0, limit: 500 };
      const ids = await books.read((tx) => objectsBehind(tx, kind, range));
      await inTenant(db.app, tenantId, async (tx) => {
        for (const id of ids) noteSeen(tx, kind, id);
      });
      await books.read((tx) => stillBehind(tx, kind, ids));
    }
  },
  'an event of a gateway': async () => {
    const [row] = await sql<{ id: number; key: string }>(
      `select id, gateway_key as key from payment where gateway_key is not null
       order by id desc limit 1`,
    );
    const event = { id: `evt_${Math.random()}`, type: 'charge.refunded', paymentIntent: null };
    await takeGatewayEvent(dependencies, tenantId, { ...event, refund: null, key: row?.key ?? '' });
    await books.carry(row?.id ?? 0).catch(() => undefined);
  },
  'idempotency keys': () =>
    inTenant(db.app, tenantId, (tx) => {
      const request = { key: `k${Math.random()}`, hash: Buffer.from('hash') };
      keepAnswer(tx, request, { status: 200, headers: {}, body: '', continuingId: null });
      return Promise.resolve();
    }),
  'what is given back': async () => {
    const order = { customerId: await books.customer(), contractCode: 'P' };
    const bills = { generateInvoice: true };
    const noted = await books.order({ ...order, couponCode: 'ONCE' }, bills);
    const changed = await books.order({ ...order, couponCode: 'TWO' }, bills);
    const [invoice = 0] = await idsOf('invoice');
    await books.work((its) =>
      createCreditNote(its, { id: invoice }, { reason: 'Late', amount: '1' }),
    );
    const next = await books.change(changed, { contractCode: 'P' }, { bills: true });
    for (const id of [noted, next]) {
      await books.generate(id);
      await books.put(id, { orderStatus: 'Canceled' });
    }
  },
  suspects: () => suspectsPass({ dependencies, relayDb: db.relay, onError }),
  retention: () => retentionPass({ dependencies, relayDb: db.relay, onError }),
  [COUNTING]: async () => {
    const { failed } = await figuresOfInstallation({ dependencies, relayDb: db.relay });
    for (const { error } of failed) onError(error);
  },
  'the page of operators': () => overviewOf(dependencies, tenantId),
};

/** The first parts happen each day of a life. */
const REPEATED_DAILY = 12;

async function runPart(label: string): Promise<void> {
  part = label;
  try {
    await parts[label]?.();
  } finally {
    part = null;
  }
}

/** One customer that pays, one whose card is declined, one with installments, one that never pays. */
async function live(): Promise<void> {
  const { runOn: first } = await planBillingRun(dependencies, tenantId);
  const customers: number[] = [];
  for (let count = 0; count < 4; count += 1) {
    const id = await books.customer({ ref: `ref-${first}-${count}` });
    customers.push(id);
    await sql(
      `insert into contact (tenant_id, customer_id, kind, first_name, last_name, email_primary)
       values ($1, $2, 'billing', 'Ada', 'Lovelace', 'ada@example.com')`,
      tenantId,
      id,
    );
  }
  const [payer = 0, declined = 0, planned = 0] = customers;
  await books.file(payer, 1, { token: 'tok_good' });
  await books.file(planned, 1, { token: 'tok_good' });
  await books.file(declined, 1, { token: 'tok_bad' });
  await runPart('what is given back');
  for (const customerId of customers) {
    const isAutoPay = customerId === payer || customerId === declined;
    const order = { customerId, contractCode: 'P', isAutoPay, isAutoRenew: false };
    await books.order({ ...order, endDate: first }, { generateInvoice: true });
  }
  await sql(
    `insert into tax_record (tenant_id, invoice_id, document, expected_total, expected_tax)
     select $1, id, '{}', 10, 0 from invoice order by id desc limit 4`,
    tenantId,
  );
  await books.plan(planned, {
    chargeAmount: '5',
    startDate: first,
    totalNumberOfInstallments: 2,
    frequencyValue: 3,
    frequencyUnits: 'Days',
  });
  for (let day = 0; day < 14; day += 1) {
    for (const label of Object.keys(parts).slice(0, REPEATED_DAILY)) await runPart(label);
    if (day === 10) await books.pay({ customerId: declined, amount: '10' });
    books.tomorrow();
  }
  const [event = 0] = await idsOf('event');
  await books.work((context) => resendEvent(context, event));
  for (const label of ['the sequencer', 'callbacks of an endpoint', 'the mails of a tenant']) {
    await runPart(label);
  }
}

/** What the product sends again and again, part by part; the run fails if a part sends less. */
const sent: Readonly<Record<string, readonly RegExp[]>> = {
  'the run of a day': [
    /from payment where .* gateway_news_on <= \$2/,
    /from subscription_order where next_action_on <= \$1/,
    /from invoice i where i\.autopay_on <= \$1/,
    /from collection_attempt .* 'due'/,
    /select distinct id from .* i\.due_date < \$2/,
    /update dunning_rules set debts_opened_on/,
    /from dunning where .* next_step_on <= \$2/,
    /insert into billing_run/,
  ],
  payments: [/from payment where cascade_id = \$1/],
  'the workflows of orders': [/from invoice_line l .* l\.order_id = o\.id/],
  'the workflows of dunnings': [/join dunning d on/],
  'the workflows of payment plans': [/from payment_plan/],
  'the sequencer': [
    /with recursive next as .* from event_resend/,
    /update event e set sequence/,
    /update event_resend set taken_at/,
    /insert into mail /,
    /from callback_subscription s/,
    /select exists \(select from tax_record/,
  ],
  'callbacks of an endpoint': [
    /from callback_delivery where .* retry_at <= \$3/,
    /from event where tenant_id = \$1 and sequence > /,
    /insert into callback_delivery/,
    /from delivery where state = 'Waiting'/,
  ],
  'the mails of a tenant': [
    /queued\.open \+ sending\.open/,
    /for update skip locked\) update mail/,
    /set state = 'sent'/,
    /from mail where .* error_code is not null/,
  ],
  'the tax records of a tenant': [
    /from tax_record where .* limit \$2\) counted/,
    /for update skip locked\) update tax_record/,
    /update tax_record t set failures = 0/,
    /from tax_record where .* trouble is not null/,
  ],
  'the relay': [/update outbox o set deliver_after/, /case o\.kind/, /delete from outbox/],
  'the agenda of a test clock': [
    /i\.due_date < \$2 .* union all/,
    /status = 'Pending' and phase/,
    /with payer .* insert into workflow_seen/,
  ],
  'the workflows that a test clock awaits': [
    ...awaitedWorkflows.map(({ table }) => new RegExp(`workflow_unseen u join ${table} o`)),
    ...awaitedWorkflows.map(({ table }) => new RegExp(`from ${table} o left join workflow_seen`)),
    /delete from workflow_unseen .* from dunning where/,
  ],
  'an event of a gateway': [/from payment p where p\.id = \(select coalesce/],
  'what is given back': [/with ahead as .* billed b on/, /sum\(c.amount - coalesce\(given.back/],
  'idempotency keys': [/delete from idempotency_key/],
  suspects: [/billing_suspect/],
  [COUNTING]: [/with own as materialized .* from dunning .* from mail/],
  retention: [
    /delete from mail/,
    /delete from callback_delivery/,
    /delete from event_document/,
    /delete from tax_answer/,
    /delete from idempotency_key where tenant_id = \$1 and ctid/,
  ],
  'the page of operators': [
    /from billing_run where tenant_id = \$1 order by run_on desc/,
    /from customer where tenant_id = \$1 and billing_held_at is not null/,
    /from payment where tenant_id = \$1 and status = 'Pending'/,
    /from gateway_finding where tenant_id = \$1 and closed_at is null/,
    /from dunning where tenant_id = \$1 and held_on is not null/,
    /from callback_endpoint e/,
    /from batch where tenant_id = \$1 and status = 'Queued'/,
    /from processor_result where tenant_id = \$1 order by id desc/,
  ],
};

test.serial('what is repeated reads none of the history', async (t) => {
  t.timeout(600_000);
  await live();
  await parts['an event of a gateway']?.();
  await parts['idempotency keys']?.();
  t.log(await copyLife(ownerUrl, tenantId, COPIES));
  // Answers under keys bear real times, which are over by the clock of these lives.
  await parts['retention']?.();
  isRecording = true;
  await live();
  for (const label of Object.keys(parts).slice(REPEATED_DAILY)) await runPart(label);
  isRecording = false;
  const offending = new Map<string, string>();
  for (const { part: of, statement, looks } of made) {
    for (const { by, table, index, rows, pages } of looks) {
      if (rows <= ROWS_MAX && pages <= PAGES_MAX) continue;
      if (of === COUNTING && counted.has(index) && rows <= COUNTED_MAX) continue;
      const look = `${by} of ${table} by ${index}: ${rows} rows, ${pages} pages`;
      offending.set(`${of}: ${statement.slice(0, 400)}`, look);
    }
  }
  t.deepEqual([...offending], []);
  const silent = Object.entries(sent).flatMap(([label, patterns]) =>
    patterns
      .filter((it) => !made.some((each) => each.part === label && it.test(each.statement)))
      .map((pattern) => `${label}: ${pattern}`),
  );
  t.deepEqual(silent, [], 'each part sent what it repeats');
});
