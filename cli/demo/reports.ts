/** The end of the demo: who owes what since when, and the revenue of the last month, from the ledger. */
import { type RestTarget, type Xml, all, done, text } from '../rest.ts';
import { explain, heading, say, table } from './words.ts';

export interface Reports {
  readonly aged: readonly Xml[];
  /** Of the month of the last day. */
  readonly revenue: readonly Xml[];
  readonly recognized: readonly Xml[];
  readonly today: string;
}

export async function reportsOf(target: RestTarget, today: string): Promise<Reports> {
  const rows = async (name: string, days: string): Promise<readonly Xml[]> =>
    all(await done(target, 'GET', `/rest/report/${name}?${days}`), 'rows', 'row');
  const month = `from=${today.slice(0, 7)}-01&to=${today}`;
  const [aged, revenue, recognized] = await Promise.all([
    rows('agedReceivables', `asOf=${today}`),
    rows('revenue', month),
    rows('recognizedRevenue', month),
  ]);
  return { aged, revenue, recognized, today };
}

/** @param names of customers, by their id: the demo has run before, for others */
export function sayReports(
  { aged, revenue, recognized, today }: Reports,
  names: ReadonlyMap<string, string>,
): void {
  heading('The aged list, and the revenue of the month');
  explain(
    'Both are sums of the ledger, which shows for each invoice, payment and application what it ' +
      `debits and credits. What is open at the end of ${today}, by days past the due date:`,
  );
  const own = aged.filter((row) => names.has(text(row, 'customer', '@id')));
  const columns = ['notDue', 'days1To30', 'days31To60', 'days61To90', 'daysOver90', 'balance'];
  say(
    '',
    ...tableOf(
      ['Customer', 'Not due', '1 to 30', '31 to 60', '61 to 90', 'Over 90', 'Balance'],
      own.map((row) => [
        names.get(text(row, 'customer', '@id')) ?? '',
        ...columns.map((column) => text(row, column)),
      ]),
    ),
    '',
  );
  explain(
    `Revenue from ${today.slice(0, 7)}-01 to ${today}, of all customers of the tenant, by accounting ` +
      'code: what was invoiced, and what of it and of earlier months falls to these days. A charge is ' +
      'shared out over the days of its period; the rest is deferred.',
  );
  const byCode = new Map(recognized.map((row) => [keyOf(row), row]));
  const codes = [...new Set([...revenue, ...recognized].map(keyOf))].toSorted();
  const invoiced = new Map(revenue.map((row) => [keyOf(row), text(row, 'revenue')]));
  say(
    '',
    ...tableOf(
      ['Code', 'Invoiced', 'Deferred before', 'Recognized', 'Deferred after'],
      codes.map((key) => {
        const row = byCode.get(key) ?? '';
        const figures = ['deferredStart', 'recognized', 'deferredEnd'].map((name) =>
          row === '' ? '0.00' : text(row, name),
        );
        return [key, invoiced.get(key) ?? '0.00', ...figures];
      }),
    ),
  );
}

const keyOf = (row: Xml): string =>
  `${text(row, 'accountingCode')} ${text(row, 'currency', '@id')}`;

function tableOf(titles: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return table(
    titles.map((title, index) => ({ title, isFigure: index > 0 })),
    rows,
  );
}
