/** Deliveries: the document, the order, retries, customers that fail, and what is given up. */
import { Webhook } from 'standardwebhooks';
import test from 'ava';
import { raise } from '../../../operations/events/raise.ts';
import { administer } from '../../support/template.ts';
import { sharedDatabase } from '../support/books.ts';
import { refused } from '../support/refused.ts';
import { callbackSecret } from '../../support/receiver.ts';
import { DAY_MS, HOUR_MS, openPostOffice } from './support.ts';

const db = await sharedDatabase();
const webhook = new Webhook(callbackSecret);

test.serial('an event arrives signed, as the XML that GET answers', async (t) => {
  const post = await openPostOffice(t, db);
  const ada = await post.customer();
  await post.raise([ada]);
  const progress = await post.deliver();
  t.like(progress, { done: true, phase: 'Done', delivered: 1, waiting: 0, waitMs: null });
  t.is(progress.endpoint, `127.0.0.1:${post.receiver.port}`);
  const [received] = post.receiver.received;
  const { headers = {}, body = '', path } = received ?? {};
  webhook.verify(body, headers as Record<string, string>, { jsonParse: false });
  t.is(path, '/hook?type=customer.updated');
  t.is(headers['x-event'], 'customer.updated');
  t.is(headers['x-customer-sequence'], '1');
  t.is(headers['x-object-version'], '1');
  t.is(headers['x-document'], undefined);
  t.true(body.includes(`<customer id="${ada}">`));
  t.regex(body, /<name>Ada &lt;Lovelace&gt; &amp; Co<\/name>/);
  t.deepEqual(await post.deliveries(), ['Delivered 1']);
  t.deepEqual(await post.faults(), []);
});

test.serial('the body shows the object as it was at the event, not as it is now', async (t) => {
  const post = await openPostOffice(t, db);
  const ada = await post.customer();
  await post.raise([ada]);
  await post.read(`update customer set name = 'Later' where id = $1`, ada);
  await post.deliver();
  t.regex(post.receiver.received[0]?.body ?? '', /<name>Ada /);
});

test.serial('payment.actionRequired brings the payment, and until when it waits', async (t) => {
  const post = await openPostOffice(t, db, { events: ['payment.actionRequired'] });
  const customerId = await post.customer();
  const [payment] = await post.read<{ id: number }>(
    `insert into payment (tenant_id, customer_id, payment_type, payment_method_type, status,
       gateway, gateway_news_on, transaction_id, amount, surcharge, balance, currency, effective_date, attempt,
       created_at, updated_at, cascade_id, id, named_invoice_ids)
     select $1, $2, 'Payment', 'CreditCard', 'ActionRequired', 'sandbox', '2027-01-18', '7', 81.61, 0, 0, 'USD',
       '2027-01-15', 1, now(), now(), n, n, '{}' from nextval('id_seq') n returning id`,
    post.tenantId,
    customerId,
  );
  const objectId = payment?.id ?? 0;
  const type = 'payment.actionRequired';
  await post.work(async (context) => {
    raise(context, [{ type, customerId, objectId, detail: { payer: 'absent' } }]);
    return Promise.resolve();
  });
  await post.sequence();
  await post.deliver();
  const [received] = post.receiver.received;
  t.is(received?.headers['x-event'], type);
  t.true(received?.body.includes(`<payment id="${objectId}">`));
  t.regex(
    received?.body ?? '',
    /<status>ActionRequired<\/status>[^]*<isPayerPresent>false<\/isPayerPresent><waitsUntil>2027-01-18T05:00:00Z</,
  );
});

test.serial('only events that the endpoint subscribed to when they were raised come', async (t) => {
  const post = await openPostOffice(t, db, { events: ['customer.updated'] });
  const ada = await post.customer();
  await post.raise([ada], 'customer.created');
  await post.raise([ada]);
  const both = { ...post.own, events: ['customer.updated', 'customer.created'] };
  await post.apply([both]);
  await post.raise([ada], 'customer.created');
  await post.apply([post.own]);
  await post.raise([ada], 'customer.created');
  await post.deliver();
  t.deepEqual(
    post.receiver.received.map(({ headers, place }) => `${String(headers['x-event'])} ${place}`),
    ['customer.updated 2', 'customer.created 3'],
  );
  t.deepEqual(await post.faults(), []);
});

