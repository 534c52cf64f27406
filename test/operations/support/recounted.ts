/**
 * A second calculation of reports: from documents, and from the days on which the books entered them.
 * Nothing of the derived ledger is read. Amounts are in cents.
 */
import type { Tx } from '../../../db/connection/tenancy.ts';
import type { Books } from './books.ts';
import { reported, rowsOf } from './reports.ts';
import { formatAmount } from '../../../domain/money/money.ts';

export type CountedBooks = Pick<Books, 'dependencies' | 'tenantId' | 'read' | 'today'>;

export interface Window {
  readonly from: string;
  readonly to: string;
}

interface Entry {
  readonly kind: string;
  readonly day: string;
  readonly currency: string;
  readonly amount: string;
  readonly invoiceId: number | null;
  readonly paymentId: number | null;
}

interface Charge {
  readonly id: number;
  readonly invoiceId: number;
  readonly line: number;
  readonly position: number;
  readonly isNote: boolean;
  readonly kind: string;
  readonly priceCode: string | null;
  readonly code: string | null;
  readonly text: string | null;
  readonly isPercent: boolean;
  readonly unitPrice: string | null;
  readonly jurisdiction: string | null;
  readonly category: string | null;
  readonly bases: readonly number[] | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly amount: string;
}

/** What was given back of a charge: by a credit, or by a charge of a later invoice. */
interface Given {
  readonly paymentId: number | null;
  readonly by: number | null;
  readonly of: number;
  readonly amount: string;
  readonly from: string | null;
  readonly to: string | null;
}

interface Money {
  readonly id: number;
  readonly gateway: string | null;
  readonly method: string | null;
  readonly amount: string;
}

interface Share {
  readonly refundId: number;
  readonly paymentId: number;
  readonly amount: string;
}

interface Documents {
  readonly entries: readonly Entry[];
  readonly charges: readonly Charge[];
  readonly given: readonly Given[];
  readonly payments: readonly Money[];
  readonly shares: readonly Share[];
}

async function readDocuments(tx: Tx): Promise<Documents> {
  const all = <Row>(text: string) =>
    tx.query<Row & Record<string, unknown>>(text, [tx.tenantId]) as Promise<Row[]>;
  return {
    entries: await all(
      `select kind, entered_on as day, currency, amount, invoice_id, payment_id
       from ledger_entry where tenant_id = $1`,
    ),
    charges: await all(
      `select c.id, i.id as invoice_id, n.id as line, c.position,
         i.credit_note_of is not null as is_note, c.kind, c.price_code, c.accounting_code as code,
         c.invoice_text as text, c.is_percent, c.unit_price, c.tax_jurisdiction as jurisdiction,
         c.tax_category as category, c.base_positions as bases, c.billing_start_date as from,
         c.billing_end_date as to, c.amount
       from invoice i join invoice_line n on n.invoice_id = i.id
       join invoice_charge c on c.invoice_line_id = n.id
       where i.tenant_id = $1 and not i.is_imported and not c.is_usage_charge_sub_total`,
    ),
    given: await all(
      `select payment_id, credit_charge_id as by, invoice_charge_id as of, amount,
         unused_from as from, unused_to as to from charge_credit where tenant_id = $1`,
    ),
    payments: await all(
      `select id, gateway, payment_method_type as method, amount from payment where tenant_id = $1`,
    ),
    shares: await all(
      `select refund_id, payment_id, amount from refund_share
       where tenant_id = $1 and status = 'Paid'`,
    ),
  };
}

const cents = (amount: string): number => Math.round(Number(amount) * 100);
const sum = (amounts: readonly number[]): number => amounts.reduce((all, each) => all + each, 0);
const shown = (amount: number): string => (amount / 100).toFixed(2).replace(/^-(0\.00)$/, '$1');
const isWithin = (day: string, { from, to }: Window): boolean => from <= day && day <= to;

/* What moves revenue and taxes. */

