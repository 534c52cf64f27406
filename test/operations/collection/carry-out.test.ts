/**
 * Each consequence of a transition is carried out: one transition for each flag, which has nothing
 * but this one. A flag without a test here does not compile.
 */

import test, { type ExecutionContext } from 'ava';
import { invoiceAfter } from '../../../domain/invoices/state.ts';
import type { InvoiceTransition } from '../../../domain/invoices/happened.ts';
import type { Transition } from '../../../domain/payments/happened.ts';
import { paymentAfter } from '../../../domain/payments/state.ts';
import { attemptChange, type AttemptChange } from '../../../domain/payments/attempts.ts';
import { insertTaxRecords } from '../../../db/queries/tax-records/records.ts';
import { readInvoices } from '../../../db/queries/invoices/invoices.ts';
import {
  insertPayments,
  newCredit,
  type PaymentInsert,
} from '../../../db/queries/payments/new-payments.ts';
import { takeIds } from '../../../db/queries/billing/write.ts';
import type { CarriedAttempt } from '../../../operations/collection/attempts.ts';
import {
  carryOut,
  paymentConsequences,
  type CarriedPayment,
  type PaymentConsequence,
} from '../../../operations/collection/carry-out.ts';
import {
  attemptConsequences,
  type AttemptConsequence,
} from '../../../operations/collection/attempt-consequences.ts';
import {
  invoiceConsequences,
  type InvoiceConsequence,
} from '../../../operations/collection/invoice-consequences.ts';
import type { OperationContext } from '../../../operations/context/context.ts';
import { latestOf } from '../../../operations/gateway-calls/cascade.ts';
import { openAgentShop } from '../commissions/shop.ts';
import { sharedDatabase } from '../support/books.ts';
import { openCollectionBooks } from '../support/collection-books.ts';
import { card, type PaymentBooks } from '../support/payment-books.ts';

const db = await sharedDatabase();
const today = '2027-01-15';

/** A customer with a card on file, who has paid 10 that nothing took, and owes nothing. */
async function opened() {
  const books = await openCollectionBooks(db, { today });
  const customerId = await books.customer();
  const methodId = await books.file(customerId, 1, { token: 'tok_1' });
  const paymentId = await books.pay({ customerId, amount: '10' });
  return { books, customerId, methodId, paymentId };
}

type World = Awaited<ReturnType<typeof opened>>;

const only = <Row extends object>(rows: readonly Row[]): Row => {
  const [row] = rows;
  if (!row) throw new Error('there is no row');
  return row;
};

/** Carries out a transition that leaves the payment as it is, and has only these flags. */
async function paymentCarried(
  { books, paymentId }: World,
  flags: Partial<Transition>,
  more: Partial<CarriedPayment> = {},
): Promise<OperationContext['nudges']> {
  return books.work(async (context) => {
    const payment = await latestOf(context, paymentId);
    const nothing = paymentAfter(payment, { happened: 'asked', today });
    const transition = { ...nothing, ...flags };
    await carryOut(context, { payments: [{ payment: { ...payment, ...more }, transition }] });
    return context.nudges;
  });
}

/** Carries out a transition that leaves the written invoice as it is, and has only these flags. */
function invoiceCarried(
  books: Pick<PaymentBooks, 'work'>,
  id: number,
  flags: Partial<InvoiceTransition>,
): Promise<void> {
  return books.work(async (context) => {
    const where = { name: 'invoice-of-test', where: 'i.id = $1', values: [id] };
    const invoice = { ...only(await readInvoices(context.tx, where)), currency: 'USD' };
    const nothing = { ...invoiceAfter(invoice, { happened: 'credited' }), commissions: null };
    await carryOut(context, { invoices: [{ invoice, transition: { ...nothing, ...flags } }] });
  });
}

/** What a test says of an invoice, beside the operations. */
const set = (books: Pick<PaymentBooks, 'work'>, id: number, columns: string): Promise<unknown> =>
  books.work(({ tx }) => tx.query(`update invoice set ${columns} where id = $1`, [id]));

