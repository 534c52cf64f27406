/** Rows of what is over are deleted after the days of the tenant's file, and nobody waits for it. */
import test, { type ExecutionContext } from 'ava';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { resumeGivenUp } from '../../../db/queries/callbacks/write.ts';
import { takeResends } from '../../../db/queries/events/number.ts';
import { claimMail, recordSent } from '../../../db/queries/mail/mails.ts';
import { queueMail } from '../../../db/queries/mail/queue.ts';
import { fixedKinds, retainedKinds } from '../../../domain/events/retention.ts';
import {
  DELETED_AT_ONCE_MAX,
  retentionPass,
  SLICES_OF_TENANT_MAX,
} from '../../../operations/processes/retention.ts';
import { openBooks, ownDatabase, type Books } from '../support/books.ts';
import { callbackSecret } from '../../support/receiver.ts';
import { administer } from '../../support/template.ts';
import { prepaid, recurring } from '../support/plans.ts';

const db = await ownDatabase();
/** Of one tenant: those of its file, those of all tenants, and the audit log. */
const KINDS = retainedKinds.length + fixedKinds.length + 1;

const hook = { url: 'https://example.com/hook', secret: callbackSecret, events: ['order.created'] };
const notifications = { from: 'billing@demo.example', enabled: ['newOrder'] };

interface Shop {
  readonly books: Books;
  readonly customerId: number;
  readonly sql: <Row extends object>(
    text: string,
    ...values: readonly unknown[]
  ) => Promise<(Row & Record<string, unknown>)[]>;
  /** The kinds of rows that are there, and how old they are: `mails 89`. */
  readonly ages: () => Promise<string[]>;
}

/** A tenant in real time of today, so that the database's clock and its own agree. */
async function openShop(retention?: Readonly<Record<string, number>>): Promise<Shop> {
  const file = { callbacks: [hook], notifications, ...(retention && { retention }) };
  const today = new Date().toISOString().slice(0, 10);
  const plans = [recurring('P', 10, prepaid)];
  const books = await openBooks(db, { today, timezone: 'UTC', plans, file });
  const customerId = await books.customer();
  const sql: Shop['sql'] = (text, ...values) =>
    inTenant(db.app, books.tenantId, (tx) => tx.query(text, values));
  const age = (at: string): string => `ceil(extract(epoch from now() - ${at}) / 86400)`;
  const ages = async (): Promise<string[]> =>
    (
      await sql<{ text: string }>(
        `select 'deliveries ' || ${age('settled_at')} as text from callback_delivery
         union all select 'resends ' || ${age('taken_at')} from event_resend
         union all select 'mails ' || ${age('done_at')} from mail
         union all select 'gatewayEvents ' || ${age('asked_at')} from gateway_event
         order by 1`,
      )
    ).map(({ text }) => text);
  return { books, customerId, sql, ages };
}

/** Rows of each kind that were done with so many days ago; null: that are still open. */
async function leave({ books, customerId, sql }: Shop, days: readonly (number | null)[]) {
  const { tenantId } = books;
  for (const age of days) {
    const at = `now() - make_interval(days => $2) + interval '1 minute'`;
    const done = age === null ? 'null::timestamptz' : at;
    const [event] = await sql<{ id: number }>(
      `insert into event (tenant_id, type, customer_id, object_id, occurred_at, created_at)
       values ($1, 'payment.success', $3, $3, ${at}, ${at}) returning id`,
      tenantId,
      age ?? 400,
      customerId,
    );
    const args = [tenantId, age ?? 400, event?.id];
    await sql(
      `insert into callback_delivery (tenant_id, event_id, endpoint_id, lane, state, give_up_at,
         settled_at)
       select $1, $3, e.id, -1, case when ${done} is null then 'Waiting' else 'GivenUp' end,
         ${at}, ${done} from callback_endpoint e where tenant_id = $1`,
      ...args,
    );
    await sql(
      `insert into event_resend (tenant_id, event_id, requested_at, taken_at)
       values ($1, $3, ${at}, ${done})`,
      ...args,
    );
    await sql(
      `insert into mail (tenant_id, kind, customer_id, object_id, state, created_at, done_at)
       select $1, 'newOrder', customer_id, object_id,
         case when ${done} is null then 'queued' else 'obsolete' end, ${at}, ${done}
       from event where tenant_id = $1 and id = $3`,
      ...args,
    );
    await sql(
      `with paid as (
         insert into payment (tenant_id, customer_id, payment_type, payment_method_type, status,
           amount, surcharge, balance, currency, effective_date, attempt, created_at, updated_at,
           cascade_id, id)
         select $1, customer_id, 'Payment', 'Cash', 'Paid', 10, 0, 10, 'USD', '2027-03-02', 1,
           now(), now(), n, n from nextval('id_seq') n, event where tenant_id = $1 and event.id = $3
         returning id)
       insert into gateway_event (tenant_id, gateway, event_id, type, payment_id, received_at,
         asked_at)
       select $1, 'stripe', 'evt_' || id, 'charge.refunded', id, ${at}, ${done} from paid`,
      ...args,
    );
  }
}

