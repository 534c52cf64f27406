/** What the demo's customers owe in the end, as the interface shows it, and how it is computed. */
import { all, done, text, type RestTarget, type Xml } from '../rest.ts';
import type { MadeCustomer } from './cast.ts';
import { say, table } from './words.ts';

export interface Books {
  readonly customer: MadeCustomer;
  readonly invoices: readonly Xml[];
  /** Payments, credits and refunds in the order in which they were made. */
  readonly payments: readonly Xml[];
  readonly balance: string;
}

export async function booksOf(target: RestTarget, customer: MadeCustomer): Promise<Books> {
  const { id } = customer;
  const invoices = await objects(target, ['invoices', 'invoice'], id);
  const payments = [
    ...(await objects(target, ['payments', 'payment'], id)),
    ...(await objects(target, ['credits', 'credit'], id)),
    ...(await objects(target, ['refunds', 'refund'], id)),
  ];
  const shown = await done(target, 'GET', `/rest/customer/${id}`);
  return {
    customer,
    invoices: byId(invoices),
    payments: byId(payments),
    balance: text(shown, 'customerFinancials', 'currentBalance'),
  };
}

/** Reads every object in a customer's list by itself. */
async function objects(
  target: RestTarget,
  [plural, singular]: readonly [string, string],
  customerId: string,
): Promise<Xml[]> {
  const list = await done(target, 'GET', `/rest/${plural}?customerId=${customerId}&max=100`);
  const found: Xml[] = [];
  for (const each of [...all(list, 'invoice'), ...all(list, 'payment')]) {
    found.push(await done(target, 'GET', `/rest/${singular}/${text(each, '@id')}`));
  }
  return found;
}

/** Later objects have higher ids. */
function byId(objects: readonly Xml[]): readonly Xml[] {
  return objects.toSorted((a, b) => Number(text(a, '@id')) - Number(text(b, '@id')));
}

const columns = [
  { title: 'Customer' },
  { title: 'Invoiced', isFigure: true },
  { title: 'Paid', isFigure: true },
  { title: 'Credited', isFigure: true },
  { title: 'Refunded', isFigure: true },
  { title: 'Balance', isFigure: true },
];

/** Payments and credits reduce the balance, refunds increase it; credit notes are invoices. */
export function sayBalances(books: readonly Books[]): void {
  const rows = books.map(({ customer, invoices, payments, balance }) => {
    const moved = (type: string) =>
      sum(
        payments
          .filter((it) => text(it, 'paymentType') === type && text(it, 'status') === 'Paid')
          .filter((it) => type !== 'Credit' || text(it, 'isSystemPayment') === 'false')
          .map((it) => text(it, 'amount').replace('-', '')),
      );
    const invoiced = sum(invoices.map((invoice) => text(invoice, 'currentAmountDue')));
    return [customer.name, invoiced, moved('Payment'), moved('Credit'), moved('Refund'), balance];
  });
  const total = [
    'All',
    ...[1, 2, 3, 4, 5].map((index) => sum(rows.map((row) => row[index] ?? ''))),
  ];
  say(...table(columns, [...rows, total]));
}

/** Adds amounts as the interface writes them: decimals with two digits, such as `-5.00`. */
function cents(amount: string): bigint {
  return BigInt(amount.replace('.', '') || '0');
}

function money(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export function sum(amounts: readonly string[]): string {
  return money(amounts.reduce((total, amount) => total + cents(amount), 0n));
}