const autopayOf = (books: Pick<PaymentBooks, 'read'>, id: number) =>
  books.read(async (tx) => {
    const where = { name: 'autopay-of-test', where: 'i.id = $1', values: [id] };
    const { autopayOn, awaits, isSetAside } = only(await readInvoices(tx, where));
    return { autopayOn, awaits, isSetAside };
  });

const eventsOf = (books: Pick<PaymentBooks, 'read'>, objectId: number) =>
  books.read(async (tx) => {
    const rows = await tx.query<{ text: string }>(
      `select concat(type, ' ', detail) as text from event where object_id = $1 order by id`,
      [objectId],
    );
    return rows.map(({ text }) => text);
  });

/** 30 is open beside 5 that nothing took, which no operation leaves. */
async function idleBesideOpen({ books, customerId, paymentId }: World): Promise<number> {
  await books.unpay(paymentId);
  const invoiceId = await books.bill(customerId, '30');
  await books.work(async ({ tx, time }) => {
    const [id = 0] = await takeIds(tx, 1);
    const own = { customerId, currency: 'USD', effectiveDate: today };
    const credit: PaymentInsert = { ...newCredit('5', own), id, cascadeId: id };
    insertPayments(tx, [credit], time.now);
  });
  return invoiceId;
}

type Check<Of extends string> = Readonly<
  Record<Of, (t: ExecutionContext, world: World) => Promise<void>>
>;

const ofPayments: Check<PaymentConsequence> = {
  async keepsMethod(t, world) {
    const { books, customerId, methodId } = world;
    t.is(await books.filed(customerId), '1 tok_1');
    const kept = { paymentMethodId: methodId, saveAsPreference: 2 };
    await paymentCarried(world, {}, kept);
    t.is(await books.filed(customerId), '1 tok_1');
    await paymentCarried(world, { keepsMethod: true }, kept);
    t.is(await books.filed(customerId), '2 tok_1');
  },
  async raises(t, world) {
    const raises = { type: 'payment.failed', detail: { final: true, by: 'dispute' } } as const;
    await paymentCarried(world, { raises });
    t.regex(
      (await eventsOf(world.books, world.paymentId)).at(-1) ?? '',
      /^payment\.failed .*"by": "dispute"/,
    );
  },
  async allocates(t, world) {
    await idleBesideOpen(world);
    await paymentCarried(world, {});
    t.deepEqual(await world.books.open(), ['1001 Outstanding 30.00 of 30.00']);
    await paymentCarried(world, { allocates: true });
    t.deepEqual(await world.books.open(), ['1001 Outstanding 25.00 of 30.00']);
  },
  async madeInvoices(t, world) {
    const { books, customerId, paymentId } = world;
    for (const [madeInvoices, autopayOn] of [
      ['paid', null],
      ['givenUp', '2027-01-20'],
    ] as const) {
      const id = await books.bill(customerId, '30');
      const waits = `autopay_on = '2027-01-20', autopay_after_payment_id = ${paymentId}`;
      await set(books, id, waits);
      await paymentCarried(world, {});
      t.is((await autopayOf(books, id)).awaits, paymentId);
      await paymentCarried(world, { madeInvoices });
      t.deepEqual(await autopayOf(books, id), { autopayOn, awaits: null, isSetAside: false });
    }
  },
  async attempt(t, world) {
    const { books, customerId } = world;
    const autopayInvoiceId = await books.bill(customerId, '30');
    await paymentCarried(world, { attempt: 'declined' }, { autopayInvoiceId });
    t.deepEqual(await books.attempts(), ['2027-01-16 1001 #1: due']);
  },
  async claimed(t, world) {
    const { books, customerId } = world;
    const id = await books.bill(customerId, '30');
    const own = { autopayInvoiceId: id };
    await paymentCarried(world, { claimed: { until: 'planEnded' } }, own);
    const due = { autopayOn: today, awaits: null, isSetAside: false };
    t.deepEqual(await autopayOf(books, id), due);
    await paymentCarried(world, { claimed: { until: 'setAside', cascadeId: 9 } }, own);
    t.deepEqual(await autopayOf(books, id), { ...due, awaits: 9, isSetAside: true });
  },
  async releases(t, world) {
    const { books, customerId } = world;
    const id = await books.bill(customerId, '30');
    const waits = 'autopay_after_payment_id = 9, autopay_set_aside = true';
    await set(books, id, `autopay_on = '2027-01-20', ${waits}`);
    await paymentCarried(world, { releases: true });
    const released = { autopayOn: '2027-01-20', awaits: null, isSetAside: false };
    t.deepEqual(await autopayOf(books, id), released);
  },
  async freesTurn(t, world) {
    const { books, customerId } = world;
    const next = await books.pay({ customerId, amount: '7', method: card('tok_9') });
    t.deepEqual(await paymentCarried(world, {}), []);
    const nudges = await paymentCarried(world, { freesTurn: true });
    t.deepEqual(nudges, [{ kind: 'payment', objectId: next }]);
  },
  async notifiesPage(t, world) {
    const page = { by: 'signup', signupId: 77 } as const;
    t.deepEqual(await paymentCarried(world, {}, { page }), []);
    const nudges = await paymentCarried(world, { notifiesPage: 'ended' }, { page });
    t.deepEqual(nudges, [{ kind: 'signup', objectId: 77 }]);
  },
};

