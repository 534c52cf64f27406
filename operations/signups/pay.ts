/** The payment of a try: of what is open of the sign-up's invoices, by the card of the try. */
import { DomainError } from '../../domain/errors.ts';
import { formatAmount } from '../../domain/money/money.ts';
import type { StorableMethodType } from '../../domain/payments/allocation.ts';
import { gatewayNames } from '../../providers/gateway/gateway.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import type { MethodInVault } from '../payment-methods/methods.ts';
import { createPayment } from '../payments/create.ts';
import type { SignupRow } from './signup-row.ts';
import { isOpen, openSum, type SignupInvoice } from '../../domain/signups/price-moved.ts';

/** The card of the newest try; null if it has none. */
export function cardOf({ lastTry }: SignupRow): MethodInVault | null {
  const gateway = gatewayNames.find((name) => name === lastTry?.gateway);
  if (lastTry?.token == null || gateway === undefined) return null;
  const { token, brand, lastFour, expiry, debit, country, mandate } = lastTry;
  const type = lastTry.methodType as StorableMethodType;
  return { type, gateway, method: { token, brand, lastFour, expiry, debit, country, mandate } };
}

export interface Payable {
  readonly invoices: readonly SignupInvoice[];
  /** Once it is paid, the card is the first method on file. */
  readonly saves: boolean;
}

/** A Pending payment, whose workflow charges; returns its id. */
export async function payInvoices(
  dependencies: Dependencies,
  context: OperationContext,
  row: SignupRow,
  { invoices, saves }: Payable,
): Promise<number> {
  const card = cardOf(row);
  if (card === null) {
    const message = 'a card is required to pay';
    throw new DomainError('payment.method', message, { path: 'cardNumber' });
  }
  const { tenant } = context;
  return createPayment(
    dependencies,
    context,
    {
      type: 'Payment',
      root: 'signup',
      customer: { id: row.customerId ?? 0 },
      amount: formatAmount(tenant.currency, openSum(invoices)),
      totalSurcharge: null,
      currencyCode: tenant.currency,
      generateInvoice: false,
      effectiveDate: null,
      invoiceText: null,
      purchaseDescription: null,
      internalNotes: null,
      invoiceIds: invoices.filter(isOpen).map(({ id }) => id),
      method: { by: 'vaulted', ...card, saveAs: saves ? 1 : null },
    },
    { userId: null, returnSealed: () => row.lastTry?.returnSealed ?? null },
  );
}
