/** Bills suspects: each alone, in a process of its own of whose death nobody else takes harm. */
import { blame } from '../../db/queries/billing/notes.ts';
import { billCustomers } from './bill-customers.ts';
import { generateApart } from './generate.ts';
import { inOperation } from '../context/context.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import type { BilledBatch } from './batch.ts';
import { holdCustomers, lockCustomers } from './customers.ts';
import { isPassing } from './faults.ts';

/** The process for suspects, as those see it who would like one of them billed. */
export interface Apart {
  /**
   * Bills everything due of the customer, or holds it when the process died of it. Undefined when
   * it could not be tried to the end: it stays a suspect, and comes again.
   */
  readonly bill: (tenantId: number, customerId: number) => Promise<BilledBatch | undefined>;
}

/** Of what bills many customers. */
export interface BillingDependencies extends Dependencies {
  /** Where suspects are billed; without it they wait for a process that has it. */
  readonly apart?: Apart;
}

/** Runs in that process. Whoever passes is a suspect no more. */
export async function billApart(
  dependencies: Dependencies,
  tenantId: number,
  customerId: number,
): Promise<BilledBatch> {
  await rehearse(dependencies, tenantId, customerId);
  return billCustomers(dependencies, tenantId, [customerId], { wait: true, isApart: true });
}

class Rehearsed extends Error {}

/** Makes the invoices that generateInvoice would, and undoes them: the API has to survive that. */
async function rehearse(
  dependencies: Dependencies,
  tenantId: number,
  customerId: number,
): Promise<void> {
  try {
    await inOperation(dependencies, tenantId, async (context) => {
      const [customer] = await lockCustomers(context.tx, [customerId], true);
      if (customer && !customer.held) await generateApart(dependencies, context, customerId);
      throw new Rehearsed();
    });
  } catch (error) {
    // What else can go wrong is said by the billing itself, or to the caller of the API.
    if (isPassing(error)) throw error;
  }
}

/** The process died while it billed this customer, by nobody else's doing. */
export function holdCrashed(
  dependencies: Dependencies,
  tenantId: number,
  customerId: number,
): Promise<BilledBatch['held']> {
  const held = [{ customerId, code: 'billing.crashed' }];
  const also = (context: OperationContext): Promise<void> => blame(context.tx, customerId);
  return holdCustomers(dependencies, tenantId, held, also).then(() => held);
}
