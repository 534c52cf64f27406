/** Quotes: by parameters for a whole plan, and of a posted order, which is not made. */
import { z } from 'zod';
import type { QuoteItem } from '../../../domain/orders/quote.ts';
import type { WrittenAddress } from '../../../domain/tax/documents.ts';
import { quotePlan, rateOrder, type PricedQuote } from '../../../operations/orders/quote.ts';
import type { TenantInfo } from '../../../operations/context/context.ts';
import type { Call } from '../../calls/call.ts';
import { RequestError, badRequest } from '../../calls/errors.ts';
import { HeavyCall } from '../../calls/route-types.ts';
import { extCustomerRef } from '../../calls/queries.ts';
import { route, type Route } from '../../calls/route.ts';
import { found, type RouteDependencies } from '../../calls/services.ts';
import {
  boolean,
  date,
  ORDER_DATE_LAST,
  text,
  decimal,
  enumeration,
  integer,
  listOf,
  longText,
  root,
  sum,
} from '../../xml/types.ts';
import { isTrialDays, TRIAL_DAYS_MAX } from '../../../domain/plans/trial.ts';
import { aboveZero, billingPeriod } from '../shared-schema.ts';
import { orderInput } from './mapping.ts';
import { orderRequest } from './schema.ts';
import { chargeTypes, pricingTypes } from '../../../domain/plans/plan.ts';
import { compile } from '../../xml/codec.ts';

/** Quotes of more lines are priced beside the light calls. */
const LIGHT_QUOTE_LINES_MAX = 100;

const quoteQuery = z.object({
  contractCode: text(),
  quantity: aboveZero().default('1'),
  promo: text().optional(),
  calcTax: boolean().default(false),
  startDate: date(ORDER_DATE_LAST).optional(),
  trialDays: integer().optional(),
  addressLine1: text().optional(),
  addressCity: text().optional(),
  addressState: text().optional(),
  addressZip: text().optional(),
  addressCountry: text().default('US'),
});
type QuoteQuery = z.output<typeof quoteQuery>;

export function quoteRoutes(dependencies: RouteDependencies): Route[] {
  return [
    route({
      method: 'GET',
      path: '/quote',
      summary: 'What an order of a plan costs, without making it',
      right: 'read',
      query: quoteQuery,
      parameterErrors: ['field.required'],
      isPreview: true,
      response: quoteCodec,
      async handler(call) {
        const { tenant, query } = call;
        const { contractCode, quantity, startDate = null, trialDays = null } = query;
        if (trialDays !== null && !isTrialDays(trialDays)) {
          const text = `trialDays is 0 to ${TRIAL_DAYS_MAX}`;
          throw badRequest('query.invalid', text, 'trialDays', String(trialDays));
        }
        const address = taxAddressOf(query, tenant);
        const promo = query.promo || null;
        const request = { contractCode, quantity, promo, startDate, trialDays, address };
        const { quote, hint } = await quotePlan(dependencies, tenant, request, lightOnly(call));
        return quoteDocument(found('plan', quote, { contractCode }, hint));
      },
    }),
    route({
      method: 'POST',
      path: '/orders',
      actions: ['rateOrder'],
      summary: 'What an order costs, without making it',
      right: 'write',
      query: z.object({ extCustomerRef: extCustomerRef().optional() }),
      request: orderRequest,
      response: quoteCodec,
      isPreview: true,
      async handler(call) {
        const { tenant, query, body } = call;
        const order = { input: orderInput(body), extCustomerRef: query.extCustomerRef };
        return quoteDocument(await rateOrder(dependencies, tenant, order, lightOnly(call)));
      },
    }),
  ];
}

/** Throws HeavyCall where a call without its turn would price many lines. */
export function lightOnly({
  isHeavy,
}: Pick<Call<unknown, unknown>, 'isHeavy'>): (lines: number) => void {
  return (lines) => {
    if (!isHeavy && lines > LIGHT_QUOTE_LINES_MAX) throw new HeavyCall();
  };
}

const required = ['addressLine1', 'addressCity', 'addressState', 'addressZip'] as const;

/** Null without tax; with rates or a provider the address must be complete. */
function taxAddressOf(
  query: QuoteQuery,
  { taxRates, taxProvider }: TenantInfo,
): WrittenAddress | null {
  if (!query.calcTax || (taxRates.length === 0 && taxProvider === null)) return null;
  const missing = required.filter((name) => !query[name]);
  if (missing.length > 0) {
    const errors = missing.map((path) => {
      const message = `${path} is required with calcTax=true`;
      return { code: 'field.required', path, message } as const;
    });
    throw new RequestError(400, errors);
  }
  return {
    street1: query.addressLine1 ?? null,
    street2: null,
    city: query.addressCity ?? null,
    state: query.addressState ?? null,
    zip: query.addressZip ?? null,
    country: query.addressCountry,
    countryCode: null,
  };
}

function quoteDocument({ hash, initial, recurring, ...quote }: PricedQuote): QuoteDocument {
  const { contractCode, orderDate, trialEndDate, billingPeriod, total } = quote;
  return {
    hash,
    contractOffering: {
      contractCode,
      orderDate,
      trialEndDate,
      billingPeriod,
      initialCharges: {
        lineItems: initial.lineItems.map(itemDocument),
        totalInitialCharges: initial.total,
      },
      recurringCharges: {
        lineItems: recurring.lineItems.map(itemDocument),
        totalRecurringCharges: recurring.total,
      },
      total,
    },
  };
}

function itemDocument({ terms, ...item }: QuoteItem): QuoteItemDocument {
  if (terms === null) return item;
  const { quantity, billingPeriodStart, billingPeriodEnd, ...own } = terms;
  return {
    ...item,
    ...own,
    quantity: quantity ?? undefined,
    billingPeriodStart: billingPeriodStart ?? undefined,
    billingPeriodEnd: billingPeriodEnd ?? undefined,
  };
}

/* The document of a quote: what an order costs once, and for its first period. */

/** Discounts (`DISCOUNT`) and taxes of the rate table (`TAX`) have the first four elements alone. */
const lineItem = z.strictObject({
  position: integer(),
  priceCode: text().nullable(),
  invoiceText: longText().nullable(),
  amount: sum(),
  pricingType: enumeration(pricingTypes).optional(),
  chargeType: enumeration(chargeTypes).optional(),
  quantity: decimal().optional(),
  billingPeriodStart: date().optional(),
  billingPeriodEnd: date().optional(),
  billingPeriodDescription: text().optional(),
  isProrated: boolean().optional(),
});

const quoteSchema = z.strictObject({
  hash: text(),
  contractOffering: z.strictObject({
    contractCode: text(),
    orderDate: date(),
    trialEndDate: date().nullable(),
    billingPeriod: billingPeriod(),
    initialCharges: z.strictObject({
      lineItems: listOf('lineItem', lineItem),
      totalInitialCharges: sum(),
    }),
    recurringCharges: z.strictObject({
      lineItems: listOf('lineItem', lineItem),
      totalRecurringCharges: sum(),
    }),
    total: sum(),
  }),
});
type QuoteDocument = z.output<typeof quoteSchema>;
type QuoteItemDocument = z.output<typeof lineItem>;

const quoteCodec = compile(root('quote', quoteSchema));
