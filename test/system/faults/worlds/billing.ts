/** What is billed: by an order's own workflow, by the run of a day, by a test clock. */
import { addOrderAgents } from '../../../../operations/commissions/links.ts';
import { advance } from '../../../../operations/clock/test-clock.ts';
import { wakeDunning } from '../../../../operations/dunning/wake.ts';
import { wakeOrder } from '../../../../operations/orders/wake.ts';
import { wakePaymentPlan } from '../../../../operations/payment-plans/wake.ts';
import { operationContextOf, tenantInfo } from '../../../../operations/context/context.ts';
import { inTenant } from '../../../../db/connection/tenancy.ts';
import type { Engine } from '../../../../operations/outbox/engine.ts';
import type { BillingLane } from '../../../../workflows/contract/billing-run.ts';
import type { SeenOrder } from '../../../../workflows/contract/contract.ts';
import { commissionPlan } from '../../../operations/commissions/shop.ts';
import {
  monthly,
  openCollectionBooks,
  type CollectionBooks,
} from '../../../operations/support/collection-books.ts';
import type { SharedDatabase } from '../../../operations/support/books.ts';
import { thresholds } from '../../../operations/support/dunning-books.ts';
import { openPaymentBooks } from '../../../operations/support/payment-books.ts';
import { prepaid, recurring } from '../../../operations/support/plans.ts';
import { applyTo } from '../../../operations/support/new-prices.ts';
import { metered, used } from '../../../operations/support/usage.ts';
import { openTaxedShop } from '../../../operations/support/taxed-shop.ts';
import { openAvatax } from '../../../support/avatax.ts';
import { unlessFar, type World } from '../world.ts';
import { jumpTo, paying, payNudged } from './paying.ts';

const today = '2027-01-15';
const tomorrow = '2027-01-16';
const plans = [
  recurring('GOLD', 10, prepaid),
  recurring('PLUS', 20, prepaid),
  { ...metered, alignmentDay: 16 },
];
const moving = (price: number) => ({
  ...recurring('MOVING', price, prepaid),
  existingOrders: 'nextPeriod' as const,
});
/** The day before that is a period of its own. */
const STUB = -1;

/** A customer with a card; its order is billed from tomorrow on, and paid by autopay. */
async function subscribe(books: CollectionBooks | Awaited<ReturnType<typeof openPaymentBooks>>) {
  const customerId = await books.customer();
  await books.file(customerId, 1, { token: 'tok_1' });
  const order = { customerId, contractCode: 'GOLD', isAutoPay: true, startDate: tomorrow };
  return books.order(order);
}

const followed: World = {
  name: 'an order that the run has left to its workflow',
  of: ['follow'],
  async open({ db }) {
    const books = await openPaymentBooks(db, { today, plans });
    const orderId = await subscribe(books);
    jumpTo(books, tomorrow);
    const input = { tenantId: String(books.tenantId), orderId: String(orderId) };
    let yields = 0;
    let seen: SeenOrder | undefined;
    return paying(books, {
      async step({ follow }) {
        const wake = await follow({ ...input, yields, seen });
        yields = wake.yielded ? yields + 1 : 0;
        seen = wake.seen ?? seen;
        return wake.ended ? null : unlessFar(wake.waitMs);
      },
    });
  },
};

const DEBIT_DAYS_MS = 3 * 24 * 3_600_000;

const debited: World = {
  name: 'an order whose SEPA debit is announced, and made two days later',
  of: ['follow'],
  async open({ db }) {
    const books = await openPaymentBooks(db, {
      today,
      plans,
      file: { notifications: { from: 'billing@demo.example', enabled: ['debitNotice'] } },
    });
    const customerId = await books.customer();
    await books.file(customerId, 1, { token: 'sepa_1', isSepa: true });
    const order = { customerId, contractCode: 'GOLD', isAutoPay: true, startDate: tomorrow };
    const orderId = await books.order(order);
    jumpTo(books, tomorrow);
    const input = { tenantId: String(books.tenantId), orderId: String(orderId) };
    let yields = 0;
    let seen: SeenOrder | undefined;
    return paying(books, {
      async step({ follow }) {
        const wake = await follow({ ...input, yields, seen });
        yields = wake.yielded ? yields + 1 : 0;
        seen = wake.seen ?? seen;
        const { ended, waitMs } = wake;
        return ended || waitMs === null || waitMs > DEBIT_DAYS_MS ? null : waitMs;
      },
    });
  },
};

