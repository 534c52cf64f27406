/** What must hold once everything works again and nothing is left to do: the books, and what others know. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Database } from '../../../db/connection/database.ts';
import { inOperation } from '../../../operations/context/context.ts';
import { enqueue } from '../../../operations/outbox/enqueue.ts';
import { audit } from '../../support/audit.ts';
import type { Parts } from '../crash/parts.ts';
import type { Shop } from './load.ts';
import type { Outside } from './outside.ts';

export interface Place {
  readonly parts: Pick<Parts, 'ownerUrl' | 'engine'>;
  readonly db: Database;
  readonly relayDb: Database;
  readonly outside: Outside;
  readonly shops: readonly Shop[];
}

export interface Ending {
  /** What is wrong; empty if nothing is. */
  readonly faults: readonly string[];
  /** What was compared. */
  readonly figures: Readonly<Record<string, number>>;
}

/** What is put off is put off by minutes: nobody waits for that here. */
const HASTEN_MS = 5_000;
const LOOK_MS = 500;
const SETTLED_WITHIN_MS = 420_000;
/** Workflows that were lost are there again within a minute. */
const CLEAN_WITHIN_MS = 150_000;
const AUDIT_AGAIN_MS = 5_000;

/** Asked as the owner of the schema, of all tenants. */
type Ask = <Row extends object>(sql: string, ...values: readonly unknown[]) => Promise<Row[]>;

/**
 * Waits until nothing is left to do; then compares everything.
 *
 * @param cleanWithinMs how long the audit is repeated while it finds something
 */
export async function endOf(place: Place, cleanWithinMs = CLEAN_WITHIN_MS): Promise<Ending> {
  const client = new Client({ connectionString: place.parts.ownerUrl });
  await client.connect();
  const ask: Ask = async <Row extends object>(sql: string, ...values: readonly unknown[]) =>
    (await client.query<Row & Record<string, unknown>>(sql, [...values])).rows;
  try {
    const left = await settled(place, ask);
    const figures: Record<string, number> = {};
    const faults = [
      ...left.map((what) => `not done: ${what}`),
      ...(await ofBooks(place, figures, cleanWithinMs)),
      ...(await ofAnswers(place, ask)),
      ...(await ofCallbacks(place, ask, figures)),
      ...(await ofMails(place, ask, figures)),
      ...(await ofTaxes(place, ask, figures)),
      ...(await ofStripe(place, ask, figures)),
    ];
    const [counted] = await ask<Record<string, number>>(
      `select (select count(*)::int from subscription_order) as orders,
         (select count(*)::int from invoice) as invoices,
         (select count(*)::int from payment) as payments,
         (select count(*)::int from event) as events,
         (select count(*)::int from customer) as customers,
         (select count(*)::int from sandbox_transaction where operation = 'charge'
            and status = 'Approved') as charges`,
    );
    return { faults, figures: { ...figures, ...counted } };
  } finally {
    await client.end();
  }
}

const OPEN = `
  select what, count from (
    select 'nudges' as what, count(*)::int from outbox union all
    select 'events without a number', count(*)::int from event where sequence is null union all
    select 'callbacks', count(*)::int from callback_delivery where state = 'Waiting' union all
    select 'events that an endpoint is to look at', count(*)::int from callback_endpoint p
      join event e on e.tenant_id = p.tenant_id and e.sequence > p.cursor and e.type = any(p.events)
    union all
    select 'mails', count(*)::int from mail where state in ('queued', 'sending') union all
    select 'tax records', count(*)::int from tax_record where state in ('toRecord', 'toVoid')
    union all
    select 'customers who wait for taxes', count(*)::int from tax_wait union all
    select 'payments', count(*)::int from payment where status = 'Pending' union all
    select 'imports', count(*)::int from batch where status = 'Queued' union all
    select 'sign-ups', count(*)::int from signup_try where status in ('submitted', 'charging')
    union all
    select 'clocks', count(*)::int from test_clock where status <> 'Ready' union all
    select 'customers who are billed apart', count(*)::int from billing_suspect) as open
  where count > 0`;

