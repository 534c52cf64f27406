/** Notices: each date that lies ahead is announced once, on its day or at the next 00:00 after it. */
import test from 'ava';
import { isOnAgenda, nextOnAgenda } from '../../../db/queries/due/agenda.ts';
import { noticeKinds } from '../../../domain/events/notices.ts';
import { giveNotices } from '../../../operations/due/notices.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { orderTimeline } from '../../../operations/orders/timeline.ts';
import { putMethodOnFile } from '../../../operations/payment-methods/methods.ts';
import { makeTenant } from '../../support/tenants.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prorated, recurring } from '../support/plans.ts';

const db = await sharedDatabase();
const plansWith = (more: object = {}, price = 31) => [
  recurring('M31', price, prorated, { ...more }),
];
const tenDays = { notices: { renewalNoticeDays: 10 } };
/** A term of three months, so the next one begins on 04-15, and that after it on 07-15. */
const term = { contractCode: 'M31', startDate: '2027-01-15', endDate: '2027-04-14' };

async function booksWith(file: Readonly<Record<string, unknown>> = tenDays, plan: object = {}) {
  const options = { plans: plansWith(plan), file };
  const books = await openBooks(db, { today: '2027-01-15', ...options });
  const customerId = await books.customer();
  /** Applies another file. */
  const apply = (others: typeof file, otherPlan: object = {}, price = 31) =>
    makeTenant(books.dependencies, {
      label: books.label,
      plans: plansWith(otherPlan, price),
      file: others,
    });
  return { books, customerId, apply };
}

/** `2027-04-05 order.renewalNotice 2027-04-15` of each notice, the oldest first. */
const told = async (books: Books): Promise<string[]> => {
  const rows = await books.read((tx) =>
    tx.query<{ text: string }>(
      `select concat_ws(' ', (e.occurred_at at time zone t.timezone)::date, e.type,
         e.detail->>'date') as text
       from event e join tenant t on t.id = e.tenant_id
       where e.type in ('order.trialEnding', 'order.renewalNotice', 'order.priceChange', 'customer.cardExpiring') order by e.id`,
    ),
  );
  return rows.map(({ text }) => text);
};

/** Nothing pays the automatic invoices of these books. */
const isClean = async (books: Books) =>
  (await books.audit()).faults.filter(({ check }) => check !== 'invoice.unclaimed');

test('each renewal is announced so many days before the next term begins', async (t) => {
  const { books, customerId } = await booksWith();
  const id = await books.order({ ...term, customerId });
  await books.advance('2027-04-04');
  t.deepEqual(await told(books), []);
  t.is(await books.read((tx) => nextOnAgenda(tx, '2027-04-10')), '2027-04-05');
  await books.advance('2027-07-20');
  t.deepEqual(await told(books), [
    '2027-04-05 order.renewalNotice 2027-04-15',
    '2027-07-05 order.renewalNotice 2027-07-15',
  ]);
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const timeline = await orderTimeline(books.dependencies, tenant, { id });
  t.deepEqual(
    timeline?.filter(({ text }) => text.includes('announced')),
    [
      { date: '2027-04-05', state: 'happened', text: 'renewal on 2027-04-15 announced' },
      { date: '2027-07-05', state: 'happened', text: 'renewal on 2027-07-15 announced' },
    ],
  );
  t.deepEqual(await isClean(books), []);
});

test('the end of a trial is announced, of orders that last past it', async (t) => {
  const { books, customerId } = await booksWith({}, { trial: { value: 14, units: 'Days' } });
  // To 01-28: billing begins on 01-29, less 3 days.
  await books.order({ contractCode: 'M31', customerId });
  const ending = await books.order({ contractCode: 'M31', customerId: await books.customer() });
  await books.end(ending, { when: 'periodEnd' });
  const longer = await books.order({ contractCode: 'M31', customerId: await books.customer() });
  await books.put(longer, { trialDays: 20 });
  await books.advance('2027-01-25');
  t.deepEqual(await told(books), []);
  await books.advance('2027-02-10');
  t.deepEqual(await told(books), [
    '2027-01-26 order.trialEnding 2027-01-29',
    '2027-02-01 order.trialEnding 2027-02-04',
  ]);
  t.deepEqual(await isClean(books), []);
});

