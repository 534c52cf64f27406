/** A call as handlers and writes see it, and what comes of it. */
import type { Tx } from '../../db/connection/tenancy.ts';
import type { AddressedKind } from '../../operations/context/kinds.ts';
import type { OperationContext, TenantInfo } from '../../operations/context/context.ts';
import type { User } from '../http/context.ts';
import type { Answer } from './answer.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What a handler is called with: everything checked, nothing of HTTP. */
export interface Call<Query, Body> {
  readonly tenant: TenantInfo;
  readonly user: User;
  readonly requestId: string;
  /** The id in the path; 0 where the path has none. */
  readonly id: number;
  readonly query: Query;
  readonly body: Body;
  /** Says that an id named nothing where that is no error: it may be another tenant's. */
  readonly noteMiss: (kind: AddressedKind, id: number) => void;
}

/** The one way of a handler to change rows; what it answers with is made in the transaction. */
export type Write<Result> = (
  operation: (context: OperationContext) => Promise<Result>,
  options?: WriteOptions,
) => Promise<Answer>;

export interface WriteOptions {
  /** 'none' for an operation that locks the test clock itself. */
  readonly clock?: 'share' | 'none';
}

export interface WriteCall<Query, Body, Result> extends Call<Query, Body> {
  readonly write: Write<Result>;
  /** Tells this request from others elsewhere: the same when it is sent again under its key. */
  readonly onceKey: () => string;
}

/** The parts of a call that come from HTTP as they are. */
export interface RawCall extends Omit<Call<unknown, unknown>, 'query' | 'body'> {
  readonly method: string;
  /** Of the request line, without and with its query. */
  readonly path: string;
  readonly url: string;
  readonly address: string;
  readonly parameters: Readonly<Record<string, string | string[] | undefined>>;
  readonly header: (name: string) => string | undefined;
  readonly readBody: () => Promise<Uint8Array>;
  /** Waits for the turn of a heavy call; the body is read before, a slow caller keeps nobody. */
  readonly begin: (bodyBytes?: number) => Promise<void>;
}

/** What an operation answers with, and the payment that the answer speaks of, if it is of one. */
export interface Made {
  readonly answer: Answer;
  readonly paymentId: number | null;
}

/** Answers with a payment as it stands now. */
export type PresentOf = (tx: Tx, paymentId: number) => Promise<Answer>;
