/** Makes a workflow read its rows again. */
import type { WorkflowKind } from './kinds.ts';

/** One row per workflow: a nudge has no content, so several merge into one. */
export interface Nudge {
  readonly kind: WorkflowKind;
  /** The order's or the customer's id, or that of a cascade's first payment; null for the tenant's own workflows. */
  readonly objectId: number | null;
}

/** The tenant's one workflow of mails. */
export const mailNudge: Nudge = { kind: 'mail', objectId: null };
