/** The credit that a change owes for unused days: when it is due, and its charges. */
import assert from 'node:assert';
import { maxDate, type IsoDate } from '../calendar/calendar.ts';
import type { BillableOrder } from './billable-order.ts';
import { formatAmount, negate } from '../money/money.ts';
import type { CreditCharge } from './charges.ts';
import type { InvoicedLine } from './dependents.ts';
import { unusedCredits, type UnusedView } from './unused.ts';

/**
 * The day from which a change owes the credit for its unused days; null if none is due.
 *
 * @example creditDueOn(superseded) // '2027-02-01'
 */
export function creditDueOn({ creditFrom, customerSuspended }: BillableOrder): IsoDate | null {
  return customerSuspended ? null : creditFrom;
}

/**
 * The credits of some invoices of an order as charges of a later one. A tax of no days names those
 * of what it taxes.
 *
 * @example // the used 17 of 31 days of 29.95 cost 16.42
 *   creditCharges([line], view) // [{ kind: 'credit', to: '2027-02-14', amount: '-13.53', ... }]
 */
export function creditCharges(
  lines: readonly InvoicedLine[],
  view: UnusedView,
): readonly CreditCharge[] {
  return lines.flatMap((line) => {
    const byId = new Map(line.charges.map((charge) => [charge.id, charge]));
    const credits = unusedCredits(line, view);
    const last = credits.reduce((to, each) => maxDate(to, each.unusedTo ?? to), view.unusedFrom);
    return credits.map(({ chargeId, unusedTo, amount }): CreditCharge => {
      const charge = byId.get(chargeId);
      assert(charge, 'a credit is of a charge of its line');
      const { orderLineId, priceCode, accountingCode, invoiceText, couponId, billed } = charge;
      const { taxCode, kind } = charge;
      const discount =
        couponId === null || billed === null ? null : { couponId, periodIndex: billed.periodIndex };
      return {
        kind: 'credit',
        credits: {
          chargeId,
          orderLineId,
          priceCode,
          accountingCode,
          invoiceText,
          discount,
          taxCode,
          isTax: kind === 'tax',
        },
        from: view.unusedFrom,
        to: unusedTo ?? last,
        amount: formatAmount(view.currency, negate(amount)),
      };
    });
  });
}
