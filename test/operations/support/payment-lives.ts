/** Executes the random steps of payments. */

import { addDays } from '../../../domain/calendar/calendar.ts';
import type { MethodChoice } from '../../../operations/payment-methods/choice.ts';
import type { SharedDatabase } from './books.ts';
import { ANY_OF, at, cancelAnInvoice } from './order-lives.ts';
import { importCustomer, importInvoice } from './imported.ts';
import { openCollectionBooks } from './collection-books.ts';
import { card, cash, check, onFile, type PaymentBooks } from './payment-books.ts';
import { plans, type Importing, type Paying, type Step } from './payment-steps.ts';
import { NOTHING_TO_DO } from './tally.ts';

export interface World {
  readonly books: Awaited<ReturnType<typeof openCollectionBooks>>;
  readonly customers: readonly number[];
}

/** Two customers with a card on file: one has paid, the other was moved in with an opening balance. */
export async function newWorld(db: SharedDatabase): Promise<World> {
  const books = await openCollectionBooks(db, { today: '2027-01-15', plans });
  const opened = { openingBalance: '12.34' };
  const imported = await books.work((its) => importCustomer(its, opened));
  const customers = [await books.customer(), imported];
  for (const customerId of customers) await books.file(customerId, 1, { token: 'tok_first' });
  const [payer = 0] = customers;
  await books.bill(payer, '40');
  await books.paid({ customerId: payer, amount: '60', method: onFile(1) });
  return { books, customers };
}

/** Executes a step, or reports that there is no object for it. */
export async function perform({ books, customers }: World, it: Step): Promise<unknown> {
  if ('days' in it) {
    return books.live(addDays(books.today(), it.days));
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
  if ('imports' in it) return importOne(books, customerId, it);
  if ('amount' in it) return payOne(books, customerId, it);
  return change({ books, customers }, it);
}

/** Numbers of imported invoices, which are unique. */
let imported = 0;

function importOne(books: PaymentBooks, customerId: number, it: Importing): Promise<number> {
  const { imports: amount, due, paidBefore, isEuro } = it;
  const number = `OLD-${(imported += 1)}`;
  const paid = { none: '0', cent: '-0.01', all: `-${amount}` }[paidBefore];
  const dueDate = addDays(books.today(), due);
  const currency = isEuro ? 'EUR' : 'USD';
  return books.work((its) =>
    importInvoice(its, { customerId, number, amount, paid, dueDate, currency }),
  );
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

/** Open invoices of the customer, or of any customer. */
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
  const paid = await books.read((tx) =>
    tx.query<{ customerId: number; currency: string; all: string; half: string }>(
      `select customer_id as "customerId", currency, sum(amount - surcharge - refunded)::text as all,
              round(sum(amount - surcharge - refunded) / 2, 2)::text as half
       from payment where payment_type = 'Payment' and status = 'Paid'
       group by customer_id, currency having sum(amount - surcharge - refunded) > 0
       order by customer_id, currency`,
    ),
  );
  // Most steps act on a customer who has paid.
  const to = it.which % ANY_OF === 0 ? undefined : at(paid, it.which);
  const amounts = { all: to?.all ?? '0', half: to?.half ?? '0', cent: '0.01' };
  return books.pay({
    type: 'Refund',
    customerId: to?.customerId ?? customerId,
    amount: it.part === 'amount' ? it.amount : amounts[it.part],
    method: it.surcharge === null ? null : methodOf(it, 'any'),
    currencyCode: to?.currency ?? currency,
  });
}

async function isPending(books: PaymentBooks, id: number): Promise<boolean> {
  const rows = await books.read((tx) =>
    tx.query(`select id from payment where id = $1 and status = 'Pending'`, [id]),
  );
  return rows.length > 0;
}

async function change(
  { books, customers }: World,
  { do: what, which }: { readonly do: string; readonly which: number },
): Promise<unknown> {
  if (what === 'settle') return books.settle();
  if (what === 'finish') return books.gateway.finish(which % 2 === 0 ? 'Approved' : 'Declined');
  if (what === 'cancel' || what === 'rollBack') {
    return cancelAnInvoice(books, which, { rollbackBillingPeriod: what === 'rollBack' });
  }
  if (what !== 'unpay') return resolveOne({ books, customers }, what, which);
  const paid = await books.read((tx) =>
    tx.query<{ id: number; fits: boolean }>(
      `select id, status = 'Paid' as fits from payment where status <> 'Declined' order by id`,
    ),
  );
  const fitting = paid.filter(({ fits }) => fits);
  const isAny = fitting.length === 0 || which % ANY_OF === 0;
  const payment = at(isAny ? paid : fitting, which);
  return payment === undefined ? NOTHING_TO_DO : books.unpay(payment.id);
}

/**
 * A person resolves a payment after asking the bank, so only one that the gateway does not know.
 */
async function resolveOne(world: World, what: string, which: number): Promise<unknown> {
  const { books, customers } = world;
  const unsent = () =>
    books.read((tx) =>
      tx.query<{ cascade: number }>(
        `select cascade_id as cascade from payment p
         where phase = 'Charging' and payment_type = 'Payment' and not exists (
           select from sandbox_transaction s where s.idempotency_key = p.gateway_key)
         order by id`,
      ),
    );
  let lost = await unsent();
  if (lost.length === 0) {
    const token = `tok_lost_${which}`;
    books.gateway.onCharge(token, 'loseCall', 'loseCall');
    const customerId = at(customers, which) ?? 0;
    await books.carry(await books.pay({ customerId, amount: '5', method: card(token) }));
    lost = await unsent();
  }
  const cascade = at(lost, which)?.cascade;
  // It waits for its turn behind a payment at the gateway.
  if (cascade === undefined) return NOTHING_TO_DO;
  const { did } = await books.resolve(cascade, what === 'approve' ? 'approved' : 'declined');
  if (!did.startsWith('was resolved')) throw new Error(`the payment ${did}`);
  return undefined;
}
