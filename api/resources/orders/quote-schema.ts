/** The document of a quote: what an order costs once, and for its first period. */
import { z } from 'zod';
import { chargeTypes, pricingTypes } from '../../../domain/plans/plan.ts';
import { compile } from '../../xml/codec.ts';
import {
  boolean,
  date,
  decimal,
  enumeration,
  integer,
  listOf,
  longText,
  root,
  sum,
  text,
} from '../../xml/types.ts';
import { billingPeriod } from '../shared-schema.ts';

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
export type QuoteDocument = z.output<typeof quoteSchema>;
export type QuoteItemDocument = z.output<typeof lineItem>;

export const quoteCodec = compile(root('quote', quoteSchema));
