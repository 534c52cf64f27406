/** The hash of a quote: an order that is posted with it must still cost the same. */
import { createHash } from 'node:crypto';
import { DomainError } from '../../domain/errors.ts';
import type { OrderInput } from '../../domain/orders/input.ts';
import { priceText, type PricedTerms } from '../../domain/orders/price-text.ts';
import type { TenantInfo } from '../context/context.ts';

/** In hexadecimal. */
export function quoteHash(order: PricedTerms, { taxRates }: TenantInfo): string {
  return createHash('sha256').update(priceText(order, taxRates)).digest('hex');
}

/** Throws quote.moved if the caller holds a quote of another price. */
export function refuseMoved(
  { quoteHash: held }: Pick<OrderInput, 'quoteHash'>,
  order: PricedTerms,
  tenant: TenantInfo,
): void {
  if (!held || held.toLowerCase() === quoteHash(order, tenant)) return;
  throw new DomainError('quote.moved', 'the order no longer costs what the quote said', {
    path: 'subscriptionOrder/quoteHash',
    value: held,
  });
}
