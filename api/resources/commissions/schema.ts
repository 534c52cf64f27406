/** The documents of commission plans, sales agents, the agents of an order, and commissions. */
import { z } from 'zod';
import {
  commissionChargeTypes,
  commissionTypes,
  dateUnits,
} from '../../../domain/commissions/terms.ts';
import { compile, oneOrList } from '../../xml/codec.ts';
import {
  ORDER_DATE_LAST,
  accepting,
  boolean,
  currency,
  date,
  decimal,
  enumeration,
  id,
  integer,
  listOf,
  longText,
  reference,
  root,
  sum,
  text,
} from '../../xml/types.ts';

const commissionCharge = z.strictObject({
  id: id(),
  position: integer(),
  code: text(),
  commissionText: text().nullable(),
  commissionAmount: decimal(),
  commissionType: enumeration(commissionTypes),
  chargeType: enumeration(commissionChargeTypes),
  dateToChargeValue: integer().nullable(),
  dateToChargeUnits: enumeration(dateUnits).nullable(),
  customOptions: longText().nullable(),
  notes: longText().nullable(),
  commissionPlan: reference(),
});

const commissionPlan = z.strictObject({
  id: id(),
  planName: text(),
  commissionCode: text(),
  accountingCode: text().nullable(),
  activate: boolean(),
  contractOfferings: listOf('contractOffering', reference()),
  commissionCharges: listOf('commissionCharge', commissionCharge),
});
export type CommissionPlanDocument = z.output<typeof commissionPlan>;

const address = z.strictObject({
  street1: text().nullable(),
  street2: text().nullable(),
  city: text().nullable(),
  state: text().nullable(),
  zip: text().nullable(),
  country: text().nullable(),
  countryCode: text().nullable(),
  class: text(),
});

const biller = z.strictObject({
  id: id(),
  code: text(),
  firstName: text().nullable(),
  lastName: text().nullable(),
  companyName: text().nullable(),
  email: text().nullable(),
  workPhone: text().nullable(),
  cellPhone: text().nullable(),
  address,
  referenceNumber: text().nullable(),
  commissionCode: text().nullable(),
  referringBillerCommissionCode: text().nullable(),
  commissionPlan: reference().nullable(),
  notificationsEnabled: boolean(),
  disbursementsEnabled: boolean(),
  disbursementToken: text().nullable(),
  achRoutingNumber: text().nullable(),
  achAccountNumber: text().nullable(),
  accountType: text().nullable(),
  lastUpdated: date(),
  dateCreated: date(),
});
export type BillerDocument = z.output<typeof biller>;

const link = z.strictObject({
  id: id(),
  joiningDate: date(),
  commissionPlan: reference(),
  biller: reference(),
});
export type LinkDocument = z.output<typeof link>;

const linkInput = accepting(link, {
  joiningDate: date(ORDER_DATE_LAST).nullish(),
  commissionPlan: reference().nullish(),
  biller: reference().nullish(),
});

const commission = z.strictObject({
  id: id(),
  dateEarned: date(),
  agentCode: text(),
  orderNumber: text(),
  invoiceNumber: text().nullable(),
  priceCode: text().nullable(),
  commissionCode: text(),
  code: text(),
  baseAmount: sum(),
  amount: sum(),
  currency: currency(),
  reversalOf: reference().nullable(),
});
export type CommissionDocument = z.output<typeof commission>;

export const commissionPlanCodec = compile(root('commissionPlan', commissionPlan));
export const commissionPlansCodec = oneOrList(
  commissionPlanCodec,
  compile(root('list', listOf('commissionPlan', commissionPlan))),
);
export const billerCodec = compile(root('biller', biller));
export const billersCodec = oneOrList(billerCodec, compile(root('list', listOf('biller', biller))));
export const linkList = compile(root('list', listOf('subscriptionOrderBiller', link)));
export const linkListRequest = compile(root('list', listOf('subscriptionOrderBiller', linkInput)));
export type LinkRequest = z.output<typeof linkInput>;
export const commissionList = compile(root('list', listOf('commission', commission)));
