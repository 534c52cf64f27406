/** The messages between a worker and its process for suspects. */
import type { BilledBatch } from '../operations/billing/batch.ts';
import type { Described } from '../operations/context/describe-error.ts';
import type { SecretKeys } from '../providers/vault.ts';

/**
 * The first message; an argument would show it to every user of the machine, and an environment to
 * every process that this one might start.
 */
export interface OpenMessage extends Opening {
  readonly kind: 'open';
}

/** What the process needs before it can bill. */
export interface Opening {
  readonly databaseUrl: string;
  /** They decrypt the keys of tax providers. */
  readonly secretKeys: SecretKeys;
}

export interface BillMessage {
  readonly kind: 'bill';
  readonly tenantId: number;
  readonly customerId: number;
}

export type ToChild = OpenMessage | BillMessage;

export type FromChild =
  | { readonly kind: 'ready' }
  /** The event loop is alive. */
  | { readonly kind: 'beat' }
  | { readonly kind: 'billed'; readonly batch: BilledBatch }
  | { readonly kind: 'failed'; readonly error: Described }
  | { readonly kind: 'bug'; readonly error: Described };

export const BEAT_MS = 250;
/** The exit code if its environment failed, so that no customer is at fault. */
export const EXIT_OF_SURROUNDINGS = 75;
