/**
 * The kinds of objects, one row each. The other lists of kinds (versions, ids of other tenants,
 * outbox, workflows, audit, counters) are made from this table, or a test in
 * test/operations/context compares them with it.
 */
import type { Kind, KindWorkflow } from './kind.ts';

export type { Kind, KindWorkflow } from './kind.ts';

export const kinds = {
  customer: {
    table: 'customer',
    unknown: 'customer.unknown',
    isAddressed: true,
    isVersioned: true,
    isNumbered: false,
    workflow: null,
    checks: 'balance',
  },
  // Addressed by its customer, whose version it shares.
  contact: {
    table: 'contact',
    unknown: 'contact.unknown',
    isAddressed: false,
    isVersioned: false,
    isNumbered: false,
    workflow: null,
    checks: null,
  },
  // Its version is the plan's own: a changed plan is a new row.
  plan: {
    table: 'plan',
    unknown: 'plan.unknown',
    isAddressed: true,
    isVersioned: false,
    isNumbered: false,
    workflow: null,
    checks: null,
  },
  order: {
    table: 'subscription_order',
    unknown: 'order.unknown',
    isAddressed: true,
    isVersioned: true,
    isNumbered: true,
    workflow: { type: 'subscription', isAwaited: true },
    checks: 'order',
  },
  invoice: {
    table: 'invoice',
    unknown: 'invoice.unknown',
    isAddressed: true,
    isVersioned: true,
    isNumbered: true,
    workflow: null,
    checks: 'invoice',
  },
  // Credits and refunds are payments of another type. One workflow processes a cascade of them.
  payment: {
    table: 'payment',
    unknown: 'payment.unknown',
    isAddressed: true,
    isVersioned: true,
    isNumbered: false,
    workflow: { type: 'payment', isAwaited: false },
    checks: 'payment',
  },
  // What a customer owes that is overdue, and what follows from it.
  dunning: {
    table: 'dunning',
    unknown: 'customer.unknown',
    isAddressed: false,
    isVersioned: false,
    isNumbered: false,
    workflow: { type: 'dunning', isAwaited: true },
    sharesIdOf: 'customer',
    checks: 'dunning',
  },
  paymentMethod: {
    table: 'payment_method',
    unknown: 'paymentMethod.unknown',
    isAddressed: false,
    isVersioned: false,
    isNumbered: false,
    workflow: null,
    checks: null,
  },
  event: {
    table: 'event',
    unknown: 'event.unknown',
    isAddressed: true,
    isVersioned: false,
    isNumbered: false,
    workflow: null,
    checks: 'event',
  },
  // A usage record.
  activity: {
    table: 'activity',
    unknown: 'activity.unknown',
    isAddressed: true,
    isVersioned: false,
    isNumbered: false,
    workflow: null,
    checks: 'usage',
  },
  // A job of imports, or one that carries the books over.
  batch: {
    table: 'batch',
    unknown: 'batch.unknown',
    isAddressed: true,
    isVersioned: true,
    isNumbered: false,
    workflow: { type: 'batchImport', isAwaited: false },
    checks: 'import',
  },
  // A report that is written to a file: calls see it as a batch.
  report: {
    table: 'batch',
    unknown: 'batch.unknown',
    isAddressed: false,
    isVersioned: false,
    isNumbered: false,
    workflow: { type: 'report', isAwaited: false },
    sharesIdOf: 'batch',
    checks: null,
  },
  // A hosted sign-up, which its tracking or the token of its page addresses.
  signup: {
    table: 'signup',
    unknown: 'signup.unknown',
    isAddressed: false,
    isVersioned: true,
    isNumbered: false,
    workflow: { type: 'signup', isAwaited: false },
    checks: 'signup',
  },
  // An endpoint for callbacks.
  callbacks: {
    table: 'callback_endpoint',
    unknown: 'callbacks.unknown',
    isAddressed: false,
    isVersioned: false,
    isNumbered: false,
    workflow: { type: 'callbacks', isAwaited: false },
    checks: 'callbacks',
  },
  // Addressed by its customer.
  paymentPlan: {
    table: 'payment_plan',
    unknown: 'paymentPlan.unknown',
    isAddressed: false,
    isVersioned: true,
    isNumbered: false,
    workflow: { type: 'paymentPlan', isAwaited: true, idBegins: 'plan' },
    checks: 'paymentPlan',
  },
  // Only the tenant's file changes these two.
  commissionPlan: {
    table: 'commission_plan',
    unknown: 'commissionPlan.unknown',
    isAddressed: true,
    isVersioned: false,
    isNumbered: false,
    workflow: null,
    checks: 'commission',
  },
  salesAgent: {
    table: 'sales_agent',
    unknown: 'salesAgent.unknown',
    isAddressed: true,
    isVersioned: false,
    isNumbered: false,
    workflow: null,
    checks: null,
  },
  // Of the interface; the tenant's file makes and changes it.
  user: {
    table: 'base_user',
    unknown: 'user.unknown',
    isAddressed: true,
    isVersioned: false,
    isNumbered: false,
    workflow: null,
    checks: null,
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof kinds;

/** The names of the kinds for which a property has a value. */
type KindsWith<Property extends Exclude<keyof Kind, 'sharesIdOf'>, Value> = {
  [Name in KindName]: (typeof kinds)[Name][Property] extends Value ? Name : never;
}[KindName];

/** The kinds of objects that calls address by id. */
export type AddressedKind = KindsWith<'isAddressed', true>;
export type VersionedKind = KindsWith<'isVersioned', true>;
/** The kinds that have a workflow. */
export type ObjectWorkflowKind = KindsWith<'workflow', KindWorkflow>;

/** The types of the workflows of a tenant itself, with the id `kind/tenant`. */
export const tenantWorkflowTypes = {
  billing: 'billingRun',
  clock: 'testClock',
  mail: 'mail',
  passwords: 'passwords',
  taxes: 'taxRecords',
} as const;

export type TenantWorkflowKind = keyof typeof tenantWorkflowTypes;

/** All kinds with a workflow, and rows in the outbox. */
export type WorkflowKind = ObjectWorkflowKind | TenantWorkflowKind;

/** The type by which the engine knows a kind's workflows. */
export function workflowTypeOf(kind: WorkflowKind): string {
  return isTenantWorkflow(kind) ? tenantWorkflowTypes[kind] : kinds[kind].workflow.type;
}

export function isTenantWorkflow(kind: WorkflowKind): kind is TenantWorkflowKind {
  return Object.hasOwn(tenantWorkflowTypes, kind);
}

export function isKind(text: string): text is KindName {
  return Object.hasOwn(kinds, text);
}

export function isAddressedKind(text: string): text is AddressedKind {
  return isKind(text) && kinds[text].isAddressed;
}

function hasWorkflow(name: KindName): name is ObjectWorkflowKind {
  return kinds[name].workflow !== null;
}

/** The kinds whose workflows a test clock awaits. */
export type AwaitedName = {
  [Name in ObjectWorkflowKind]: (typeof kinds)[Name]['workflow']['isAwaited'] extends true
    ? Name
    : never;
}[ObjectWorkflowKind];

/** A kind whose workflows a test clock awaits. */
export interface AwaitedKind {
  readonly name: ObjectWorkflowKind;
  readonly table: string;
}

export const awaitedKinds: readonly AwaitedKind[] = Object.keys(kinds)
  .filter(isKind)
  .filter(hasWorkflow)
  .filter((name) => kinds[name].workflow.isAwaited)
  .map((name) => ({ name, table: kinds[name].table }));
