/** Commission plans, sales agents, their links to orders, and what they have earned. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type {
  CommissionChargeType,
  CommissionType,
  DateUnit,
} from '../../domain/commissions/terms.ts';
import { ids, money, ofTenant, quantity, stamped, tenanted, texts } from './columns.ts';
import { saysNothingOfCustomers } from './personal.ts';
import { sealed, secretContext } from './sealed.ts';

export const CommissionPlan = defineEntity({
  name: 'CommissionPlan',
  tableName: 'commission_plan',
  uniques: [{ properties: ['tenantId', 'commissionCode'] }],
  properties: {
    ...tenanted,
    commissionCode: p.text(),
    name: p.text(),
    accountingCode: p.text().nullable(),
    isActive: p.boolean(),
    plans: texts(),
    isInFile: p.boolean(),
    ...stamped,
  },
});

export const CommissionCharge = defineEntity({
  name: 'CommissionCharge',
  tableName: 'commission_charge',
  uniques: [{ properties: ['tenantId', 'commissionPlanId', 'code'] }],
  properties: {
    ...tenanted,
    commissionPlanId: p.bigint('number'),
    position: p.integer(),
    code: p.text(),
    commissionText: p.text().nullable(),
    commissionAmount: quantity(),
    commissionType: p.text().$type<CommissionType>(),
    chargeType: p.text().$type<CommissionChargeType>(),
    dateToChargeValue: p.integer().nullable(),
    dateToChargeUnits: p.text().$type<DateUnit>().nullable(),
    customOptions: p.text().nullable(),
    notes: p.text().nullable(),
    isInFile: p.boolean(),
    ...stamped,
  },
});

const ofAgent = (key: string) =>
  sealed(p.text().nullable(), ['code'], ({ label, code: salesAgent }) =>
    secretContext(label, { salesAgent: String(salesAgent), key }),
  );

export const SalesAgent = defineEntity({
  name: 'SalesAgent',
  tableName: 'sales_agent',
  uniques: [{ properties: ['tenantId', 'code'] }],
  properties: {
    ...tenanted,
    code: p.text(),
    firstName: p.text().nullable(),
    lastName: p.text().nullable(),
    companyName: p.text().nullable(),
    email: p.text().nullable(),
    workPhone: p.text().nullable(),
    cellPhone: p.text().nullable(),
    referenceNumber: p.text().nullable(),
    referringCommissionCode: p.text().nullable(),
    address: p.json().$type<Readonly<Record<string, string>>>(),
    commissionPlanId: p.bigint('number').nullable(),
    notificationsEnabled: p.boolean(),
    disbursementsEnabled: p.boolean(),
    achRoutingNumber: p.text().nullable(),
    accountType: p.text().nullable(),
    achAccountNumber: ofAgent('achAccountNumber'),
    achAccountShown: p.text().nullable(),
    disbursementToken: ofAgent('disbursementToken'),
    disbursementTokenShown: p.text().nullable(),
    isInFile: p.boolean(),
    ...stamped,
  },
});

export const OrderAgent = defineEntity({
  name: 'OrderAgent',
  tableName: 'order_agent',
  uniques: [{ properties: ['tenantId', 'orderId', 'salesAgentId'] }],
  properties: {
    ...tenanted,
    orderId: p.bigint('number'),
    customerId: p.bigint('number'),
    salesAgentId: p.bigint('number'),
    commissionPlanId: p.bigint('number'),
    joiningDate: p.date(),
    firstId: p.bigint('number'),
    createdAt: p.datetime(),
  },
});

export const CommissionDue = defineEntity({
  name: 'CommissionDue',
  tableName: 'commission_due',
  properties: {
    ...ofTenant,
    orderAgentId: p.bigint('number').primary(),
    commissionChargeId: p.bigint('number').primary(),
    customerId: p.bigint('number'),
    consideredTo: p.date().nullable(),
    nextDueOn: p.date().nullable(),
  },
});

export const Commission = defineEntity({
  name: 'Commission',
  tableName: 'commission',
  properties: {
    ...tenanted,
    customerId: p.bigint('number'),
    orderAgentId: p.bigint('number'),
    salesAgentId: p.bigint('number'),
    commissionChargeId: p.bigint('number'),
    orderNumber: p.bigint('number'),
    invoiceId: p.bigint('number').nullable(),
    orderIds: ids(),
    dueOn: p.date().nullable(),
    commissionType: p.text().$type<CommissionType>(),
    rate: quantity(),
    priceCode: p.text().nullable(),
    baseAmount: money(),
    amount: money(),
    currency: p.text(),
    turn: p.integer(),
    earnedOn: p.date(),
    earnedAt: p.datetime(),
    reversalOf: p.bigint('number').nullable(),
    isWhole: p.boolean().nullable(),
  },
});

saysNothingOfCustomers(CommissionPlan, CommissionCharge, SalesAgent, Commission);