interface Move {
  readonly booked: string;
  readonly currency: string;
  readonly as: 'invoiced' | 'cancelled' | 'credited';
  /** The charge itself, or the one of which it gives back. */
  readonly charge: Charge;
  readonly code: string;
  readonly amount: number;
  readonly base: number;
  readonly from: string;
  readonly to: string;
}

const isTax = ({ kind, priceCode }: Charge): boolean =>
  kind === 'tax' || (kind === 'manual' && priceCode === 'TAX');

function movesOf({ entries, charges, given }: Documents): Move[] {
  const byId = new Map(charges.map((each) => [each.id, each]));
  const byInvoice = Map.groupBy(charges, ({ invoiceId }) => invoiceId);
  const basesOf = ({ line, bases }: Charge): readonly Charge[] =>
    charges.filter((each) => each.line === line && bases?.includes(each.position));
  const givenOf = (tax: Charge, isBy: (given: Given) => boolean): number =>
    sum(
      basesOf(tax).flatMap(({ id }) =>
        given.filter((each) => each.of === id && isBy(each)).map((each) => cents(each.amount)),
      ),
    );
  const moveOf = (charge: Charge, code: string | null) => ({
    charge,
    code: code ?? (isTax(charge) ? '2200' : '4000'),
  });
  return entries.flatMap(({ kind, day: booked, currency, invoiceId, paymentId }): Move[] => {
    if (kind === 'credit') {
      return given.flatMap((each): Move[] => {
        const charge = byId.get(each.of);
        if (each.paymentId !== paymentId || charge === undefined) return [];
        const days = { from: each.from ?? booked, to: each.to ?? booked };
        const base = -givenOf(charge, (other) => other.paymentId === paymentId);
        const own = { ...moveOf(charge, charge.code), ...days, base, amount: -cents(each.amount) };
        return [{ booked, currency, as: 'credited', ...own }];
      });
    }
    if (kind !== 'invoice' && kind !== 'invoiceCancelled') return [];
    const sign = kind === 'invoice' ? 1 : -1;
    return (byInvoice.get(invoiceId ?? 0) ?? []).map((each): Move => {
      const back = given.find(({ by }) => by === each.id);
      const charge = byId.get(back?.of ?? each.id) ?? each;
      const isDated = charge.kind !== 'manual' && each.from !== null && each.to !== null;
      const base = back
        ? -givenOf(charge, ({ by }) => byId.get(by ?? 0)?.line === each.line)
        : sum(basesOf(each).map(({ amount }) => cents(amount)));
      const credited = each.isNote ? 'credited' : 'invoiced';
      return {
        booked,
        currency,
        as: kind === 'invoice' ? credited : 'cancelled',
        ...moveOf(charge, each.code),
        amount: sign * cents(each.amount),
        base: sign * base,
        from: isDated ? (each.from ?? booked) : booked,
        to: isDated ? (each.to ?? booked) : booked,
      };
    });
  });
}

/* Reports, a text for each row. */

type Sums = Record<string, number>;

/** Rows by their texts, with sums; those of zeros are left out. */
function tableOf(columns: readonly string[]) {
  const rows = new Map<string, Sums>();
  return {
    add(key: string, amounts: Readonly<Sums>): void {
      const row = rows.get(key) ?? {};
      for (const [name, amount] of Object.entries(amounts)) row[name] = (row[name] ?? 0) + amount;
      rows.set(key, row);
    },
    texts: (): string[] =>
      [...rows].flatMap(([key, row]) =>
        Object.values(row).some((each) => each !== 0)
          ? [[key, ...columns.map((name) => shown(row[name] ?? 0))].join(' ')]
          : [],
      ),
  };
}

function revenueAgain(moves: readonly Move[], window: Window): string[] {
  const table = tableOf(['invoiced', 'cancelled', 'credited', 'revenue']);
  for (const { charge, booked, code, currency, as, amount } of moves) {
    if (isTax(charge) || !isWithin(booked, window)) continue;
    table.add(`${booked.slice(0, 7)} ${code} ${currency}`, { [as]: amount, revenue: amount });
  }
  return table.texts();
}

