/** Examples: plans, and orders of them. */
import type { Step } from '../../docs/examples/example-step.ts';
import { endSteps } from './examples-ends.ts';

/* Examples: quotes, and an order that a quote binds. */

const TWO_OF_GOLD = `<orderLineItems>
    <orderLineItem>
      <priceCode>GOLD-FEE</priceCode>
      <quantity>2</quantity>
    </orderLineItem>
  </orderLineItems>`;

const quoteSteps: readonly Step[] = [
  {
    name: 'quote',
    summary: 'What two of a plan cost with a coupon and tax, once and for the first month',
    method: 'GET',
    route: '/quote',
    path:
      '/quote?contractCode=GOLD&quantity=2&promo=WELCOME10&calcTax=true' +
      '&addressLine1=1+Main+Street&addressCity=New+York&addressState=NY&addressZip=10001',
    keeps: { quoteHash: '<hash>' },
  },
  {
    name: 'order-rate',
    summary: 'What an order would cost its customer, without making it',
    method: 'POST',
    route: '/orders',
    action: 'rateOrder',
    path: '/orders?action=rateOrder&extCustomerRef={ref}',
    request: `<subscriptionOrder>
  <contractCode>GOLD</contractCode>
  <couponCode>WELCOME10</couponCode>
  ${TWO_OF_GOLD}
</subscriptionOrder>`,
  },
  {
    name: 'order-create-quoted',
    summary: 'An order with a coupon, at the price of a quote',
    method: 'POST',
    route: '/orders',
    needs: ['quote'],
    path: '/orders?extCustomerRef={ref}',
    request: `<subscriptionOrder>
  <contractCode>GOLD</contractCode>
  <couponCode>WELCOME10</couponCode>
  <quoteHash>{quoteHash}</quoteHash>
  ${TWO_OF_GOLD}
</subscriptionOrder>`,
    status: 201,
  },
  {
    name: 'order-create-moved',
    summary: 'An order that costs something else than its quote',
    method: 'POST',
    route: '/orders',
    path: '/orders?extCustomerRef={ref}',
    request: `<subscriptionOrder>
  <contractCode>GOLD</contractCode>
  <quoteHash>{quoteHash}</quoteHash>
</subscriptionOrder>`,
    status: 409,
  },
];

/* Examples: an order that replaces another. */

const GOLD_FOR_TWO = `<subscriptionOrder>
  <contractCode>GOLD</contractCode>
  ${TWO_OF_GOLD}
</subscriptionOrder>`;

