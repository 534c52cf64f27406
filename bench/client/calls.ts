/** What the client sends, by name: calls of the interface, and the same work by a bare handler. */
import { ORDER_LINES_MAX, RATED_CHARGES_MAX } from '../../domain/billing/due/limits.ts';
import { addMonths } from '../../domain/calendar/calendar.ts';
import type { Outgoing } from './http.ts';

/** Ids of the rows that fill the database. */
export interface Facts {
  readonly customers?: readonly number[];
  /** Orders that are changed, each once. */
  readonly orders?: readonly number[];
  /** The first day of the month. */
  readonly month?: string;
  /** Of a tenant whose customers have references. */
  readonly customerCount?: number;
}

type Call = (facts: Facts, n: number) => Outgoing;

export const interfaceCalls = {
  'GET customer': (facts, n) => get(`/rest/customer/${customerOf(facts, n)}`),
  'list of 50 customers': (_, n) => get(`/rest/customers?max=50&offset=${(n * 7) % 1_000}`),
  'POST customer': (_, n) => post('/rest/customers', customerDocument(n)),
  'POST order': (facts, n) => post('/rest/orders', orderDocument(customerOf(facts, n))),
  'POST order with invoice': (facts, n) =>
    post('/rest/orders?generateInvoice=true', orderDocument(customerOf(facts, n))),
} as const satisfies Record<string, Call>;

export const bareCalls = {
  'bare read': (facts, n) => get(`/fenced/${customerOf(facts, n)}`),
  'bare read, no fence': (facts, n) => get(`/open/${customerOf(facts, n)}`),
  'bare insert': () => post('/fenced', '<customer/>'),
  'bare insert, no fence': () => post('/open', '<customer/>'),
} as const satisfies Record<string, Call>;

export const calls: Readonly<Record<string, Call>> = {
  ...interfaceCalls,
  ...bareCalls,
  'POST changeOrder with invoice': ({ orders = [] }, n) =>
    post(
      `/rest/changeOrder?generateInvoice=true&currentOrderId=${orders[n] ?? 0}`,
      `<subscriptionOrder><contractCode>MONTHLY</contractCode>${linesOf(1)}</subscriptionOrder>`,
    ),
  'GET quote': () =>
    get(
      '/rest/quote?contractCode=MONTHLY&quantity=2&promo=TEN&calcTax=true&addressLine1=1+Main+St' +
        '&addressCity=Albany&addressState=NY&addressZip=12207',
    ),
  // Its card is vaulted and charged, and the payment is applied to nothing: nobody owes something.
  'POST payment': (facts, n) => post('/rest/payments', paymentDocument(customerOf(facts, n))),
  'POST activities': ({ customerCount = 1 }, n) =>
    post('/rest/activities', activitiesDocument(n, customerCount)),
  'the largest order': (facts, n) =>
    post(
      '/rest/orders?generateInvoice=true',
      orderDocument(customerOf(facts, n), {
        lines: ORDER_LINES_MAX,
        startDate: addMonths(facts.month ?? '', 1 - RATED_CHARGES_MAX / ORDER_LINES_MAX),
      }),
    ),
  // As many as configured, within the limit of the largest orders.
  'the largest list': (_, n) => {
    const max = n % 2 === 0 ? 1_000 : Math.floor(20_000 / ORDER_LINES_MAX);
    const what = ['orders', 'invoices', 'customers', 'payments'][Math.floor(n / 2) % 4];
    return get(`/rest/${what}?max=${max}`);
  },
  'a wrong password': (_, n) => {
    const user = n % 3 === 0 ? 'api@bench' : `guess-${n % 800}@bench`;
    const authorization = `Basic ${Buffer.from(`${user}:wrong-${n}`).toString('base64')}`;
    return { ...get('/rest/customers?max=1'), headers: { authorization } };
  },
};

export const RECORDS_PER_UPLOAD = 1_000;
const RECORDS_PER_CUSTOMER = 10;
const DAYS = 28;
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

export const get = (path: string): Outgoing => ({ method: 'GET', path });

export const post = (path: string, body: string): Outgoing => ({ method: 'POST', path, body });

/** Scattered, so that no customer is used more than others, and the same in each run. */
function customerOf({ customers = [] }: Facts, n: number): number {
  return customers[(n * 7_919) % customers.length] ?? 0;
}

export function customerDocument(n: number): string {
  return (
    `${DECLARATION}<customer><name>Bench ${n}</name>` +
    `<extCustomerRef>B-${process.pid}-${n}</extCustomerRef><locale>en_US</locale>` +
    '<isBusinessAccount>false</isBusinessAccount><currency id="USD"/><billingContact>' +
    `<firstName>Ada</firstName><lastName>Field ${n}</lastName>` +
    `<emailPrimary>ada${n}@example.com</emailPrimary><workPhone>555-010-${n}</workPhone>` +
    '<address><street1>1 Main St</street1><city>Albany</city><state>NY</state><zip>12207</zip>' +
    '<country>United States</country><countryCode>US</countryCode></address>' +
    '</billingContact></customer>'
  );
}

interface OrderDocument {
  readonly lines?: number;
  readonly startDate?: string;
}

export function orderDocument(
  customerId: number,
  { lines = 1, startDate }: OrderDocument = {},
): string {
  const start = startDate === undefined ? '' : `<startDate>${startDate}</startDate>`;
  return (
    `${DECLARATION}<subscriptionOrder><customer id="${customerId}"/>` +
    `<contractCode>MONTHLY</contractCode>${start}<isAutoRenew>true</isAutoRenew>` +
    `${linesOf(lines)}</subscriptionOrder>`
  );
}

function linesOf(count: number): string {
  const line =
    '<orderLineItem><quantity>2</quantity><priceCode>FEE</priceCode></orderLineItem>'.repeat(count);
  return `<orderLineItems>${line}</orderLineItems>`;
}

function paymentDocument(customerId: number): string {
  return (
    `${DECLARATION}<processPayment><customer id="${customerId}"/><amount>12.50</amount>` +
    '<paymentMethodDTO type="CreditCard"><creditCardPaymentMethod>' +
    '<cardNumber>4111111111111111</cardNumber><expiry>2099-12-31</expiry>' +
    '<cardholderName>Ada Field</cardholderName><cvv>123</cvv>' +
    '</creditCardPaymentMethod></paymentMethodDTO></processPayment>'
  );
}

/** As of a switch: ten calls each of a hundred customers, whose lines it does not know. */
function activitiesDocument(n: number, customers: number): string {
  const records = Array.from({ length: RECORDS_PER_UPLOAD }, (_, at) => {
    const count = n * RECORDS_PER_UPLOAD + at;
    const customer = (Math.floor(count / RECORDS_PER_CUSTOMER) % customers) + 1;
    const day = String((count % DAYS) + 1).padStart(2, '0');
    return (
      `<activity><extRefId>${process.pid}-${count}</extRefId>` +
      `<extCustomerRef>C${customer}</extCustomerRef><priceCode>MINUTES</priceCode>` +
      `<quantity>${((count % 9_973) + 1) / 100}</quantity>` +
      `<chargeDate>2027-01-${day}</chargeDate></activity>`
    );
  });
  return `${DECLARATION}<list>${records.join('')}</list>`;
}
