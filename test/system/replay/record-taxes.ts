/** The paths of the workflow of a tenant's tax records that are kept as histories. */
import type { WorkflowHandle } from '@temporalio/client';
import { startAvatax } from '../../support/avatax.ts';
import { attributesOf, isRunning, until, type Harness } from '../../workflows/harness.ts';
import { openTaxed } from '../../workflows/tax-records/taxed.ts';

export const taxPaths: Record<string, (harness: Harness) => Promise<WorkflowHandle>> = {
  async 'taxes-records'(harness) {
    const double = await startAvatax();
    const { invoice, again, workflow } = await openTaxed(harness, double.url);
    await invoice();
    await again();
    await workflow.result();
    double.close();
    return workflow;
  },

  async 'taxes-waits-and-records'(harness) {
    const double = await startAvatax();
    const { invoice, again, workflow } = await openTaxed(harness, double.url);
    double.be('unavailable', { only: 'createoradjust' });
    await invoice();
    await again();
    await until(
      'it waits',
      async () =>
        (await isRunning(workflow)) && (await attributesOf(workflow)).includes('Phase=Waiting'),
    );
    double.be('well');
    await again();
    await workflow.result();
    double.close();
    return workflow;
  },
};
