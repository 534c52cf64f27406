/** The documents of payment plans: one answer, and a request. */
import { z } from 'zod';
import { frequencyUnits } from '../../../domain/payment-plans/schedule.ts';
import { FREQUENCY_MAX, INSTALLMENTS_MAX } from '../../../domain/payment-plans/terms.ts';
import { compile } from '../../xml/codec.ts';
import {
  ORDER_DATE_LAST,
  accepting,
  boolean,
  date,
  decimal,
  enumeration,
  id,
  integer,
  root,
  sum,
} from '../../xml/types.ts';

export const paymentPlanSchema = z.strictObject({
  id: id(),
  chargeOnlyIfBalanceOwed: boolean(),
  chargeAmount: sum(),
  startDate: date(),
  nextPaymentDate: date().nullable(),
  totalNumberOfInstallments: integer(1, INSTALLMENTS_MAX),
  remainingInstallments: integer(0, INSTALLMENTS_MAX),
  frequencyValue: integer(1, FREQUENCY_MAX),
  frequencyUnits: enumeration(frequencyUnits),
  isEnabled: boolean(),
});

const requestSchema = accepting(paymentPlanSchema, {
  chargeOnlyIfBalanceOwed: boolean().nullish(),
  chargeAmount: decimal().nullish(),
  startDate: date(ORDER_DATE_LAST).nullish(),
  totalNumberOfInstallments: integer(1, INSTALLMENTS_MAX).nullish(),
  frequencyValue: integer(1, FREQUENCY_MAX).nullish(),
  frequencyUnits: enumeration(frequencyUnits).nullish(),
  isEnabled: boolean().nullish(),
});
export type PaymentPlanRequest = z.output<typeof requestSchema>;

export const paymentPlanCodec = compile(root('paymentPlan', paymentPlanSchema));
export const paymentPlanRequest = compile(root('paymentPlan', requestSchema));