const changeSteps: readonly Step[] = [
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
    name: 'order-change-seat',
    summary: 'The invoice of one more at the price that the order has, before it is ordered',
    method: 'POST',
    route: '/changeOrder',
    needs: ['order-to-change'],
    path: '/changeOrder?currentOrderId={currentOrder}&keepPrices=true&preview=true',
    request: `<subscriptionOrder>
  ${TWO_OF_GOLD}
</subscriptionOrder>`,
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

export const planSteps: readonly Step[] = [
  {
    name: 'plan-by-code',
    summary: 'The newest version of a plan',
    method: 'GET',
    route: '/plan',
    path: '/plan?contractCode=GOLD',
    keeps: { plan: '<contractOffering id="' },
  },
  {
    name: 'plan',
    summary: 'One version of a plan',
    method: 'GET',
    route: '/plan/:id',
    path: '/plan/{plan}',
  },
  {
    name: 'plans',
    summary: 'All plans without their charges',
    method: 'GET',
    route: '/plans',
    path: '/plans?excludeCharges=1',
  },
];

const create: readonly Step[] = [
  {
    name: 'order-create',
    summary: 'An order, and its first invoice at once',
    method: 'POST',
    route: '/orders',
    path: '/orders?extCustomerRef={ref}&generateInvoice=true',
    request: `<subscriptionOrder>
  <contractCode>GOLD</contractCode>
  <orderLineItems>
    <orderLineItem>
      <position>1</position>
      <priceCode>GOLD-FEE</priceCode>
      <quantity>2</quantity>
    </orderLineItem>
  </orderLineItems>
</subscriptionOrder>`,
    status: 201,
    keeps: {
      order: '<subscriptionOrder id="',
      orderNumber: '<orderNumber>',
      invoice: '<invoice id="',
    },
  },
  {
    name: 'order-create-unbilled',
    summary: 'An order that is billed at the next 00:00',
    method: 'POST',
    route: '/orders',
    path: '/orders?extCustomerRef={ref}',
    request: `<subscriptionOrder>
  <contractCode>GOLD</contractCode>
  <orderLineItems>
    <orderLineItem>
      <priceCode>GOLD-FEE</priceCode>
      <quantity>2</quantity>
    </orderLineItem>
  </orderLineItems>
</subscriptionOrder>`,
    status: 201,
    keeps: { unbilled: '<subscriptionOrder id="', unbilledNumber: '<orderNumber>' },
  },
  {
    name: 'order-create-later',
    summary: 'An order that starts later, with the customer as a reference and an agreed price',
    method: 'POST',
    route: '/orders',
    path: '/orders',
    request: `<subscriptionOrder>
  <customer id="{customer}"/>
  <contractCode>ANNUAL</contractCode>
  <startDate>{comingYear}-02-01</startDate>
  <isAutoRenew>false</isAutoRenew>
  <endDate>{comingYear}-12-31</endDate>
  <orderLineItems>
    <orderLineItem>
      <priceCode>SUPPORT</priceCode>
      <quantity>1</quantity>
      <unitPrice>1200.00</unitPrice>
    </orderLineItem>
  </orderLineItems>
</subscriptionOrder>`,
    status: 201,
    keeps: { laterNumber: '<orderNumber>' },
  },
  {
    name: 'order-create-trial',
    summary: 'An order whose first fourteen days are free',
    method: 'POST',
    route: '/orders',
    path: '/orders?extCustomerRef={ref}',
    request: `<subscriptionOrder>
  <contractCode>GOLD</contractCode>
  <trialDays>14</trialDays>
</subscriptionOrder>`,
    status: 201,
  },
  {
    name: 'order-create-billed-elsewhere',
    summary: 'An order that another system bills to a day of next year',
    method: 'POST',
    route: '/orders',
    path: '/orders?extCustomerRef={ref}',
    request: `<subscriptionOrder>
  <contractCode>GOLD</contractCode>
  <startDate>{year}-01-01</startDate>
  <billedThrough>{comingYear}-01-20</billedThrough>
</subscriptionOrder>`,
    status: 201,
  },
  {
    name: 'order-create-refused',
    summary: 'An order of a plan that does not exist',
    method: 'POST',
    route: '/orders',
    path: '/orders?extCustomerRef={ref}',
    request: `<subscriptionOrder>
  <contractCode>SILVER</contractCode>
</subscriptionOrder>`,
    status: 400,
  },
];

const reads: readonly Step[] = [
  {
    name: 'order',
    summary: 'An order by id',
    method: 'GET',
    route: '/order/:id',
    path: '/order/{order}',
  },
  {
    name: 'order-by-number',
    summary: 'An order by number',
    method: 'GET',
    route: '/order',
    path: '/order?orderNumber={orderNumber}',
  },
  {
    name: 'orders',
    summary: "A customer's newest Active order",
    method: 'GET',
    route: '/orders',
    needs: ['order-create'],
    path: '/orders?customerId={customer}&status=Active&offset=0&max=1',
  },
  {
    name: 'order-can-edit',
    summary: 'Whether an order may be changed',
    method: 'GET',
    route: '/order/:id/canEdit',
    path: '/order/{order}/canEdit',
  },
  {
    name: 'order-can-edit-by-number',
    summary: 'Whether an order may be changed',
    method: 'GET',
    route: '/order/canEdit',
    path: '/order/canEdit?orderNumber={orderNumber}',
  },
  {
    name: 'order-timeline',
    summary: 'The past and the next events of an order',
    method: 'GET',
    route: '/order/:id/timeline',
    path: '/order/{order}/timeline',
  },
  {
    name: 'order-timeline-by-number',
    summary: 'The past and the next events of an order',
    method: 'GET',
    route: '/order/timeline',
    path: '/order/timeline?orderNumber={orderNumber}',
  },
];

const changes: readonly Step[] = [
  {
    name: 'order-update',
    summary: 'The term of an order that has invoices',
    method: 'PUT',
    route: '/order/:id',
    path: '/order/{order}',
    request: `<subscriptionOrder>
  <endDate>{comingYear}-12-31</endDate>
  <isAutoRenew>false</isAutoRenew>
</subscriptionOrder>`,
  },
  {
    name: 'order-update-by-number',
    summary: 'Only the status: an order is canceled before it starts',
    method: 'PUT',
    route: '/order',
    path: '/order?orderNumber={laterNumber}',
    request: `<subscriptionOrder>
  <orderStatus>Canceled</orderStatus>
</subscriptionOrder>`,
  },
];

const actionSummaries = {
  suspend: 'Suspend the order',
  activate: 'Activate it again',
  generateInvoice: 'Bill all due charges now; it is not an error if none is due',
} as const;

const actions: readonly Step[] = (['suspend', 'activate', 'generateInvoice'] as const).flatMap(
  (action): Step[] => {
    const order = action === 'generateInvoice' ? 'unbilled' : 'order';
    const needs = (form: string) => (action === 'activate' ? [`order-suspend${form}`] : []);
    return [
      {
        name: `order-${action}`,
        summary: actionSummaries[action],
        method: 'POST',
        route: '/order/:id',
        action,
        path: `/order/{${order}}?action=${action}`,
        needs: needs(''),
      },
      {
        name: `order-${action}-by-number`,
        summary: actionSummaries[action],
        method: 'POST',
        route: '/order',
        action,
        path: `/order?orderNumber={${order}Number}&action=${action}`,
        needs: needs('-by-number'),
      },
    ];
  },
);

export const orderSteps: readonly Step[] = [
  ...create,
  ...quoteSteps,
  ...changeSteps,
  ...reads,
  ...changes,
  ...actions,
  ...endSteps,
];
