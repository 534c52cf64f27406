/** Which actions a session has for an order, by its switches and by the order's status. */
import type { OrderStatus } from '../../../../domain/standing/status.ts';
import type { EditOrderOption, Switches } from '../../../../domain/self-service/switches.ts';
import type { OwnOrder } from '../../../../operations/self-service/orders-own.ts';
import type { Action } from './views.ts';

export const optionOf: Readonly<Record<Action, EditOrderOption>> = {
  cancel: 'Cancel',
  upgrade: 'Upgrade',
  downgrade: 'Downgrade',
  new: 'New',
};

const cancellable: readonly OrderStatus[] = ['Active', 'Suspended', 'Provisioning'];

/** In the order in which they are shown: what ends the order comes last. */
export function permitted(
  { status, changeOn }: Pick<OwnOrder, 'status' | 'changeOn'>,
  { editOrderOptions }: Pick<Switches, 'editOrderOptions'>,
): Exclude<Action, 'new'>[] {
  const isChangeable = status === 'Active' && changeOn === null;
  const possible = [
    ...(isChangeable ? (['upgrade', 'downgrade'] as const) : []),
    ...(cancellable.includes(status) ? (['cancel'] as const) : []),
  ];
  return possible.filter((action) => editOrderOptions.includes(optionOf[action]));
}
