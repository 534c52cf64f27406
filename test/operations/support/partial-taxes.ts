/** A tax provider whose taxes are no plain percentages of amounts; it answers only. */
import { roundedAmount, type Decimal } from '../../../domain/money/money.ts';
import type { TaxDocument } from '../../../domain/tax/documents.ts';
import type { TaxProvider } from '../../../providers/tax/tax-provider.ts';

/** Four fifths of an amount are taxable by one jurisdiction, all of it by another. */
export const partialTaxes: TaxProvider = {
  calculate: ({ currency, lines }: TaxDocument) =>
    Promise.resolve(
      lines.map(({ number, amount }) => ({
        number,
        taxes: [
          { jurisdiction: 'S', name: 'STATE', percent: '4', amount: of(amount, '3.2', currency) },
          { jurisdiction: 'C', name: 'CITY', percent: '4.5', amount: of(amount, '4.5', currency) },
        ],
      })),
    ),
  record: () => Promise.reject(new Error('nothing is recorded here')),
  void: () => Promise.reject(new Error('nothing is voided here')),
  resolve: () => Promise.resolve([]),
};

function of(amount: Decimal, percent: Decimal, currency: string): Decimal {
  return roundedAmount({
    price: percent,
    quantity: amount,
    numerator: 1,
    denominator: 100,
    currency,
  });
}