const daysIn = (from: string, to: string): number =>
  Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to)).days + 1;
const dayBefore = (day: string): string =>
  Temporal.PlainDate.from(day).subtract({ days: 1 }).toString();

/** By the end of the day. */
function recognizedBy({ booked, from, to, amount }: Move, day: string): number {
  if (day < booked) return 0;
  if (day >= to) return amount;
  if (day < from) return 0;
  const [served, all] = [daysIn(from, day), daysIn(from, to)];
  return Math.sign(amount) * Math.floor((2 * Math.abs(amount) * served + all) / (2 * all));
}

/** The months of a window, the first and the last as far as it reaches. */
function monthsOf({ from, to }: Window): Window[] {
  const months: Window[] = [];
  for (let first = from; first <= to;) {
    const next = Temporal.PlainDate.from(first).with({ day: 1 }).add({ months: 1 }).toString();
    const last = dayBefore(next);
    months.push({ from: first, to: last < to ? last : to });
    first = next;
  }
  return months;
}

function recognizedAgain(moves: readonly Move[], window: Window): string[] {
  const table = tableOf(['deferredStart', 'invoiced', 'recognized', 'deferredEnd']);
  for (const month of monthsOf(window)) {
    const before = dayBefore(month.from);
    for (const move of moves) {
      if (isTax(move.charge)) continue;
      const { code, currency, booked, amount } = move;
      const start = (booked <= before ? amount : 0) - recognizedBy(move, before);
      const end = (booked <= month.to ? amount : 0) - recognizedBy(move, month.to);
      table.add(`${month.from.slice(0, 7)} ${code} ${currency}`, {
        deferredStart: start,
        invoiced: isWithin(booked, month) ? amount : 0,
        recognized: recognizedBy(move, month.to) - recognizedBy(move, before),
        deferredEnd: end,
      });
    }
  }
  return table.texts();
}

function taxAgain({ charges }: Documents, moves: readonly Move[], window: Window): string[] {
  const taxes = tableOf(['base', 'tax']);
  const untaxed = tableOf(['base']);
  const isTaxed = ({ line, position }: Charge): boolean =>
    charges.some(
      (each) => each.kind === 'tax' && each.line === line && each.bases?.includes(position),
    );
  for (const { charge, booked, code, currency, amount, base } of moves) {
    if (!isWithin(booked, window)) continue;
    if (isTax(charge)) {
      const { kind, isPercent, unitPrice, text, jurisdiction, category } = charge;
      const percent = kind === 'tax' && isPercent ? String(Number(unitPrice)) : null;
      const key = [jurisdiction, text, percent, category, code, currency];
      taxes.add(key.map((each) => each ?? '-').join(' '), { base, tax: amount });
    } else if (!isTaxed(charge)) untaxed.add(`- - - - - ${currency}`, { base: amount });
  }
  return [...taxes.texts(), ...untaxed.texts().map((row) => `${row} -`)];
}

function paymentsAgain({ entries, payments, shares }: Documents, window: Window): string[] {
  const table = tableOf(['payments', 'refunds', 'reversed', 'net']);
  const counts = new Map<string, number>();
  const byId = new Map(payments.map((each) => [each.id, each]));
  for (const { kind, day, currency, amount, paymentId } of entries) {
    if (!isWithin(day, window)) continue;
    const keyOf = (id: number | null): string => {
      const { gateway, method } = byId.get(id ?? 0) ?? {};
      return `${gateway ?? '-'} ${method ?? '-'} ${currency}`;
    };
    const key = keyOf(paymentId);
    if (kind === 'payment') {
      // Its surcharge is a part of it.
      const came = cents(byId.get(paymentId ?? 0)?.amount ?? '0');
      table.add(key, { payments: came, net: came });
      counts.set(key, (counts.get(key) ?? 0) + 1);
    } else if (kind === 'refund') {
      for (const share of shares.filter(({ refundId }) => refundId === paymentId)) {
        const went = -cents(share.amount);
        table.add(keyOf(share.paymentId), { refunds: went, net: went });
      }
    } else if (['paymentCanceled', 'paymentReturned', 'paymentDisputed'].includes(kind)) {
      const went = -Math.abs(cents(amount));
      table.add(key, { reversed: went, net: went });
    }
  }
  return table.texts().map((row) => {
    const [gateway, method, currency, ...amounts] = row.split(' ');
    const key = `${gateway} ${method} ${currency}`;
    return [key, counts.get(key) ?? 0, ...amounts].join(' ');
  });
}

