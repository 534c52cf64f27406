/** The demo's customers: their orders, and why each order is billed on its days. */
import { done, text, type RestTarget, type Xml } from '../rest.ts';

interface DemoOrder {
  readonly plan: string;
  /** The body of the order, without its customer. */
  readonly body: string;
  /** The reason why it is billed on its days. */
  readonly why: string;
  /** The parameters of a quote that comes first, and binds the order. */
  readonly quoteFor?: Readonly<Record<string, string>>;
}

interface DemoCustomer {
  readonly name: string;
  readonly email: string;
  /** What the demo shows of this customer. */
  readonly story: string;
  readonly orders: readonly DemoOrder[];
}

export interface MadeOrder extends DemoOrder {
  readonly id: string;
  readonly orderNumber: string;
  readonly startDate: string;
  readonly nextBillableDate: string;
  /** Undefined if there was none. */
  readonly quote: Xml | undefined;
}

export interface MadeCustomer {
  readonly id: string;
  readonly name: string;
  readonly story: string;
  readonly orders: readonly MadeOrder[];
}

function line(priceCode: string, fields: string): string {
  const item = `<orderLineItem><priceCode>${priceCode}</priceCode>${fields}</orderLineItem>`;
  return `<orderLineItems>${item}</orderLineItems>`;
}

const gold = 'prepaid: each month is billed on its first day';

/** Of all customers; the tenant's table has a tax rate for its state. */
const address = { street1: '1 Main St', city: 'Albany', state: 'NY', zip: '12207' };

const customers: readonly DemoCustomer[] = [
  {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    story: 'pays by the cards on file; the first one declines, so the second one is charged',
    orders: [
      {
        plan: 'GOLD',
        body: '<contractCode>GOLD</contractCode><isAutoPay>true</isAutoPay>',
        why: gold,
      },
      {
        plan: 'SEATS',
        body: `<contractCode>SEATS</contractCode><isAutoPay>true</isAutoPay>${line(
          'SEAT',
          '<quantity>12</quantity>',
        )}`,
        why: 'in arrears: each month is billed on the day after its end',
      },
    ],
  },
  {
    name: 'Bell Voice Ltd',
    email: 'accounts@bellvoice.example',
    story: 'reports its calls, gets a credit for a late delivery, and pays by check',
    orders: [
      {
        plan: 'METERED',
        body: '<contractCode>METERED</contractCode>',
        why: 'prepaid, its calls in arrears, and its months begin on the 1st whenever it starts',
      },
    ],
  },
  {
    name: 'Cassini Observatory',
    email: 'office@cassini.example',
    story: 'pays one invoice by card, gets a part of it back, and has one credited in part',
    orders: [
      {
        plan: 'ANNUAL',
        body: `<contractCode>ANNUAL</contractCode><separateInvoice>1</separateInvoice>${line(
          'SUPPORT',
          '<quantity>1</quantity><unitPrice>1200.00</unitPrice>',
        )}`,
        why: 'prepaid: a year at once, on an invoice of its own, at the price agreed',
      },
      { plan: 'GOLD', body: '<contractCode>GOLD</contractCode>', why: gold },
    ],
  },
  {
    name: 'Dirac Instruments',
    email: 'accounts@dirac.example',
    story: 'does not pay for four months, is suspended, pays everything and is Active again',
    orders: [{ plan: 'GOLD', body: '<contractCode>GOLD</contractCode>', why: gold }],
  },
  {
    name: 'Euler Print',
    email: 'accounts@euler.example',
    story: 'has agreed on a payment plan: installments of 60.00 a month, by card',
    orders: [
      {
        plan: 'GOLD',
        body: '<contractCode>GOLD</contractCode><isAutoPay>true</isAutoPay>',
        why: gold,
      },
    ],
  },
  {
    name: 'Fourier Sound',
    email: 'office@fourier.example',
    story: 'asks for a quote first, and orders with a coupon at exactly that price',
    orders: [
      {
        plan: 'GOLD',
        body:
          '<contractCode>GOLD</contractCode><couponCode>WELCOME10</couponCode>' +
          `<isAutoPay>true</isAutoPay>${line('GOLD-FEE', '<quantity>2</quantity>')}`,
        why: gold,
        quoteFor: {
          contractCode: 'GOLD',
          quantity: '2',
          promo: 'WELCOME10',
          calcTax: 'true',
          addressLine1: address.street1,
          addressCity: address.city,
          addressState: address.state,
          addressZip: address.zip,
        },
      },
    ],
  },
  {
    name: 'Galois Algebra',
    email: 'office@galois.example',
    story: 'upgrades in the middle of a month, and pays by card',
    orders: [
      {
        plan: 'GOLD',
        body: '<contractCode>GOLD</contractCode><isAutoPay>true</isAutoPay>',
        why: gold,
      },
    ],
  },
];

