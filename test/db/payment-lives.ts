/** What anybody may do with money at any time, as random steps of a property. */

import fc from 'fast-check';
import { addDays } from '../../domain/calendar.ts';
import { DomainError } from '../../domain/errors.ts';
import type { MethodChoice } from '../../operations/payments/input.ts';
import type { Act } from '../support/scripted-gateway.ts';
import { card, cash, check, onFile } from './payment-books.ts';
import type { PaymentBooks } from './payment-books.ts';
import { prepaid, prorated, recurring } from './plans.ts';

export const plans = [
  recurring('PRE', 31, prepaid),
  recurring('WEEK', 7.35, prorated, { billingPeriod: 'Weekly' }),
];
const acts: readonly Act[] = [
  'approve',
  'approve',
  'approve',
  'decline',
  'hardDecline',
  'loseAnswer',
  'loseDecline',
  'loseCall',
  'process',
  'pass',
  'beUnavailable',
  'beInvalid',
];

const pick = fc.nat({ max: 1_000 });
const amount = fc.oneof(
  fc.constantFrom('10', '31', '7.35', '100'),
  fc.integer({ min: 1, max: 12_000 }).map((n) => (n / 100).toFixed(2)),
);
const methods = ['cash', 'check', 'card', 'otherCard', 'file', 'none'] as const;
const act = fc.constantFrom(...acts);

