/** The error of a request: a status, and the errors that the answer lists. */
import type { ShownPage } from './answer.ts';
import { maskCardNumbers } from '../../domain/payments/card-masking.ts';
import type { AddressedKind } from '../../operations/context/kinds.ts';
import type { ErrorCode } from './catalogue.ts';

export interface FieldError {
  /** Stable and documented, for example `field.required`. */
  readonly code: ErrorCode;
  /** The element or parameter at fault, for example `customer/billingContact`. */
  readonly path?: string | undefined;
  /** The value at fault, cut short; never a secret. */
  readonly value?: string | undefined;
  /** Says what was wrong and what was expected; never repeats a secret. */
  readonly message: string;
}

const SHOWN_VALUE_LENGTH_MAX = 60;

/** An offending value for an error: masked for card numbers first, then cut. */
export const shownValue = (value: string): string => {
  const masked = maskCardNumbers(value);
  return masked.length > SHOWN_VALUE_LENGTH_MAX
    ? `${masked.slice(0, SHOWN_VALUE_LENGTH_MAX)}...`
    : masked;
};

/** An id that is unknown in the tenant; for an id in a body the kind is meaningless. */
export interface MissedId {
  readonly kind: AddressedKind | 'any';
  readonly id: number;
}

export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: number;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;
  readonly missed: readonly MissedId[];

  constructor(
    status: number,
    errors: FieldError | readonly FieldError[],
    headers: Readonly<Record<string, string>> = {},
    missed: readonly MissedId[] = [],
  ) {
    const list: readonly FieldError[] = 'code' in errors ? [errors] : errors;
    super(list[0]?.message ?? 'The request is refused.');
    this.status = status;
    this.errors = list;
    this.headers = headers;
    this.missed = missed;
  }
}

/** A refusal with the page that shows it. */
export class PageRefusal extends RequestError {
  readonly page: ShownPage;

  constructor({ status, errors, headers, missed }: RequestError, page: ShownPage) {
    super(status, errors, headers, missed);
    this.page = page;
  }
}

export function badRequest(
  code: ErrorCode,
  message: string,
  path?: string,
  value?: string,
): RequestError {
  return new RequestError(400, { code, message, path, value });
}
