/** Reads the quantity that people type into a hosted form. */
import type { Decimal } from '../../domain/model.ts';
import { compare, formatDecimal, parseDecimal } from '../../domain/money/money.ts';

/** A decimal above 0. */
export const isQuantity = (text: string): boolean =>
  /^\d{1,12}(\.\d{1,6})?$/.test(text) && compare(text, '0') > 0;

/** As people write it, without needless zeros. */
export const canonicalQuantity = (text: string): Decimal => formatDecimal(parseDecimal(text));