/** Returns what never came to its end. */
async function settled(place: Place, ask: Ask): Promise<string[]> {
  const began = performance.now();
  let hastenedAt = began;
  for (;;) {
    const open = await ask<{ what: string; count: number }>(OPEN);
    const now = performance.now();
    if (open.length === 0) return [];
    if (now - began > SETTLED_WITHIN_MS) return open.map(({ what, count }) => `${count} ${what}`);
    if (now - hastenedAt > HASTEN_MS) {
      await hasten(place, ask);
      hastenedAt = now;
    }
    await sleep(LOOK_MS);
  }
}

/** As if the pauses between attempts were over. */
async function hasten({ db, shops }: Place, ask: Ask): Promise<void> {
  await ask(`update callback_delivery set retry_at = now() where retry_at > now()`);
  await ask(`update callback_endpoint set paused_until = now() where paused_until > now()`);
  await ask(`update mail set next_attempt_at = now() where state = 'queued'`);
  // A mail that is being sent for so long was left by a process that is gone.
  await ask(
    `update mail set attempted_at = now() - interval '1 hour'
     where state = 'sending' and attempted_at < now() - interval '20 seconds'`,
  );
  await ask(
    `update tax_record set next_attempt_at = now()
     where state in ('toRecord', 'toVoid') and coalesce(leased_until, now()) <= now()`,
  );
  await ask(`update tax_wait set next_try_at = now() where next_try_at > now()`);
  for (const shop of shops) {
    await inOperation({ db, realNow: Date.now }, shop.id, async (context) => {
      const endpoints = await context.tx.query<{ id: number }>('select id from callback_endpoint');
      enqueue(context, [
        { kind: 'mail', objectId: null },
        { kind: 'taxes', objectId: null },
        { kind: 'clock', objectId: null },
        ...endpoints.map(({ id }) => ({ kind: 'callbacks', objectId: id }) as const),
      ]);
    });
  }
}

/** The audit: invoices computed anew, the sandbox's own log, the workflow of each row, and all else. */
async function ofBooks(
  place: Place,
  figures: Record<string, number>,
  cleanWithinMs: number,
): Promise<string[]> {
  const { db, relayDb, parts } = place;
  const began = performance.now();
  for (;;) {
    const report = await audit(
      { db, realNow: Date.now },
      { relayDb, engine: parts.engine, recompute: 20_000 },
    );
    const faults = report.tenants.flatMap((tenant) =>
      tenant.faults.map(({ check, object, detail }) => `${check}: ${object}: ${detail}`),
    );
    if (report.clean || performance.now() - began > cleanWithinMs) {
      figures['recomputed'] = report.tenants.reduce(
        (sum, each) => sum + each.recomputed.invoices,
        0,
      );
      return report.clean || faults.length > 0 ? faults : [`the workflows are ${report.workflows}`];
    }
    await sleep(AUDIT_AGAIN_MS);
  }
}

/** What callers were told was done is there, once. */
async function ofAnswers({ shops }: Place, ask: Ask): Promise<string[]> {
  const faults: string[] = [];
  for (const { id, customers } of shops) {
    const rows = await ask<{ ref: string; orders: number; payments: number }>(
      `select c.ext_customer_ref as ref,
         (select count(*)::int from subscription_order o
          where o.tenant_id = $1 and o.customer_id = c.id) as orders,
         (select count(*)::int from payment p where p.tenant_id = $1 and p.customer_id = c.id
            and p.payment_type = 'Payment' and p.autopay_invoice_id is null
            and p.status <> 'CarriedOver') as payments
       from customer c where c.tenant_id = $1`,
      id,
    );
    const stored = Map.groupBy(rows, ({ ref }) => ref);
    for (const [ref, { orders, payments }] of customers) {
      const [row, ...more] = stored.get(ref) ?? [];
      const is = `${row?.orders} orders, ${row?.payments} payments, ${more.length} further customers`;
      const should = `${orders} orders, ${payments} payments, 0 further customers`;
      if (is !== should) faults.push(`customer ${ref} has ${is}; answered were ${should}`);
    }
  }
  return faults;
}

