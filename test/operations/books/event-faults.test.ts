/** Breaks each invariant of events in a tenant of its own, and expects the audit to report it. */
import test from 'ava';
import { eventChecks } from '../../../operations/books/checks/events.ts';
import { sequencerPass } from '../../../operations/events/sequencer.ts';
import { numberedHooks } from '../../../operations/feed/numbered-hooks.ts';
import { batchInit } from '../support/batch-init.ts';
import { ownDatabase } from '../support/books.ts';
import {
  card,
  cash,
  onFile,
  openPaymentBooks,
  type PaymentBooks,
} from '../support/payment-books.ts';
import { besideLedger, corrupt, own } from './corrupt.ts';

const db = await ownDatabase();

/**
 * ONE owes 100 (1001), pays it in cash, has a credit of 10 and a refund of 15; another invoice
 * (1002) is cancelled. TWO owes 5 (1003), and has a cascade of a declined and an approved card. A
 * BatchInit that carries nothing has finished.
 */
async function story(): Promise<PaymentBooks> {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const [one, two] = [await books.customer({ ref: 'ONE' }), await books.customer({ ref: 'TWO' })];
  await books.bill(one, '100', { dueDate: '2027-01-20' });
  await books.pay({ customerId: one, amount: '100' });
  await books.credit({ customerId: one, amount: '10' });
  await books.refunded({ customerId: one, amount: '15' });
  await books.bill(two, '50', { dueDate: '2027-01-20' });
  await books.cancelInvoice(1002);
  await books.bill(two, '5', { dueDate: '2027-01-20' });
  await books.file(two, 1, { token: 'tok_1' });
  await books.file(two, 2, { token: 'tok_2', lastFour: '2222' });
  books.gateway.onCharge('tok_1', 'decline');
  await books.paid({ customerId: two, amount: '6', method: onFile(1) });
  await books.paid({ customerId: two, amount: '7', method: card('tok') });
  await books.paid({ customerId: two, amount: '8', method: cash });
  await books.customerAction(two, 'suspend');
  await batchInit(books, {});
  const options = {
    dependencies: books.dependencies,
    relayDb: db.relay,
    dispatch: () => undefined,
    onError: () => undefined,
    hooks: numberedHooks,
  };
  while (await sequencerPass(options));
  return books;
}

/** Of the checks of events only. */
async function found(books: PaymentBooks): Promise<string[]> {
  return besideLedger(await books.faults())
    .filter(({ check }) => check.startsWith('event.'))
    .map(({ check, object, detail }) =>
      `${check}: ${object}: ${detail}`
        .replaceAll(/( of|customer|: event) \d+/g, '$1 #')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z/g, 'then'),
    );
}

const deleted = (type: string) => [`delete from event where ${own} and type = '${type}'`];
/** Without a hole, so that only the fact is missing. */
const withoutHole = `with renumbered as (
    select id, row_number() over (order by sequence) as sequence,
           case when customer_id is not null
             then row_number() over (partition by customer_id order by id) end as own
    from event where ${own})
  update event e set sequence = r.sequence + 100000, customer_sequence = r.own + 100000
  from renumbered r where e.${own} and e.id = r.id`;
const fromOne = `update event set sequence = sequence - 100000,
    customer_sequence = customer_sequence - 100000
  where ${own} and sequence > 100000`;
const lost = (type: string) => [...deleted(type), withoutHole, fromOne];

