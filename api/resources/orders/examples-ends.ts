/** Examples: pauses of orders that end by themselves, and ends by request. */
import type { Step } from '../../docs/examples/example-step.ts';

/* Examples: a pause that ends by itself. */

const ofOrder = { method: 'POST', route: '/order/:id' } as const;
const ofNumber = { method: 'POST', route: '/order' } as const;

const pauses: readonly Step[] = [
  {
    ...ofOrder,
    name: 'order-suspend-until',
    summary: 'An order that bills nothing before a day',
    action: 'suspend',
    path: '/order/{order}?action=suspend&until={comingYear}-03-01',
  },
  {
    ...ofOrder,
    name: 'order-activate-before',
    summary: 'It is activated before that day',
    action: 'activate',
    needs: ['order-suspend-until'],
    path: '/order/{order}?action=activate',
  },
];

/* Examples: an end that is requested, and taken back. */

const ends: readonly Step[] = [
  {
    name: 'order-cancel',
    summary: 'An order that ends with its period, and says why',
    ...ofOrder,
    action: 'cancel',
    path: '/order/{order}?action=cancel&when=periodEnd&reason=too+dear',
  },
  {
    name: 'order-keep',
    summary: 'The end is taken back: the order goes on as before',
    ...ofOrder,
    action: 'keep',
    needs: ['order-cancel'],
    path: '/order/{order}?action=keep',
  },
  {
    name: 'order-cancel-by-number',
    summary: 'An order that ends with its term',
    ...ofNumber,
    action: 'cancel',
    path: '/order?orderNumber={orderNumber}&action=cancel&when=termEnd',
  },
  {
    name: 'order-keep-by-number',
    summary: 'The end is taken back',
    ...ofNumber,
    action: 'keep',
    needs: ['order-cancel-by-number'],
    path: '/order?orderNumber={orderNumber}&action=keep',
  },
  {
    name: 'order-keep-again',
    summary: 'Without a requested end there is nothing to take back',
    ...ofOrder,
    action: 'keep',
    needs: ['order-keep'],
    path: '/order/{order}?action=keep',
    status: 400,
  },
];

export const endSteps: readonly Step[] = [...pauses, ...ends];