async function trim(t: ExecutionContext, { books }: Shop, signal?: AbortSignal): Promise<void> {
  const { dependencies } = books;
  const onError = (error: unknown): void => t.fail(String(error));
  await retentionPass({ dependencies, relayDb: db.relay, onError }, signal);
}

/** A signal that is aborted after so many looks: the worker is told to stop between two slices. */
function stopAfter(looks: number): AbortSignal {
  let left = looks;
  const signal = new AbortController().signal;
  return new Proxy(signal, { get: (_target, key) => key === 'aborted' && (left -= 1) < 0 });
}

const every = (days: readonly number[]): string[] =>
  retainedKinds.flatMap((kind) => days.map((age) => `${kind} ${age}`)).toSorted();

test.serial('answers of a tax provider are deleted after a week', async (t) => {
  const shop = await openShop();
  for (const days of [6, 8]) {
    await shop.sql(
      `insert into tax_answer (tenant_id, customer_id, document_hash, invoice_date, answer, answered_at)
       values ($1, $2, repeat($3, 64), current_date, '[]', now() - make_interval(days => $3::int))`,
      shop.books.tenantId,
      shop.customerId,
      String(days),
    );
  }
  await trim(t, shop);
  const left = await shop.sql('select left(document_hash, 1) as days from tax_answer');
  t.deepEqual(left, [{ days: '6' }]);
});

test.serial(
  'logins of operators are deleted after a year, and nobody deletes one before',
  async (t) => {
    const shop = await openShop();
    await administer(
      db.ownerUrl,
      `insert into operator_login (at, outcome, name)
     select now() - make_interval(days => days), 'in', days::text from unnest(array[364, 366]) days`,
    );
    await trim(t, shop);
    const left = await db.app.ask({ text: 'select name from operator_login', values: [] });
    t.deepEqual(left, [{ name: '364' }]);
    await t.throwsAsync(db.app.ask({ text: 'delete from operator_login', values: [] }), {
      message: /append-only/,
    });
  },
);

test.serial('answers under keys of callers are deleted after a day', async (t) => {
  const shop = await openShop();
  for (const hours of [1, 72]) {
    await shop.sql(
      `insert into idempotency_key (tenant_id, key, request_hash, status, headers, body, kept_at)
       values ($1, $2, '', 200, '{}', '', now() - make_interval(hours => $2::text::int))`,
      shop.books.tenantId,
      String(hours),
    );
  }
  await trim(t, shop);
  t.deepEqual(await shop.sql('select key from idempotency_key'), [{ key: '1' }]);
});

test.serial('each kind is deleted after 90 days, and not before; what is open stays', async (t) => {
  const shop = await openShop();
  await leave(shop, [91, 90, null]);
  await trim(t, shop);
  const open = retainedKinds.map(() => null);
  t.deepEqual(await shop.ages(), [...every([90]), ...open] as string[]);
});

test.serial('the tenant file says for how many days, kind by kind', async (t) => {
  const shop = await openShop({ deliveries: 7, resends: 20, mails: 30 });
  await leave(shop, [5, 10, 25, 60]);
  await trim(t, shop);
  t.deepEqual(await shop.ages(), [
    'deliveries 5',
    'gatewayEvents 10',
    'gatewayEvents 25',
    'gatewayEvents 5',
    'gatewayEvents 60',
    'mails 10',
    'mails 25',
    'mails 5',
    'resends 10',
    'resends 5',
  ]);
});

