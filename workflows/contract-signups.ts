/** The contract of the workflow of a hosted sign-up: its input, its looks, what is asked of it. */
import { defineUpdate } from '@temporalio/workflow';
import type { TenantInput } from './contract.ts';

export interface SignupInput extends TenantInput {
  readonly signupId: string;
  readonly title: string;
}

/** What a look at a sign-up did and found. */
export interface SignupLook {
  /** What has happened since the look before, oldest first. */
  readonly happened: readonly string[];
  /** Open, Storing, Working, Confirming, Charging; Processed, Failed or Expired; Gone without a row. */
  readonly phase: string;
  /** `open until 10:30, 1 of 3 tries declined, order 1001` */
  readonly told: string;
  /** The try that is not final yet. */
  readonly openTry: string | null;
  readonly failureCode: string | null;
  readonly waitMs: number | null;
  readonly ended: boolean;
}

/** Asked for with a form that was submitted; completes when its try is final. */
export interface SubmittedTry {
  readonly tryId: string;
}

export interface SubmitOutcome {
  readonly phase: string;
}

/** The books keep the reason. */
export interface CancelRequest {
  readonly reason: string;
}

export interface CancelOutcome {
  readonly did: string;
}

export const submitSignup = defineUpdate<SubmitOutcome, [SubmittedTry]>('submit');
export const cancelSignup = defineUpdate<CancelOutcome, [CancelRequest]>('cancel');

/** @see SignupInput */
export interface SignupLookInput extends TenantInput {
  readonly signupId: string;
}

export interface SignupCancelInput extends SignupLookInput {
  readonly reason: string;
  /** Identifies the request, so that a repeated activity does it once. */
  readonly requestId: string;
}
