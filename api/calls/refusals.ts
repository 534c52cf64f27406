/** Maps every thrown error to a status and an error document by one table. */
import { maskCardNumbers } from '../../domain/payments/card-masking.ts';
import {
  FailedAfterCommitError,
  OutcomeUnknownError,
  isTransient,
  sqlStateOf,
  sqlStates,
} from '../../db/connection/faults.ts';
import type { ErrorKind } from '../../domain/error-codes.ts';
import { DomainError, DomainErrors } from '../../domain/errors.ts';
import { StorageError } from '../../providers/storage/storage.ts';
import { XML_TYPE, textAnswer, type Answer } from './answer.ts';
import { isAddressedKind } from '../../operations/context/kinds.ts';
import { RequestError, badRequest, shownValue, type FieldError, type MissedId } from './errors.ts';
import { statusCodec } from './status-schema.ts';

/** The documentation of codes uses this table too. */
export const statusOfKind: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  unsupported: 405,
  conflict: 409,
  changed: 412,
  tooLarge: 413,
  tooMany: 429,
  unavailable: 503,
  saved: 201,
};

const RETRY_AFTER_SECONDS = 1;
/** The worker looks for suspects every few seconds. */
const APART_SECONDS = 10;
/** A tax provider that is down for a moment is usually down for longer. */
const TAX_SECONDS = 30;

export function refusalAnswer({ status, headers, errors }: RequestError): Answer {
  const body = statusCodec.encode({
    success: false,
    errors: errors.map(({ code, path, value, message }) => ({
      code,
      // An element's name may be anything, even a number.
      ...(path === undefined ? {} : { path: maskCardNumbers(path) }),
      ...(value === undefined ? {} : { value: shownValue(value) }),
      text: maskCardNumbers(message),
    })),
  });
  return { status, type: XML_TYPE, headers, body };
}

/** For callers that read no documents: a line for each error, without its code. */
export function refusalText({ status, headers, errors }: RequestError): Answer {
  const text = errors.map(({ message }) => maskCardNumbers(message)).join('\n');
  return { ...textAnswer(status, text), headers };
}

/**
 * The unknown ids of an error, which may be another tenant's. Every error about an id in a body
 * contains the id, so this function needs no list of the kinds of references.
 */
export function missedBy(error: unknown): readonly MissedId[] {
  if (error instanceof RequestError) return error.missed;
  if (error instanceof DomainErrors) return error.errors.flatMap(missedBy);
  if (!(error instanceof DomainError)) return [];
  const { code, path, value } = error;
  const id = error.id ?? idAt(path, value);
  if (id === null) return [];
  const kind = code.replace(/\.unknown$/, '');
  return [{ kind: isAddressedKind(kind) ? kind : 'any', id }];
}

/** `subscriptionOrder/orderLineItems/orderLineItem[2]/@id` → the id at that place. */
function idAt(path: string | null, value: string | null): number | null {
  if (path?.endsWith('/@id') !== true || value === null || !/^\d{1,16}$/.test(value)) return null;
  const id = Number(value);
  return Number.isSafeInteger(id) ? id : null;
}

export function refusalOf(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof DomainErrors) {
    return new RequestError(statusOfKind[error.kind], error.errors.map(fieldErrorOf));
  }
  if (error instanceof DomainError) {
    const seconds = error.code === 'tax.unavailable' ? TAX_SECONDS : APART_SECONDS;
    const headers = error.kind === 'unavailable' ? { 'Retry-After': String(seconds) } : {};
    return new RequestError(statusOfKind[error.kind], fieldErrorOf(error), headers);
  }
  if (error instanceof StorageError) return fileRefusal(error);
  return bodyRefusal(error) ?? numberRefusal(error) ?? faultOf(error);
}

const fieldErrorOf = ({ code, path, value, message }: DomainError): FieldError => ({
  code,
  path: path ?? undefined,
  value: value ?? undefined,
  message,
});

/** The storage has no text of a caller, and its errors hold no address. */
function fileRefusal({ kind }: StorageError): RequestError {
  switch (kind) {
    case 'forged':
      return new RequestError(403, { code: 'file.forged', message: 'The address is not valid' });
    case 'expired':
      return new RequestError(410, { code: 'file.expired', message: 'The address has ended' });
    case 'taken': {
      const message = 'The job has its file; a new uploadUrl of the job takes another one';
      return new RequestError(409, { code: 'file.used', message });
    }
    case 'missing':
      return new RequestError(404, { code: 'file.missing', message: 'There is no such file' });
    case 'tooLarge': {
      const message = 'The file is larger than 1 GiB';
      return new RequestError(413, { code: 'document.tooLarge', message }, { Connection: 'close' });
    }
    case 'stalled':
      return badRequest('request.aborted', 'The body ended before its announced length');
    default:
      return laterRefusal();
  }
}

/** The client has disconnected, while sending its body or before it was read. */
const hangsUp: ReadonlySet<string> = new Set([
  'request.aborted',
  'request.size.invalid',
  'stream.not.readable',
]);

/** Maps errors of the body reader, which have a `type` or a `status`. */
function bodyRefusal(error: unknown): RequestError | undefined {
  const { type, status, code } = (error ?? {}) as Readonly<Record<string, unknown>>;
  if (type === 'entity.too.large') {
    // The rest of the body stays unread, so the connection cannot be reused.
    const headers = { Connection: 'close' };
    const message = 'The body is larger than 8 MiB';
    return new RequestError(413, { code: 'document.tooLarge', message }, headers);
  }
  if (typeof type === 'string' && hangsUp.has(type)) {
    const message = 'The body ended before its announced length';
    return new RequestError(400, { code: 'request.aborted', message });
  }
  if (status === 415) {
    const message = 'The Content-Encoding of the body is not supported';
    return new RequestError(415, { code: 'document.contentType', message });
  }
  if (typeof code === 'string' && /^(Z_|ERR__?ZLIB|ERR_BROTLI|ERR__ERROR)/.test(code)) {
    return badRequest('document.malformed', 'The body does not match its Content-Encoding');
  }
  return undefined;
}

/** Each number was in range, but not their product. */
function numberRefusal(error: unknown): RequestError | undefined {
  if (sqlStateOf(error) !== sqlStates.numericOutOfRange) return undefined;
  return badRequest(
    'field.range',
    'A number, or the product of numbers, is too large to be stored',
  );
}

function faultOf(error: unknown): RequestError {
  const later = { 'Retry-After': String(RETRY_AFTER_SECONDS) };
  if (error instanceof OutcomeUnknownError) {
    const message =
      'The connection to the database broke during the commit, so the change may or may not have ' +
      'been made: repeat the request with its Idempotency-Key, or read the objects if it has none';
    return new RequestError(503, { code: 'service.outcomeUnknown', message }, later);
  }
  if (error instanceof FailedAfterCommitError) {
    const message = 'The service failed after the change was made; do not send the request again';
    return new RequestError(500, { code: 'service.fault', message });
  }
  if (mayPass(error)) return laterRefusal();
  return new RequestError(500, {
    code: 'service.fault',
    message: 'The service failed; nothing was changed',
  });
}

function laterRefusal(): RequestError {
  const message = 'The service cannot answer now, and nothing was changed; try again';
  const later = { 'Retry-After': String(RETRY_AFTER_SECONDS) };
  return new RequestError(503, { code: 'service.unavailable', message }, later);
}

/** A statement that took too long may be quick when others are not in its way. */
function mayPass(error: unknown): boolean {
  return isTransient(error) || sqlStateOf(error) === sqlStates.queryCanceled;
}
