/** The payment plan of a customer: make, read, change, disable. */
import {
  changePaymentPlan,
  createPaymentPlan,
  disablePaymentPlan,
} from '../../../operations/payment-plans/change.ts';
import { type PaymentPlanView, readPaymentPlan } from '../../../operations/payment-plans/read.ts';
import type { CustomerAddress } from '../../../operations/context/locks.ts';
import type { OperationContext } from '../../../operations/context/context.ts';
import { addressed } from '../../calls/addressed.ts';
import type { Answer } from '../../calls/answer.ts';
import type { Write } from '../../calls/call.ts';
import type { Route } from '../../calls/route.ts';
import { type RouteDependencies, found, reading } from '../../calls/services.ts';
import { paymentPlanCodec, paymentPlanRequest } from './schema.ts';

export function paymentPlanRoutes(dependencies: RouteDependencies): Route[] {
  const { reads, writes } = addressed('paymentPlan', dependencies);
  const shared = { below: '/paymentPlan', response: paymentPlanCodec } as const;
  return [
    ...reads({
      ...shared,
      summary: 'The payment plan of a customer: the enabled one, or the last one',
      right: 'read',
      find: ({ tenant, address }) =>
        reading(dependencies, tenant, (tx) => readPaymentPlan(tx, address)),
      document: (plan) => plan,
    }),
    ...writes({
      ...shared,
      method: 'POST',
      summary: 'Make the payment plan of a customer; an installment of today is charged at once',
      right: 'write',
      status: 201,
      request: paymentPlanRequest,
      isUnversioned: true,
      handler: ({ write, address, body }) =>
        writing(write, address, (context) => createPaymentPlan(context, address, body)),
    }),
    ...writes({
      ...shared,
      method: 'PUT',
      summary: 'Change the future installments of the payment plan of a customer',
      right: 'write',
      request: paymentPlanRequest,
      handler: ({ write, address, body }) =>
        writing(write, address, (context) => changePaymentPlan(context, address, body)),
    }),
    ...writes({
      ...shared,
      method: 'DELETE',
      summary: 'Disable the payment plan of a customer: it charges no further installment',
      right: 'write',
      handler: ({ write, address }) =>
        writing(write, address, (context) => disablePaymentPlan(context, address)),
    }),
  ];
}

function writing(
  write: Write<PaymentPlanView>,
  address: CustomerAddress,
  operation: (context: OperationContext) => Promise<void>,
): Promise<Answer> {
  return write(async (context) => {
    await operation(context);
    return found('customer', await readPaymentPlan(context.finalQuery, address), address);
  });
}
