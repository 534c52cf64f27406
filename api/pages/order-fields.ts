/** The fields of what is ordered: a plan, how many of it, and a coupon. */
import type { Decimal } from '../../domain/money/money.ts';
import type { FormFields } from '../calls/route-types.ts';
import { readFields, type Fields } from './form.ts';
import { readQuantity, type QuantityForm } from './quantity.ts';
import type { Refuse } from './typed-text.ts';

export const orderFields = {
  contractCode: { label: 'contractCode', autocomplete: 'off', isRequired: true },
  quantity: {
    label: 'quantity',
    autocomplete: 'off',
    inputMode: 'numeric',
    isRequired: true,
    holds: 'anything',
  },
  couponCode: { label: 'couponCode', autocomplete: 'off', isLiteral: true },
} as const satisfies Fields;

export interface TypedOrder {
  readonly contractCode: string | null;
  /** As it was typed, if it is no quantity. */
  readonly quantity: Decimal;
  readonly couponCode: string | null;
}

export function readOrder(posted: FormFields, form: QuantityForm, refuse: Refuse): TypedOrder {
  const checks = {
    quantity: (text: string) => (readQuantity(text, form) === null ? 'quantity.form' : null),
  } as const;
  const { quantity, ...typed } = readFields(orderFields, posted, { refuse, checks });
  return { ...typed, quantity: readQuantity(quantity ?? '', form) ?? quantity ?? '' };
}