test.serial(
  'events of one customer come one after the other, those of others at once',
  async (t) => {
    const post = await openPostOffice(t, db);
    const customers = [await post.customer(), await post.customer(), await post.customer()];
    await post.raise(Array.from({ length: 60 }, (_, index) => customers[index % 3] ?? 0));
    const open = new Map<string, number>();
    let overlaps = 0;
    post.receiver.behave(({ body }, response) => {
      const customer = /<customer id="(\d+)"/.exec(body)?.[1] ?? '';
      if ((open.get(customer) ?? 0) > 0) overlaps += 1;
      open.set(customer, (open.get(customer) ?? 0) + 1);
      setImmediate(() => {
        open.set(customer, 0);
        response.writeHead(200).end();
      });
    });
    t.like(await post.deliver(), { done: true, delivered: 60 });
    t.is(overlaps, 0);
    t.true(post.receiver.atOnce() > 1);
    for (const id of customers) {
      const places = post.receiver.received
        .filter(({ body }) => body.includes(`<customer id="${id}"`))
        .map(({ place }) => place);
      t.deepEqual(
        places,
        Array.from({ length: 20 }, (_, index) => index + 1),
      );
    }
  },
);

test.serial(
  'a poisoned event stops its customer, whose events stay in order, and nobody else',
  async (t) => {
    const post = await openPostOffice(t, db);
    const [ada, bell] = [await post.customer(), await post.customer()];
    await post.raise([ada, bell, ada, bell]);
    const isOf = (body: string, id: number): boolean => body.includes(`<customer id="${id}"`);
    post.receiver.behave(({ body, place }) => (isOf(body, ada) && place === 1 ? 500 : 200));
    t.like(await post.deliver(), {
      done: false,
      delivered: 2,
      waiting: 2,
      failureCode: 'http_500',
    });
    // Later events of both.
    await post.raise([ada, bell]);
    t.like(await post.deliver(), { phase: 'Retrying', delivered: 1, waiting: 3 });
    t.true(post.receiver.accepted.every(({ body }) => isOf(body, bell)));
    t.deepEqual(await post.deliveries(), [
      'Waiting 1 http_500',
      'Delivered 1',
      'Waiting 0',
      'Delivered 1',
      'Waiting 0',
      'Delivered 1',
    ]);
    post.receiver.behave(() => 200);
    post.pass(30_000);
    t.like(await post.deliver(), { done: true, delivered: 3, waiting: 0 });
    const places = post.receiver.accepted.filter(({ body }) => isOf(body, ada));
    t.deepEqual(
      places.map(({ place }) => place),
      [1, 2, 3],
    );
    t.deepEqual(await post.faults(), []);
  },
);

test.serial(
  'a failed event is sent again with the same id and a new signature, ever later',
  async (t) => {
    const post = await openPostOffice(t, db);
    await post.raise([await post.customer()]);
    post.receiver.behave(() => 500);
    const waits: (number | null)[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const { waitMs } = await post.deliver();
      waits.push(waitMs === null ? null : Math.round(waitMs / 1_000));
      // A look before the time sends nothing.
      t.like(await post.deliver(), { delivered: 0 });
      post.pass(waitMs ?? 0);
    }
    t.deepEqual(waits, [30, 60, 120, 240, 480]);
    const { received } = post.receiver;
    t.is(received.length, 5);
    t.is(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 1);
    t.is(new Set(received.map(({ headers }) => headers['webhook-timestamp'])).size, 5);
  },
);

test.serial(
  'an event is given up 3 days after its creation, and resumed with a reason',
  async (t) => {
    const post = await openPostOffice(t, db);
    const ada = await post.customer();
    await post.raise([ada, ada]);
    const isFirst = ({ place }: { readonly place: number }): boolean => place === 1;
    post.receiver.behave((received) => (isFirst(received) ? 500 : 200));
    await post.deliver();
    post.pass(3 * DAY_MS);
    // The last attempt; the customer's next event follows at once.
    t.like(await post.deliver(), { done: false, phase: 'GivenUp', delivered: 1, givenUp: 1 });
    t.deepEqual(await post.deliveries(), ['GivenUp 2 http_500', 'Delivered 1']);
    t.like(await post.deliver(), { delivered: 0, waitMs: null });
    t.is(post.receiver.received.filter(isFirst).length, 2);
    t.deepEqual(await post.resume('the receiver was mended', 'one'), { events: 1 });
    // The answer was lost, and the request comes again.
    t.deepEqual(await post.resume('the receiver was mended', 'one'), { events: 1 });
    // What is sent again does not stop what is new.
    await post.raise([ada]);
    t.like(await post.deliver(), { delivered: 1, waiting: 1, givenUp: 0 });
    post.receiver.behave(() => 200);
    post.pass(30_000);
    t.like(await post.deliver(), { done: true, delivered: 1 });
    t.is(new Set(post.receiver.received.filter(isFirst).map(({ event }) => event)).size, 1);
    const noted = await post.read('select reason, events from callback_resumption');
    t.deepEqual(noted, [{ reason: 'the receiver was mended', events: 1 }]);
    t.deepEqual(await post.faults(), []);
  },
);

