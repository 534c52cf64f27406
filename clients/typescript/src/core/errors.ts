/**
 * The errors of the client. No message has a parameter, a body or a credential: a service's text
 * names the element at fault, and repeats no secret.
 */
import type { ErrorCode, StatusError } from '../generated/types.ts';

/** The base of all of them. */
export class SundialError extends Error {
  override readonly name: string = 'SundialError';
}

/** One mistake of a refused call. */
export interface Mistake {
  readonly code: ErrorCode;
  /** The element, parameter or header at fault: `subscriptionOrder/orderLineItems/orderLineItem[2]/quantity`. */
  readonly field: string | undefined;
  /** What stood there, cut to 60 characters; never a secret. */
  readonly value: string | undefined;
  /** For people; the wording may change. */
  readonly text: string;
}

export interface RefusalDetails {
  readonly call: string;
  readonly status: number;
  readonly mistakes: readonly Mistake[];
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
}

/** The service has answered, and did not do what the call asked for. */
export class Refusal extends SundialError {
  override readonly name: string = 'Refusal';
  readonly status: number;
  /** Every mistake of the call. */
  readonly mistakes: readonly Mistake[];
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor({ call, status, mistakes, requestId, retryAfterSeconds }: RefusalDetails) {
    const words = mistakes.map(({ code, field, text }) =>
      [code, ...(field === undefined ? [] : [`at ${field}`]), `(${text})`].join(' '),
    );
    super(`${call} answered ${status}${words.length === 0 ? '' : `: ${words.join('; ')}`}`);
    this.status = status;
    this.mistakes = mistakes;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Of the first mistake. */
  get code(): ErrorCode {
    return this.mistakes[0]?.code ?? '';
  }

  get field(): string | undefined {
    return this.mistakes[0]?.field;
  }

  /** Whether one of the mistakes has the code. */
  has(code: ErrorCode): boolean {
    return this.mistakes.some((mistake) => mistake.code === code);
  }
}

/** 400: the request is wrong. */
export class InvalidRequest extends Refusal {
  override readonly name = 'InvalidRequest';
}

/** 401 and 403: host, credentials, role or rights. */
export class AccessDenied extends Refusal {
  override readonly name = 'AccessDenied';
}

/** 404: the object that the call addresses does not exist. */
export class NotFound extends Refusal {
  override readonly name = 'NotFound';
}

/** 409: something in progress, or a change meanwhile. */
export class Conflict extends Refusal {
  override readonly name = 'Conflict';
}

/** 412: the object has changed since the version of `ifMatch`. */
export class ObjectChanged extends Refusal {
  override readonly name = 'ObjectChanged';
}

/** 429, after the retries. */
export class TooManyRequests extends Refusal {
  override readonly name = 'TooManyRequests';
}

/** 5xx, after the retries. */
export class ServiceFailure extends Refusal {
  override readonly name = 'ServiceFailure';
}

/** No answer came, after the retries: a write may have been made. */
export class NoAnswer extends SundialError {
  override readonly name = 'NoAnswer';
  /** With this key the same call can be sent again, and is made once; of a write. */
  readonly idempotencyKey: string | undefined;

  constructor(call: string, idempotencyKey: string | undefined, cause: unknown) {
    super(`${call} got no answer: ${reasonOf(cause)}`, { cause });
    this.idempotencyKey = idempotencyKey;
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'the connection failed';
  const { code } = cause as { readonly code?: unknown };
  return typeof code === 'string' ? code : cause.name;
}

/** The customer is saved, and its address is invalid or was not validated. */
export class SavedWithFaults extends SundialError {
  override readonly name = 'SavedWithFaults';
  readonly customerId: number | undefined;
  readonly mistakes: readonly Mistake[];

  constructor(call: string, customerId: number | undefined, mistakes: readonly Mistake[]) {
    super(`${call} has saved the customer: ${mistakes.map(({ text }) => text).join('; ')}`);
    this.customerId = customerId;
    this.mistakes = mistakes;
  }
}

/** The answer is no document of the interface, as that of a proxy. */
export class UnexpectedAnswer extends SundialError {
  override readonly name = 'UnexpectedAnswer';
  readonly status: number;

  constructor(call: string, status: number) {
    super(`${call} answered ${status} with something other than a document of Sundial`);
    this.status = status;
  }
}

export function refusalOf(details: RefusalDetails): Refusal {
  const { status } = details;
  if (status >= 500) return new ServiceFailure(details);
  switch (status) {
    case 401:
    case 403:
      return new AccessDenied(details);
    case 404:
      return new NotFound(details);
    case 409:
      return new Conflict(details);
    case 412:
      return new ObjectChanged(details);
    case 429:
      return new TooManyRequests(details);
    default:
      return new InvalidRequest(details);
  }
}

export const mistakesOf = (errors: readonly StatusError[] | null | undefined): Mistake[] =>
  (errors ?? []).map(({ code, path, value, text }) => ({ code, field: path, value, text }));
