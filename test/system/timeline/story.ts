/**
 * A small language for timelines: act over HTTP, advance the test clock, and expect exactly the
 * invoices that were made meanwhile; one too few or too many fails.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { all, done, text, type RestTarget, type Xml } from '../../../cli/rest.ts';
import { PASSWORD, makeTenant, type TenantOptions } from '../../support/tenants.ts';
import type { TestSystem } from '../../support/system.ts';

export type Story = Awaited<ReturnType<typeof tell>>;

export interface StoryOptions extends TenantOptions {
  /** In real time. */
  readonly isInRealTime?: boolean;
}

export type Fields = Readonly<Record<string, string>>;
export interface OrderOptions {
  readonly fields?: Fields;
  readonly lines?: readonly Fields[];
  /** `generateInvoice=true` */
  readonly query?: string;
}

const LOOK_MS = 20;
const LOOKS_MAX = 12_000;

/** A tenant on a test clock, by default from 1 January 2027 at noon UTC. */
export async function tell(system: TestSystem, options: StoryOptions = {}) {
  const { isInRealTime = false, ...tenant } = options;
  const clock = isInRealTime ? {} : { testClock: '2027-01-01T12:00:00Z' };
  const { id: tenantId, label } = await makeTenant(system.dependencies, { ...clock, ...tenant });
  const target: RestTarget = {
    apiUrl: system.apiUrl,
    hostName: `${label}.localhost`,
    username: 'api@test',
    password: PASSWORD,
  };
  let invoicesSeen = 0;

  /** All invoices, by number. */
  async function invoices(): Promise<string[]> {
    const list = await done(target, 'GET', '/rest/invoices?max=1000');
    const lines = all(list, 'invoice')
      .toSorted((a, b) => Number(text(a, 'invoiceNumber')) - Number(text(b, 'invoiceNumber')))
      .map(lineOf);
    invoicesSeen = lines.length;
    return lines;
  }

  async function expect(t: ExecutionContext, ...expected: readonly string[]): Promise<void> {
    const seen = invoicesSeen;
    const came = (await invoices()).slice(seen);
    t.deepEqual(came, [...expected]);
  }

  return {
    tenantId,
    label,
    target,
    expect,
    invoices,
    /** Returns the id of a new customer. */
    async customer(ref: string): Promise<string> {
      const made = await done(target, 'POST', '/rest/customers', customerXml(ref));
      return text(made, '@id');
    },
    /** Puts a card on file for a customer. */
    card: (ref: string, autopayPreference: 1 | 2 | 3, card: CardOnFile) =>
      done(
        target,
        'PUT',
        `/rest/customer/autopay?extCustomerRef=${ref}`,
        autopayXml(autopayPreference, card),
      ),
    /** Puts a bank account on file for a customer. */
    account: (ref: string, autopayPreference: 1 | 2 | 3, accountNumber: string) =>
      done(
        target,
        'PUT',
        `/rest/customer/autopay?extCustomerRef=${ref}`,
        accountXml(autopayPreference, accountNumber),
      ),
    /** `2027-02-01 Paid 31.00 card_declined`, the oldest first. */
    async payments(): Promise<string[]> {
      const list = await done(target, 'GET', '/rest/payments?max=1000');
      return all(list, 'payment')
        .toSorted((a, b) => Number(text(a, '@id')) - Number(text(b, '@id')))
        .map(paymentLineOf);
    },
    /** `2027-02-14 Paid 20.46`, the oldest first. */
    async credits(): Promise<string[]> {
      const list = await done(target, 'GET', '/rest/credits?max=1000');
      return all(list, 'payment')
        .toSorted((a, b) => Number(text(a, '@id')) - Number(text(b, '@id')))
        .map(paymentLineOf);
    },
    /** Orders a plan for a customer and returns the order's id. */
    async order(ref: string, contractCode: string, how: OrderOptions = {}): Promise<string> {
      const query = `extCustomerRef=${ref}${how.query === undefined ? '' : `&${how.query}`}`;
      const made = await done(target, 'POST', `/rest/orders?${query}`, orderXml(contractCode, how));
      return text(made, '@id');
    },
    suspend: (id: string) => done(target, 'POST', `/rest/order/${id}?action=suspend`),
    activate: (id: string) => done(target, 'POST', `/rest/order/${id}?action=activate`),
    put: (id: string, fields: Fields) =>
      done(target, 'PUT', `/rest/order/${id}`, element('subscriptionOrder', elements(fields))),
    cancelInvoice: (number: string, flags = '') =>
      done(target, 'DELETE', `/rest/invoice?invoiceNumber=${number}${flags}`),
    /** `Active until 2027-12-31, next 2027-02-15`; empty fields are omitted. */
    async orderNow(id: string): Promise<string> {
      const order = await done(target, 'GET', `/rest/order/${id}`);
      const [ends, next] = [text(order, 'endDate'), text(order, 'nextBillableDate')];
      const parts = [text(order, 'orderStatus')];
      if (ends !== '') parts.push(`until ${ends}`);
      if (next !== '') parts.push(`next ${next}`);
      return parts.join(' ');
    },
    /**
     * Advances to 00:00 of the day, including its run; exactly these invoices must have been made.
     */
    async advance(t: ExecutionContext, to: string, ...expected: readonly string[]): Promise<void> {
      await moveClock(target, to);
      await expect(t, ...expected);
    },
    moveClock: (to: string) => moveClock(target, to),
    /** The audit of the tenant finds no fault, also in its workflows. */
    async isClean(t: ExecutionContext): Promise<void> {
      const report = await system.audit(label);
      t.deepEqual(
        report.tenants.flatMap(({ faults }) => faults),
        [],
      );
      t.true(report.clean);
    },
  };
}

