/** The log line of a payment's step. */
import type { PaymentProgress } from '../../workflows/contract/contract.ts';
import { tenantInfo, type Dependencies } from '../context/context.ts';
import { since } from '../context/work-log.ts';

/** @param began the start of the step, by `performance.now()` */
export async function logPayment(
  dependencies: Dependencies,
  tenantId: number,
  progress: PaymentProgress,
  began: number,
): Promise<PaymentProgress> {
  if (dependencies.onWork) {
    const { label: tenant } = await tenantInfo(dependencies, tenantId);
    const { paymentId, status, phase, amount, did, failureCode: code, asks, waitMs } = progress;
    const next = waitMs !== null && waitMs > 0 ? { nextInMilliseconds: waitMs } : {};
    dependencies.onWork({
      ...(asks ? { work: 'retry', of: 'payment' } : { work: 'payment' }),
      tenant,
      paymentId,
      status,
      phase,
      amount,
      did,
      code,
      ...next,
      milliseconds: since(began),
    });
  }
  return progress;
}
