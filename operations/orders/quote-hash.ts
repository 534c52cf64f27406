/** The hash of a quote: an order that is posted with it must still cost the same. */
import { createHash } from 'node:crypto';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Coupon } from '../../domain/discounts/coupon.ts';
import { DomainError } from '../../domain/errors.ts';
import type { OrderInput } from '../../domain/orders/input.ts';
import { otherwiseQuoted, priceText, type PricedTerms } from '../../domain/orders/quoted.ts';
import type { WrittenAddress } from '../../domain/tax/documents.ts';
import { ratesFor } from '../../domain/tax/rates.ts';
import type { TenantInfo } from '../context/context.ts';
import { findCoupon } from '../discounts/coupons.ts';

/** In hexadecimal. */
export function quoteHash(order: PricedTerms, { taxRates }: TenantInfo): string {
  return createHash('sha256').update(priceText(order, taxRates)).digest('hex');
}

/** Throws quote.moved if the caller holds a quote of another price. */
export function refuseMoved(
  { quoteHash: held }: Held,
  order: PricedTerms,
  tenant: TenantInfo,
): void {
  if (!held || isOf(held, order, tenant)) return;
  throw moved(held, 'the order no longer costs what the quote said');
}

/**
 * The same of a change: its own preview quotes it. A quote that does not know the order that is
 * changed may have other terms than the change, which the error names.
 *
 * @param own the coupon of that order
 */
export async function refuseMovedChange(
  tx: Tx,
  { quoteHash: held, couponCode }: Held & Pick<OrderInput, 'couponCode'>,
  change: PricedTerms,
  { tenant, own }: { readonly tenant: TenantInfo; readonly own: Coupon | null },
): Promise<void> {
  if (!held || isOf(held, change, tenant)) return;
  const named = couponCode ? await findCoupon(tx, couponCode) : undefined;
  const coupons = [null, own, named ?? null].filter((coupon) => coupon?.id !== change.coupon?.id);
  const quotable = { coupons, currency: tenant.currency };
  const quoted = otherwiseQuoted(change, quotable).find(({ terms }) => isOf(held, terms, tenant));
  const why =
    quoted?.differs.join(', and ') ?? 'plan, quantities, prices, coupon or tax rates differ';
  throw moved(held, `the change does not cost what the quote said: ${why}`);
}

type Held = Pick<OrderInput, 'quoteHash'>;

const isOf = (held: string, order: PricedTerms, tenant: TenantInfo): boolean =>
  held.toLowerCase() === quoteHash(order, tenant);

const moved = (value: string, text: string): DomainError =>
  new DomainError('quote.moved', text, { path: 'subscriptionOrder/quoteHash', value });

/* What the terms of an order say of its taxes: the same text while the same taxes are due. */

/** The tenant has a table of rates, and none of them holds for the address. */
export const isUntaxedAt = (
  { taxRates }: Pick<TenantInfo, 'taxRates'>,
  address: WrittenAddress | null,
): boolean => taxRates.length > 0 && ratesFor(taxRates, address).length === 0;

/** The hash of what of an address decides about taxes: its rates, or all of it for a provider. */
export const taxBasis = (
  { taxProvider, taxRates }: Pick<TenantInfo, 'taxProvider' | 'taxRates'>,
  address: WrittenAddress | null,
): string => {
  const basis = taxProvider === null ? ratesFor(taxRates, address) : address;
  return createHash('sha256').update(JSON.stringify(basis)).digest('hex');
};