/** Every event at least once, and those of a customer in their order. */
async function ofCallbacks(
  { outside }: Place,
  ask: Ask,
  figures: Record<string, number>,
): Promise<string[]> {
  const owed = await ask<{ id: number; customer: number }>(
    `select e.id::int, e.customer_id::int as customer from event e
     where exists (select from callback_subscription s where s.tenant_id = e.tenant_id
       and s.event_type = e.type and s.after_event_id < e.id)`,
  );
  const { accepted, received } = outside.receiver;
  figures['callbacks'] = new Set(accepted.map(({ event }) => event)).size;
  figures['callbacks posted'] = received.length;
  const taken = new Set<number>();
  const newest = new Map<number, number>();
  const customerOf = new Map(owed.map(({ id, customer }) => [id, customer]));
  const faults: string[] = [];
  for (const { event } of accepted) {
    const customer = customerOf.get(event);
    if (customer === undefined) faults.push(`callback ${event} belongs to no event`);
    if (customer === undefined || taken.has(event)) continue;
    taken.add(event);
    const before = newest.get(customer) ?? 0;
    if (event < before)
      faults.push(`callback ${event} of customer ${customer} came after ${before}`);
    newest.set(customer, Math.max(before, event));
  }
  const missing = owed.filter(({ id }) => !taken.has(id));
  return [...faults, ...missing.map(({ id }) => `event ${id} never came to its receiver`)];
}

/** The same mail goes out once, and once more at most where nobody knew of it. */
const SENT_MAX = 2;

async function ofMails(
  { outside }: Place,
  ask: Ask,
  figures: Record<string, number>,
): Promise<string[]> {
  const rows = await ask<{ id: number; state: string; message: string | null }>(
    `select id::int, state, message_id as message from mail where state not in ('noAddress', 'obsolete')`,
  );
  const arrived = Map.groupBy(outside.inbox.mails, ({ messageId = '' }) =>
    messageId.replaceAll(/[<>]/g, ''),
  );
  figures['mails'] = rows.length;
  return rows.flatMap(({ id, state, message }) => {
    const times = arrived.get((message ?? '').replaceAll(/[<>]/g, ''))?.length ?? 0;
    if (state !== 'sent') return [`mail ${id} is ${state}`];
    return times >= 1 && times <= SENT_MAX ? [] : [`mail ${id} was sent, and came ${times} times`];
  });
}

async function ofTaxes(
  { outside }: Place,
  ask: Ask,
  figures: Record<string, number>,
): Promise<string[]> {
  const rows = await ask<{ code: string; state: string; total: string }>(
    `select code, state, recorded_total::text as total from tax_record`,
  );
  const statuses: Readonly<Record<string, string>> = { recorded: 'Committed', voided: 'Cancelled' };
  figures['tax records'] = rows.length;
  const known = new Set(rows.map(({ code }) => code));
  const strange = [...outside.taxes.records.keys()].filter((code) => !known.has(code));
  return [
    ...strange.map((code) => `the tax provider has ${code}, and no row does`),
    ...rows.flatMap(({ code, state, total }) => {
      const there = outside.taxes.records.get(code);
      // What was cancelled before it was ever recorded needs no record.
      if (there === undefined && state === 'voided') return [];
      const isSame =
        there?.status === statuses[state] && (state === 'voided' || there?.total === Number(total));
      return isSame
        ? []
        : [`tax record ${code} is ${state} over ${total}, there ${JSON.stringify(there)}`];
    }),
  ];
}

/** Cents in a unit of the currency. */
const MINOR = 100;

async function ofStripe(
  { outside }: Place,
  ask: Ask,
  figures: Record<string, number>,
): Promise<string[]> {
  const rows = await ask<{ id: number; intent: string | null; status: string; minor: number }>(
    `select id::int, transaction_id as intent, status, (amount * ${MINOR})::int as minor from payment
     where gateway = 'stripe' and payment_type = 'Payment' and status not in ('Declined', 'Canceled')`,
  );
  const succeeded = outside.stripe
    .intents()
    .filter(({ kind, status }) => kind === 'payment' && status === 'succeeded');
  figures['stripe charges'] = succeeded.length;
  const byIntent = Map.groupBy(rows, ({ intent }) => intent ?? '');
  const faults = outside.stripe.faults.map((fault) => `Stripe would not have taken: ${fault}`);
  for (const { id, amount } of succeeded) {
    const [row, ...more] = byIntent.get(id) ?? [];
    if (row?.minor === amount && more.length === 0) continue;
    faults.push(
      `${id} took ${amount}, which payments have as ${row?.minor}, and ${more.length} more`,
    );
  }
  const ids = new Set(succeeded.map(({ id }) => id));
  const without = rows.filter(({ intent }) => !ids.has(intent ?? ''));
  return [
    ...faults,
    ...without.map(({ id, status }) => `payment ${id} is ${status} without a charge`),
  ];
}
