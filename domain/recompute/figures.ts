/** Exact figures of the second calculator: fractions of integers, rounded once. */

/** Amounts are counted in the minor unit of their currency, `1250n` for 12.50 USD. */
export interface Exact {
  readonly over: bigint;
  readonly under: bigint;
}

/**
 * The fraction that a decimal is.
 *
 * @example exact('8.875') // { over: 8875n, under: 1000n }
 */
export function exact(decimal: string): Exact {
  const [whole = '0', decimals = ''] = decimal.split('.');
  return { over: BigInt(whole + decimals), under: 10n ** BigInt(decimals.length) };
}

/**
 * @example plus(exact('1'), exact('0.5')) // { over: 15n, under: 10n }
 */
export function plus(one: Exact, other: Exact): Exact {
  return {
    over: one.over * other.under + other.over * one.under,
    under: one.under * other.under,
  };
}

/**
 * @example minus(exact('1'), exact('0.5')) // { over: 5n, under: 10n }
 */
export function minus(one: Exact, other: Exact): Exact {
  return plus(one, { over: -other.over, under: other.under });
}

/**
 * @example times(exact('2'), exact('0.5')) // { over: 10n, under: 10n }
 */
export function times(...factors: readonly Exact[]): Exact {
  return factors.reduce(
    (all, each) => ({ over: all.over * each.over, under: all.under * each.under }),
    { over: 1n, under: 1n },
  );
}

/**
 * Below zero: the first is less than the second.
 *
 * @example compared(exact('1.0'), exact('1')) // 0n
 */
export function compared(one: Exact, other: Exact): bigint {
  return one.over * other.under - other.over * one.under;
}

/**
 * Half away from zero.
 *
 * @example rounded({ over: -5n, under: 2n }) // -3n
 */
export function rounded({ over, under }: Exact): bigint {
  const doubled = ((over < 0n ? -over : over) * 2n + under) / (under * 2n);
  return over < 0n ? -doubled : doubled;
}

/**
 * An amount of so many decimals in minor units, rounded.
 *
 * @example inMinor(exact('29.95'), 2) // 2995n
 */
export function inMinor(amount: Exact, digits: number): bigint {
  return rounded({ over: amount.over * 10n ** BigInt(digits), under: amount.under });
}

/**
 * The share of an amount: 10 percent of 29.95 is 3.00.
 *
 * @example percentOf(2995n, '10') // 300n
 */
export function percentOf(amount: bigint, percent: string): bigint {
  return rounded(times({ over: amount, under: 100n }, exact(percent)));
}

/**
 * @example sumOf([100n, -1n]) // 99n
 */
export function sumOf(amounts: Iterable<bigint>): bigint {
  let sum = 0n;
  for (const each of amounts) sum += each;
  return sum;
}

/**
 * The decimals of an amount as documents show it.
 *
 * @example digitsOf('29.95') // 2
 */
export function digitsOf(amount: string): number {
  return amount.split('.')[1]?.length ?? 0;
}

/**
 * @example asText(-5n, 2) // '-0.05'
 */
export function asText(amount: bigint, digits: number): string {
  const figures = String(amount < 0n ? -amount : amount).padStart(digits + 1, '0');
  const cut = figures.length - digits;
  const text = digits === 0 ? figures : `${figures.slice(0, cut)}.${figures.slice(cut)}`;
  return amount < 0n ? `-${text}` : text;
}
