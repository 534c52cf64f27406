/** The contract of the workflow that sends callbacks: its input, its Update, its progress. */
import { defineUpdate } from '@temporalio/workflow';
import type { TenantInput } from './contract.ts';

export interface CallbacksInput extends TenantInput {
  readonly endpointId: string;
  readonly title: string;
}

/** Sends again what was given up to an endpoint, and ends its pause. */
export const resumeCallbacks = defineUpdate<CallbacksResumed, [Reasoned]>('resume');

/** What a person gives with an Update. */
export interface Reasoned {
  readonly reason: string;
}

export interface CallbacksResumed {
  /** The events that are sent again. */
  readonly events: number;
}

/** How far an endpoint is. */
export interface CallbackProgress {
  /** Nothing is left to send, and nothing is given up that could be sent again. */
  readonly done: boolean;
  readonly phase: 'Delivering' | 'Retrying' | 'Paused' | 'GivenUp' | 'Off' | 'Done';
  /** The host of its address. */
  readonly endpoint: string;
  /** The events delivered by this slice. */
  readonly delivered: number;
  /** The events that failed, and those that wait for them; COUNTED_MAX + 1 stands for any more. */
  readonly waiting: number;
  /** Counted in the same way. */
  readonly givenUp: number;
  readonly failureCode: string | null;
  /** How long to wait before the next slice, in milliseconds; null if there is nothing to wait for. */
  readonly waitMs: number | null;
  /** The creation of the oldest event that waits, in milliseconds since 1970. */
  readonly oldestAt: number | null;
  /** Since when the endpoint has not answered, in milliseconds since 1970. */
  readonly failingSince: number | null;
}
