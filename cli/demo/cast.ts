/** The demo's customers: their orders, and why each order is billed on its days. */
import { done, text, type RestTarget } from '../rest.ts';

interface DemoOrder {
  readonly plan: string;
  /** The body of the order, without its customer. */
  readonly body: string;
  /** The reason why it is billed on its days. */
  readonly why: string;
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
    story: 'gets a credit for a late delivery, and pays by check',
    orders: [
      {
        plan: 'METERED',
        body: '<contractCode>METERED</contractCode>',
        why: 'prepaid, and its months begin on the 1st whenever the order starts',
      },
    ],
  },
  {
    name: 'Cassini Observatory',
    email: 'office@cassini.example',
    story: 'pays one invoice by card, and gets a part of it back',
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
];

/** Ids of the demo's customers, by their part in the demo. */
export interface Cast {
  /** Has two cards on file: the first declines when it is charged, so the second is tried. */
  readonly cascading: string;
  /** Is credited once, and pays by check. */
  readonly credited: string;
  /** Pays an invoice by card, and gets part of it back. */
  readonly refunded: string;
  /** Ages until it is suspended, and then pays everything. */
  readonly late: string;
  /** Pays as its payment plan says. */
  readonly inInstallments: string;
}

export function castOf(made: readonly MadeCustomer[]): Cast {
  const ids = made.map(({ id }) => id);
  const [cascading = '', credited = '', refunded = '', late = '', inInstallments = ''] = ids;
  return { cascading, credited, refunded, late, inInstallments };
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
      '<address><street1>1 Main St</street1><city>Albany</city><state>NY</state>' +
      '<zip>12207</zip><country>United States</country><countryCode>US</countryCode></address>' +
      '</billingContact></customer>',
  );
  const id = text(made, '@id');
  const orders: MadeOrder[] = [];
  for (const order of customer.orders) {
    const body = `<subscriptionOrder><customer id="${id}"/>${order.body}</subscriptionOrder>`;
    const answer = await done(target, 'POST', '/rest/orders', body);
    orders.push({
      ...order,
      id: text(answer, '@id'),
      orderNumber: text(answer, 'orderNumber'),
      startDate: text(answer, 'startDate'),
      nextBillableDate: text(answer, 'nextBillableDate'),
    });
  }
  return { id, name, story, orders };
}
