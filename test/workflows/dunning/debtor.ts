/** A customer in New York that owes 10.00 since 5 January 2027, and its dunning's workflow. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import { createInvoice } from '../../../operations/invoices/create.ts';
import { ageAll, openAllDebts } from '../../../operations/due/due.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { at, dunning, openTenant, until, type Books, type Harness } from '../harness.ts';
import { cards, openTill, payment } from '../payments/till.ts';

export const newYork = 'America/New_York';
const thresholds = [
  { daysOverdue: 15, status: 'Overdue1' },
  { daysOverdue: 30, status: 'Overdue2' },
];

const input = {
  dueDate: '2027-01-05',
  invoiceLineItems: [{ invoiceLineItemCharges: [{ amount: '10' }] }],
};

/** The tenant's dunning, opened by the run of 6 January; its workflow has not started. */
export async function openDebtor(harness: Harness, options: { readonly testClock?: string } = {}) {
  harness.setTime(at(newYork, '2027-01-05', 3_600));
  const books = await openTenant(harness, { ...options, file: { dunning: { thresholds } } });
  const customerId = await books.customer('ADA-1');
  await books.work((its) => createInvoice(its, { id: customerId }, input));
  return { books, customerId, workflow: books.workflow(dunning(customerId)) };
}

const NOT_OVERDUE_YET = '2027-02-14';

/**
 * The same tenant on 15 January: 10.00, due on 14 February, whose automatic payment was declined.
 * The workflow of its dunning has not started.
 */
export async function openDeclined(harness: Harness) {
  harness.setTime(at(newYork, '2027-01-15', 3_600));
  const books = await openTenant(harness, { file: { dunning: { thresholds } } });
  const till = openTill(harness, books);
  const customerId = await books.customer('ADA-1');
  await till.onFile(customerId, 1, { number: cards.declined });
  await books.work((its) =>
    createInvoice(its, { id: customerId }, { ...input, dueDate: NOT_OVERDUE_YET, isAutoPay: true }),
  );
  const [pending] = await books.read((tx) =>
    tx.query<{ id: number }>(`select id from payment where status = 'Pending'`),
  );
  await books.deliver(payment(pending?.id ?? 0));
  await until('it is declined', async () => {
    return (await till.payments()).includes('Declined 10.00 card_declined');
  });
  return { books, till, customerId, workflow: books.workflow(dunning(customerId)) };
}

/** The ageing part of a day's run, at the harness's present time. */
export async function age(harness: Harness, books: Books, today: IsoDate): Promise<void> {
  const { dependencies } = harness;
  const tenant = await tenantInfo(dependencies, books.tenantId);
  const hooks = { lanes: 1, mayContinue: () => true, dispatch: () => undefined };
  const slice = { dependencies, tenant, today, ...hooks };
  await openAllDebts(slice);
  await ageAll(slice);
}
