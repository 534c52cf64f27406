/** A tenant with an object of each kind that needs a workflow; no row of the outbox starts one. */
import type { Nudge } from '../../../operations/context/nudge.ts';
import { createOrder } from '../../../operations/orders/create.ts';
import { createReport } from '../../../operations/ledger/report-job.ts';
import { callbackSecret } from '../../support/receiver.ts';
import { suffix } from '../../support/temporal.ts';
import { openTenant, sendClock, type Books, type Place } from '../harness.ts';
import { openTill, unreachable } from '../payments/till.ts';

export interface Needed {
  readonly nudge: Nudge;
  readonly workflowId: string;
}

const callbacks = [
  { url: 'https://hooks.example/hook', secret: callbackSecret, events: ['customer.updated'] },
];

/** Each kind once: those of a tenant in real time, and the clock of another one. */
export async function openNeeds(place: Place): Promise<{
  readonly books: Books;
  readonly needed: readonly Needed[];
}> {
  const books = await openTenant(place, { file: { callbacks } });
  const nudges = [...ownKinds, ...(await objectsOf(place, books))];
  const clocked = await openTenant(place, { testClock: '2027-01-15T12:00:00Z', plans: [] });
  await sendClock(place.dependencies, clocked.tenantId, '2027-02-01');
  for (const each of [books, clocked]) {
    await each.work(({ tx }) => tx.query('delete from outbox'));
  }
  const clock: Nudge = { kind: 'clock', objectId: null };
  return {
    books,
    needed: [
      ...nudges.map((nudge) => ({ nudge, workflowId: books.workflow(nudge).workflowId })),
      { nudge: clock, workflowId: clocked.workflow(clock).workflowId },
    ],
  };
}

const ownKinds: readonly Nudge[] = (['billing', 'mail', 'passwords', 'taxes'] as const).map(
  (kind) => ({ kind, objectId: null }),
);

async function objectsOf(place: Place, books: Books): Promise<readonly Nudge[]> {
  const { dependencies } = place;
  const customerId = await books.customer();
  const insert = async (sql: string, ...values: readonly unknown[]): Promise<number> => {
    const [row] = await books.work(({ tx }) =>
      tx.query<{ id: number }>(sql, [tx.tenantId, customerId, ...values]),
    );
    return row?.id ?? 0;
  };
  const bill = { generateInvoice: true, forceInvoiceGeneration: false };
  const input = { customerId, contractCode: 'GOLD' };
  const order = await books.work((its) => createOrder(dependencies, its, input, bill));
  const payment = await openTill(place, books).create({
    customerId,
    amount: '20.00',
    by: unreachable,
  });
  const asked = { name: 'mrr', from: null, to: null } as const;
  const refusal = ({ why }: { readonly why: string }) => new Error(why);
  const report = await books.work((context) => createReport(context, asked, refusal));
  const batch = await insert(
    `insert into batch (tenant_id, job_id, kind, status, created_at, updated_at, finalized_at)
     values ($1, 'job ' || $2::bigint, 'customers', 'Queued', now(), now(), now()) returning id`,
  );
  await insert(openRows.mail);
  await insert(openRows.tax);
  await insert(openRows.password, batch);
  return [
    { kind: 'order', objectId: order },
    { kind: 'payment', objectId: payment },
    { kind: 'dunning', objectId: await insert(objects.dunning) },
    { kind: 'paymentPlan', objectId: await insert(objects.plan) },
    { kind: 'callbacks', objectId: await insert(objects.endpoint) },
    { kind: 'signup', objectId: await insert(objects.signup, suffix()) },
    { kind: 'batch', objectId: batch },
    { kind: 'report', objectId: report },
  ];
}

const objects = {
  dunning: `insert into dunning (tenant_id, customer_id, opened_on, version, created_at, updated_at)
    values ($1, $2, '2027-01-15', 1, now(), now()) returning customer_id as id`,
  plan: `insert into payment_plan (tenant_id, customer_id, currency, charge_amount,
      charge_only_if_balance_owed, start_date, total_installments, frequency_value,
      frequency_units, created_at, updated_at)
    values ($1, $2, 'USD', 10, false, '2099-01-01', 2, 1, 'Months', now(), now()) returning id`,
  // An event that was given up waits to be sent again.
  endpoint: `with raised as (
      insert into event (tenant_id, type, customer_id, object_id, occurred_at)
      values ($1, 'customer.updated', $2, $2, now()) returning id)
    insert into callback_delivery (tenant_id, event_id, endpoint_id, lane, state, give_up_at,
      settled_at)
    select $1, raised.id, e.id, $2, 'GivenUp', now(), now()
    from raised, callback_endpoint e where e.tenant_id = $1 returning endpoint_id as id`,
  signup: `insert into signup (tenant_id, tracking, token_hash, status, success_url, fail_url,
      css_url, hide_customer_fields, hide_order_fields, display_amount, link_has_password,
      quantity, has_details, contract_code, created_at, updated_at, expires_at)
    values ($1, $2::bigint || $3::text, $3::text::bytea, 'DRAFT', 'https://shop.example/ok',
      'https://shop.example/no', '/css/signup.css', false, false, 'none', false, 1, false, 'GOLD',
      now(), now(), now() + interval '30 minutes') returning id`,
} as const;

const openRows = {
  mail: `insert into mail (tenant_id, kind, customer_id, object_id)
    values ($1, 'newOrder', $2, $2) returning id`,
  tax: `insert into tax_record (tenant_id, invoice_id, state, expected_total, expected_tax)
    select $1, i.id, 'toVoid', 0, 0 from invoice i where i.tenant_id = $1 and i.customer_id = $2
    returning invoice_id as id`,
  password: `with contact as (
      insert into contact (tenant_id, customer_id, kind) values ($1, $2, 'sales') returning id)
    insert into password_to_hash (tenant_id, contact_id, batch_id, sealed)
    select $1, contact.id, $3, 'sealed' from contact returning contact_id as id`,
} as const;
