/** Makes payment plans. */
import { DomainError } from '../../domain/errors.ts';
import { newTerms, type PlanInput } from '../../domain/payment-plans/terms.ts';
import { PaymentPlan } from '../../db/entities/payment-plans.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { lockCustomer, type CustomerAddress } from '../context/locks.ts';
import type { OperationContext } from '../context/context.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { endRetries } from '../collection/attempts.ts';
import { reviewRetries } from '../ageing/dunning.ts';
import { insertInstallments } from '../../db/queries/collection/attempts.ts';
import { claimDue, termColumns } from './aggregate.ts';

/**
 * Makes the plan of a customer, in the customer's currency. Retries that have not had their turn
 * end, and with them a dunning without an overdue invoice. An installment of today is charged at
 * once. Throws customer.unknown, paymentPlan.exists, or an error that names the element.
 */
export async function createPaymentPlan(
  context: OperationContext,
  address: CustomerAddress,
  input: PlanInput,
): Promise<void> {
  const { tx, time } = context;
  const { id: customerId, currency } = await lockCustomer(tx, address);
  const terms = newTerms(input, { today: time.today, currency });
  await refuseSecond(context, customerId);
  const [id = 0] = await takeIds(tx, 1);
  const plan = tx.em.create(PaymentPlan, {
    ...termColumns(terms),
    tenantId: tx.tenantId,
    id,
    customerId,
    currency,
    createdAt: time.now,
    updatedAt: time.now,
  });
  await tx.flush();
  endRetries(context, customerId);
  await reviewRetries(context, [customerId]);
  const { startDate } = terms;
  const first = { customerId, paymentPlanId: id, installment: 1, attempt: 1 };
  insertInstallments(tx, [{ ...first, dueOn: startDate, declinedOn: null }], time);
  enqueue(context, [{ kind: 'paymentPlan', objectId: id }]);
  if (startDate === time.today) await claimDue(context, plan);
}

async function refuseSecond({ tx }: OperationContext, customerId: number): Promise<void> {
  const enabled = await tx.query(
    'select 1 from payment_plan where customer_id = $1 and is_enabled',
    [customerId],
    'enabled-payment-plan',
  );
  if (enabled.length === 0) return;
  throw new DomainError(
    'paymentPlan.exists',
    'paymentPlan cannot be created: the customer has an enabled one, which PUT changes',
    { path: 'paymentPlan' },
  );
}