test.serial('on a test clock the days are those of the clock', async (t) => {
  const today = '2031-01-01';
  const books = await openBooks(db, {
    today,
    timezone: 'UTC',
    testClock: `${today}T00:00:00Z`,
    plans: [],
    file: { callbacks: [hook] },
  });
  const customerId = await books.customer();
  const { tenantId } = books;
  await inTenant(db.app, tenantId, async (tx) => {
    queueMail(tx, { kind: 'newOrder', customerId, objectId: customerId });
    const mail = await claimMail(tx, { label: 'demo', host: 'billing.example' });
    await recordSent(tx, mail?.id ?? 0);
    await tx.query(
      `insert into event_resend (tenant_id, event_id) select $1, id from event where tenant_id = $1`,
      [tenantId],
    );
    await tx.query(`update event set sequence = 1, customer_sequence = 1 where tenant_id = $1`, [
      tenantId,
    ]);
    t.is((await takeResends(tx, 10)).length, 1);
  });
  const rest = async (day: string): Promise<unknown> => {
    const own: Shop = {
      books,
      customerId,
      ages: () => Promise.resolve([]),
      sql: () => Promise.resolve([]),
    };
    await administer(
      db.ownerUrl,
      `update test_clock set now = '${day}' where tenant_id = ${tenantId}`,
    );
    await trim(t, own);
    const counted = `select (select count(*) from mail) + (select count(*) from event_resend) as n`;
    return (await books.read((tx) => tx.query<{ n: number }>(counted)))[0]?.n;
  };
  t.is(await rest('2031-04-01T00:00:00Z'), 2, 'the ninetieth day');
  t.is(await rest('2031-04-01T00:00:01Z'), 0);
});

test.serial(
  'a pass that stops, or fails, between two slices is finished by the next',
  async (t) => {
    const shop = await openShop();
    await leave(shop, [100]);
    const many = 2 * DELETED_AT_ONCE_MAX + 5;
    await fillMails(shop, many);
    const { tenantId } = shop.books;
    const count = async (): Promise<number> =>
      Number((await shop.sql<{ n: number }>('select count(*) as n from mail'))[0]?.n);
    await trim(t, shop, stopAfter(await slicesUpTo(tenantId)));
    t.is(await count(), many + 1 - DELETED_AT_ONCE_MAX, 'one slice');
    // A slice that fails is undone, and the kinds after it go on.
    await administer(
      db.ownerUrl,
      `create function refuse() returns trigger language plpgsql as
       $$ begin if old.tenant_id = ${tenantId} then raise 'no space left'; end if; return old; end $$`,
      'create trigger refuse before delete on mail for each row execute function refuse()',
    );
    const errors: unknown[] = [];
    const { dependencies } = shop.books;
    const mark = () => shop.sql(`select deleted_to from retention_mark where kind = 'mails'`);
    const before = await mark();
    const onError = (error: unknown): void => void errors.push(error);
    await retentionPass({ dependencies, relayDb: db.relay, onError });
    await administer(db.ownerUrl, 'drop trigger refuse on mail');
    t.is(errors.length, 1);
    t.is(await count(), many + 1 - DELETED_AT_ONCE_MAX);
    t.deepEqual(await mark(), before);
    t.deepEqual(
      (await shop.ages()).filter((it) => it.startsWith('gatewayEvents')),
      [],
    );
    await trim(t, shop);
    t.is(await count(), 0);
  },
);

test.serial('a row that is being changed is neither waited for nor deleted', async (t) => {
  const shop = await openShop();
  await leave(shop, [100, 100]);
  const [first] = await shop.sql<{ eventId: number; endpointId: number }>(
    'select event_id, endpoint_id from callback_delivery order by event_id',
  );
  const now = new Date();
  // A resumption that has not committed yet; the second row is not part of it.
  await inTenant(db.app, shop.books.tenantId, async (tx) => {
    await tx.query(`update callback_delivery set state = 'Delivered' where event_id > $1`, [
      first?.eventId,
    ]);
    await resumeGivenUp(tx, {
      endpointId: first?.endpointId ?? 0,
      reason: 'asked',
      now,
      until: now,
    });
    await trim(t, shop);
    // Both are locked here.
    t.is((await tx.query('select from callback_delivery')).length, 2);
  });
  await trim(t, shop);
  const left = await shop.sql<{ text: string }>(
    `select event_id - $1 || ' ' || state as text from callback_delivery`,
    first?.eventId,
  );
  t.deepEqual(
    left.map(({ text }) => text),
    ['0 Waiting'],
  );
});

test.serial(
  'two workers at once delete each row once, and what was deleted is not resumed',
  async (t) => {
    const shop = await openShop();
    await leave(shop, [100, 80]);
    await fillMails(shop, 3_000);
    await Promise.all([trim(t, shop), trim(t, shop)]);
    t.deepEqual(await shop.ages(), every([80]));
    const [endpoint] = await shop.sql<{ id: number }>('select id from callback_endpoint');
    const now = new Date();
    const resumption = { endpointId: endpoint?.id ?? 0, reason: 'asked', now, until: now };
    t.is(await inTenant(db.app, shop.books.tenantId, (tx) => resumeGivenUp(tx, resumption)), 1);
  },
);

