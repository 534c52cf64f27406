/** Says when cards are taken again after too many declines of a network or a customer. */
import { TooManyDeclines } from '../../operations/hosted-pages/declines.ts';
import { RequestError } from '../calls/errors.ts';

/** Any other error stays as it is. */
export function tooManyCards(error: unknown): unknown {
  if (!(error instanceof TooManyDeclines)) return error;
  const { code, message, retryAfterSeconds } = error;
  return new RequestError(429, { code, message }, { 'Retry-After': String(retryAfterSeconds) });
}
