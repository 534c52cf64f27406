/** The paths of the workflow of a tenant's tax records that are kept as histories. */
import type { WorkflowHandle } from '@temporalio/client';
import { TaxProviderError, type TaxProvider } from '../../../providers/tax/tax-provider.ts';
import { attributesOf, isRunning, until } from '../../workflows/harness.ts';
import type { Harness } from '../../workflows/harness.ts';
import { openTaxed } from '../../workflows/tax-records/taxed.ts';

let isDown = false;

/** The provider of all tenants whose histories are recorded. */
export const recordedProvider: TaxProvider = {
  calculate: ({ lines }) => Promise.resolve(lines.map(({ number }) => ({ number, taxes: [] }))),
  record({ lines }) {
    if (isDown) return Promise.reject(new TaxProviderError('silent', 'http_503'));
    return Promise.resolve({ total: lines[0]?.amount ?? '0', tax: '0' });
  },
  void: () => Promise.resolve('voided'),
  resolve: () => Promise.resolve([]),
};

export const taxPaths: Record<string, (harness: Harness) => Promise<WorkflowHandle>> = {
  async 'taxes-records'(harness) {
    const { invoice, again, workflow } = await openTaxed(harness, recordedProvider);
    await invoice();
    await again();
    await workflow.result();
    return workflow;
  },

  async 'taxes-waits-and-records'(harness) {
    const { invoice, again, workflow } = await openTaxed(harness, recordedProvider);
    isDown = true;
    await invoice();
    await again();
    await until(
      'it waits',
      async () =>
        (await isRunning(workflow)) && (await attributesOf(workflow)).includes('Phase=Waiting'),
    );
    isDown = false;
    await again();
    await workflow.result();
    return workflow;
  },
};
