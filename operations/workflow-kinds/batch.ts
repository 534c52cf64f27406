/** The workflow of a batch job; a file of line items goes with its invoices. */
import { objectWorkflow } from './description.ts';

export const batch = objectWorkflow({
  // Nobody waits for it who could wait for something else.
  priority: 5,
  title: (batchId) => `Batch job ${batchId}`,
  idInput: 'batchId',
  facts: null,
  phase: 'Reading',
  needed: `select own.id, own.id as number, own.status
    from batch own where own.tenant_id = $1 and own.status = 'Queued' and own.parent_id is null`,
  isOwned: false,
  isPaced: false,
});
