/** Random steps on orders, invoices and customers, as callers may do them at any time. */
import { randomUUID } from 'node:crypto';
import { addDays } from '../../../domain/calendar/calendar.ts';
import { DomainErrors } from '../../../domain/errors.ts';
import { updateCustomer } from '../../../operations/customers/write.ts';
import type { UsageRecord } from '../../../domain/usage/records.ts';
import { makeTenant } from '../../support/tenants.ts';
import { avataxFile, newYorker } from './avatax-tenant.ts';
import { openBooks, type Books, type SharedDatabase } from './books.ts';
import { partialTaxes } from './partial-taxes.ts';
import { coupons, plans, pricedAt, rates } from './life-plans.ts';
import { NOTHING_TO_DO, type Outlooks } from './tally.ts';
import { upload } from './uploads.ts';
import { fc } from '../../support/random.ts';

const pick = fc.nat({ max: 1_000 });
const days = fc.integer({ min: -20, max: 60 });
export const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('advance'), days: fc.integer({ min: 1, max: 25 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('order'),
      plan: fc.constantFrom(...plans.map((plan) => plan.contractCode)),
      which: pick,
      starts: days,
      term: fc.constantFrom(0, 0, 10, 28, 31, 60),
      renews: fc.boolean(),
      draft: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
      bill: fc.constantFrom('no', 'no', 'generate', 'force'),
      separateInvoice: fc.constantFrom(0, 0, 1),
      coupon: fc.constantFrom(undefined, undefined, ...coupons.map(({ code }) => code)),
      /** Its days up to so many after the first are billed elsewhere. */
      elsewhere: fc.option(fc.integer({ min: 0, max: 70 }), { nil: undefined, freq: 2 }),
      trial: fc.constantFrom(...Array.from({ length: 7 }, () => undefined), 0, 3, 10),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('try'), which: pick, free: fc.nat({ max: 20 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('change'),
      which: pick,
      to: fc.constantFrom(...plans.map((plan) => plan.contractCode)),
      on: fc.oneof(fc.constant(0), fc.integer({ min: -10, max: 40 })),
      coupon: fc.constantFrom(undefined, undefined, ...coupons.map(({ code }) => code)),
      bills: fc.boolean(),
      /** It has the version of the current order, with the prices of that. */
      keeps: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
      /** The new order has its own days elsewhere, or none, whatever the order before has. */
      elsewhere: fc.option(fc.option(fc.integer({ min: -1, max: 40 }), { freq: 1 }), {
        nil: undefined,
        freq: 1,
      }),
      deletes: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
      trial: fc.constantFrom(undefined, undefined, undefined, 0, 5, 20),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('suspend', 'activate', 'cancel', 'generate', 'start', 'keep'),
      which: pick,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('end'),
      which: pick,
      ends: fc.option(fc.integer({ min: 0, max: 50 })),
      renews: fc.option(fc.boolean(), { nil: undefined }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('pause', 'pause', 'restUntil'),
      which: pick,
      pausedFor: fc.integer({ min: 1, max: 40 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('endByRequest'),
      which: pick,
      when: fc.constantFrom('now', 'periodEnd', 'periodEnd', 'termEnd', 'termEnd'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('cancelInvoice'),
      which: pick,
      flag: fc.constantFrom('none', 'suspendOrders', 'cancelOrders', 'rollbackBillingPeriod'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('rest', 'wake', 'manual'), which: pick }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('use'),
      which: pick,
      used: fc.integer({ min: -12, max: 3 }),
      quantity: fc.integer({ min: 1, max: 150 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('correct'), which: pick, part: pick }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('moveIn'),
      which: pick,
      through: fc.option(fc.integer({ min: -30, max: 40 }), { freq: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('reprice'),
      which: pick,
      cents: fc.integer({ min: 100, max: 9_000 }),
    }),
  },
);
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

export interface World {
  readonly books: Books;
  readonly customers: readonly number[];
  readonly orders: number[];
  /** Gives the first charge of each plan another price: orders keep the one that they have. */
  readonly reprice: (price: number) => Promise<unknown>;
}

/**
 * Two customers with an order in every status that may change, and credits for canceled orders. One
 * of them is taxed, by the table or by a provider.
 */
export async function newWorld(
  db: SharedDatabase,
  { isProvided = false }: { readonly isProvided?: boolean } = {},
): Promise<World> {
  const settings = { creditUnusedOnCancel: true, usageGraceDays: 1 };
  const tax = isProvided ? avataxFile() : { tax: { type: 'table', rates } };
  const documents = { cancellation: 'document' };
  const file = { settings, coupons, documents, ...tax };
  const taxProvider = partialTaxes;
  const books = await openBooks(db, { today: '2027-01-15', plans, file, taxProvider });
  const customers = [
    await newYorker(books),
    isProvided ? await newYorker(books) : await books.customer(),
  ];
  const [first = 0, second = 0] = customers;
  await books.work((its) => updateCustomer(its, { id: first }, { purchaseOrder: 'PO-C' }, {}));
  const active = await books.order({ customerId: first, contractCode: 'GOLD' });
  const suspended = await books.order({ customerId: second, contractCode: 'PRE' });
  const draft = { customerId: first, contractCode: 'RATA', orderStatus: 'Draft' } as const;
  const metered = { customerId: first, contractCode: 'METERED', couponCode: 'MUCH' };
  const orders = [active, suspended, await books.order(draft), await books.order(metered)];
  await books.suspend(suspended);
  const reprice = (price: number) => {
    const options = { label: books.label, file, plans: plans.map((plan) => pricedAt(plan, price)) };
    return makeTenant(books.dependencies, options);
  };
  return { books, customers, orders, reprice };
}

/** Some steps act on any object, whether the step fits or not. */
export const ANY_OF = 4;

export const at = <T>(list: readonly T[], which: number): T | undefined =>
  list[which % list.length];

export const kinds = [
  'advance',
  'order',
  'change',
  'suspend',
  'activate',
  'cancel',
  'generate',
  'start',
  'end',
  'endByRequest',
  'try',
  'keep',
  'pause',
  'restUntil',
  'cancelInvoice',
  'rest',
  'wake',
  'manual',
  'use',
  'correct',
  'moveIn',
  'reprice',
] as const;
export type Kind = (typeof kinds)[number];

/** The reasons for refusals of each kind of step, and its minimum share of successes. */
export const outlooks: Outlooks<Kind> = {
  advance: { succeeds: 1, refusals: [] },
  // Some ask for an invoice of a draft, or of a suspended customer.
  // And some would renew before the end of their trial.
  order: {
    succeeds: 0.5,
    refusals: ['coupon.usedByCustomer', 'coupon.usedUp', 'field.invalid', 'order.notBillable'],
  },
  // Of another order, or on a day outside; some orders to delete have billed something.
  change: {
    succeeds: 0.3,
    refusals: [
      'coupon.usedByCustomer',
      'coupon.usedUp',
      'field.invalid',
      'order.billed',
      'order.changePending',
      'order.notBillable',
      'order.notChangeable',
    ],
  },
  suspend: { succeeds: 0.3, refusals: ['order.transition'] },
  activate: { succeeds: 0.2, refusals: ['order.transition'] },
  cancel: { succeeds: 0.5, refusals: ['order.notEditable', 'order.transition'] },
  generate: { succeeds: 0.2, refusals: ['order.notBillable'] },
  start: { succeeds: 0.3, refusals: ['order.transition'] },
  // The new end may be before the start, or before what is billed.
  end: { succeeds: 0.5, refusals: ['field.invalid', 'order.notEditable'] },
  // A change may come before the end; a draft does not end by request.
  endByRequest: { succeeds: 0.4, refusals: ['order.changePending', 'order.transition'] },
  // Most have no trial, or are past it.
  try: {
    succeeds: 0.1,
    refusals: ['field.invalid', 'field.notEditable', 'order.changePending', 'order.notEditable'],
  },
  // Some have no requested end.
  keep: { succeeds: 0.1, refusals: ['order.notEnding'] },
  pause: { succeeds: 0.3, refusals: ['order.transition'] },
  restUntil: { succeeds: 1, refusals: [] },
  cancelInvoice: { succeeds: 0.3, refusals: ['invoice.credited', 'invoice.notCancellable'] },
  rest: { succeeds: 1, refusals: [] },
  wake: { succeeds: 1, refusals: [] },
  manual: { succeeds: 1, refusals: [] },
  // Draft orders take none, and some days are outside of their order, which may have ended.
  use: { succeeds: 0.3, refusals: ['activity.notTaken', 'activity.outsideTerm'] },
  // More than is left of the record, or after the end of its order.
  correct: {
    succeeds: 0.3,
    refusals: ['activity.correction', 'activity.notTaken', 'activity.outsideTerm'],
  },
  // Most orders have billed something, or do not have the day.
  moveIn: { succeeds: 0.1, refusals: ['field.invalid', 'field.notEditable', 'order.notEditable'] },
  reprice: { succeeds: 1, refusals: [] },
};

export const kindOf = (step: Step): Kind => step.do;

/** Executes a step, or reports that there is no object for it. */
export async function perform(world: World, it: Step): Promise<unknown> {
  const { books, customers, orders, reprice } = world;
  if ('days' in it) return books.advance(addDays(books.today(), it.days));
  const customerId = at(customers, it.which) ?? 0;
  if ('plan' in it) {
    const startDate = addDays(books.today(), it.starts);
    const order = {
      customerId,
      contractCode: it.plan,
      startDate,
      endDate: it.term === 0 ? null : addDays(startDate, it.term),
      isAutoRenew: it.renews,
      separateInvoice: it.separateInvoice,
      couponCode: it.coupon,
      billedThrough: throughOf(startDate, it),
      // A trial of the plan falls away beside days that are billed elsewhere.
      trialDays: it.elsewhere === undefined ? it.trial : undefined,
      purchaseOrder: it.which % 2 === 0 ? `PO-${it.which % 6}` : null,
      orderStatus: it.draft ? ('Draft' as const) : ('Active' as const),
    };
    const generateInvoice = it.bill === 'generate';
    const forceInvoiceGeneration = it.bill === 'force';
    orders.push(await books.order(order, { generateInvoice, forceInvoiceGeneration }));
    return undefined;
  }
  if ('cents' in it) return reprice(it.cents / 100);
  if ('used' in it) return use(books, it.which, it);
  if ('part' in it) return correct(books, it.which, it.part);
  if ('flag' in it) {
    const flags = it.flag === 'none' ? {} : { [it.flag]: true };
    return cancelAnInvoice(books, it.which, flags);
  }
  if (it.do === 'rest') return books.customerAction(customerId, 'suspend');
  if ('pausedFor' in it && it.do === 'restUntil') {
    return books.customerAction(customerId, 'suspend', addDays(books.today(), it.pausedFor));
  }
  if (it.do === 'wake') return books.customerAction(customerId, 'activate');
  if (it.do === 'manual') {
    const charge = { priceCode: 'WORK', amount: '7.50' };
    return books.manualInvoice(customerId, {
      invoiceLineItems: [{ invoiceLineItemCharges: [charge] }],
    });
  }
  const fitting = await fittingOrders(books, it.do);
  const isAny = fitting.length === 0 || it.which % ANY_OF === 0;
  const id = at(isAny ? orders : fitting, it.which);
  if (id !== undefined && 'to' in it) {
    const effectiveDate = addDays(books.today(), it.on);
    const own = it.elsewhere;
    const billedThrough = own == null ? own : addDays(effectiveDate, own);
    const plan = it.keeps ? {} : { contractCode: it.to };
    const order = { ...plan, couponCode: it.coupon, billedThrough, trialDays: it.trial };
    const { bills, keeps: keepsPrices, deletes: deletesCurrent } = it;
    const how = { effectiveDate, bills, keepsPrices, deletesCurrent };
    orders.push(await books.change(id, order, how));
    // A deleted order is unknown from then on.
    if (it.deletes) orders.splice(orders.indexOf(id), 1);
    return undefined;
  }
  return id === undefined ? NOTHING_TO_DO : changeOrder(books, id, it);
}

/** A day of the order's first term. */
function throughOf(
  startDate: string,
  { elsewhere, term }: { readonly elsewhere: number | undefined; readonly term: number },
): string | undefined {
  if (elsewhere === undefined) return undefined;
  return addDays(startDate, term === 0 ? elsewhere : Math.min(elsewhere, term));
}

/** Uploads a record of usage to an order with a usage line. */
async function use(
  books: Books,
  which: number,
  { used, quantity }: { readonly used: number; readonly quantity: number },
): Promise<unknown> {
  const rows = await books.read((tx) =>
    tx.query<{ id: number }>(
      `select o.id from subscription_order o
       where exists (select from order_line l
         join plan_charge g on g.tenant_id = l.tenant_id and g.id = l.charge_id
         where l.tenant_id = o.tenant_id and l.order_id = o.id
           and g.charge_type = 'UsageCharge')
       order by o.id desc`,
    ),
  );
  const id = at(rows, which)?.id;
  if (id === undefined) return NOTHING_TO_DO;
  const chargeDate = addDays(books.today(), used);
  return uploadOne(books, { orderId: id, chargeDate, quantity: String(quantity) });
}

async function uploadOne(books: Books, record: Partial<UsageRecord>): Promise<unknown> {
  try {
    return await upload(books, [{ ...record, extRefId: randomUUID() }]);
  } catch (error) {
    throw error instanceof DomainErrors ? error.errors[0] : error;
  }
}

/** Corrects a share of a record, a tenth or more, or all of it. */
async function correct(books: Books, which: number, part: number): Promise<unknown> {
  const rows = await books.read((tx) =>
    tx.query<{ ref: string; quantity: string; line: number }>(
      `select ext_ref_id as ref, quantity, order_line_id as line from activity
       where corrects_id is null order by id desc`,
    ),
  );
  const record = at(rows, which);
  if (record === undefined) return NOTHING_TO_DO;
  const share = Math.max(1, Math.floor((Number(record.quantity) * ((part % 10) + 1)) / 10));
  return uploadOne(books, {
    lineId: record.line,
    chargeDate: books.today(),
    quantity: String(-share),
    correctsExtRefId: record.ref,
  });
}

/** Cancels an invoice, usually an Outstanding one. */
export async function cancelAnInvoice(
  books: Pick<Books, 'read' | 'cancelInvoice'>,
  which: number,
  flags: Parameters<Books['cancelInvoice']>[1],
): Promise<unknown> {
  const all = await books.read((tx) =>
    tx.query<{ number: string; fits: boolean }>(
      `select invoice_number as number,
         status = 'Outstanding' as fits
       from invoice order by invoice_number, id`,
    ),
  );
  const fitting = all.filter(({ fits }) => fits);
  const isAny = fitting.length === 0 || which % ANY_OF === 0;
  const invoice = at(isAny ? all : fitting, which);
  return invoice === undefined ? NOTHING_TO_DO : books.cancelInvoice(invoice.number, flags);
}

/** The orders in a status that may change. */
async function fittingOrders(books: Books, change: string): Promise<number[]> {
  const from: Readonly<Record<string, string>> = {
    suspend: 'Active',
    activate: 'Suspended',
    change: 'Active',
    start: 'Draft',
  };
  const rows = await books.read((tx) =>
    tx.query<{ id: number }>(
      `select id from subscription_order where status = coalesce($1, status)
         and status not in ('Canceled', 'Complete')
         and ($2 or kept_auto_renew is not null)
         and ($3 or trial_end_date is not null) order by id`,
      [from[change] ?? null, change !== 'keep', change !== 'try'],
    ),
  );
  return rows.map(({ id }) => id);
}

function changeOrder(books: Books, id: number, it: Step): Promise<unknown> {
  if ('ends' in it) {
    const endDate = it.ends === null ? null : addDays(books.today(), it.ends);
    return books.put(id, { endDate, isAutoRenew: it.renews });
  }
  if ('pausedFor' in it) return books.suspend(id, addDays(books.today(), it.pausedFor));
  if ('when' in it) return books.end(id, { when: it.when });
  if ('through' in it) {
    const billedThrough = it.through === null ? null : addDays(books.today(), it.through);
    return books.put(id, { billedThrough });
  }
  if ('free' in it) return books.put(id, { trialDays: it.free });
  switch (it.do) {
    case 'keep':
      return books.keep(id);
    case 'suspend':
      return books.suspend(id);
    case 'activate':
      return books.activate(id);
    case 'generate':
      return books.generate(id);
    case 'start':
      return books.put(id, { orderStatus: 'Active' });
    default:
      return books.put(id, { orderStatus: 'Canceled' });
  }
}
