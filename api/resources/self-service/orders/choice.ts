/** Reads what a customer has chosen to order, from the query of a page or from its form. */
import type { Decimal } from '../../../../domain/money/money.ts';
import type { AskedPage } from '../../page-writes.ts';
import { noting, typedAgain } from '../../../pages/form.ts';
import { orderFields, readOrder } from '../../../pages/order-fields.ts';
import type { QuantityForm } from '../../../pages/quantity.ts';
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

const names = [...Object.keys(orderFields), 'isAutoPay'];

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
  const { problems, refuse } = noting();
  const posted = new Map([...fields].map(([name, text]) => [name, text.trim()] as const));
  const { contractCode, ...read } = readOrder(fields, form, refuse);
  const isAutoPay = fields.get('isAutoPay') === 'true';
  return {
    ...read,
    contractCode: contractCode ?? '',
    isAutoPay,
    problems,
    typed: { ...typedAgain(orderFields, posted), isAutoPay },
  };
}
