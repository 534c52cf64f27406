/** The fields of what is ordered: a plan, how many of it, and a coupon. */
import type { Decimal } from '../../domain/money/money.ts';
import type { FormFields } from '../calls/route-types.ts';
import { readFields, type Fields } from './form.ts';
import { readQuantity, writtenQuantity } from './quantity.ts';
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

export interface OrderForm {
  /** Of the page. */
  readonly locale: string;
  /** Of a form that asks for none, because nothing follows it. */
  readonly quantity: Decimal;
}

export function readOrder(
  posted: FormFields,
  { locale, ...form }: OrderForm,
  refuse: Refuse,
): TypedOrder {
  const unasked = ['quantity', writtenQuantity(form.quantity, locale)] as const;
  const fields = new Map([unasked, ...posted]);
  const checks = {
    quantity: (text: string) => (readQuantity(text, locale) === null ? 'quantity.form' : null),
  } as const;
  const { quantity, ...typed } = readFields(orderFields, fields, { refuse, checks });
  return { ...typed, quantity: readQuantity(quantity ?? '', locale) ?? quantity ?? '' };
}
