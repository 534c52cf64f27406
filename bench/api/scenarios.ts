/** The client's requests, by name: calls of the interface, and the same work by a bare handler. */
import type { Outgoing } from './http.ts';

/** Ids of the rows that fill the database. */
export interface Facts {
  readonly customers: readonly number[];
  /** Orders that are changed, each once. */
  readonly orders?: readonly number[];
  readonly contractCode: string;
}

export const apiScenarios = {
  'GET customer': (facts: Facts, n: number): Outgoing => ({
    method: 'GET',
    path: `/rest/customer/${customerOf(facts, n)}`,
  }),
  'list of 50 customers': (_: Facts, n: number): Outgoing => ({
    method: 'GET',
    path: `/rest/customers?max=50&offset=${(n * 7) % 1_000}`,
  }),
  'POST customer': (_: Facts, n: number): Outgoing => ({
    method: 'POST',
    path: '/rest/customers',
    body: customerDocument(n),
  }),
  'POST order': (facts: Facts, n: number): Outgoing => ({
    method: 'POST',
    path: '/rest/orders',
    body: orderDocument(facts, n),
  }),
  'POST order with invoice': (facts: Facts, n: number): Outgoing => ({
    method: 'POST',
    path: '/rest/orders?generateInvoice=true',
    body: orderDocument(facts, n),
  }),
} as const;

/** Its calls may not be more than the orders. */
export const changeScenarios = {
  'POST changeOrder with invoice': ({ orders, contractCode }: Facts, n: number): Outgoing => ({
    method: 'POST',
    path: `/rest/changeOrder?generateInvoice=true&currentOrderId=${orders?.[n] ?? 0}`,
    body: `<subscriptionOrder><contractCode>${contractCode}</contractCode>${TWO_OF_FEE}</subscriptionOrder>`,
  }),
} as const;

export const quoteScenarios = {
  'GET quote': (): Outgoing => ({
    method: 'GET',
    path:
      '/rest/quote?contractCode=GOLD&quantity=2&promo=TEN&calcTax=true&addressLine1=1+Main+St' +
      '&addressCity=Albany&addressState=NY&addressZip=12207',
  }),
} as const;

export const paymentScenarios = {
  /**
   * Its card is vaulted and charged, and the payment is applied to nothing, because the customers
   * owe nothing.
   */
  'POST payment': (facts: Facts, n: number): Outgoing => ({
    method: 'POST',
    path: '/rest/payments',
    body: paymentDocument(facts, n),
  }),
} as const;

export const bareScenarios = {
  'bare read': (facts: Facts, n: number): Outgoing => ({
    method: 'GET',
    path: `/fenced/${customerOf(facts, n)}`,
  }),
  'bare read, no fence': (facts: Facts, n: number): Outgoing => ({
    method: 'GET',
    path: `/open/${customerOf(facts, n)}`,
  }),
  'bare insert': (): Outgoing => ({ method: 'POST', path: '/fenced', body: '<customer/>' }),
  'bare insert, no fence': (): Outgoing => ({ method: 'POST', path: '/open', body: '<customer/>' }),
} as const;

export const scenarios: Readonly<Record<string, (facts: Facts, n: number) => Outgoing>> = {
  ...apiScenarios,
  ...changeScenarios,
  ...quoteScenarios,
  ...paymentScenarios,
  ...bareScenarios,
};

/** Scattered, so that no customer is used more than others, and the same in each run. */
function customerOf({ customers }: Facts, n: number): number {
  return customers[(n * 7_919) % customers.length] ?? 0;
}

function customerDocument(n: number): string {
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<customer><name>Bench ${n}</name>` +
    `<extCustomerRef>B-${process.pid}-${n}</extCustomerRef><locale>en_US</locale>` +
    '<isBusinessAccount>false</isBusinessAccount><currency id="USD"/><billingContact>' +
    `<firstName>Ada</firstName><lastName>Field ${n}</lastName>` +
    `<emailPrimary>ada${n}@example.com</emailPrimary><workPhone>555-010-${n}</workPhone>` +
    '<address><street1>1 Main St</street1><city>Albany</city><state>NY</state><zip>12207</zip>' +
    '<country>United States</country><countryCode>US</countryCode></address>' +
    '</billingContact></customer>'
  );
}

const TWO_OF_FEE =
  '<orderLineItems><orderLineItem><position>1</position><quantity>2</quantity>' +
  '<priceCode>FEE</priceCode></orderLineItem></orderLineItems>';

function orderDocument(facts: Facts, n: number): string {
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<subscriptionOrder><customer id="${customerOf(facts, n)}"/>` +
    `<contractCode>${facts.contractCode}</contractCode><isAutoRenew>true</isAutoRenew>` +
    `${TWO_OF_FEE}</subscriptionOrder>`
  );
}

function paymentDocument(facts: Facts, n: number): string {
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<processPayment>` +
    `<customer id="${customerOf(facts, n)}"/><amount>12.50</amount>` +
    '<paymentMethodDTO type="CreditCard"><creditCardPaymentMethod>' +
    '<cardNumber>4111111111111111</cardNumber><expiry>2099-12-31</expiry>' +
    '<cardholderName>Ada Field</cardholderName><cvv>123</cvv>' +
    '</creditCardPaymentMethod></paymentMethodDTO></processPayment>'
  );
}
