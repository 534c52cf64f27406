/** Applies the numbering of a tenant file: its counters, and that no number can be given twice. */
import { isDeepStrictEqual } from 'node:util';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import {
  type NumberSeries,
  type Numbering,
  type SeriesState,
  mayMeet,
  mayStillGive,
  numberingOf,
  patternOf,
} from '../../domain/invoices/number-series.ts';
import type { Counter as CounterEntity } from '../../db/entities/tenants.ts';
import type { RowOf } from '../../db/entities/rows.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { isSeriesOf, nextNumbers } from '../../db/queries/context/numbers.ts';
import type { Path } from './file/mistakes.ts';
import type { StoredFile, TenantFile } from './parts.ts';

export interface Refusal {
  readonly path: Path;
  readonly message: string;
}

interface Numbers {
  readonly file: Pick<TenantFile, 'numbering'>;
  /** Undefined for a new tenant. */
  readonly previous: Pick<StoredFile, 'numbering'> | undefined;
  readonly today: IsoDate;
}

/** Returns what the file may not ask for; otherwise makes and moves counters. */
export async function applyNumbers(
  tx: Tx,
  { file, previous, today }: Numbers,
): Promise<readonly Refusal[]> {
  const { order } = file.numbering;
  const wanted = numberingOf(file.numbering);
  const before = previous && numberingOf(previous.numbering);
  const changed = seriesIn(wanted).filter(
    ([key, series]) => !isDeepStrictEqual(series, before?.[key]),
  );
  const isOrderMoved = order !== previous?.numbering.order;
  if (!isOrderMoved && changed.length === 0 && isDeepStrictEqual(wanted, before)) return [];
  // This waits for transactions that are making orders or invoices, and then sees their numbers.
  const counters = await lockCounters(tx);
  const refusals: Refusal[] = [];
  if (isOrderMoved) {
    const counter = { kind: 'order', prefix: '', year: 0, start: order } as const;
    refusals.push(...(await begin(tx, counters, counter, ['numbering', 'order'])));
  }
  if (await mayMeetIn(tx, wanted, today)) {
    const message = 'may give a number that numbering.invoice gives too';
    return [...refusals, { path: ['numbering', 'creditNote'], message }];
  }
  for (const [key, series] of changed) {
    const { prefix, start, yearly } = series;
    const path = typeof file.numbering[key] === 'object' ? [key, 'start'] : [key];
    const counter = { kind: 'invoice', prefix, year: 0, start } as const;
    // That of a year is made by its first number, so another start holds from the next one.
    if (!yearly) refusals.push(...(await begin(tx, counters, counter, ['numbering', ...path])));
    const used = await firstUsed(tx, await stateOf(tx, series), today);
    if (used === undefined) continue;
    const message = `may give ${used}, which is the number of a document`;
    refusals.push({ path: ['numbering', key], message });
  }
  return refusals;
}

type Series = readonly [key: keyof Numbering, series: NumberSeries];

function seriesIn({ invoice, creditNote }: Numbering): Series[] {
  return [['invoice', invoice], ...(creditNote ? ([['creditNote', creditNote]] as const) : [])];
}

interface Counter extends RowOf<typeof CounterEntity, 'kind' | 'prefix' | 'year' | 'first'> {
  /** The start of the numbers in the file's last applied version. */
  readonly start: number;
  /** The number after the last one in use, including skipped numbers. */
  readonly unused: number;
}

/** Makes the counter, or moves it to another start. Returns why it cannot. */
async function begin(
  tx: Tx,
  counters: readonly Counter[],
  wanted: Pick<Counter, 'kind' | 'prefix' | 'year' | 'start'>,
  path: Path,
): Promise<Refusal[]> {
  const { kind, prefix, start } = wanted;
  const counter = counters.find(
    (each) => each.kind === kind && each.prefix === prefix && each.year === 0,
  );
  if (counter === undefined) {
    await tx.query(
      'insert into counter (tenant_id, kind, prefix, first, next) values ($1, $2, $3, $4, $4)',
      [tx.tenantId, kind, prefix, start],
    );
    return [];
  }
  if (start === counter.start) return [];
  const { unused, first } = counter;
  const hasGiven = unused > first;
  if (hasGiven && start < unused) {
    const message = `${start} is at or below a number in use: the last is ${unused - 1}`;
    return [{ path, message }];
  }
  await moveCounter(tx, { ...counter, hasGiven }, start);
  return [];
}

async function lockCounters(tx: Tx): Promise<Counter[]> {
  return await tx.query<Counter>(
    `select kind, prefix, year, first, coalesce(moved_to, first) as start,
            coalesce((select lower(r) from unnest(skipped) r where upper(r) = next), next) as unused
     from counter where tenant_id = $1
     -- In the order in which orders and invoices take them.
     order by kind = 'invoice', prefix, year for update`,
    [tx.tenantId],
  );
}

/** Records the skipped numbers, so that every gap has a reason. */
async function moveCounter(
  tx: Tx,
  { kind, prefix, unused, hasGiven }: Counter & { readonly hasGiven: boolean },
  wanted: number,
): Promise<void> {
  const counter = [kind, prefix, wanted];
  const which = 'where kind = $1 and prefix = $2 and year = 0';
  if (!hasGiven) {
    await tx.query(`update counter set first = $3, next = $3 ${which}`, counter);
    return;
  }
  await tx.query(
    `update counter set moved_to = $3, next = $3,
       skipped = skipped - int8multirange(int8range($4, null))
         + int8multirange(int8range($4, $3)) ${which}`,
    [...counter, unused],
  );
}

async function mayMeetIn(
  tx: Tx,
  { invoice, creditNote }: Numbering,
  today: IsoDate,
): Promise<boolean> {
  if (creditNote === null) return false;
  return mayMeet(await stateOf(tx, invoice), await stateOf(tx, creditNote), today);
}

async function stateOf(tx: Tx, series: NumberSeries): Promise<SeriesState> {
  return { series, next: await nextNumbers(tx, series) };
}

/** Read at once, by their numbers. */
const PAGE = 10_000;

/** A number that the series may still give, and that a document outside of it has. */
async function firstUsed(tx: Tx, state: SeriesState, today: IsoDate): Promise<string | undefined> {
  const { series } = state;
  let last = '';
  for (;;) {
    const rows = await tx.query<{ number: string }>(
      `select number from (
         select invoice_number as number, number_prefix, number_year from invoice
         where tenant_id = $1
         union all
         select cancellation_number, number_prefix, number_year from cancellation
         where tenant_id = $1) given
       where number ~ $2 and ${isSeriesOf('given', '$3', '$4')} is not true and number > $5
       order by number limit $6`,
      [tx.tenantId, patternOf(series), series.prefix, series.yearly, last, PAGE],
    );
    const used = rows.find(({ number }) => mayStillGive(state, number, today));
    if (used !== undefined || rows.length < PAGE) return used?.number;
    last = rows.at(-1)?.number ?? '';
  }
}
