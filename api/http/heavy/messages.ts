/** The messages between the API's main thread and its thread for heavy calls. */
import type { HashCost } from '../../../operations/access/passwords.ts';
import type { Described } from '../../../operations/context/describe-error.ts';
import type { Nudge } from '../../../operations/context/nudge.ts';
import type { WorkLine } from '../../../operations/context/work-log.ts';
import type { GatewayOptions } from '../../../providers/gateway/adapters.ts';
import type { Answer } from '../../calls/answer.ts';
import type { RawCall } from '../../calls/call.ts';
import type { FieldError, MissedId } from '../../calls/errors.ts';

/** The thread's part of the settings of its process. */
export interface HeavySettings {
  readonly databaseUrl: string;
  readonly readDatabaseUrl?: string | undefined;
  readonly gateway: GatewayOptions;
  readonly hashCost: HashCost;
  readonly fingerprintKey: Uint8Array;
}

/** A call without its functions. */
export interface SentCall extends Omit<RawCall, 'header' | 'noteMiss'> {
  readonly headers: Readonly<Record<string, string>>;
}

export type ToThread =
  | {
      readonly kind: 'call';
      readonly number: number;
      /** @see routeKey */
      readonly route: string;
      readonly call: SentCall;
    }
  | { readonly kind: 'end' };

export interface Refusal {
  readonly status: number;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;
  readonly missed: readonly MissedId[];
  /** The error that caused a refusal of 500 or more. */
  readonly cause: Described | undefined;
}

interface Ended {
  readonly number: number;
  /** The bytes that each transaction exchanged with PostgreSQL. */
  readonly moved: readonly number[];
}

/** An answer whose body changes its thread without a copy. */
export interface SentAnswer extends Omit<Answer, 'body'> {
  readonly body: Uint8Array<ArrayBuffer>;
}

export interface AnsweredCall extends Ended {
  readonly kind: 'answered';
  readonly answer: SentAnswer;
  /** @see RawCall.noteMiss */
  readonly missed: readonly MissedId[];
}

export interface RefusedCall extends Ended {
  readonly kind: 'refused';
  readonly refusal: Refusal;
}

export type FromThread =
  | AnsweredCall
  | RefusedCall
  | { readonly kind: 'ready' }
  /** The event loop is alive. */
  | { readonly kind: 'beat' }
  | { readonly kind: 'nudges'; readonly tenantId: number; readonly nudges: readonly Nudge[] }
  | { readonly kind: 'work'; readonly line: WorkLine }
  | { readonly kind: 'lost'; readonly error: Described };

export const BEAT_MS = 1_000;
