/** Exact numbers. */

/** A decimal as text, at most 6 decimals: `29.95`, `-0.5`. Never a binary floating-point number. */
export type Decimal = string;
