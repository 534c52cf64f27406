/** Examples: an order that replaces another. */
import { TWO_OF_GOLD } from './examples-quotes.ts';
import type { Step } from '../../docs/example-step.ts';

const GOLD_FOR_TWO = `<subscriptionOrder>
  <contractCode>GOLD</contractCode>
  ${TWO_OF_GOLD}
</subscriptionOrder>`;

export const changeSteps: readonly Step[] = [
  {
    name: 'order-to-change',
    summary: 'An order that is changed below',
    method: 'POST',
    route: '/orders',
    path: '/orders?extCustomerRef={ref}&generateInvoice=true',
    request: `<subscriptionOrder>
  <contractCode>GOLD</contractCode>
</subscriptionOrder>`,
    status: 201,
    keeps: { currentOrder: '<subscriptionOrder id="', currentNumber: '<orderNumber>' },
  },
  {
    name: 'order-change-preview',
    summary: 'The invoice that a change would make: the credit of the current order, the new one',
    method: 'POST',
    route: '/changeOrder',
    needs: ['order-to-change'],
    path: '/changeOrder?currentOrderId={currentOrder}&preview=true',
    request: GOLD_FOR_TWO,
  },
  {
    name: 'order-change',
    summary: 'A new order replaces the current one today, and is billed at once',
    method: 'POST',
    route: '/changeOrder',
    needs: ['order-to-change'],
    path: '/changeOrder?currentOrderId={currentOrder}&generateInvoice=true',
    request: GOLD_FOR_TWO,
    status: 201,
    keeps: { newNumber: '<orderNumber>' },
  },
  {
    name: 'order-change-again',
    summary: 'The order that was replaced cannot be changed again',
    method: 'POST',
    route: '/changeOrder',
    needs: ['order-change'],
    path: '/changeOrder?currentOrderNumber={currentNumber}',
    request: GOLD_FOR_TWO,
    status: 400,
  },
];