test('new prices are announced, if a price differs', async (t) => {
  const file = { notices: { priceChangeDays: 10 } };
  const moves = { existingOrders: 'nextPeriod' };
  const { books, customerId, apply } = await booksWith(file, moves);
  const id = await books.order({ contractCode: 'M31', customerId }, { generateInvoice: true });
  await books.order({ contractCode: 'M31', customerId, isAutoRenew: false, endDate: '2027-02-14' });
  await books.advance('2027-01-20');
  await apply(file, moves, 33);
  await books.advance('2027-02-04');
  t.deepEqual(await told(books), []);
  await books.advance('2027-02-16');
  t.deepEqual(await told(books), ['2027-02-05 order.priceChange 2027-02-15']);
  t.regex((await books.invoices()).at(-1) ?? '', /33\.00$/);
  // A version at the same price moves the order as well, and nobody is told of it.
  await apply(file, { ...moves, name: 'Another name' }, 33);
  await books.advance('2027-03-16');
  t.is((await told(books)).length, 1);
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const timeline = await orderTimeline(books.dependencies, tenant, { id });
  t.deepEqual(
    timeline?.filter(({ text }) => text.includes('announced')),
    [{ date: '2027-02-05', state: 'happened', text: 'new prices on 2027-02-15 announced' }],
  );
  t.deepEqual(await isClean(books), []);
});

test('without days nothing is announced, nor of orders that do not renew by a term', async (t) => {
  const none = await booksWith({});
  await none.books.order({ ...term, customerId: none.customerId });
  await none.books.advance('2027-04-20');
  t.deepEqual(await told(none.books), []);
  const { books, customerId } = await booksWith();
  await books.order({ contractCode: 'M31', customerId });
  await books.order({ ...term, customerId, isAutoRenew: false });
  const ending = await books.order({ ...term, customerId });
  await books.end(ending);
  const changing = await books.order({ ...term, customerId });
  await books.change(
    changing,
    { contractCode: 'M31', customerId },
    { effectiveDate: '2027-04-10' },
  );
  await books.advance('2027-04-06');
  t.deepEqual(await told(books), []);
  // It renews again, with its day in the past.
  await books.keep(ending);
  await books.advance('2027-04-08');
  t.deepEqual(await told(books), ['2027-04-07 order.renewalNotice 2027-04-15']);
  t.deepEqual(await isClean(books), []);
});

test('a moved date is announced anew, and one that was announced is not', async (t) => {
  const { books, customerId } = await booksWith();
  const id = await books.order({ ...term, customerId });
  await books.advance('2027-04-06');
  await books.put(id, { endDate: '2027-04-20' });
  await books.advance('2027-04-12');
  await books.put(id, { endDate: '2027-04-14' });
  await books.advance('2027-04-14');
  t.deepEqual(await told(books), [
    '2027-04-05 order.renewalNotice 2027-04-15',
    '2027-04-11 order.renewalNotice 2027-04-21',
  ]);
  t.deepEqual(await isClean(books), []);
});

test('if the day has passed, and the date is ahead, the notice comes at the next 00:00', async (t) => {
  const { books, customerId } = await booksWith();
  await books.advance('2027-04-10');
  await books.order({ ...term, customerId });
  // The run of a day may be repeated for customers that wait for their taxes.
  await books.run();
  t.deepEqual(await told(books), []);
  t.is(await books.read((tx) => nextOnAgenda(tx, '2027-06-01')), '2027-04-11');
  await books.advance('2027-04-11');
  t.deepEqual(await told(books), ['2027-04-11 order.renewalNotice 2027-04-15']);
  // A run that comes late announces nothing that has begun.
  await books.order({ ...term, customerId });
  books.jump('2027-04-15');
  await books.run();
  t.is((await told(books)).length, 1);
  t.deepEqual(await isClean(books), []);
});

