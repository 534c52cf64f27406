/**
 * All workflows: where the bundle for the worker begins. A workflow goes on with the current build of
 * the worker at its next task, so a change of its code replays what earlier builds began. Those that
 * wait for nobody and end soon may be pinned: the build that began them ends them.
 */
import { setWorkflowOptions, workflowInfo } from '@temporalio/workflow';
import { passwords } from './passwords.ts';
import { report } from './report.ts';

export { batchImport } from './batch-import.ts';
export { billingRun } from './billing-run.ts';
export { callbacks } from './callbacks.ts';
export { mail } from './mail.ts';
export { dunning } from './dunning.ts';
export { passwords };
export { payment } from './payment.ts';
export { paymentPlan } from './payment-plan.ts';
export { report };
export { signup } from './signup.ts';
export { subscription } from './subscription.ts';
export { taxRecords } from './tax-records.ts';
export { testClock } from './test-clock.ts';

// The engine refuses the word of a worker that is given tasks whatever its build is: one of no deployment.
const pinned = (): { readonly versioningBehavior?: 'PINNED' } =>
  workflowInfo().currentDeploymentVersion?.deploymentName ? { versioningBehavior: 'PINNED' } : {};
setWorkflowOptions(pinned, passwords);
setWorkflowOptions(pinned, report);
