/** Bills everything due of a tenant at each 00:00 of its zone, and catches up missed days at once. */
import {
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { billTenant, planBillingRun } from './activities.ts';
import { nudge } from './contract.ts';
import type { BillingRunProgress, TenantInput } from './contract.ts';

const WAKES_PER_RUN_MAX = 24;

export async function billingRun(input: TenantInput): Promise<void> {
  let nudged = false;
  setHandler(
    nudge,
    () => {
      nudged = true;
    },
    { description: 'The tenant was applied again: plan the next run anew.' },
  );
  for (let wakes = 1; ; wakes++) {
    nudged = false;
    let plan = await planBillingRun(input);
    let last = 'none since this workflow began';
    if (plan.due) {
      last = await bill(input, plan.runOn);
      plan = await planBillingRun(input);
    }
    if (plan.ended) return;
    setCurrentDetails(`Next run: ${plan.runOn}\n\nLast run: ${last}`);
    // A day that began during the last run is due at once.
    if (!plan.due) {
      await condition(() => nudged, plan.waitMs, { summary: `bills ${plan.runOn}` });
    }
    if (wakes >= WAKES_PER_RUN_MAX || workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof billingRun>(input);
    }
  }
}

async function bill(input: TenantInput, runOn: string): Promise<string> {
  for (;;) {
    const progress = await billTenant({ ...input, runOn });
    if (progress.done) return `${runOn}, ${describeDone(progress)}`;
    setCurrentDetails(
      `Bills ${runOn}: ${describe(progress)}, ${progress.invoicesPerSecond} invoices/s`,
    );
  }
}

/** The counts, then the held customers. */
function describeDone(progress: BillingRunProgress): string {
  const shown = progress.heldCustomers ?? [];
  const lines = shown.map(({ customerId, code }) => `- customer ${customerId}: ${code}`);
  const more = progress.held - shown.length;
  if (shown.length > 0 && more > 0) lines.push(`- and ${more} more`);
  const list = lines.length === 0 ? '' : `\n\nHeld from billing:\n\n${lines.join('\n')}`;
  return `${describe(progress)}${list}`;
}

function describe({ customers, orders, invoices, held }: BillingRunProgress): string {
  return `${customers} customers, ${orders} orders, ${invoices} invoices, ${held} held`;
}
