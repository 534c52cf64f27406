/** The price that the page of a sign-up shows, or why there is none. */
import { createHash } from 'node:crypto';
import { DomainError } from '../../../../domain/errors.ts';
import { compare } from '../../../../domain/money/money.ts';
import { priceSignup, type SignupPrice } from '../../../../operations/signups/price.ts';
import type { SignupRow } from '../../../../operations/signups/signup-row.ts';
import { HeavyCall } from '../../../calls/route-types.ts';
import { statusOfKind } from '../../../calls/refusals.ts';
import { lightOnly } from '../../orders/quotes.ts';
import type { PageProblem } from '../../../pages/view.ts';
import { isDetailField } from './detail-fields.ts';
import type { PriceBlock, PriceView } from './views.ts';
import type { Visit } from './visit.ts';

export type Pricing =
  | { readonly price: SignupPrice }
  /** Of a field of step 1, or of the form as a whole. */
  | { readonly problem: PageProblem; readonly status: number };

export async function pricingOf(visit: Visit, row: SignupRow): Promise<Pricing> {
  try {
    return { price: await priceInTurn(visit, row) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const field = isDetailField(error.path) ? error.path : null;
    return { problem: { field, code: error.code }, status: statusOfKind[error.kind] };
  }
}

/** Visitors reload as they like: the price of a plan with many charges waits for its turn. */
async function priceInTurn(
  { dependencies, call: { tenant, takeHeavyTurn } }: Visit,
  row: SignupRow,
): Promise<SignupPrice> {
  try {
    return await priceSignup(dependencies, tenant, row, lightOnly({ isHeavy: false }));
  } catch (error) {
    if (!(error instanceof HeavyCall)) throw error;
    await takeHeavyTurn();
    return priceSignup(dependencies, tenant, row);
  }
}

/** Something is to be paid today. */
export const isDue = ({ dueToday }: SignupPrice): boolean => compare(dueToday, '0') > 0;

/** A card is needed, to pay today or once the trial is over. */
export const needsCard = (price: SignupPrice): boolean => isDue(price) || price.demandsCard;

/** Everything that the order relies on, in 64 letters and digits, as a form's key has no room for more. */
export function signedTerms(
  { contractCode, quantity, couponCode }: SignupRow,
  { quote, startDate, dueToday, currency, taxBasis, lasting }: SignupPrice,
): string {
  // The quote's own hash stands for the version of the plan and the rates of taxes.
  const price = [quote, startDate, dueToday, currency, taxBasis, lasting];
  const terms = [contractCode, quantity, couponCode, ...price];
  return createHash('sha256').update(JSON.stringify(terms)).digest('hex');
}

export function priceView(
  { displayAmount }: SignupRow,
  { quote, currency, dueToday }: SignupPrice,
): PriceView | null {
  if (displayAmount === 'none') return null;
  const initial = blockOf(quote.initial);
  if (displayAmount === 'oneTimeChargesOnly') {
    return { currency, initial, recurring: null, total: null, dueToday: null };
  }
  const recurring = blockOf(quote.recurring);
  return { currency, initial, recurring, total: quote.total, dueToday };
}

function blockOf({ lineItems, total }: SignupPrice['quote']['initial']): PriceBlock {
  const lines = lineItems.map(({ invoiceText, priceCode, terms, amount }) => ({
    text: invoiceText ?? priceCode ?? '',
    quantity: terms?.quantity ?? null,
    amount,
  }));
  return { lines, total };
}
