/** What a worker and its process for suspects say to each other. */
import type { BilledBatch } from '../operations/billing/batch.ts';

/** The first message; the address is in no argument, where every user of the machine would see it. */
export interface OpenMessage {
  readonly kind: 'open';
  readonly databaseUrl: string;
}

export interface BillMessage {
  readonly kind: 'bill';
  readonly tenantId: number;
  readonly customerId: number;
}

export type ToChild = OpenMessage | BillMessage;

/** An error without the data that it happened to. */
export type Described = Record<string, unknown>;

export type FromChild =
  | { readonly kind: 'ready' }
  /** The event loop turns. */
  | { readonly kind: 'beat' }
  | { readonly kind: 'billed'; readonly batch: BilledBatch }
  | { readonly kind: 'failed'; readonly error: Described }
  | { readonly kind: 'bug'; readonly error: Described };

export const BEAT_MS = 250;
/** With this code it ends where its surroundings failed: no customer is at fault. */
export const EXIT_OF_SURROUNDINGS = 75;
