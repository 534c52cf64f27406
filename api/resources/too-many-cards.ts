/** Says when cards are taken again after too many declines of a network or a customer. */
import { DomainError } from '../../domain/errors.ts';
import { RequestError } from '../calls/errors.ts';

/** An hour is what the limit of declines of a network counts. */
const DECLINES_SECONDS = 3_600;

/** Any other error stays as it is. */
export function tooManyCards(error: unknown): unknown {
  if (!(error instanceof DomainError) || error.code !== 'card.tooManyDeclines') return error;
  const { code, message } = error;
  return new RequestError(429, { code, message }, { 'Retry-After': String(DECLINES_SECONDS) });
}