const file = {
  dunning: { thresholds },
  notices: { renewalNoticeDays: 10 },
  commissionPlans: [commissionPlan()],
  salesAgents: [{ code: 'ADA', commissionPlan: 'STD' }],
};

/** An order of an agent to be billed, and a declined payment to be tried again. */
async function someDue(db: SharedDatabase, testClock?: string) {
  const clock = testClock === undefined ? {} : { testClock };
  const all = [...plans, moving(31)];
  const books = await openCollectionBooks(db, { today, plans: all, file, ...clock });
  const orderId = await subscribe(books);
  await books.work(async (context) => {
    const [agent] = await context.tx.query<{ id: number }>('select id from sales_agent');
    const link = { billerId: agent?.id ?? null, commissionPlanId: null, joiningDate: null };
    await addOrderAgents(context, { id: orderId }, [link]);
  });
  const declined = await books.customer();
  await books.file(declined, 1, { token: 'tok_2' });
  books.gateway.onCharge('tok_2', 'decline');
  await books.bill(declined, '30', { isAutoPay: true });
  await books.settle();
  return books;
}

/** Of each kind that can be due one, on the same day. */
async function everythingDue(db: SharedDatabase) {
  const books = await someDue(db);
  const [late, byBank, byPlan, bySepa] = [
    await books.customer(),
    await books.customer(),
    await books.customer(),
    await books.customer(),
  ];
  await books.bill(late, '20', { dueDate: today });
  const changing = await books.order(
    { customerId: late, contractCode: 'GOLD' },
    { generateInvoice: true },
  );
  await books.change(changing, { contractCode: 'PLUS' }, { effectiveDate: tomorrow });
  const counted = await books.order({ customerId: late, contractCode: 'METERED' });
  await used(books, counted, [{ on: today, period: STUB, quantity: '180' }]);
  await notedMovedAndPaused(books);
  await books.file(byBank, 1, { token: 'tok_4', type: 'ACH' });
  books.gateway.onCharge('tok_4', 'accept');
  await books.bill(byBank, '40', { isAutoPay: true });
  await books.settle();
  await books.gateway.finish('Approved');
  // As a gateway says that knows when it settles.
  await books.work(({ tx }) =>
    tx.query(`update payment set gateway_news_on = $1 where phase = 'Processing'`, [tomorrow]),
  );
  // Announced today; by another account it is announced anew.
  await books.file(bySepa, 1, { token: 'sepa_1', isSepa: true });
  await books.bill(bySepa, '50', { isAutoPay: true });
  await books.file(bySepa, 1, { token: 'sepa_2', lastFour: '2222', isSepa: true });
  await books.file(byPlan, 1, { token: 'tok_3' });
  await books.bill(byPlan, '120');
  await books.plan(byPlan, { ...monthly, startDate: tomorrow });
  return books;
}

/** Three orders: a notice of a renewal, new prices, and the end of a pause are due tomorrow. */
async function notedMovedAndPaused(books: CollectionBooks): Promise<void> {
  const customerId = await books.customer();
  const since = '2026-12-16';
  const ordered = (contractCode: string, more: object = {}) =>
    books.order({ customerId, contractCode, startDate: since, ...more }, { generateInvoice: true });
  await ordered('GOLD', { endDate: '2027-01-25', isAutoRenew: true });
  await ordered('MOVING');
  await applyTo(books, [...plans, moving(33)], 0);
  await books.suspend(await ordered('PLUS'), tomorrow);
}

const run: World = {
  name: 'the run of a day on which one of each kind is due',
  of: ['planBillingRun', 'billTenant'],
  async open({ db }) {
    const books = await everythingDue(db);
    jumpTo(books, tomorrow);
    const input = { tenantId: String(books.tenantId) };
    return paying(books, {
      async step({ planBillingRun, billTenant }) {
        const { due, runOn, waitMs } = await planBillingRun(input);
        if (!due) return unlessFar(waitMs);
        await billTenant({ ...input, runOn });
        return 0;
      },
    });
  },
};