test.serial(
  'a tenant with a large backlog holds up no other, and its part of a pass has a limit',
  async (t) => {
    const large = await openShop();
    const small = await openShop();
    const passMax = SLICES_OF_TENANT_MAX * DELETED_AT_ONCE_MAX;
    await fillMails(large, passMax + 10);
    await leave(small, [100]);
    // One slice of each kind for each tenant: the large one is the first of the two.
    t.true(large.books.tenantId < small.books.tenantId);
    await trim(t, large, stopAfter((await tenants()) * KINDS));
    t.deepEqual(await small.ages(), [], 'after the first round');
    const count = async (): Promise<number> =>
      Number((await large.sql<{ n: number }>('select count(*) as n from mail'))[0]?.n);
    t.is(await count(), passMax + 10 - DELETED_AT_ONCE_MAX);
    await fillMails(large, DELETED_AT_ONCE_MAX);
    await trim(t, large);
    t.is(await count(), 10);
  },
);

test.serial(
  'the audit expects what may not have been deleted, whatever the days are later',
  async (t) => {
    const shop = await openShop({ mails: 7, deliveries: 7 });
    const { books, sql } = shop;
    const faults = async (): Promise<string[]> =>
      (await books.audit(0)).faults
        .filter(({ check }) => check === 'mail.missing' || check === 'callbacks.missed')
        .map(({ check }) => check)
        .toSorted();
    /** An order that was mailed and posted so many days ago. */
    const ordered = async (days: number): Promise<number> => {
      const at = 'now() - make_interval(days => $2)';
      const [row] = await sql<{ id: number }>(
        `insert into event (tenant_id, type, customer_id, object_id, occurred_at, created_at,
         sequence, customer_sequence)
       select $1, 'order.created', $3, $3, ${at}, ${at}, n, n from (
         select coalesce(max(sequence), 0) + 1 as n from event where tenant_id = $1) last
       returning id`,
        books.tenantId,
        days,
        shop.customerId,
      );
      await sql(
        `insert into mail (tenant_id, kind, event_id, customer_id, object_id, state, created_at,
         done_at, sent_at)
       select $1, 'newOrder', $3, customer_id, object_id, 'sent', ${at}, ${at}, ${at}
       from event where tenant_id = $1 and id = $3`,
        books.tenantId,
        days,
        row?.id,
      );
      await sql(
        `insert into callback_delivery (tenant_id, event_id, endpoint_id, lane, state, give_up_at,
         settled_at)
       select $1, $3, id, 1, 'Delivered', ${at}, ${at} from callback_endpoint where tenant_id = $1`,
        books.tenantId,
        days,
        row?.id,
      );
      return row?.id ?? 0;
    };
    await sql(`delete from event where tenant_id = $1`, books.tenantId).catch(() => undefined);
    await sql(
      `update notification set first_in_force_at = '2000-01-01', enabled_at = '2000-01-01'
     where tenant_id = $1`,
      books.tenantId,
    );
    const [old, young] = [await ordered(20), await ordered(5)];
    await sql(`update callback_subscription set after_event_id = $1`, old - 1);
    await sql(
      `update callback_endpoint set cursor = (select max(sequence) from event where tenant_id = $1)
     where tenant_id = $1`,
      books.tenantId,
    );
    t.deepEqual(await faults(), []);
    await trim(t, shop);
    t.is((await sql('select from mail')).length, 1, 'the old one is gone');
    t.deepEqual(await faults(), []);
    // Longer days do not bring back what was deleted.
    const longer = `update tenant set file = jsonb_set(file, '{retention,mails}', '400') where id = $1`;
    await sql(longer, books.tenantId);
    t.deepEqual(await faults(), []);
    for (const table of ['mail', 'callback_delivery']) {
      await administer(db.ownerUrl, `delete from ${table} where event_id = ${young}`);
    }
    t.deepEqual(await faults(), ['callbacks.missed', 'mail.missing']);
  },
);

/** Mails that were done with 100 days ago. */
async function fillMails({ customerId, books }: Shop, count: number): Promise<void> {
  await administer(
    db.ownerUrl,
    `insert into mail (tenant_id, kind, customer_id, object_id, state, created_at, done_at)
     select ${books.tenantId}, 'newOrder', ${customerId}, ${customerId}, 'obsolete',
       now() - interval '100 days', now() - interval '100 days' + make_interval(secs => n)
     from generate_series(1, ${count}) n`,
  );
}

async function tenants(): Promise<number> {
  const { rows } = await db.relay.pool.query('select id from tenant');
  return rows.length;
}

/** How many slices the first round has up to the mails of this tenant, the last of all. */
async function slicesUpTo(tenantId: number): Promise<number> {
  const { rows } = await db.relay.pool.query<{ n: string }>(
    'select count(*) as n from tenant where id < $1',
    [tenantId],
  );
  return Number(rows[0]?.n) * KINDS + retainedKinds.indexOf('mails') + 1;
}
