/** Examples: quotes, and an order that a quote binds. */
import type { Step } from '../../docs/example-step.ts';

export const TWO_OF_GOLD = `<orderLineItems>
    <orderLineItem>
      <priceCode>GOLD-FEE</priceCode>
      <quantity>2</quantity>
    </orderLineItem>
  </orderLineItems>`;

export const quoteSteps: readonly Step[] = [
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
    summary: 'An order with a coupon, which must still cost what the quote said',
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