test('a Suspended order is announced once it is Active', async (t) => {
  const { books, customerId } = await booksWith();
  const id = await books.order({ ...term, customerId });
  const paused = await books.order({ ...term, customerId });
  await books.advance('2027-04-01');
  await books.suspend(id);
  await books.suspend(paused, '2027-04-08');
  await books.advance('2027-04-07');
  t.deepEqual(await told(books), []);
  await books.advance('2027-04-08');
  t.deepEqual(await told(books), ['2027-04-08 order.renewalNotice 2027-04-15']);
  await books.activate(id);
  await books.advance('2027-04-10');
  t.is((await told(books))[1], '2027-04-09 order.renewalNotice 2027-04-15');
  t.is((await told(books)).length, 2);
  t.deepEqual(await isClean(books), []);
});

test('the days of a plan go before those of the tenant, for orders of all its versions', async (t) => {
  const { books, customerId, apply } = await booksWith(tenDays, { renewalNoticeDays: 0 });
  await books.order({ ...term, customerId });
  await books.order({ ...term, endDate: '2027-04-24', customerId });
  await books.advance('2027-04-10');
  t.deepEqual(await told(books), []);
  await apply(tenDays, { renewalNoticeDays: 3, notes: 'another version' });
  await books.order({ ...term, startDate: '2027-01-17', endDate: '2027-04-16', customerId });
  await books.advance('2027-04-13');
  t.deepEqual(await told(books), ['2027-04-12 order.renewalNotice 2027-04-15']);
  await apply(tenDays);
  await books.advance('2027-04-20');
  t.deepEqual(await told(books), [
    '2027-04-12 order.renewalNotice 2027-04-15',
    // By the plan on 04-14, by the tenant on 04-07, and on 04-15: the next 00:00 after the change.
    '2027-04-14 order.renewalNotice 2027-04-17',
    '2027-04-15 order.renewalNotice 2027-04-25',
  ]);
});

async function fileCard(books: Books, customerId: number, expiry: string | null, preference = 1) {
  const method = { token: `tok_${expiry}`, brand: 'Visa', lastFour: '1111', expiry };
  const type = expiry === null ? ('ACH' as const) : ('CreditCard' as const);
  await books.work((work) =>
    putMethodOnFile(work, { id: customerId }, preference as 1, {
      type,
      gateway: 'sandbox',
      method,
    }),
  );
}

test('a card is announced on the first of the month before that of its expiry', async (t) => {
  const { books, customerId } = await booksWith({});
  await books.order({ contractCode: 'M31', customerId, isAutoPay: true });
  const manual = await books.customer();
  await books.order({ contractCode: 'M31', customerId: manual });
  for (const id of [customerId, manual]) {
    await fileCard(books, id, '2027-04-30');
    await fileCard(books, id, '2027-06-01', 2);
    await fileCard(books, id, null, 3);
  }
  await books.advance('2027-02-28');
  t.deepEqual(await told(books), []);
  t.false(await books.read((tx) => isOnAgenda(tx, 'cardExpiring', '2027-02-28')));
  t.true(await books.read((tx) => isOnAgenda(tx, 'cardExpiring', '2027-03-01')));
  await books.advance('2027-05-02');
  t.deepEqual(await told(books), [
    '2027-03-01 customer.cardExpiring 2027-04-30',
    '2027-05-01 customer.cardExpiring 2027-06-30',
  ]);
  // Its card is good until the end of June, and now pays for an order.
  await books.order({ contractCode: 'M31', customerId: manual, isAutoPay: true });
  await books.advance('2027-05-04');
  t.deepEqual((await told(books)).slice(2), ['2027-05-03 customer.cardExpiring 2027-06-30']);
  t.deepEqual(await isClean(books), []);
});

