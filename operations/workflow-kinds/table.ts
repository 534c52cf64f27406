/**
 * The kinds of workflows, one row each: a new one is its file here, its row, and its code in
 * `workflows/`. Starts, restarts after a loss, the audit and the tests read this table.
 */
import type { ObjectWorkflowKind, TenantWorkflowKind } from '../context/kinds.ts';
import { batch } from './batch.ts';
import { callbacks } from './callbacks.ts';
import type { ObjectWorkflow, TenantWorkflow } from './description.ts';
import { dunning } from './dunning.ts';
import { order } from './order.ts';
import { paymentPlan } from './payment-plan.ts';
import { payment } from './payment.ts';
import { signup } from './signup.ts';
import { billing, clock, mail, passwords, taxes } from './tenant-workflows.ts';

/** In the order of restarts: callers wait for payments. */
export const objectWorkflows = {
  payment,
  signup,
  callbacks,
  paymentPlan,
  dunning,
  order,
  batch,
} as const satisfies Readonly<Record<ObjectWorkflowKind, ObjectWorkflow>>;

export const tenantWorkflows = {
  billing,
  clock,
  mail,
  passwords,
  taxes,
} as const satisfies Readonly<Record<TenantWorkflowKind, TenantWorkflow>>;

export const objectWorkflowKinds = Object.keys(objectWorkflows) as readonly ObjectWorkflowKind[];
export const tenantWorkflowKinds = Object.keys(tenantWorkflows) as readonly TenantWorkflowKind[];
