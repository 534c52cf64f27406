/** The types of a call for handlers and writes, and of its results. */
import type { Tx } from '../../db/connection/tenancy.ts';
import type { AddressedKind } from '../../operations/context/kinds.ts';
import type { OperationContext, TenantInfo } from '../../operations/context/context.ts';
import type { User } from '../access/credentials.ts';
import type { Answer } from './answer.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The parameters of a path that are texts, by name, decoded. */
export type PathTexts = Readonly<Record<string, string>>;

/** The argument of a handler: validated, and independent of HTTP. */
export interface Call<Query, Body> {
  readonly tenant: TenantInfo;
  readonly user: User;
  readonly requestId: string;
  /** The id in the path; 0 if the path has none. */
  readonly id: number;
  readonly pathTexts: PathTexts;
  readonly query: Query;
  /** The request line with its query. */
  readonly url: string;
  readonly body: Body;
  /** It runs beside the light calls, and may compute for long. */
  readonly isHeavy: boolean;
  /** Reports an unknown id where that is not an error: it may be another tenant's. */
  readonly noteMiss: (kind: AddressedKind, id: number) => void;
}

/** The only way for a handler to change rows; the transaction also builds the answer. */
export type Write<Result> = (
  operation: (context: OperationContext) => Promise<Result>,
  options?: WriteOptions,
) => Promise<Answer>;

export interface WriteOptions {
  /** 'none' for an operation that locks the test clock itself. */
  readonly clock?: 'share' | 'none';
  /** The status of this success, if it is not that of the route. */
  readonly status?: number;
}

export interface WriteCall<Query, Body, Result> extends Call<Query, Body> {
  readonly write: Write<Result>;
  /** A key for other systems: the same if the request is repeated with its Idempotency-Key. */
  readonly onceKey: () => string;
}

/** The parts of a call that come directly from HTTP. */
export interface RawCall extends Omit<Call<unknown, unknown>, 'query' | 'body'> {
  readonly method: string;
  /** The request line without its query. */
  readonly path: string;
  readonly address: string;
  readonly parameters: Readonly<Record<string, string | string[] | undefined>>;
  readonly header: (name: string) => string | undefined;
  /** The body; empty for a route without a document. */
  readonly bytes: Uint8Array;
}

/** The answer of an operation, and the payment or job that it shows, if any. */
export interface Made {
  readonly answer: Answer;
  readonly continuingId: number | null;
}

/** Answers with the current state of a payment or job. */
export type PresentOf = (tx: Tx, continuingId: number) => Promise<Answer>;
