/** A tenant whose orders are changed: its customer, its rows, and the days that pass. */
import { addDays, type IsoDate } from '../../../domain/calendar/calendar.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { dueCustomers } from '../../../db/queries/billing/due-customers.ts';
import { BATCH_CUSTOMERS_MAX, billCustomers } from '../../../operations/billing/bill-customers.ts';
import { sequenceTenant } from '../../../operations/events/sequencer.ts';
import { numberedHooks } from '../../../operations/feed/numbered-hooks.ts';
import type { Received } from '../support.ts';
import { valueOf, type TenantApi } from '../tenant-api.ts';

export const orderOf = (inner: string) => `<subscriptionOrder>${inner}</subscriptionOrder>`;
export const goldFor = (quantity: number) =>
  '<contractCode>GOLD</contractCode><orderLineItems><orderLineItem><priceCode>GOLD-FEE</priceCode>' +
  `<quantity>${quantity}</quantity></orderLineItem></orderLineItems>`;

/** Makes a customer in New York; returns its id. */
export async function newCustomer(own: TenantApi, ref: string): Promise<string> {
  const address = '<address><state>NY</state><countryCode>US</countryCode></address>';
  const contact = `<billingContact><firstName>Ada</firstName>${address}</billingContact>`;
  const body = `<customer><extCustomerRef>${ref}</extCustomerRef>${contact}</customer>`;
  return idIn(await own.post('/customers', body), 'customer');
}

/** Makes an order of C1 and bills it at once, unless the query says otherwise; returns its id. */
export async function newOrder(
  own: TenantApi,
  inner: string,
  query = 'generateInvoice=true',
): Promise<string> {
  return idIn(await own.post(`/orders?extCustomerRef=C1&${query}`, orderOf(inner)));
}

/** The id of what an answer made. */
export function idIn({ status, body }: Received, element = 'subscriptionOrder'): string {
  const id = valueOf(body, `${element}@id`);
  if (status !== 201 || id === undefined) throw new Error(body);
  return id;
}

/** What a call that is refused, or only shows something, leaves as it was. */
export async function rowsOf(own: TenantApi): Promise<unknown> {
  const tables = ['subscription_order', 'order_line', 'invoice', 'payment', 'event', 'outbox'];
  const counts = tables.map(
    (table) => `(select count(*)::int from ${table} where tenant_id = ${own.tenantId}) as ${table}`,
  );
  const [row] = await own.asOwner(
    `select ${counts.join(', ')}, (select json_object_agg(kind, next order by kind) from counter
       where tenant_id = ${own.tenantId}) as next,
       (select json_agg(json_build_array(status, end_date, change_on, version) order by id)
        from subscription_order where tenant_id = ${own.tenantId}) as orders`,
  );
  return row;
}

/** The ids in a document that no row of the tenant has. */
export async function strangers(own: TenantApi, document: string): Promise<string[]> {
  const tables = ['customer', 'subscription_order', 'order_line', 'plan_charge', 'pricing_tier'];
  const rows = await own.asOwner<{ id: string }>(
    tables
      .map((table) => `select id from ${table} where tenant_id = ${own.tenantId}`)
      .join(' union '),
  );
  const known = new Set(rows.map(({ id }) => String(id)));
  const ids = [...document.matchAll(/ id="(\d+)"/g)].map(([, id = '']) => id);
  return ids.filter((id) => !known.has(id));
}

/** Moves the test clock to 07:00 of a day, with the billing run of each day on the way. */
export async function advance(own: TenantApi, from: IsoDate, to: IsoDate): Promise<void> {
  const dependencies = { db: own.db, realNow: Date.now };
  for (let day = addDays(from, 1); day <= to; day = addDays(day, 1)) {
    await own.asOwner(
      `update test_clock set now = '${day}T12:00:00Z' where tenant_id = ${own.tenantId}`,
    );
    const due = await inTenant(
      own.db,
      own.tenantId,
      (tx) => dueCustomers(tx, { today: day, limit: BATCH_CUSTOMERS_MAX, waitingAt: null }),
      { readOnly: true },
    );
    await billCustomers(dependencies, own.tenantId, due, { wait: true });
  }
}

/** `order.created 912` of each event that follows a number, as the feed lists them. */
export async function eventsAfter(own: TenantApi, after: number): Promise<string[]> {
  const dependencies = { db: own.db, realNow: Date.now };
  const rest = { relayDb: own.db, dispatch: () => undefined, onError: () => undefined };
  await sequenceTenant({ dependencies, hooks: numberedHooks, ...rest }, own.tenantId);
  const { body } = await own.get(`/events?after=${after}`);
  return body
    .split('<event ')
    .slice(1)
    .map((event) => `${/type="([^"]*)"/.exec(event)?.[1]} ${valueOf(event, 'object@id')}`);
}
