/** Reads what a customer has chosen to order, from the query of a page or from its form. */
import type { Decimal } from '../../../../domain/money/money.ts';
import type { AskedPage } from '../../page-writes.ts';
import { noting, typedAgain } from '../../../pages/form.ts';
import { orderFields, readOrder } from '../../../pages/order-fields.ts';
import type { FormFields } from '../../../calls/route-types.ts';
import type { PageProblem } from '../../../pages/view.ts';
import type { Action, OfferedEnd, TypedChoice } from './views.ts';
import { renewalOf, type OrderStatus } from '../../../../domain/standing/status.ts';
import type { EditOrderOption, Switches } from '../../../../domain/self-service/switches.ts';
import {
  type OwnOrder,
  isBilledElsewhere,
} from '../../../../operations/self-service/orders-own.ts';
import type { IsoDate } from '../../../../domain/calendar/calendar.ts';

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

export function readChoice(fields: FormFields, locale: string): ReadChoice {
  const { problems, refuse } = noting();
  const posted = new Map([...fields].map(([name, text]) => [name, text.trim()] as const));
  const { contractCode, ...read } = readOrder(fields, { locale, quantity: '1' }, refuse);
  const isAutoPay = fields.get('isAutoPay') === 'true';
  return {
    ...read,
    contractCode: contractCode ?? '',
    isAutoPay,
    problems,
    typed: { ...typedAgain(orderFields, posted), isAutoPay },
  };
}

/* Which actions a session has for an order, by its switches and by the order's status. */

const optionsOf: Readonly<Record<Action, readonly EditOrderOption[]>> = {
  cancel: ['Cancel', 'CancelAtEnd'],
  keep: ['CancelAtEnd'],
  upgrade: ['Upgrade'],
  downgrade: ['Downgrade'],
  new: ['New'],
};

type Options = Pick<Switches, 'editOrderOptions'>;

export const allowsAction = ({ editOrderOptions }: Options, action: Action): boolean =>
  optionsOf[action].some((option) => editOrderOptions.includes(option));

/** When a customer may end an order: with its term comes first. */
export function offeredEnds({ editOrderOptions }: Options): readonly OfferedEnd[] {
  return [
    ...(editOrderOptions.includes('CancelAtEnd') ? (['termEnd'] as const) : []),
    ...(editOrderOptions.includes('Cancel') ? (['now'] as const) : []),
  ];
}

const cancellable: readonly OrderStatus[] = ['Active', 'Suspended', 'Provisioning'];

/** In the order in which they are shown: what ends the order comes last. */
export function permitted(
  order: Pick<
    OwnOrder,
    'status' | 'changeOn' | 'endDate' | 'isAutoRenew' | 'isEndRequested' | 'billedThrough'
  >,
  options: Options,
  today: IsoDate,
): Exclude<Action, 'new'>[] {
  const { status, changeOn, isEndRequested } = order;
  const isChangeable = status === 'Active' && changeOn === null;
  // What ends anyway can only end earlier.
  const goesOn = renewalOf(order) !== 'No';
  const ends = cancellable.includes(status) && (goesOn || offeredEnds(options).includes('now'));
  const possible = [
    ...(isChangeable && !isBilledElsewhere(order, today) ? (['upgrade'] as const) : []),
    ...(isChangeable ? (['downgrade'] as const) : []),
    ...(isEndRequested ? (['keep'] as const) : []),
    ...(ends ? (['cancel'] as const) : []),
  ];
  return possible.filter((action) => allowsAction(options, action));
}
