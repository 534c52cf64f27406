/** Adds amounts as the interface writes them: decimals with two digits, such as `-5.00`. */

export function cents(amount: string): bigint {
  return BigInt(amount.replace('.', '') || '0');
}

export function money(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export function sum(amounts: readonly string[]): string {
  return money(amounts.reduce((total, amount) => total + cents(amount), 0n));
}
