/** The published catalogue of errors: each code with its HTTP statuses and its meaning. */
import { domainErrors } from '../../domain/error-codes.ts';
import type { DomainErrorCode } from '../../domain/errors.ts';
import { protocolErrors, type ErrorCode } from '../calls/catalogue.ts';
import { statusOfKind } from '../calls/refusals.ts';

export interface CatalogueEntry {
  readonly code: ErrorCode;
  /** The usual status comes first. */
  readonly statuses: readonly number[];
  readonly meaning: string;
}

/** Refusals that are not 400. A test finds these statuses in the code. */
const protocolStatuses: Partial<Record<ErrorCode, number>> = {
  'document.tooLarge': 413,
  'document.contentType': 415,
  'path.unknown': 404,
  'path.method': 405,
  'object.notFound': 404,
  'file.forged': 403,
  'file.expired': 410,
  'file.used': 409,
  'file.missing': 404,
  'transport.insecure': 403,
  'host.unknown': 401,
  'auth.required': 401,
  'auth.invalid': 401,
  'auth.tooManyAttempts': 429,
  'auth.tooManyRequests': 429,
  'auth.role': 403,
  'page.unknown': 404,
  'page.gone': 410,
  'page.switchedOff': 403,
  'page.foreignPost': 403,
  'page.formKey': 403,
  'page.tooManyPosts': 429,
  'service.unavailable': 503,
  'service.outcomeUnknown': 503,
  'service.fault': 500,
};

/**
 * These are 400 for an object named in the body, and 404 for the object that the call addresses.
 */
const alsoNotFound: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['plan.unknown']);

export function errorCatalogue(): CatalogueEntry[] {
  const ofProtocol = entriesOf(protocolErrors).map(([code, meaning]) => ({
    code,
    statuses: [protocolStatuses[code] ?? 400],
    meaning,
  }));
  const ofDomain = entriesOf(domainErrors).map(([code, { kind, meaning }]) => ({
    code,
    statuses: alsoNotFound.has(code) ? [statusOfKind[kind], 404] : [statusOfKind[kind]],
    meaning,
  }));
  const all: CatalogueEntry[] = [...ofProtocol, ...ofDomain];
  return all.toSorted((a, b) => (a.code < b.code ? -1 : 1));
}

function entriesOf<Code extends ErrorCode | DomainErrorCode, Value>(
  errors: Readonly<Record<Code, Value>>,
): [Code, Value][] {
  return Object.entries(errors) as [Code, Value][];
}