const paying = fc.record({
  do: fc.constantFrom('pay', 'pay', 'pay', 'credit', 'debit', 'refund', 'refund', 'refund'),
  which: pick,
  amount,
  method: fc.constantFrom(...methods),
  preference: fc.constantFrom(1, 2, 3),
  surcharge: fc.constantFrom(null, null, '1.5'),
  generate: fc.boolean(),
  names: fc.array(pick, { maxLength: 2 }),
  isAnyNamed: fc.constantFrom(false, false, false, false, true),
  part: fc.constantFrom('all', 'half', 'cent', 'amount'),
  daysAgo: fc.constantFrom(0, 0, 0, 5),
  isEuro: fc.constantFrom(false, false, false, true),
  acts: fc.array(act, { maxLength: 3 }),
  isCarried: fc.boolean(),
});
export const step = fc.oneof(
  { weight: 12, arbitrary: paying },
  { weight: 4, arbitrary: fc.record({ days: fc.integer({ min: 1, max: 20 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      plan: fc.constantFrom('PRE', 'WEEK'),
      which: pick,
      isAutoPay: fc.boolean(),
      bill: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      bill: amount,
      which: pick,
      isNegative: fc.constantFrom(false, false, false, true),
      isAutoPay: fc.boolean(),
      isEuro: fc.constantFrom(false, false, true),
      due: fc.integer({ min: 0, max: 40 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('unpay', 'cancel', 'rollBack', 'settle', 'approve', 'decline', 'finish'),
      which: pick,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ file: fc.constantFrom(1, 2, 3), which: pick, acts: fc.array(act) }),
  },
);
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Paying = typeof paying extends fc.Arbitrary<infer T> ? T : never;

export interface World {
  readonly books: PaymentBooks;
  readonly customers: readonly number[];
}

const at = <T>(list: readonly T[], which: number): T | undefined => list[which % list.length];

/** Does a step; what it refuses in words is no fault. */
export async function take(world: World, it: Step): Promise<void> {
  try {
    await perform(world, it);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}

async function perform({ books, customers }: World, it: Step): Promise<unknown> {
  if ('days' in it) {
    await books.advance(addDays(books.today(), it.days));
    return books.autopaid();
  }
  const customerId = at(customers, it.which) ?? 0;
  if ('plan' in it) {
    const order = { customerId, contractCode: it.plan, isAutoPay: it.isAutoPay };
    return books.order(order, { generateInvoice: it.bill });
  }
  if ('bill' in it) {
    const dueDate = addDays(books.today(), it.due);
    const currency = it.isEuro ? 'EUR' : 'USD';
    const sum = it.isNegative ? `-${it.bill}` : it.bill;
    return books.bill(customerId, sum, { dueDate, currency, isAutoPay: it.isAutoPay });
  }
  if ('file' in it) {
    const token = `tok_${it.which}`;
    books.gateway.onCharge(token, ...it.acts);
    return books.file(customerId, it.file, { token });
  }
  if ('amount' in it) return payOne(books, customerId, it);
  return change(books, it);
}

async function payOne(books: PaymentBooks, customerId: number, it: Paying): Promise<void> {
  const token = `tok_${it.which}_${it.amount}`;
  books.gateway.onCharge(token, ...it.acts);
  const isPayment = it.do === 'pay';
  const isByHand = it.do === 'credit' || it.method === 'cash' || it.method === 'check';
  const owner = { customerId, currency: it.isEuro ? 'EUR' : 'USD' };
  const id =
    it.do === 'refund'
      ? await giveBack(books, owner, it)
      : await books.pay({
          type: isPayment ? 'Payment' : 'Credit',
          customerId,
          amount: it.do === 'debit' ? `-${it.amount}` : it.amount,
          method: methodOf(it, token) ?? (isPayment ? cash : null),
          totalSurcharge: isPayment ? it.surcharge : null,
          currencyCode: it.isEuro ? 'EUR' : null,
          generateInvoice: it.generate,
          invoiceIds: it.do === 'debit' ? [] : await namesOf(books, owner, it),
          effectiveDate: addDays(books.today(), isByHand ? -it.daysAgo : 0),
        });
  if (it.isCarried && (await isPending(books, id))) await books.carry(id);
}

function methodOf(it: Paying, token: string): MethodChoice | null {
  const { preference } = it;
  const saveAs = it.surcharge === null ? null : preference;
  const chosen = {
    cash,
    check,
    card: card(token, saveAs),
    otherCard: card(token, saveAs, '2222'),
    file: onFile(preference),
    none: null,
  };
  return chosen[it.method];
}

interface Owner {
  readonly customerId: number;
  readonly currency: string;
}

/** Open invoices of the customer, or any at all. */
async function namesOf(
  books: PaymentBooks,
  { customerId, currency }: Owner,
  { names, isAnyNamed }: Paying,
): Promise<number[]> {
  const invoices = await books.read((tx) =>
    tx.query<{ id: number }>(
      `select id from invoice where $3 or (customer_id = $1 and currency = $2
         and status = 'Outstanding') order by id`,
      [customerId, currency, isAnyNamed],
    ),
  );
  return [...new Set(names.flatMap((which) => at(invoices, which)?.id ?? []))];
}

async function giveBack(
  books: PaymentBooks,
  { customerId, currency }: Owner,
  it: Paying,
): Promise<number> {
  books.gateway.onReturn(...it.acts);
  const [paid] = await books.read((tx) =>
    tx.query<{ all: string; half: string }>(
      `select coalesce(sum(amount - surcharge - refunded), 0)::text as all,
              round(coalesce(sum(amount - surcharge - refunded), 0) / 2, 2)::text as half
       from payment where customer_id = $1 and currency = $2 and payment_type = 'Payment'
         and status = 'Paid'`,
      [customerId, currency],
    ),
  );
  const amounts = { all: paid?.all ?? '0', half: paid?.half ?? '0', cent: '0.01' };
  return books.pay({
    type: 'Refund',
    customerId,
    amount: it.part === 'amount' ? it.amount : amounts[it.part],
    method: it.surcharge === null ? null : methodOf(it, 'any'),
    currencyCode: currency,
  });
}

async function isPending(books: PaymentBooks, id: number): Promise<boolean> {
  const rows = await books.read((tx) =>
    tx.query(`select id from payment where id = $1 and status = 'Pending'`, [id]),
  );
  return rows.length > 0;
}

async function change(
  books: PaymentBooks,
  { do: what, which }: { readonly do: string; readonly which: number },
): Promise<unknown> {
  if (what === 'settle') return books.settle();
  if (what === 'finish') return books.gateway.finish(which % 2 === 0 ? 'Approved' : 'Declined');
  if (what === 'cancel' || what === 'rollBack') {
    const next = (await books.counters())['invoice'] ?? 1001;
    if (next === 1001) return undefined;
    const rollbackBillingPeriod = what === 'rollBack';
    return books.cancelInvoice(1001 + (which % (next - 1001)), { rollbackBillingPeriod });
  }
  const payments = await books.read((tx) =>
    tx.query<{ id: number; chain: number; phase: string | null; unsent: boolean }>(
      `select id, chain_id as chain, phase, not exists (
         select from sandbox_transaction s where s.idempotency_key like '%/' || p.id) as unsent
       from payment p where status <> 'Declined' order by id`,
    ),
  );
  const payment = at(payments, which);
  if (payment === undefined) return undefined;
  if (what === 'unpay') return books.unpay(payment.id);
  // Who resolves a payment has asked the bank: it says what the gateway's own log does.
  if (!payment.unsent || payment.phase === null) return undefined;
  return books.resolve(payment.chain, what === 'approve' ? 'approved' : 'declined');
}
