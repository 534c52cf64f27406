/** Reads what a customer has chosen to order, from the query of a page or from its form. */
import type { Decimal } from '../../../../domain/money/decimal.ts';
import type { AskedPage } from '../../page-writes.ts';
import { readQuantity } from '../../../pages/quantity.ts';
import type { QuantityForm } from '../../../pages/quantity.ts';
import { shownAgain, typedText } from '../../../pages/typed-text.ts';
import type { FormFields } from '../../../calls/route-types.ts';
import type { PageProblem } from '../../../pages/view.ts';
import type { TypedChoice } from './views.ts';

export interface ReadChoice {
  readonly contractCode: string;
  readonly quantity: Decimal;
  readonly couponCode: string | null;
  readonly isAutoPay: boolean;
  /** It is a choice only without any. */
  readonly problems: readonly PageProblem[];
  readonly typed: TypedChoice;
}

const names = ['contractCode', 'quantity', 'couponCode', 'isAutoPay'] as const;

/** The same fields as those of a form; the first of each name counts. */
export function fieldsOfQuery({ parameters }: Pick<AskedPage, 'parameters'>): FormFields {
  return new Map(
    names.flatMap((name) => {
      const [value] = [parameters[name] ?? []].flat();
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

export function readChoice(fields: FormFields, form: QuantityForm): ReadChoice {
  const problems: PageProblem[] = [];
  const refuse = (field: string, key: string): void => void problems.push({ field, key });
  const contractCode = typedText(fields, 'contractCode', refuse) ?? '';
  if (contractCode === '') refuse('contractCode', 'required');
  const quantity = fields.get('quantity')?.trim() ?? '';
  const read = readQuantity(quantity, form);
  if (quantity === '') refuse('quantity', 'required');
  else if (read === null) refuse('quantity', 'quantity.form');
  const couponCode = typedText(fields, 'couponCode', refuse);
  const isAutoPay = fields.get('isAutoPay') === 'true';
  return {
    contractCode,
    quantity: read ?? quantity,
    couponCode,
    isAutoPay,
    problems,
    typed: {
      contractCode: shownAgain(contractCode),
      quantity: shownAgain(quantity),
      couponCode: shownAgain(couponCode ?? ''),
      isAutoPay,
    },
  };
}