const breaks: readonly (readonly [
  rule: string,
  statements: readonly string[],
  found: readonly string[],
])[] = [
  ...(
    [
      ['customer.created', 2],
      ['customer.transition', 1],
      ['invoice.created', 3],
      ['invoice.cancelled', 1],
      ['payment.success', 4],
      ['payment.failed', 1],
      ['refund.success', 1],
      ['credit.created', 1],
      ['batch.finished', 1],
    ] as const
  ).map(
    ([type, count]) =>
      [
        `lost events ${type}`,
        lost(type),
        Array.from({ length: count }, () => `event.fact: ${type} of #: 0 events, should be 1`),
      ] as const,
  ),
  [
    'a lost event invoice.paid',
    lost('invoice.paid'),
    ['event.fact: invoice.paid of #: 0 events, should be at least 1'],
  ],
  [
    'an event without a fact',
    [
      `update event set object_id = object_id + 1000000000
       where ${own} and type = 'invoice.cancelled'`,
    ],
    [
      'event.fact: invoice.cancelled of #: 0 events, should be 1',
      'event.fact: invoice.cancelled of #: 1 events without a fact',
    ],
  ],
  [
    'an event of another customer',
    [
      `update event e set customer_id = c.id, customer_sequence = 100
       from customer c where e.${own} and c.${own} and c.ext_customer_ref = 'TWO'
         and e.type = 'credit.created'`,
    ],
    [
      'event.fact: credit.created of #: 0 events, should be 1',
      'event.fact: credit.created of #: 1 events without a fact',
    ],
  ],
  [
    'a fact that was told twice',
    [
      `insert into event (tenant_id, type, customer_id, object_id, occurred_at)
       select tenant_id, type, customer_id, object_id, occurred_at from event
       where ${own} and type = 'credit.created'`,
    ],
    ['event.fact: credit.created of #: 2 events, should be 1'],
  ],
  [
    'a batch job that was told of twice',
    [
      `insert into event (tenant_id, type, customer_id, object_id, occurred_at)
       select tenant_id, type, customer_id, object_id, occurred_at from event
       where ${own} and type = 'batch.finished'`,
    ],
    ['event.fact: batch.finished of #: 2 events, should be 1'],
  ],
  [
    'a batch job that has not finished, and was told of',
    [`update batch set status = 'Queued', finished_at = null where ${own} and parent_id is null`],
    ['event.fact: batch.finished of #: 1 events without a fact'],
  ],
  [
    'a hole in the numbers',
    deleted('invoice.cancelled'),
    [
      'event.fact: invoice.cancelled of #: 0 events, should be 1',
      'event.sequence: event number 9: is missing',
    ],
  ],
  [
    'events of a customer that overtook each other',
    [
      `update event set customer_sequence = customer_sequence + 1000
       where ${own} and type in ('refund.success', 'credit.created')`,
      `update event set customer_sequence = case type when 'refund.success' then 5 else 6 end
       where ${own} and type in ('refund.success', 'credit.created')`,
    ],
    [
      'event.customerSequence: event #: is number 6 of customer #, should be 5',
      'event.customerSequence: event #: is number 5 of customer #, should be 6',
    ],
  ],
  [
    'events that nobody numbers',
    [
      `insert into event (tenant_id, type, customer_id, object_id, occurred_at, created_at)
       select tenant_id, type, customer_id, object_id, occurred_at, now() - interval '11 minutes'
       from event where ${own} and type = 'customer.updated'`,
    ],
    ['event.unnumbered: 1 events: wait for their numbers, the oldest since then'],
  ],
];

test.serial('the audit finds no fault in these events', async (t) => {
  const books = await story();
  t.deepEqual(await found(books), []);
});

for (const [rule, statements, expected] of breaks) {
  test.serial(`the audit finds ${rule}`, async (t) => {
    const books = await story();
    await corrupt(books, statements);
    const texts = await found(books);
    t.deepEqual(
      expected.filter((text) => !texts.includes(text)),
      [],
      texts.join('\n'),
    );
    t.is(texts.filter((text) => expected.includes(text)).length, expected.length);
  });
}

test('these faults break every rule of events', (t) => {
  const seen = new Set(breaks.flatMap(([, , each]) => each.map((text) => text.split(':')[0])));
  for (const { name, rule } of eventChecks) t.true(seen.has(name), `${name}: ${rule}`);
});

test.serial('facts from before events were raised need none', async (t) => {
  const books = await story();
  const sinceId = `select value from installation where key = 'events_since_id'`;
  const [before] = (await db.app.pool.query<{ value: string }>(sinceId)).rows;
  const set = (value: string) =>
    corrupt(books, [`update installation set value = ${value} where key = 'events_since_id'`]);
  await corrupt(books, [`delete from event where ${own}`]);
  t.true((await found(books)).length > 10);
  await set(`nextval('id_seq')::text`);
  try {
    t.deepEqual(await found(books), []);
  } finally {
    await set(`'${before?.value}'`);
  }
});

test.serial('the events of a deleted customer need no facts', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const id = await books.customer();
  await books.customerAction(id, 'suspend');
  t.deepEqual(await found(books), []);
  await corrupt(books, [
    `delete from service_pause where ${own}`,
    `delete from customer where ${own} and id = ${id}`,
  ]);
  t.is((await found(books)).length, 3, 'a customer that vanished is a fault');
  await corrupt(books, [
    `insert into removed_object (tenant_id, object_id)
     values (current_setting('app.tenant')::bigint, ${id})`,
  ]);
  t.deepEqual(await found(books), []);
});