/* What is open today, in one statement. */

const late = (condition: string): string =>
  `coalesce(sum(owed) filter (where ${condition}), 0)::text`;

const agedText = `
  select customer_id, currency, ${late('days <= 0')} as not_due,
    ${late('days between 1 and 30')} as days1_to30,
    ${late('days between 31 and 60')} as days31_to60,
    ${late('days between 61 and 90')} as days61_to90, ${late('days > 90')} as days_over90,
    ${late('days is null')} as without_due_date, sum(owed)::text as receivables,
    sum(money)::text as unapplied, sum(balance)::text as balance
  from (
    select customer_id, currency, outstanding_balance as owed, 0 as money, 0 as balance,
      $2::date - due_date as days
    from invoice where tenant_id = $1
    union all
    select customer_id, currency, greatest(-balance, 0), greatest(balance, 0), 0, null
    from payment where tenant_id = $1
    union all
    select customer_id, currency, 0, 0, balance, null from customer_balance where tenant_id = $1) each
  group by 1, 2 having sum(owed) <> 0 or sum(money) <> 0 or sum(balance) <> 0 order by 1, 2`;

const agedColumns = ['notDue', 'days1To30', 'days31To60', 'days61To90', 'daysOver90'].concat(
  'withoutDueDate',
  'receivables',
  'unapplied',
  'balance',
);

type Row = Readonly<Record<string, unknown>>;

const agedTexts = (id: string, rows: readonly Row[]): string[] =>
  rows.map((row) => {
    const currency = String(row['currency']);
    const amounts = agedColumns.map((name) => formatAmount(currency, String(row[name])));
    return [row[id], currency, ...amounts].join(' ');
  });

/* Both. */

interface Counts {
  readonly reported: Readonly<Record<string, readonly string[]>>;
  readonly recounted: Readonly<Record<string, readonly string[]>>;
}

/** What is open today, by the report and again. */
export async function agedTwice(books: CountedBooks): Promise<Counts> {
  const aged = (await reported(books, 'agedReceivables')).rows;
  const again = await books.read((tx) =>
    tx.query<Record<string, unknown>>(agedText, [books.tenantId, books.today()]),
  );
  return {
    reported: { aged: agedTexts('customer', aged) },
    recounted: { aged: agedTexts('customerId', again) },
  };
}

/** Reports take at most so many days before the last one. */
const DAYS_BEFORE_MAX = 365;

/** The reports of some days, at most of a year, and the same again from documents. */
export async function countedTwice(books: CountedBooks, { from, to }: Window): Promise<Counts> {
  const earliest = Temporal.PlainDate.from(to).subtract({ days: DAYS_BEFORE_MAX }).toString();
  const window = { from: from < earliest ? earliest : from, to };
  const documents = await books.read(readDocuments);
  const moves = movesOf(documents);
  const names = ['revenue', 'recognizedRevenue', 'tax', 'payments'] as const;
  const found = await Promise.all(
    names.map(async (name) => [name, (await rowsOf(books, name, window)).toSorted()] as const),
  );
  return {
    reported: Object.fromEntries(found),
    recounted: {
      revenue: revenueAgain(moves, window).toSorted(),
      recognizedRevenue: recognizedAgain(moves, window).toSorted(),
      tax: taxAgain(documents, moves, window).toSorted(),
      payments: paymentsAgain(documents, window).toSorted(),
    },
  };
}
