/** The codes of protocol errors; those of billing errors are in the domain. */
import { domainErrors } from '../../domain/error-codes.ts';
import type { DomainErrorCode } from '../../domain/errors.ts';

/** Each code with its meaning, for the documentation. A code once published keeps its meaning. */
export const protocolErrors = {
  'document.empty': 'The request needs a document and has none.',
  'document.malformed': 'The document is not well-formed XML.',
  'document.root': 'The root element is not the one that the call expects.',
  'document.encoding': 'The document is not UTF-8, or declares another encoding.',
  'document.character': 'The document contains a character that XML 1.0 forbids.',
  'document.doctype': 'Documents with a DOCTYPE are not accepted.',
  'document.entity': 'Only the five predefined entities and character references are known.',
  'document.depth': 'Elements are nested too deeply.',
  'document.elements': 'The document has too many elements.',
  'document.tooLarge': 'The body is larger than 8 MiB, or an uploaded file larger than 1 GiB.',
  'document.contentType': 'The body is not XML in UTF-8.',
  'field.range': 'The number is out of range.',
  'field.repeated': 'An element that may occur once is repeated.',
  'field.text': 'The document contains text where only elements are allowed.',
  'attribute.unknown': 'The element does not know this attribute.',
  'query.unknown': 'The call knows no query parameter of that name.',
  'query.required': 'A required query parameter is missing.',
  'query.invalid': 'The value of a query parameter is not allowed there.',
  'query.range': 'The number in a query parameter is out of range.',
  'query.tooLong': 'The text of a query parameter is too long.',
  'query.character': 'The text of a query parameter contains a forbidden character.',
  'query.repeated': 'A query parameter is given more than once.',
  'query.format': 'The resource is not available in this format.',
  'idempotency.key': 'The Idempotency-Key is not 1 to 255 printable characters of ASCII.',
  'path.unknown': 'There is no such address.',
  'path.method':
    'The address does not support this method; the Allow header lists those that it supports.',
  'object.notFound': 'The addressed object does not exist.',
  'file.forged': 'The token in the address of the file is not valid here.',
  'file.expired':
    'The address of the file has ended after 30 minutes; a GET of the batch shows a new one.',
  'file.used':
    'The job has its file, which a new address replaces, or it is finalized or withdrawn.',
  'file.missing': 'There is no such file, or it is deleted.',
  'transport.insecure': 'Credentials are not accepted over plain HTTP here.',
  'host.invalid': 'The request does not name exactly one host, or what it names is no host.',
  'host.unknown': 'The host name belongs to no tenant.',
  'auth.required': 'The call needs Basic credentials.',
  'auth.invalid':
    'The user does not exist, may not log in, not any more or not from there, or the password is wrong.',
  'auth.tooManyAttempts': 'Too many wrong passwords; the Retry-After header says how long to wait.',
  'auth.tooManyRequests':
    "More requests in a minute than the user's requestsPerMinute; the Retry-After header says how long to wait.",
  'auth.role': 'The user does not hold the role ROLE_API, or its rights do not include the call.',
  'request.aborted': 'The body ended before its announced length.',
  'page.unknown': 'There is no hosted page for the token in the address.',
  'page.gone': 'The customer of the hosted page is erased.',
  'page.switchedOff': 'The session of self-service does not show this page.',
  'page.foreignPost': 'The form of a page was sent from another site, or from a sandbox.',
  'page.formKey': 'The key of a form is of another page or form, or older than an hour.',
  'page.tooManyPosts':
    'Too many forms were sent within a minute; the Retry-After header says how long to wait.',
  'service.unavailable': 'The service cannot answer now; trying again later may help.',
  'service.outcomeUnknown':
    'The outcome of a commit is unknown: repeat the request with its Idempotency-Key.',
  'service.fault': 'The service failed; the X-Request-Id header identifies the request in the log.',
} as const satisfies Record<string, string>;

/** The codes of all errors of the interface. */
export type ErrorCode = keyof typeof protocolErrors | DomainErrorCode;

export function isErrorCode(code: unknown): code is ErrorCode {
  return (
    typeof code === 'string' &&
    (Object.hasOwn(protocolErrors, code) || Object.hasOwn(domainErrors, code))
  );
}