const ofInvoices: Check<InvoiceConsequence> = {
  async raises(t, { books, customerId }) {
    const id = await books.bill(customerId, '30');
    await invoiceCarried(books, id, { raises: ['invoice.cancelled'] });
    t.is((await eventsOf(books, id)).at(-1), 'invoice.cancelled ');
  },
  async endsRetries(t, world) {
    const { books, customerId } = world;
    const id = await books.bill(customerId, '30');
    await paymentCarried(world, { attempt: 'declined' }, { autopayInvoiceId: id });
    await set(books, id, `status = 'Paid', outstanding_balance = 0`);
    await invoiceCarried(books, id, { endsRetries: true });
    t.deepEqual(await books.attempts(), ['2027-01-16 1001 #1: ended overtaken']);
  },
  async commissions(t) {
    const shop = await openAgentShop(db);
    const orderId = await shop.order({ customerId: await shop.customer(), contractCode: 'GOLD' });
    await shop.link(orderId);
    await shop.generate(orderId);
    const [bill] = await shop.read((tx) => tx.query<{ id: number }>('select id from invoice'));
    await set(shop, bill?.id ?? 0, `status = 'Paid', outstanding_balance = 0`);
    await invoiceCarried(shop, bill?.id ?? 0, {});
    t.deepEqual(await shop.earned(), []);
    await invoiceCarried(shop, bill?.id ?? 0, { commissions: 'settled' });
    t.is((await shop.earned()).length, 1);
  },
  async voidsTaxRecord(t, { books, customerId }) {
    const invoiceId = await books.bill(customerId, '30');
    await books.work(async ({ tx }) => {
      const document = { credits: [] } as never;
      const amounts = { expectedTotal: '30', expectedTax: '0' };
      insertTaxRecords(tx, [{ invoiceId, paymentId: null, document, ...amounts }]);
    });
    await invoiceCarried(books, invoiceId, { voidsTaxRecord: true });
    const rows = await books.read((tx) =>
      tx.query<{ state: string }>('select state from tax_record'),
    );
    t.deepEqual(rows, [{ state: 'voided' }]);
  },
  async credit(t, { books, customerId }) {
    const id = await books.bill(customerId, '10');
    await invoiceCarried(books, id, { credit: '4' });
    t.deepEqual((await books.payments()).slice(1), ['#2 Credit Paid 4.00 left 4.00']);
  },
  async allocates(t, world) {
    const id = await idleBesideOpen(world);
    await invoiceCarried(world.books, id, { allocates: true });
    t.deepEqual(await world.books.open(), ['1001 Outstanding 25.00 of 30.00']);
  },
  async paysItself(t, { books, customerId }) {
    const id = await books.bill(customerId, '30', { isAutoPay: true, dueDate: '2027-01-20' });
    await set(books, id, `autopay_on = '${today}'`);
    const before = await books.pending();
    await invoiceCarried(books, id, { paysItself: true });
    t.is((await books.pending()).length, before.length + 1);
  },
  async debts(t, { books, customerId }) {
    const id = await books.bill(customerId, '30');
    await set(books, id, `due_date = '2027-01-02'`);
    await invoiceCarried(books, id, { debts: 'changed' });
    const rows = await books.read((tx) => tx.query('select from dunning'));
    t.is(rows.length, 1);
  },
  async isNumbered(t) {
    const file = { documents: { cancellation: 'document' } };
    const books = await openCollectionBooks(db, { today, file });
    const id = await books.bill(await books.customer(), '30');
    await invoiceCarried(books, id, { isNumbered: true });
    const rows = await books.read((tx) =>
      tx.query('select invoice_id, cancellation_number from cancellation'),
    );
    t.deepEqual(rows, [{ invoiceId: id, cancellationNumber: '1002' }]);
  },
};