const inLanes: World = {
  name: 'the run of a day in lanes',
  of: ['planBillingRun', 'billTenant', 'billLane'],
  async open({ db }) {
    const books = await openPaymentBooks(db, { today, plans });
    for (let each = 0; each < 2; each += 1) {
      const customerId = await books.customer();
      await books.order({ customerId, contractCode: 'GOLD', startDate: tomorrow });
    }
    jumpTo(books, tomorrow);
    const input = { tenantId: String(books.tenantId) };
    let lanes: readonly BillingLane[] = [];
    let mayCallLanes = true;
    return paying(books, {
      async step({ planBillingRun, billTenant, billLane }) {
        const { due, runOn, waitMs } = await planBillingRun(input);
        if (!due) return unlessFar(waitMs);
        const [lane, ...others] = lanes;
        if (lane === undefined) {
          ({ lanes = [] } = await billTenant({ ...input, runOn, mayCallLanes }));
          mayCallLanes &&= lanes.length === 0;
        } else {
          const { rest } = await billLane({ ...input, runOn, lane });
          lanes = [...(rest === null ? [] : [rest]), ...others];
        }
        return 0;
      },
    });
  },
};

const taxed: World = {
  name: 'the run of a tenant whose taxes a provider knows',
  of: ['planBillingRun', 'billTenant'],
  async open({ db, teardown }) {
    const { provider } = await openAvatax({ teardown });
    const shop = await openTaxedShop(db, provider, { today });
    for (let each = 0; each < 2; each += 1) {
      const order = { contractCode: 'GOLD', startDate: tomorrow };
      await shop.order({ customerId: await shop.resident(), ...order });
    }
    shop.jump(tomorrow);
    const input = { tenantId: String(shop.tenantId) };
    const { tenantId, dependencies } = shop;
    return {
      tenantId,
      dependencies,
      pass: (ms) => shop.later(ms),
      ports: { taxProvider: provider },
      async step({ planBillingRun, billTenant }) {
        const { due, runOn, waitMs } = await planBillingRun(input);
        if (!due) return unlessFar(waitMs);
        await billTenant({ ...input, runOn });
        return 0;
      },
    };
  },
};

const clocked: World = {
  name: 'a test clock that comes to a day on which an order and a retry are due',
  of: ['advanceClock'],
  // What the clock has billed on a day is noted after it, for people to see: a worker that dies before leaves no note.
  except: ['billing_run'],
  async open({ db, isFaulty }) {
    const books = await someDue(db, `${today}T12:00:00Z`);
    const { dependencies, tenantId } = books;
    const tenant = await tenantInfo(dependencies, tenantId);
    await inTenant(db.app, tenantId, async (tx) =>
      advance(await operationContextOf(dependencies, tenant, tx, 'none'), tomorrow),
    );
    const woken = wakingEngine(books);
    return paying(books, {
      async step({ advanceClock }) {
        const advanced = advanceClock({ tenantId: String(tenantId) });
        const { done, waitMs } = await (isFaulty ? whilePaid(books, advanced) : advanced);
        return done ? null : (waitMs ?? 0);
      },
      ports: { engine: woken },
    });
  },
};

const PAID_AFTER_MS = 500;

/** The clock waits for payments that were cut off, whose workflows go on meanwhile. */
async function whilePaid<Result>(books: CollectionBooks, step: Promise<Result>): Promise<Result> {
  const timer = setInterval(() => void payNudged(books).catch(() => undefined), PAID_AFTER_MS);
  try {
    return await step;
  } finally {
    clearInterval(timer);
  }
}

/** An engine whose workflows look at their rows at once. */
function wakingEngine({ dependencies, tenantId, gateway }: CollectionBooks): Engine {
  const hooks = { dispatch: () => undefined, gateways: gateway.gateways };
  const wake: Readonly<Record<string, (id: number) => Promise<unknown>>> = {
    subscription: (orderId) => wakeOrder(dependencies, tenantId, { orderId, yields: 0 }, hooks),
    dunning: (customerId) => wakeDunning(dependencies, tenantId, { customerId, yields: 0 }, hooks),
    paymentPlan: (planId) => wakePaymentPlan(dependencies, tenantId, planId, hooks),
  };
  const client = {
    withDeadline: (_deadline: number, call: () => Promise<unknown>) => call(),
    async signalWithStart(type: string, { workflowId }: { readonly workflowId: string }) {
      await wake[type]?.(Number(workflowId.split('/').at(-1)));
    },
  };
  return { client, taskQueue: 'test' } as unknown as Engine;
}

export const billing: readonly World[] = [followed, debited, run, inLanes, taxed, clocked];
