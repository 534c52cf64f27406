/** Tenants, customers and orders for the pages of orders. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Received } from '../support.ts';
import type { PlanFile } from '../../support/tenants.ts';
import { CLOCK, keyIn, submit } from '../signups/page-calls.ts';
import { likeDemo } from '../signups/calls.ts';
import { valueOf, type ApiTenantOptions, type TenantApi } from '../tenant-api.ts';
import { pageOf, visit } from './calls.ts';

const demoFile = join(import.meta.dirname, '../../../tenants/demo.yaml');
const demo = parse(readFileSync(demoFile, 'utf8'));

const fee = {
  chargeType: 'RecurringCharge',
  pricingType: 'FixedPricing',
  isPrepaid: true,
  isProrated: true,
  isMandatory: true,
  taxCodes: ['STANDARD'],
} as const;

const internet = (contractCode: string, price: number, more: object = {}) => ({
  contractCode,
  name: `${contractCode} internet`,
  productOffering: 'INTERNET',
  billingPeriod: 'Monthly',
  charges: [
    { ...fee, priceCode: `${contractCode}-FEE`, invoiceText: `${contractCode} fee`, price },
  ],
  ...more,
});

/** Beside GOLD at 29.95 a month. */
const plans = [
  ...demo.plans,
  internet('SILVER', 19.95),
  internet('TWIN', 29.95),
  internet('PLATINUM', 49.95),
  internet('YEAR', 348, { billingPeriod: 'Yearly' }),
  internet('PLUS', 59.95, {
    charges: [
      { ...fee, priceCode: 'PLUS-FEE', invoiceText: 'PLUS fee', price: 59.95 },
      {
        priceCode: 'PLUS-SETUP',
        invoiceText: 'Plus box',
        chargeType: 'OneTimeCharge',
        pricingType: 'FixedPricing',
        price: 20,
      },
    ],
  }),
  internet('FLAT', 89, {
    productOffering: undefined,
    charges: [{ ...fee, priceCode: 'FLAT-FEE', price: 89, followsQuantity: false }],
  }),
  internet('OLD', 99, { startDate: '2020-01-01', endDate: '2026-12-31' }),
  internet('ASKED', 0, {
    charges: [
      {
        priceCode: 'ASKED-FEE',
        chargeType: 'RecurringCharge',
        pricingType: 'UserEnteredPricing',
        isPrepaid: true,
      },
    ],
  }),
  { ...internet('PHONE', 79), productOffering: 'VOICE' },
];

/** The same plans with another price of GOLD. */
export const pricedAt = (price: number): readonly PlanFile[] =>
  plans.map((plan: PlanFile) => ({
    ...plan,
    charges: plan.charges.map((charge) => ({
      ...charge,
      ...(charge['priceCode'] === 'GOLD-FEE' && { price }),
    })),
  }));

export const withOrders: ApiTenantOptions = {
  testClock: CLOCK,
  file: { ...likeDemo.file, plans, tax: demo.tax },
};

/** In New York, unless the element says something else. */
export async function customerIn(own: TenantApi, name: string, more = ''): Promise<string> {
  const { body } = await own.post(
    '/customers',
    `<customer><name>${name}</name>${more}<billingContact><firstName>Ada</firstName><address>
     <street1>1 Main St</street1><city>New York</city><state>NY</state><zip>10118</zip>
     <countryCode>US</countryCode></address></billingContact></customer>`,
  );
  return valueOf(body, 'customer@id') ?? body;
}

/** From today, billed at once; returns its id. */
export async function orderOf(
  own: TenantApi,
  customerId: string,
  elements = '<contractCode>GOLD</contractCode>',
): Promise<string> {
  const { body } = await own.post(
    '/orders?generateInvoice=true',
    `<subscriptionOrder><customer id="${customerId}"/>${elements}</subscriptionOrder>`,
  );
  return valueOf(body, 'subscriptionOrder@id') ?? body;
}

/** Noon in New York; nothing bills by itself. */
export const goTo = (own: TenantApi, day: string): Promise<unknown> =>
  own.asOwner(`update test_clock set now = '${day}T17:00:00Z' where tenant_id = ${own.tenantId}`);

export const allOptions = 'Cancel,Upgrade,Downgrade,New';

export interface Opened {
  readonly own: TenantApi;
  readonly customerId: string;
  /** Of its GOLD since 15 January 2027. */
  readonly orderId: string;
  /** The first page of a session of it. */
  readonly home: string;
}

/** A customer in New York with GOLD since 2027-01-15, on 2027-02-01. */
export async function withGold(
  own: TenantApi,
  { options = allOptions, elements }: { options?: string; elements?: string } = {},
): Promise<Opened> {
  const customerId = await customerIn(own, 'Ada');
  const orderId = await orderOf(own, customerId, elements);
  await goTo(own, '2027-02-01');
  const home = await pageOf(own, { customerId, editOrderOptions: options });
  return { own, customerId, orderId, home };
}

/** The text between the tags of the page, a bar between the parts. */
export const textOf = ({ body }: Received): string =>
  body
    .replace(/^.*<main/s, '<main')
    .replaceAll(/<span class="unseen">[^<]*<\/span>/g, '')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll(/\s*\n\s*/g, '|')
    .replaceAll(/[\u00a0\u2009]/g, ' ');

/** The key of the page's own form, which follows that of the log-out. */
export function ownKey({ body }: Received): string {
  return keyIn({ body: body.slice(body.lastIndexOf('name="formKey"')) } as Received);
}

/** Shows the price of a choice, and orders it; more fields override those of the choice. */
export async function order(
  own: TenantApi,
  path: string,
  choice: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
): Promise<Received> {
  const review = await preview(own, path, choice);
  return submit(own, path, { formKey: ownKey(review), ...choice, ...more });
}

export const preview = (
  own: TenantApi,
  path: string,
  choice: Readonly<Record<string, string>>,
): Promise<Received> => visit(own, `${path}?${new URLSearchParams(choice).toString()}`);

/** The label of the sum before what is due. */
export const dueIn = (page: Received): string =>
  /\|Total billed today\|([^|]*)\|/.exec(textOf(page))?.[1] ?? '';

/** Totals of all invoices of the tenant in the order in which they were made. */
export async function totalsOf(own: TenantApi): Promise<string[]> {
  const rows = await own.asOwner<{ total: string }>(
    `select current_amount_due::numeric(20, 2)::text as total from invoice
     where tenant_id = ${own.tenantId} order by id`,
  );
  return rows.map(({ total }) => total);
}

/** `GOLD Superseded, PLATINUM Active`, the oldest first. */
export async function ordersIn(own: TenantApi): Promise<string> {
  const rows = await own.asOwner<{ text: string }>(
    `select p.contract_code || ' ' || o.status as text
     from subscription_order o join plan p on p.tenant_id = o.tenant_id and p.id = o.plan_id
     where o.tenant_id = ${own.tenantId} order by o.id`,
  );
  return rows.map(({ text }) => text).join(', ');
}
