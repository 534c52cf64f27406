/** Prints the figures of coupons, taxes and quotes for people. */
import { median } from '../support/median.ts';

/** A month of renewals, or a second of calls. */
export interface Slice {
  readonly perSecond: number;
  /** CPU time of Node and PostgreSQL in milliseconds, for an order or a call. */
  readonly cpuMs: number;
}

/** The slices of a turn have the same place in both. */
export interface Paired {
  readonly priced: readonly Slice[];
  readonly plain: readonly Slice[];
}

export interface PricesFigures {
  readonly orders: number;
  readonly connections: number;
  /** Beside GET customer. */
  readonly quotes: Paired;
  readonly renewals: Paired;
}

export function reportPrices({ orders, connections, quotes, renewals }: PricesFigures): string {
  return (
    `Renewals of ${orders} orders with a percent coupon and two rates, beside plain ones ` +
    `(medians of ${renewals.priced.length} pairs)\n` +
    lines(renewals, ['discounted and taxed', 'plain']) +
    `GET quote with promo and calcTax beside GET customer, ${connections} at once ` +
    `(medians of ${quotes.priced.length} pairs)\n` +
    lines(quotes, ['GET quote', 'GET customer'])
  );
}

function lines({ priced, plain }: Paired, [one, other]: readonly [string, string]): string {
  const rates = priced.flatMap(({ perSecond }, at) => {
    const beside = plain[at];
    return beside ? [perSecond / beside.perSecond] : [];
  });
  const [least, most] = [Math.min(...rates), Math.max(...rates)];
  const row = (name: string, slices: readonly Slice[]): string => {
    const of = (figure: (slice: Slice) => number): number => median(slices.map(figure));
    return (
      `  ${name}: ${of(({ perSecond }) => perSecond).toFixed(0)} per second, ` +
      `${of(({ cpuMs }) => cpuMs).toFixed(3)} ms of CPU each\n`
    );
  };
  return (
    row(one, priced) +
    row(other, plain) +
    `  ratio of the rates: ${median(rates).toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})\n`
  );
}