/** Ids of the demo's customers, by their part in the demo. */
export interface Cast {
  /** Has two cards on file: the first declines when it is charged, so the second is tried. */
  readonly cascading: string;
  /** Reports usage, is credited once, and pays by check. */
  readonly credited: string;
  /** Pays an invoice by card, and gets part of it back. */
  readonly refunded: string;
  /** Ages until it is suspended, and then pays everything. */
  readonly late: string;
  /** Pays as its payment plan says. */
  readonly inInstallments: string;
  /** Orders with the hash of a quote, and pays by card. */
  readonly quoted: string;
  /** Changes its order in the middle of the second month. */
  readonly upgrading: string;
}

export function castOf(made: readonly MadeCustomer[]): Cast {
  const ids = made.map(({ id }) => id);
  const [cascading = '', credited = '', refunded = '', late = ''] = ids;
  const [inInstallments = '', quoted = '', upgrading = ''] = ids.slice(4);
  return { cascading, credited, refunded, late, inInstallments, quoted, upgrading };
}

export async function makeCustomers(target: RestTarget): Promise<readonly MadeCustomer[]> {
  const made: MadeCustomer[] = [];
  for (const customer of customers) made.push(await makeCustomer(target, customer));
  return made;
}

async function makeCustomer(target: RestTarget, customer: DemoCustomer): Promise<MadeCustomer> {
  const { name, story, email } = customer;
  const [firstName = '', ...lastNames] = name.split(' ');
  const made = await done(
    target,
    'POST',
    '/rest/customers',
    `<customer><name>${name}</name><billingContact><firstName>${firstName}</firstName>` +
      `<lastName>${lastNames.join(' ')}</lastName><emailPrimary>${email}</emailPrimary>` +
      `<address><street1>${address.street1}</street1><city>${address.city}</city>` +
      `<state>${address.state}</state><zip>${address.zip}</zip><country>United States</country>` +
      '<countryCode>US</countryCode></address></billingContact></customer>',
  );
  const id = text(made, '@id');
  const orders: MadeOrder[] = [];
  for (const order of customer.orders) orders.push(await makeOrder(target, id, order));
  return { id, name, story, orders };
}

async function makeOrder(
  target: RestTarget,
  customerId: string,
  order: DemoOrder,
): Promise<MadeOrder> {
  const quote =
    order.quoteFor &&
    (await done(target, 'GET', `/rest/quote?${new URLSearchParams(order.quoteFor).toString()}`));
  const hash = quote === undefined ? '' : `<quoteHash>${text(quote, 'hash')}</quoteHash>`;
  const fields = `<customer id="${customerId}"/>${order.body}${hash}`;
  const body = `<subscriptionOrder>${fields}</subscriptionOrder>`;
  const answer = await done(target, 'POST', '/rest/orders', body);
  return {
    ...order,
    id: text(answer, '@id'),
    orderNumber: text(answer, 'orderNumber'),
    startDate: text(answer, 'startDate'),
    nextBillableDate: text(answer, 'nextBillableDate'),
    quote,
  };
}
