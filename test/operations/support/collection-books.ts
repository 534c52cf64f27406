/** A tenant's books with retries and payment plans, read as text. */
import { type IsoDate, addDays } from '../../../domain/calendar/calendar.ts';
import type { PlanInput } from '../../../domain/payment-plans/terms.ts';
import {
  changePaymentPlan,
  createPaymentPlan,
  disablePaymentPlan,
  skipInstallment,
} from '../../../operations/payment-plans/change.ts';
import { readPaymentPlan } from '../../../operations/payment-plans/read.ts';
import {
  type AttemptChoice,
  claimAttempts,
} from '../../../operations/collection/claim-attempts.ts';
import type { BooksOptions, SharedDatabase } from './books.ts';
import { openPaymentBooks } from './payment-books.ts';

export type CollectionBooks = Awaited<ReturnType<typeof openCollectionBooks>>;

/** Three installments of 50.00 each month from 31 January 2027. */
export const monthly: PlanInput = {
  chargeAmount: '50',
  startDate: '2027-01-31',
  totalNumberOfInstallments: 3,
  frequencyValue: 1,
  frequencyUnits: 'Months',
};

export async function openCollectionBooks(db: SharedDatabase, options: BooksOptions) {
  const books = await openPaymentBooks(db, options);
  const { work, read } = books;
  const collect = async (): Promise<void> => {
    for (const kind of ['retry', 'installment'] as const) {
      await work((its) => claimAttempts(its, { kind, limit: 100 }));
      await books.settle();
    }
  };
  return {
    ...books,
    /** As 00:00 of a day does after billing. */
    collect,
    /** Advances day by day, with all that happens at 00:00. */
    async live(to: IsoDate): Promise<void> {
      while (books.today() < to) {
        await books.advance(addDays(books.today(), 1));
        await books.askGateways();
        await books.autopaid();
        await collect();
      }
    },
    claimAttempts: (choice: AttemptChoice) => work((its) => claimAttempts(its, choice)),
    plan: (customerId: number, input: PlanInput = monthly) =>
      work((its) => createPaymentPlan(its, { id: customerId }, input)),
    changePlan: (customerId: number, input: PlanInput) =>
      work((its) => changePaymentPlan(its, { id: customerId }, input)),
    disablePlan: (customerId: number) => work((its) => disablePaymentPlan(its, { id: customerId })),
    skip: async (reason: string, requestKey: string) => {
      const [plan] = await read((tx) =>
        tx.query<{ id: number }>('select max(id) as id from payment_plan'),
      );
      return work((its) => skipInstallment(its, { planId: plan?.id ?? 0, reason, requestKey }));
    },
    /** `enabled, 2 of 3 to come, next 2027-02-28`. */
    async planNow(customerId: number): Promise<string> {
      const plan = await read((tx) => readPaymentPlan(tx, { id: customerId }));
      if (!plan) return 'no customer';
      const { isEnabled, remainingInstallments: left, totalNumberOfInstallments: total } = plan;
      const next = plan.nextPaymentDate === null ? '' : `, next ${plan.nextPaymentDate}`;
      return `${isEnabled ? 'enabled' : 'ended'}, ${left} of ${total} to come${next}`;
    },
    /** `2027-01-16 1001 #2: done paid`, or `2027-01-31 installment 1 #1: due`. */
    attempts: async (): Promise<string[]> => {
      const rows = await read((tx) =>
        tx.query<{ text: string }>(
          `select concat(a.due_on, ' ', coalesce(i.invoice_number,
             'installment ' || a.installment), ' #', a.attempt, ': ', a.state,
             ' ' || a.outcome, ' (' || a.reason || ')') as text
           from collection_attempt a
           left join invoice i on i.tenant_id = a.tenant_id and i.id = a.invoice_id
           order by a.id`,
        ),
      );
      return rows.map((row) => row.text);
    },
    /** `2027-01-31 Paid 50.00`, the attempts of each cascade in order. */
    paidOn: async (): Promise<string[]> => {
      const rows = await read((tx) =>
        tx.query<{ text: string }>(
          `select effective_date || ' ' || status || ' ' || round(amount, 2) as text
           from payment where payment_type = 'Payment' order by id`,
        ),
      );
      return rows.map((row) => row.text);
    },
  };
}