test.serial(
  'a document that is larger than others, or that was not kept, is sent all the same',
  async (t) => {
    const post = await openPostOffice(t, db);
    const ada = await post.customer();
    // Text that PostgreSQL cannot compress to a few bytes.
    const notes = Array.from({ length: 4_000 }, (_, index) => (index * 7_919) % 9_973).join(' ');
    await post.raise([ada, ada]);
    const own = `tenant_id = ${post.tenantId}`;
    await administer(
      db.ownerUrl,
      `update event_document set document = jsonb_set(document::jsonb, '{name}', '"${notes}"')
       where ${own}
       and event_id = (select min(event_id) from event_document where ${own})`,
    );
    await post.read(
      'delete from event_document where event_id = (select max(event_id) from event_document)',
    );
    t.like(await post.deliver(), { done: true, delivered: 2 });
    const [large, today] = post.receiver.received;
    t.true(large?.body.includes(notes));
    t.is(today?.headers['x-document'], 'today');
    t.regex(today?.body ?? '', /<name>Ada /);
  },
);

test.serial(
  'an event whose object is gone, without a kept document, is given up at once',
  async (t) => {
    const post = await openPostOffice(t, db);
    const ada = await post.customer();
    await post.raise([ada, ada]);
    await post.read(
      'delete from event_document where event_id = (select min(event_id) from event_document)',
    );
    await post.read('delete from customer where id = $1', ada);
    t.like(await post.deliver(), { phase: 'GivenUp', delivered: 1, givenUp: 1 });
    t.deepEqual(await post.deliveries(), ['GivenUp 1 document_gone', 'Delivered 1']);
  },
);

test.serial('an event is sent again on request, out of its order', async (t) => {
  const post = await openPostOffice(t, db);
  const ada = await post.customer();
  await post.raise([ada, ada]);
  await post.deliver();
  const [first] = post.receiver.accepted;
  await post.read('delete from outbox');
  await post.resend(first?.event ?? 0);
  t.deepEqual(await post.outbox(), [`callbacks/${post.label}/${post.endpointId}`]);
  t.like(await post.deliver(), { done: true, delivered: 1 });
  t.deepEqual(
    post.receiver.accepted.map(({ place }) => place),
    [1, 2, 1],
  );
  t.is(post.receiver.accepted[2]?.event, first?.event);
  t.is(post.receiver.accepted[2]?.body, first?.body);
  t.deepEqual(await post.faults(), []);
});

test.serial(
  'a slow customer leaves its turn, so that others do not wait for all of its events',
  async (t) => {
    const post = await openPostOffice(t, db, { timeLimitMs: 60_000 });
    const [slow, quick] = [await post.customer(), await post.customer()];
    await post.raise([...Array.from({ length: 30 }, () => slow), quick]);
    const held: (() => void)[] = [];
    post.receiver.behave(({ body }, response) => {
      if (body.includes(`<customer id="${quick}"`)) return 200;
      held.push(() => response.writeHead(200).end());
      return undefined;
    });
    const delivering = post.deliver();
    while (post.receiver.accepted.length === 0) await new Promise((next) => setImmediate(next));
    t.is(held.length, 1, 'one event of the slow customer is under way');
    post.receiver.behave(() => 200);
    held[0]?.();
    t.like(await delivering, { done: true, delivered: 31 });
  },
);

test.serial('an endpoint that is unknown, or off, cannot be sent to or resumed', async (t) => {
  const post = await openPostOffice(t, db);
  await refused(t, post.deliver(1), 'callbacks.unknown');
  await post.apply([]);
  await refused(t, post.resume('try'), 'callbacks.unknown');
});

test.serial(
  'a secret that another key encrypted pauses the endpoint, and nothing is lost',
  async (t) => {
    const post = await openPostOffice(t, db);
    await post.raise([await post.customer()]);
    const open = (): never => {
      throw new Error('another key');
    };
    const progress = await post.deliver(post.endpointId, { vault: { open } });
    t.like(progress, { phase: 'Paused', waiting: 1, failureCode: 'secret_unreadable' });
    t.is(post.receiver.received.length, 0);
    post.pass(HOUR_MS);
    t.like(await post.deliver(), { done: true, delivered: 1 });
  },
);