/** Carries out a change of an attempt that has only these flags. */
function attemptCarried(
  { books }: World,
  attempt: CarriedAttempt,
  flags: Partial<AttemptChange>,
): Promise<OperationContext['nudges']> {
  return books.work(async (context) => {
    const over = { happened: 'ended', outcome: 'overtaken' } as const;
    const change = { ...attemptChange(over, today), ...flags };
    await carryOut(context, { attempts: [attempt], change });
    return context.nudges;
  });
}

const ofAttempts: Check<AttemptConsequence> = {
  async raises(t, world) {
    const { books, customerId } = world;
    await books.plan(customerId);
    // No object of the database has it, such as the customer.
    const [id = 0] = await books.work(({ tx }) => takeIds(tx, 1));
    const attempt = { id, customerId, invoiceId: null, paymentPlanId: 1, installment: 1 };
    await attemptCarried(world, { ...attempt, attempt: 1 }, { raises: true });
    t.regex((await eventsOf(books, id)).join(', '), /^paymentPlan\.installment .*"installment": 1/);
  },
  async triesAgain(t, world) {
    const { books, customerId } = world;
    const invoiceId = await books.bill(customerId, '30');
    const own = { customerId, invoiceId, paymentPlanId: null };
    const attempt = { ...own, installment: null, attempt: 0, declinedOn: null };
    await attemptCarried(world, attempt, { triesAgain: true, outcome: 'declined' });
    t.deepEqual(await books.attempts(), ['2027-01-16 1001 #1: due']);
  },
  async marksPlan(t, world) {
    const { books, customerId } = world;
    await books.plan(customerId);
    const [plan] = await books.read((tx) =>
      tx.query<{ id: number }>('select id from payment_plan'),
    );
    const own = { customerId, invoiceId: null, paymentPlanId: plan?.id ?? 0 };
    await attemptCarried(world, { ...own, countedOn: '2027-01-31' }, {});
    t.is(await books.planNow(customerId), 'enabled, 3 of 3 to come, next 2027-01-31');
    await attemptCarried(world, { ...own, countedOn: '2027-01-31' }, { marksPlan: true });
    t.regex(await books.planNow(customerId), /^enabled, 2 of 3 to come/);
  },
  async reviewsRetries(t, world) {
    const { books, customerId } = world;
    const invoiceId = await books.bill(customerId, '30');
    await paymentCarried(world, { attempt: 'declined' }, { autopayInvoiceId: invoiceId });
    const own = { customerId, invoiceId, paymentPlanId: null };
    t.deepEqual(await attemptCarried(world, own, {}), []);
    const nudges = await attemptCarried(world, own, { reviewsRetries: true });
    t.deepEqual(nudges, [{ kind: 'dunning', objectId: customerId }]);
  },
};

for (const flag of attemptConsequences) {
  test(`of an attempt is carried out: ${flag}`, async (t) => {
    await ofAttempts[flag](t, await opened());
  });
}

for (const flag of paymentConsequences) {
  test(`of a payment is carried out: ${flag}`, async (t) => {
    await ofPayments[flag](t, await opened());
  });
}

for (const flag of invoiceConsequences) {
  test(`of an invoice is carried out: ${flag}`, async (t) => {
    await ofInvoices[flag](t, await opened());
  });
}

test('every consequence has its place in the order', (t) => {
  t.deepEqual(attemptConsequences.toSorted(), Object.keys(ofAttempts).toSorted());
  t.deepEqual(paymentConsequences.toSorted(), Object.keys(ofPayments).toSorted());
  t.deepEqual(invoiceConsequences.toSorted(), Object.keys(ofInvoices).toSorted());
});
