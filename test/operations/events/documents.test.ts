/** Documents of events that an endpoint subscribes to: kept with the event, for 90 days. */
import test from 'ava';
import { eventObjects, type EventType } from '../../../domain/events/events.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { noContactFields } from '../../../operations/customers/contact-input.ts';
import { createCustomer, updateCustomer } from '../../../operations/customers/write.ts';
import { inOperation, tenantInfo } from '../../../operations/context/context.ts';
import { retentionPass, DELETED_AT_ONCE_MAX } from '../../../operations/processes/retention.ts';
import {
  keepEventDocuments,
  readEventViews,
  viewOfDocument,
} from '../../../operations/feed/event-views.ts';
import { administer } from '../../support/template.ts';
import { ownDatabase } from '../support/books.ts';
import { openPaymentBooks, type PaymentBooks } from '../support/payment-books.ts';
import { prepaid, recurring } from '../support/plans.ts';

const db = await ownDatabase();
const plans = [recurring('P', 30, prepaid)];
const all = [
  'customer.created',
  'customer.updated',
  'customer.transition',
  'order.created',
  'invoice.created',
  'invoice.paid',
  'payment.success',
] as const;

/** A tenant whose file names an endpoint for these types. */
async function subscribed(events: readonly string[]): Promise<PaymentBooks> {
  const secret = 'whsec_c3VuZGlhbC1zZWNyZXQtb2YtYS10ZXN0';
  const callbacks = [{ url: 'https://example.com/hook', events, secret }];
  const books = await openPaymentBooks(db, { today: '2027-01-15', plans, file: { callbacks } });
  Object.assign(books.dependencies, { keepDocuments: keepEventDocuments });
  return books;
}

interface Kept {
  readonly type: string;
  readonly objectId: number;
  readonly document: Readonly<Record<string, unknown>> | null;
}

/** The documents as a delivery shows them. */
async function keptOf(books: PaymentBooks): Promise<Kept[]> {
  const rows = await books.read((tx) =>
    tx.query<Kept & { readonly type: EventType } & Record<string, unknown>>(
      `select e.type, e.object_id as "objectId", d.document
       from event e left join event_document d on d.tenant_id = e.tenant_id and d.event_id = e.id
       order by e.id`,
    ),
  );
  return rows.map(({ type, objectId, document }) => {
    const kind = eventObjects[type];
    const view = document === null ? null : (viewOfDocument(kind, document) as Kept['document']);
    return { type, objectId, document: view };
  });
}

const ada = { ...noContactFields, firstName: 'Ada', lastName: 'Field' };

test.serial('each subscribed event keeps its object as GET shows it', async (t) => {
  const books = await subscribed(all);
  const customerId = await books.work((its) =>
    createCustomer(its, {}, { billing: ada, sales: null }),
  );
  await books.customerAction(customerId, 'suspend');
  await books.customerAction(customerId, 'activate');
  await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  await books.pay({ customerId, amount: '30' });
  const kept = await keptOf(books);
  t.deepEqual(
    kept.map(({ type, document }) => `${type} ${document === null ? 'none' : 'kept'}`),
    [
      'customer.created',
      'customer.transition',
      'customer.updated',
      'customer.transition',
      'customer.updated',
      'order.created',
      'invoice.created',
      'payment.success',
      'invoice.paid',
    ].map((type) => `${type} kept`),
  );
  const [created, transition, suspended] = kept;
  t.like(created?.document, { status: 'Active', billingContact: { firstName: 'Ada' } });
  t.like(transition?.document, { previousStatus: 'Active', newStatus: 'Suspended1' });
  t.is(suspended?.document?.['status'], 'Suspended1', 'as of the event, not of today');
  const [invoiced] = kept.filter(({ type }) => type === 'invoice.created');
  const [paid] = kept.filter(({ type }) => type === 'invoice.paid');
  t.like(invoiced?.document, { status: 'Outstanding', outstandingBalance: '30.00' });
  t.like(paid?.document, { status: 'Paid', outstandingBalance: '0.00' });
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const ids = [paid?.objectId ?? 0];
  const today = await books.read((tx) =>
    readEventViews(books.dependencies, tx, tenant, { kind: 'invoice', ids }),
  );
  t.deepEqual(paid?.document, JSON.parse(JSON.stringify(today.get(ids[0] ?? 0))));
});

test.serial('only subscribed types are kept, and nothing without a subscription', async (t) => {
  for (const events of [['payment.success'], ['usage.billed']]) {
    const books = await subscribed(events);
    const customerId = await books.customer();
    await books.pay({ customerId, amount: '30' });
    t.deepEqual(
      (await keptOf(books)).map(({ type, document }) => [type, document !== null]),
      [
        ['customer.created', false],
        ['payment.success', events[0] === 'payment.success'],
      ],
    );
  }
});

test.serial('a run keeps the documents of its whole batch', async (t) => {
  const books = await subscribed(['invoice.created']);
  for (let count = 0; count < 5; count += 1) {
    await books.order({ customerId: await books.customer(), contractCode: 'P' });
  }
  await books.advance('2027-01-16');
  const kept = (await keptOf(books)).filter(({ type }) => type === 'invoice.created');
  t.is(kept.length, 5);
  for (const { objectId, document } of kept) t.is(document?.['id'], objectId);
});

test.serial('a document is rolled back with its transaction', async (t) => {
  const books = await subscribed(all);
  const failing = inOperation(books.dependencies, books.tenantId, async (its) => {
    await createCustomer(its, {}, { billing: ada, sales: null });
    throw new Error('refused');
  });
  await t.throwsAsync(failing, { message: 'refused' });
  t.deepEqual(await keptOf(books), []);
});

test.serial('documents are deleted after 90 days, also many at once', async (t) => {
  const books = await subscribed(['customer.created', 'customer.updated']);
  const id = await books.work((its) => createCustomer(its, {}, { billing: ada, sales: null }));
  const update = () => books.work((its) => updateCustomer(its, { id }, { name: 'Ada' }, {}));
  await update();
  const own = `tenant_id = ${books.tenantId}`;
  const many = DELETED_AT_ONCE_MAX + 5;
  // The books' own real time.
  const today = `timestamptz '2027-01-15 12:00Z'`;
  await administer(
    db.ownerUrl,
    `insert into event (tenant_id, type, customer_id, object_id, occurred_at)
     select tenant_id, type, customer_id, object_id, occurred_at
     from event, generate_series(1, ${many}) where ${own} and type = 'customer.updated'`,
    `insert into event_document (tenant_id, event_id, document, kept_at)
     select tenant_id, id, '{}', ${today} - interval '91 days' from event e where ${own}
       and not exists (select from event_document d where d.tenant_id = e.tenant_id
         and d.event_id = e.id)`,
    `update event_document set kept_at = ${today} - interval '89 days'
     where ${own} and kept_at > now() - interval '1 day'`,
  );
  const count = () =>
    inTenant(db.app, books.tenantId, (tx) =>
      tx.query<{ n: number }>('select count(*) as n from event_document'),
    );
  t.deepEqual(await count(), [{ n: many + 2 }]);
  const options = { dependencies: books.dependencies, relayDb: db.relay };
  await retentionPass({ ...options, onError: (error) => t.fail(String(error)) });
  t.deepEqual(await count(), [{ n: 2 }]);
});
