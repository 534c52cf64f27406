/**
 * The largest calls that the interface accepts, and some that it refuses, each with its
 * preparation.
 */
import { addMonths } from '../../domain/calendar/calendar.ts';

export interface HoldCall {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: string;
  readonly status: number;
}

export interface HoldFacts {
  /** The customer whose orders are billed. */
  readonly billedId: number;
  /** The customer whose orders are not billed. */
  readonly openId: number;
  readonly today: string;
  readonly orderId: number;
  readonly invoiceId: number;
}

const LINES = 500;
const PERIODS = 10;
const ELEMENTS_BYTES = 8_000_000;

/** An order with this many lines that began this many months ago, including the present month. */
export function orderOf(
  customerId: number,
  today: string,
  { months = PERIODS, lines = LINES } = {},
): string {
  const line = '<orderLineItem><priceCode>FEE</priceCode></orderLineItem>';
  return (
    `<subscriptionOrder><customer id="${customerId}"/><contractCode>MONTHLY</contractCode>` +
    `<startDate>${addMonths(today, 1 - months)}</startDate>` +
    `<orderLineItems>${line.repeat(lines)}</orderLineItems></subscriptionOrder>`
  );
}

export function holdCalls(facts: HoldFacts): readonly HoldCall[] {
  const { billedId, openId, today, orderId, invoiceId } = facts;
  const order = orderOf(openId, today);
  const invoice = `/rest/invoice/${invoiceId}`;
  const line = '<orderLineItem/>';
  const wide = `<subscriptionOrder><orderLineItems>${line.repeat(ELEMENTS_BYTES / line.length)}`;
  return [
    post('POST order, 500 lines', order, 201),
    post(
      'POST order, 500 lines, 5,000 charges billed at once',
      orderOf(billedId, today),
      201,
      true,
    ),
    post('refused: 500 lines since 1945', orderOf(openId, today, { months: 984 }), 400, true),
    post(
      'refused: 1,500 lines since 1945',
      orderOf(openId, today, { months: 984, lines: 1_500 }),
      400,
      true,
    ),
    post(
      'refused: a body of 8 MB of elements',
      `${wide}</orderLineItems></subscriptionOrder>`,
      400,
    ),
    {
      name: 'PUT order, 500 lines anew',
      method: 'PUT',
      path: `/rest/order/${orderId}`,
      body: order,
      status: 200,
    },
    get('GET order, 500 lines', `/rest/order/${orderId}`),
    get('GET invoice, 5,000 charges', invoice),
    get('the same as HTML', `${invoice}?format=html`),
    get('the same as PDF', `${invoice}?format=pdf`),
    get('list of 40 orders, 20,000 lines', '/rest/orders?max=40'),
    get('list of 3 invoices, 15,000 charges', '/rest/invoices?max=3'),
    { ...get('refused: list of all invoices', '/rest/invoices?max=1000'), status: 400 },
    get('list of 1,000 customers', '/rest/customers?max=1000'),
  ];
}

function post(name: string, body: string, status: number, bills = false): HoldCall {
  const path = `/rest/orders${bills ? '?generateInvoice=true' : ''}`;
  return { name, method: 'POST', path, body, status };
}

function get(name: string, path: string): HoldCall {
  return { name, method: 'GET', path, status: 200 };
}
