/** Bills suspects one at a time in a separate process, whose crash affects nothing else. */
import { blame } from '../../db/queries/billing/notes.ts';
import { billCustomers } from './bill-customers.ts';
import { generateApart } from './generate.ts';
import { inOperation, type Dependencies, type OperationContext } from '../context/context.ts';
import type { BilledBatch } from './batch.ts';
import { holdCustomers } from './customers.ts';
import { lockCustomers } from '../context/locks.ts';
import { isTransientForCustomer } from './faults.ts';

/** The interface of the process for suspects. */
export interface Apart {
  /**
   * Bills everything due of the customer, or holds it if that crashed the process. Undefined if the
   * attempt did not finish: the customer stays a suspect and is tried again.
   */
  readonly bill: (tenantId: number, customerId: number) => Promise<BilledBatch | undefined>;
}

/** Dependencies of operations that bill many customers. */
export interface BillingDependencies extends Dependencies {
  /** Bills suspects; without it they wait for a process that has it. */
  readonly apart?: Apart;
}

/** Runs in that process. A customer that is billed here is no longer a suspect. */
export async function billApart(
  dependencies: Dependencies,
  tenantId: number,
  customerId: number,
): Promise<BilledBatch> {
  await rehearse(dependencies, tenantId, customerId);
  return billCustomers(dependencies, tenantId, [customerId], { wait: true, isApart: true });
}

class Rehearsed extends Error {}

/** Makes the invoices of generateInvoice and rolls back, since the API must survive that too. */
async function rehearse(
  dependencies: Dependencies,
  tenantId: number,
  customerId: number,
): Promise<void> {
  try {
    await inOperation(dependencies, tenantId, async (context) => {
      const [customer] = await lockCustomers(context.tx, [customerId]);
      if (customer && !customer.isHeld) await generateApart(dependencies, context, customerId);
      throw new Rehearsed();
    });
  } catch (error) {
    // The billing itself, or the caller of the API, gets all other errors.
    if (isTransientForCustomer(error)) throw error;
  }
}

/** Holds a customer whose billing crashed the process. */
export function holdCrashed(
  dependencies: Dependencies,
  tenantId: number,
  customerId: number,
): Promise<BilledBatch['held']> {
  const held = [{ customerId, code: 'billing.crashed' }];
  const also = (context: OperationContext): Promise<void> => blame(context.tx, customerId);
  return holdCustomers(dependencies, tenantId, held, also).then(() => held);
}
