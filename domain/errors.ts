/** The errors that a caller can cause: one class, whose codes are those of the catalogue. */
import { domainErrors, type ErrorKind } from './error-codes.ts';

export type DomainErrorCode = keyof typeof domainErrors;

export interface DomainErrorOptions {
  /** The place in the request: `subscriptionOrder/orderLineItems/orderLineItem[2]/quantity`. */
  readonly path?: string | null;
  /** The offending value as it was sent; never a secret. */
  readonly value?: string | null;
  /** The unknown internal id in the request, if any: it might be another tenant's. */
  readonly id?: number | null;
}

/**
 * A refusal that the caller caused. Faults of the program are assertions instead.
 *
 * @example throw new DomainError('field.invalid', 'ends before it starts', { path: 'endDate' })
 */
export class DomainError extends Error {
  readonly code: DomainErrorCode;
  readonly path: string | null;
  readonly value: string | null;
  readonly id: number | null;

  constructor(code: DomainErrorCode, message: string, options: DomainErrorOptions = {}) {
    super(message);
    this.name = 'DomainError';
    this.code = code;
    this.path = options.path ?? null;
    this.value = options.value ?? null;
    this.id = options.id ?? null;
  }

  get kind(): ErrorKind {
    return domainErrors[this.code].kind;
  }
}

/**
 * Several refusals of one request, all of one kind, in the order of the request.
 *
 * @example throw new DomainErrors([ofTheFirstRecord, ofTheThird])
 */
export class DomainErrors extends Error {
  readonly errors: readonly [DomainError, ...DomainError[]];

  constructor(errors: readonly [DomainError, ...DomainError[]]) {
    super(errors[0].message);
    this.name = 'DomainErrors';
    this.errors = errors;
  }

  get kind(): ErrorKind {
    return this.errors[0].kind;
  }
}
