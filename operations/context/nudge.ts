/** What asks a workflow to read its rows again. */
import type { WorkflowKind } from './kinds.ts';

/** One row per workflow: a nudge carries nothing, so more of them are one. */
export interface Nudge {
  readonly kind: WorkflowKind;
  /** The order's id, or that of a cascade's first payment; null for the tenant's own workflows. */
  readonly objectId: number | null;
}
