/** Customers of the shop's tenant, what they owe, and sessions of self-service for them. */
import { makeTenant } from '../../support/tenants.ts';
import { startPath, type Parameters } from '../../api/self-service/calls.ts';
import { withPages } from '../../api/signups/page-calls.ts';
import type { Place } from './place.ts';

/** 1 February 2027, 12:00 in New York. */
const CLOCK = '2027-02-01T17:00:00Z';

/** A plan that differs from GOLD in its fee alone. */
const like = (contractCode: string, name: string, price: string) => ({
  contractCode,
  name,
  productOffering: 'INTERNET',
  billingPeriod: 'Monthly',
  billingAlignment: 'StartDate',
  isAutoRenew: true,
  charges: [
    {
      priceCode: `${contractCode}-FEE`,
      invoiceText: `${name} monthly fee`,
      chargeType: 'RecurringCharge',
      pricingType: 'FixedPricing',
      price,
      isPrepaid: true,
      isProrated: true,
      isMandatory: true,
      standardQuantity: 1,
      taxCodes: ['STANDARD'],
    },
  ],
});

const plans = [
  like('PLATINUM', 'Platinum internet', '49.95'),
  like('BRONZE', 'Bronze internet', '9.95'),
  like('RETIRING', 'Retiring internet', '69.95'),
];

/** What every session here shows, unless a test says otherwise. */
const everything: Parameters = {
  allowProfileEdit: 'true',
  editOrderOptions: 'Cancel,Upgrade,Downgrade,New',
};

export interface Accounts {
  readonly label: string;
  /** The host of its pages, as a browser knows it. */
  readonly origin: string;
  /** A customer in New York with that reference, which is its first name, too. */
  readonly customer: (ref: string, more?: CustomerOptions) => Promise<void>;
  /** An order from 15 January on, billed until 14 February. */
  readonly order: (ref: string, contractCode: string) => Promise<void>;
  /** An invoice over one charge. */
  readonly invoice: (ref: string, amount: string) => Promise<void>;
  /** One that is cancelled, which has a document. */
  readonly cancelled: (ref: string, amount: string) => Promise<void>;
  /** Cash, which pays what is due first. */
  readonly payment: (ref: string, amount: string) => Promise<void>;
  /** The address of a new session's first page. */
  readonly session: (ref: string, switches?: Parameters) => Promise<string>;
  /** Sets columns of a customer's sessions. */
  readonly setSession: (ref: string, assignments: string) => Promise<unknown>;
  /** How often the sandbox has charged the amount. */
  readonly timesCharged: (amount: string) => Promise<number>;
  /** A path below `/rest`. */
  readonly post: (path: string, body: string) => Promise<string>;
  readonly get: (path: string) => Promise<string>;
}

export interface CustomerOptions {
  readonly username?: string;
  readonly passwd?: string;
  /** On file, for autopay. */
  readonly cardNumber?: string;
}

let shared: Promise<Accounts> | undefined;

/** Those of one tenant, for all files of this process. */
export function openAccounts(place: Place): Promise<Accounts> {
  shared ??= newAccounts(place);
  return shared;
}

/** Those of a tenant of its own, with further keys of its file. */
export async function newAccounts(
  { system, shop, call, asOwner }: Place,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Accounts> {
  const file = {
    ...withPages.file,
    plans: [...plansOf(withPages.file), ...plans],
    hostedPages: { allowedOrigins: [shop.origin] },
    notifications: { from: 'billing@demo.example', enabled: [] },
    documents: { cancellation: 'document' },
    ...more,
  };
  const { id, label } = await makeTenant(system.dependencies, { testClock: CLOCK, file });
  const done = async (path: string, more?: Parameters): Promise<string> => {
    const { status, body } = await call(label, `/rest${path}`, more);
    if (status >= 400) throw new Error(`${path}: ${body}`);
    return body;
  };
  const post = (path: string, body: string) => done(path, { method: 'POST', body });
  return {
    label,
    origin: `http://${label}.localhost:${new URL(system.apiUrl).port}`,
    post,
    get: (path) => done(path),
    async customer(ref, more = {}) {
      await post('/customers', customerOf(ref, more));
      if (more.cardNumber === undefined) return;
      await post(`/customer/autopay?extCustomerRef=${ref}`, methodOf(more.cardNumber));
    },
    async order(ref, contractCode) {
      await post(
        `/orders?extCustomerRef=${ref}&generateInvoice=true`,
        `<subscriptionOrder><contractCode>${contractCode}</contractCode>
         <startDate>2027-01-15</startDate></subscriptionOrder>`,
      );
    },
    async invoice(ref, amount) {
      await post(`/invoices?extCustomerRef=${ref}`, invoiceOf(amount));
    },
    async cancelled(ref, amount) {
      const made = await post(`/invoices?extCustomerRef=${ref}`, invoiceOf(amount));
      const id = /<invoice id="(\d+)"/.exec(made)?.[1] ?? '';
      await done(`/invoice/${id}`, { method: 'DELETE' });
    },
    async payment(ref, amount) {
      await post(
        `/payments?extCustomerRef=${ref}`,
        `<processPayment><amount>${amount}</amount><paymentMethodDTO type="Cash">
         <cashPaymentMethod/></paymentMethodDTO></processPayment>`,
      );
    },
    session: (extCustomerRef, switches = {}) =>
      done(
        startPath({ extCustomerRef, loginUrl: `${shop.origin}/login`, ...everything, ...switches }),
      ),
    setSession: (ref, assignments) =>
      asOwner(
        `update self_service_session s set ${assignments} from customer c
         where c.tenant_id = ${id} and c.id = s.customer_id and c.ext_customer_ref = '${ref}'`,
      ),
    async timesCharged(amount) {
      const [row] = await asOwner<{ times: number }>(
        `select count(*)::int as times from sandbox_transaction
         where tenant_id = ${id} and operation = 'charge' and amount = ${amount}
           and status = 'Approved'`,
      );
      return row?.times ?? 0;
    },
  };
}

const plansOf = (file: unknown): readonly object[] =>
  (file as { readonly plans: readonly object[] }).plans;

const customerOf = (ref: string, { username, passwd }: CustomerOptions): string =>
  `<customer><extCustomerRef>${ref}</extCustomerRef><billingContact>` +
  (username === undefined ? '' : `<username>${username}</username>`) +
  (passwd === undefined ? '' : `<passwd>${passwd}</passwd>`) +
  `<firstName>${ref}</firstName><lastName>Field</lastName>
   <emailPrimary>${ref.toLowerCase()}@field.example</emailPrimary>
   <address><street1>1 Main St</street1><city>New York</city><state>NY</state><zip>10118</zip>
   <country>United States</country><countryCode>US</countryCode></address>
   </billingContact></customer>`;

const methodOf = (cardNumber: string): string =>
  `<autopay><paymentMethodDTO type="CreditCard"><creditCardPaymentMethod>
   <autopayPreference>1</autopayPreference><cardNumber>${cardNumber}</cardNumber>
   <expiry>2029-12-31</expiry></creditCardPaymentMethod></paymentMethodDTO></autopay>`;

const invoiceOf = (amount: string): string =>
  `<invoice><invoiceLineItems><invoiceLineItem><invoiceLineItemCharges>
   <invoiceLineItemCharge><position>1</position><priceCode>VISIT</priceCode>
   <invoiceText>Visit</invoiceText><unitPrice>${amount}</unitPrice><quantity>1</quantity>
   </invoiceLineItemCharge></invoiceLineItemCharges></invoiceLineItem></invoiceLineItems></invoice>`;