test('a card that was replaced is not announced, and neither is one that pays for ended orders', async (t) => {
  const { books, customerId } = await booksWith({});
  await books.order({ contractCode: 'M31', customerId, isAutoPay: true });
  await fileCard(books, customerId, '2027-04-30');
  await books.advance('2027-02-20');
  await fileCard(books, customerId, '2029-04-30');
  const ended = await books.customer();
  const id = await books.order({ contractCode: 'M31', customerId: ended, isAutoPay: true });
  await fileCard(books, ended, '2027-04-30');
  await books.end(id, { when: 'now' });
  await books.advance('2027-04-30');
  t.deepEqual(await told(books), []);
  t.deepEqual(await isClean(books), []);
});

test('many notices of one customer are given in batches, each once, also if a run breaks off', async (t) => {
  const { books, customerId } = await booksWith();
  const first = await books.order({ ...term, customerId });
  await books.work(async ({ tx }) => {
    await tx.query(
      `insert into subscription_order (tenant_id, order_number, status, customer_id, plan_id, currency,
         start_date, end_date, term_start, term_first_end, is_auto_renew, anchor, separate_invoice,
         is_auto_pay, created_at, updated_at)
       select tenant_id, order_number + n, status, customer_id, plan_id, currency, start_date,
         end_date, term_start, term_first_end, is_auto_renew, anchor, separate_invoice, is_auto_pay,
         created_at, updated_at
       from subscription_order, generate_series(100000, 100449) n where id = $1`,
      [first],
    );
  });
  books.jump('2027-04-05');
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  let batches = 1;
  const slice = {
    dependencies: books.dependencies,
    tenant,
    today: books.today(),
    lanes: 1,
    mayContinue: () => (batches -= 1) >= 0,
    dispatch: () => undefined,
  };
  t.false(await giveNotices('renewalNotice', slice));
  t.is((await told(books)).length, 100);
  batches = 100;
  for (const kind of noticeKinds) t.true(await giveNotices(kind, slice));
  t.is((await told(books)).length, 451);
  const [row] = await books.read((tx) =>
    tx.query<{ orders: number }>(
      `select count(distinct object_id)::int as orders from event where type = 'order.renewalNotice'`,
    ),
  );
  t.is(row?.orders, 451);
  for (const kind of noticeKinds) t.true(await giveNotices(kind, slice));
  t.is((await told(books)).length, 451);
});

test('the audit names a date that was told twice or never, and one that should have been announced', async (t) => {
  const { books, customerId } = await booksWith();
  const first = await books.order({ ...term, customerId });
  const second = await books.order({ ...term, customerId });
  await books.advance('2027-04-05');
  const raised = `insert into event (tenant_id, type, customer_id, object_id, detail, occurred_at)
    select tenant_id, type, customer_id, object_id, detail, occurred_at from event where id = $1`;
  const [event] = await books.read((tx) =>
    tx.query<{ id: number }>(
      `select id from event where type = 'order.renewalNotice' and object_id = $1`,
      [first],
    ),
  );
  await books.work(async ({ tx }) => {
    await tx.query(raised, [event?.id]);
    await tx.query(
      `insert into notice (tenant_id, kind, object_id, on_date, noticed_on)
       values ($1, 'renewalNotice', $2, '2027-05-01', '2027-04-21')`,
      [tx.tenantId, second],
    );
  });
  const found = async () =>
    (await books.audit()).faults
      .filter(({ check }) => check.startsWith('notice.'))
      .map(({ check, object, detail }) => `${check}: ${object}: ${detail}`);
  const twice = [
    `notice.once: renewalNotice of ${first}: 2 events tell of 2027-04-15, should be 1`,
    `notice.once: renewalNotice of ${second}: 0 events tell of 2027-05-01, should be 1`,
  ];
  t.deepEqual((await found()).toSorted(), twice.toSorted());
  const late = await books.order({ ...term, customerId });
  books.jump('2027-04-06');
  t.deepEqual((await found()).toSorted(), [
    `notice.due: renewalNotice of ${late}: should have been announced by 2027-04-06`,
    ...twice.toSorted(),
  ]);
});
