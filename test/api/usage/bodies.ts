/** Bodies of usage records, and tenants that have orders with usage. */
import { demoPlan } from '../../support/tenants.ts';
import { valueOf, type ApiTenantOptions, type TenantApi } from '../tenant-api.ts';

export const listOf = (...inner: readonly string[]): string =>
  `<list>${inner.map((each) => `<activity>${each}</activity>`).join('')}</list>`;

export const customerOf = (ref: string): string =>
  `<customer><extCustomerRef>${ref}</extCustomerRef><billingContact><firstName>Ada</firstName>` +
  '</billingContact></customer>';

/** Posts an order of the customer, and returns its document. */
export async function order(own: TenantApi, inner: string, ref = 'C1'): Promise<string> {
  const made = await own.post(
    `/orders?extCustomerRef=${ref}`,
    `<subscriptionOrder>${inner}</subscriptionOrder>`,
  );
  if (made.status !== 201) throw new Error(made.body);
  return made.body;
}

export const metered = '<contractCode>METERED</contractCode>';

const usage = { chargeType: 'UsageCharge' };
const tiers = [{ unitsFrom: 0, price: 0.1 }];

/** METERED of the demo file, and a plan with every kind of usage line. */
export const plans = [
  demoPlan('METERED'),
  {
    contractCode: 'MIXED',
    name: 'Mixed usage',
    billingPeriod: 'Monthly',
    billingAlignment: 'DayOfMonth',
    alignmentDay: 1,
    charges: [
      { ...usage, priceCode: 'CALLS', pricingType: 'TieredPricing', tiers },
      { ...usage, priceCode: 'DATA', pricingType: 'TieredPricing', tiers },
      { ...usage, priceCode: 'AGREED', pricingType: 'UserEnteredPricing' },
      {
        ...usage,
        priceCode: 'SHARE',
        pricingType: 'TieredPricing',
        tiers: [{ unitsFrom: 0, percent: 2.5 }],
      },
    ],
  },
];

export interface Metered {
  readonly own: TenantApi;
  readonly customer: string;
  /** Of the order 1001. */
  readonly order: string;
  /** Its line MINUTES. */
  readonly line: string;
}

/** A separate tenant with the customer C1, whose order 1001 has the usage line MINUTES. */
export async function withOrder(api: TenantApi, options: ApiTenantOptions = {}): Promise<Metered> {
  const own = await api.another({ plans, ...options });
  const made = await own.post('/customers', customerOf('C1'));
  const body = await order(own, metered);
  return {
    own,
    customer: String(valueOf(made.body, 'customer@id')),
    order: String(valueOf(body, 'subscriptionOrder@id')),
    line: lineIn(body, 'MINUTES'),
  };
}

/** The id of an order's line, by its price. */
export function lineIn(body: string, priceCode: string): string {
  const lines = body.match(/<orderLineItem .*?<\/orderLineItem>/gs) ?? [];
  const line = lines.find((each) => each.includes(`<priceCode>${priceCode}</priceCode>`)) ?? '';
  return String(valueOf(line, 'orderLineItem@id'));
}

/** A record of the order 1001. */
export const ofOrder = (inner: string): string => `<orderNumber>1001</orderNumber>${inner}`;

/** With a reference, and one minute of the order 1001. */
export const minute = (ref: string, more = ''): string =>
  ofOrder(`<extRefId>${ref}</extRefId><quantity>1</quantity>${more}`);

/** The records of an answer. */
export const recordsIn = (body: string): string[] =>
  body.match(/<activity .*?<\/activity>/gs) ?? [];
