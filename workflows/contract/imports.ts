/** The contract of batch jobs: imports of files, and the carrying over of a tenant's books. */
import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { TenantInput } from './contract.ts';

export interface BatchInput extends TenantInput {
  readonly batchId: string;
  readonly title: string;
  /** Of a file of line items: the workflow of its invoices. */
  readonly parent?: string;
}

/** `init` carries over; the others are the kinds of files. */
export type BatchKind = 'customers' | 'invoices' | 'lines' | 'init';

/** To a file of line items: the rows of the invoices are done. */
export const invoicesDone = defineSignal('invoicesDone');

/** To a file of line items: its job was cancelled, so it waits for nobody. */
export const invoicesCancelled = defineSignal('invoicesCancelled');

/** To the invoices: a file of line items is read. */
export const linesStaged = defineSignal<[batchId: string]>('linesStaged');

export interface WithReason {
  /** Stored with the job. */
  readonly reason: string;
  /** The person's name, for the audit log. Older histories lack it. */
  readonly by?: string | undefined;
}

/** Stops the job after the chunk under way. */
export const cancelImport = defineUpdate<void, [WithReason]>('cancel');

/** Goes on with a job that waits after a fault. */
export const resumeImport = defineUpdate<void, [WithReason]>('resume');

/** For people who look at a job that has ended. */
export interface BatchEnd {
  readonly status: string;
  readonly successes: number;
  readonly failures: number;
  /** The failures by code. */
  readonly codes: Readonly<Record<string, number>>;
}
