/** Bills suspects: each alone, in a process of its own of whose death nobody else takes harm. */
import { blame } from '../../db/queries/billing-notes.ts';
import { billCustomers } from '../billing.ts';
import { generateApart } from '../generate-invoices.ts';
import { working } from '../services.ts';
import type { Services, Work } from '../services.ts';
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

/** Runs in that process. Whoever passes is a suspect no more. */
export async function billApart(
  services: Services,
  tenantId: number,
  customerId: number,
): Promise<BilledBatch> {
  await rehearse(services, tenantId, customerId);
  return billCustomers(services, tenantId, [customerId], { wait: true, isApart: true });
}

class Rehearsed extends Error {}

/** Makes the invoices that generateInvoice would, and undoes them: the API has to survive that. */
async function rehearse(services: Services, tenantId: number, customerId: number): Promise<void> {
  try {
    await working(services, tenantId, async (work) => {
      const [customer] = await lockCustomers(work.tx, [customerId], true);
      if (customer && !customer.held) await generateApart(services, work, customerId);
      throw new Rehearsed();
    });
  } catch (error) {
    // What else can go wrong is said by the billing itself, or to the caller of the API.
    if (isPassing(error)) throw error;
  }
}

/** The process died while it billed this customer, by nobody else's doing. */
export function holdCrashed(
  services: Services,
  tenantId: number,
  customerId: number,
): Promise<BilledBatch['held']> {
  const held = [{ customerId, code: 'billing.crashed' }];
  const also = (work: Work): Promise<void> => blame(work.tx, customerId);
  return holdCustomers(services, tenantId, held, also).then(() => held);
}
