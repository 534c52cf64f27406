/** All workflows: where the bundle for the worker begins. */
export { batchImport } from './batch-import.ts';
export { billingRun } from './billing-run.ts';
export { callbacks } from './callbacks.ts';
export { mail } from './mail.ts';
export { dunning } from './dunning.ts';
export { passwords } from './passwords.ts';
export { payment } from './payment.ts';
export { paymentPlan } from './payment-plan.ts';
export { report } from './report.ts';
export { signup } from './signup.ts';
export { subscription } from './subscription.ts';
export { taxRecords } from './tax-records.ts';
export { testClock } from './test-clock.ts';