async function moveClock(target: RestTarget, to: string): Promise<void> {
  await done(target, 'POST', `/rest/testClock?advanceTo=${to}&wait=true`);
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const clock = await done(target, 'GET', '/rest/testClock');
    if (text(clock, 'status') === 'Ready') return;
    await sleep(LOOK_MS);
  }
  throw new Error(`the clock did not get to ${to}`);
}

function customerXml(ref: string): string {
  const contact = elements({ firstName: 'Ada', lastName: ref, emailPrimary: 'ada@test.example' });
  return element(
    'customer',
    elements({ extCustomerRef: ref }) + element('billingContact', contact),
  );
}

function orderXml(contractCode: string, { fields = {}, lines }: OrderOptions): string {
  const items = lines?.map((line) => element('orderLineItem', elements(line))).join('');
  return element(
    'subscriptionOrder',
    elements({ contractCode, ...fields }) +
      (items === undefined ? '' : element('orderLineItems', items)),
  );
}

export interface CardOnFile {
  readonly cardNumber: string;
  /** A holder's name for the sandbox: `SLOW ANSWER 2`. */
  readonly cardholderName?: string;
}

function autopayXml(preference: number, card: CardOnFile): string {
  const autopayPreference = String(preference);
  const details = elements({ autopayPreference, expiry: '2039-12-31', ...card });
  const method = element('creditCardPaymentMethod', details);
  return element('autopay', `<paymentMethodDTO type="CreditCard">${method}</paymentMethodDTO>`);
}

function accountXml(preference: number, accountNumber: string): string {
  const method = element(
    'achPaymentMethod',
    elements({
      autopayPreference: String(preference),
      abaRoutingNumber: '021000021',
      accountNumber,
      accountType: 'Checking',
    }),
  );
  return element('autopay', `<paymentMethodDTO type="ACH">${method}</paymentMethodDTO>`);
}

function elements(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => element(name, value))
    .join('');
}

function element(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

function paymentLineOf(payment: Xml): string {
  const code = text(payment, 'processorResult', 'errorCode');
  const parts = ['effectiveDate', 'status', 'amount'].map((name) => text(payment, name));
  return [...parts, ...(code === '0' || code === '' ? [] : [code])].join(' ');
}

/** `1001 on 2027-01-16 due 2027-02-15 Outstanding 29.95: GOLD-FEE 2027-01-15 2027-02-14 29.95`. */
function lineOf(invoice: Xml): string {
  const charges = all(invoice, 'invoiceLineItems', 'invoiceLineItem')
    .flatMap((line) => all(line, 'invoiceLineItemCharges', 'invoiceLineItemCharge'))
    .map((charge) =>
      ['priceCode', 'billingStartDate', 'billingEndDate', 'amount']
        .map((name) => text(charge, name))
        .join(' '),
    );
  const of = (name: string) => text(invoice, name);
  return (
    `${of('invoiceNumber')} on ${of('invoiceDate')} due ${of('dueDate')} ${of('status')} ` +
    `${of('currentAmountDue')}: ${charges.join(', ')}`
  );
}
