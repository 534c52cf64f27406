/** A debtor who ages, is suspended and comes back, and a customer who pays in installments. */
import { all, done, text, type RestTarget, type Xml } from '../rest.ts';
import type { Cast, MadeCustomer } from './cast.ts';
import { say, table, explain } from './words.ts';

export interface Debts {
  /** Changes of status of the demo's customers, the oldest first. */
  readonly transitions: readonly Xml[];
  readonly paymentPlan: Xml;
}

const INSTALLMENTS = 4;
/** In the middle of a month, so that an installment is never due on the day of an invoice. */
const FIRST_INSTALLMENT_DAYS = 15;

/** @param today the first day of the demo, `YYYY-MM-DD` */
export async function enablePaymentPlan(
  target: RestTarget,
  { inInstallments }: Cast,
  today: string,
): Promise<void> {
  const startDate = Temporal.PlainDate.from(today).add({ days: FIRST_INSTALLMENT_DAYS }).toString();
  await done(
    target,
    'POST',
    `/rest/customers/paymentPlan?id=${inInstallments}`,
    `<paymentPlan><chargeAmount>60.00</chargeAmount><startDate>${startDate}</startDate>` +
      `<totalNumberOfInstallments>${INSTALLMENTS}</totalNumberOfInstallments>` +
      '<frequencyValue>1</frequencyValue><frequencyUnits>Months</frequencyUnits></paymentPlan>',
  );
}

interface Period {
  readonly from: string;
  readonly to: string;
}

export async function debtsOf(
  target: RestTarget,
  customers: readonly MadeCustomer[],
  { inInstallments }: Cast,
  { from, to }: Period,
): Promise<Debts> {
  const ids = new Set(customers.map(({ id }) => id));
  const path = `/rest/customers/transitions?startDate=${from}&endDate=${to}&max=1000`;
  const listed = all(await done(target, 'GET', path), 'customerTransition');
  return {
    transitions: listed.filter((each) => ids.has(text(each, 'customer', '@id'))).toReversed(),
    paymentPlan: await done(target, 'GET', `/rest/customers/${inInstallments}/paymentPlan`),
  };
}

export function sayDebts({ transitions, paymentPlan }: Debts): void {
  explain(
    'The tenant’s file says after how many days of an unpaid invoice a customer’s status changes: ' +
      'Overdue1 at 15, Overdue2 at 30, Suspended1 at 60. While a customer is suspended none of its ' +
      'orders bills. Once nothing is overdue any more, the customer is Active again at once.',
  );
  say('');
  const rows = transitions.map((each) => [
    text(each, 'dateTransitioned'),
    text(each, 'customer', 'name'),
    `${text(each, 'previousStatus')} → ${text(each, 'newStatus')}`,
  ]);
  say(...table([{ title: 'Date' }, { title: 'Customer' }, { title: 'Status' }], rows), '');
  const [total, left] = [
    text(paymentPlan, 'totalNumberOfInstallments'),
    text(paymentPlan, 'remainingInstallments'),
  ];
  explain(
    `Euler Print’s payment plan has ${total} installments of ${text(paymentPlan, 'chargeAmount')}; ` +
      `${left} remain. An installment charges no more than what is owed. While the plan is enabled, ` +
      'invoices are not paid automatically otherwise.',
  );
}
