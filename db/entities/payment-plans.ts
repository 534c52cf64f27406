/** Payment plans. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { FrequencyUnit } from '../../domain/payment-plans/schedule.ts';
import { stamped, tenanted } from './columns.ts';

const PaymentPlanSchema = defineEntity({
  name: 'PaymentPlan',
  tableName: 'payment_plan',
  properties: {
    ...tenanted,
    customerId: p.bigint('number'),
    currency: p.text(),
    chargeAmount: p.decimal().precision(20).scale(4),
    chargeOnlyIfBalanceOwed: p.boolean(),
    startDate: p.date(),
    totalInstallments: p.integer(),
    countedInstallments: p.integer().default(0),
    frequencyValue: p.integer(),
    frequencyUnits: p.text().$type<FrequencyUnit>(),
    isEnabled: p.boolean().default(true),
    endedOn: p.date().nullable(),
    version: p.integer().default(1),
    ...stamped,
  },
});
export class PaymentPlan extends PaymentPlanSchema.class {}
PaymentPlanSchema.setClass(PaymentPlan);
