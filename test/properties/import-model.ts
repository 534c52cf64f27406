/** What imports of customers, invoices and lines should come to, worked out in memory, in cents. */

export interface CustomerCells {
  readonly ref: string;
  readonly first: string;
  readonly last: string;
  readonly mode: string;
  readonly balance: string;
  /** The row lacks its last cell. */
  readonly isCut: boolean;
}

export interface InvoiceCells {
  readonly number: string;
  readonly ref: string;
  readonly date: string;
  readonly due: string;
  readonly status: string;
  readonly paid: string;
  readonly stated: string;
  readonly isCut: boolean;
}

export interface LineCells {
  readonly number: string;
  readonly position: string;
  readonly amount: string;
  readonly isCut: boolean;
}

export interface Model {
  /** What each customer owes or, below zero, has paid too much. */
  readonly openings: Map<string, number>;
  /** What was open of each invoice when it was imported. */
  readonly invoices: Map<string, { readonly ref: string; readonly cents: number }>;
}

export const newModel = (): Model => ({ openings: new Map(), invoices: new Map() });

/** Of days that are no dates, null. */
const dayOf = (text: string): string | null => (/^\d{4}-\d\d-\d\d$/.test(text) ? text : null);

/** Null for no amount in cents. */
function centsOf(text: string): number | null {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return null;
  const cents = Number(text) * 100;
  return Math.abs(cents - Math.round(cents)) < 1e-6 ? Math.round(cents) : null;
}

/** Whether each row succeeds. */
export function importCustomers(
  { openings }: Model,
  rows: readonly CustomerCells[],
): readonly boolean[] {
  const seen = new Set<string>();
  const before = new Set(openings.keys());
  return rows.map((row) => {
    if (row.isCut) return false;
    const isRepeated = seen.has(row.ref);
    if (row.ref !== '') seen.add(row.ref);
    if (isRepeated || row.ref === '' || row.ref.length > 50) return false;
    if (!['', 'I', 'U'].includes(row.mode)) return false;
    const opening = row.balance === '' ? 0 : centsOf(row.balance);
    if (opening === null) return false;
    const isKnown = before.has(row.ref);
    if (row.mode === 'U') return isKnown && row.balance === '';
    if (isKnown || row.first === '' || row.last === '') return false;
    openings.set(row.ref, opening);
    return true;
  });
}

export interface Files {
  readonly today: string;
  readonly invoices: readonly InvoiceCells[];
  readonly lines: readonly LineCells[];
}

export function importInvoices(
  model: Model,
  { today, invoices, lines }: Files,
): { readonly invoices: readonly boolean[]; readonly lines: readonly boolean[] } {
  const items = lines.map((row, index) => {
    const earlier = lines
      .slice(0, index)
      .some((each) => isReadable(each) && isSamePlace(each, row));
    const isGood = isReadable(row) && !earlier;
    return { row, isGood, cents: isGood ? centsOf(row.amount) : null };
  });
  const seen = new Set<string>();
  const taken = new Set(model.invoices.keys());
  const imported = new Set<string>();
  const good = invoices.map((row) => {
    if (row.isCut) return false;
    const isRepeated = seen.has(row.number);
    if (row.number !== '') seen.add(row.number);
    if (isRepeated || row.number === '' || taken.has(row.number)) return false;
    if (!model.openings.has(row.ref)) return false;
    const [date, due] = [dayOf(row.date), dayOf(row.due)];
    if (date === null || due === null || date > today || due < date) return false;
    if (!['', 'Paid', 'Outstanding'].includes(row.status)) return false;
    const own = items.filter((each) => !each.row.isCut && each.row.number === row.number);
    if (own.length === 0 || own.some(({ isGood, cents }) => !isGood || cents === null))
      return false;
    const cents = openOf(
      row,
      own.reduce((sum, each) => sum + (each.cents ?? 0), 0),
    );
    if (cents === null) return false;
    model.invoices.set(row.number, { ref: row.ref, cents });
    imported.add(row.number);
    return true;
  });
  return {
    invoices: good,
    lines: items.map(({ row, isGood }) => isGood && imported.has(row.number)),
  };
}

/** Its cells are what their columns hold; an amount may still be missing, or too precise. */
function isReadable({ isCut, number, position, amount }: LineCells): boolean {
  return !isCut && number !== '' && /^\d+$/.test(position) && /^(-?\d+(\.\d+)?)?$/.test(amount);
}

const isSamePlace = (one: LineCells, other: LineCells): boolean =>
  one.number === other.number && one.position === other.position;

/** What is open of an invoice; null if its cells do not fit the sum of its lines. */
function openOf({ status, paid, stated }: InvoiceCells, sum: number): number | null {
  const given = paid === '' ? 0 : centsOf(paid);
  if (given === null || given > 0 || sum < 0) return null;
  if (stated !== '' && centsOf(stated) !== sum) return null;
  const before = status === 'Paid' && given === 0 ? -sum : given;
  const open = sum + before;
  if (open < 0 || (status === 'Paid' && open > 0)) return null;
  return open;
}

/** `C1 owes 7.34, open 12.34` of each customer, in order. */
export function booksOf({ openings, invoices }: Model): readonly string[] {
  return [...openings]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([ref, opening]) => {
      const own = [...invoices.values()].filter((each) => each.ref === ref);
      const sum = own.reduce((all, { cents }) => all + cents, 0);
      // A credit meets the invoices; a debit stays beside them.
      const open = opening < 0 ? Math.max(0, sum + opening) : sum;
      return `${ref} owes ${(opening + sum) / 100}, open ${open / 100}`;
    });
}
