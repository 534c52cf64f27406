/** Rehearses a billing run: what it will make of each customer, read and rated as the run does it. */
import { setImmediate as turn } from 'node:timers/promises';
import {
  type Compared,
  type OutlierLimits,
  type RehearsalFigures,
  type RunFigures,
  addFigures,
  billedOrdersOf,
  comparedOf,
  figuresOf,
  isOutlier,
  noFigures,
} from '../../domain/billing/rehearsed.ts';
import { type ForecastInput, forecastRuns } from '../../domain/billing/forecast.ts';
import type { HeldCustomer } from '../../domain/billing/rate/by-answers.ts';
import type { CustomerBilling } from '../../domain/billing/rate-customer.ts';
import { type IsoDate, addDays, maxDate } from '../../domain/calendar/calendar.ts';
import { DomainError } from '../../domain/errors.ts';
import { addAmounts } from '../../domain/money/amounts.ts';
import type { Decimal } from '../../domain/money/money.ts';
import { type TxOptions, inTenant } from '../../db/connection/tenancy.ts';
import { customersDueBy, lastAmounts } from '../../db/queries/billing/rehearsals.ts';
import { readForecasts, type Forecasts } from '../billing/basis.ts';
import { holdCodeOf } from '../billing/faults.ts';
import { type Dependencies, tenantInfo, tenantTimeOf } from '../context/context.ts';
import { batchesOf } from '../context/lanes.ts';
import { findCustomers } from '../context/locks.ts';

/** Nothing but reads: PostgreSQL refuses a write, and nobody waits for it. */
const reading: TxOptions = { readOnly: true, snapshot: true, statementTimeoutMs: 30_000 };
/** How far ahead: more runs in between make the figures guesses. */
export const DAYS_AHEAD_MAX = 31;
/** The ids of so many customers are read at once. */
const PAGE_CUSTOMERS_MAX = 10_000;
/** As many as a batch of the run has. */
const BATCH_CUSTOMERS_MAX = 200;
/** Ten times what a transaction of the run bills. */
const CHARGES_MAX = 50_000;
/** The customers that the run would hold are named up to so many; all are counted. */
const FAILING_NAMED_MAX = 1_000;

export interface RehearsalOptions {
  /** The day of the run; a day that is over stands for today, whose run catches up. */
  readonly day: IsoDate;
  readonly limits: OutlierLimits;
  /** Called with what a batch bills of each customer and currency, and waited for. */
  readonly onCompared?: TakeCompared | undefined;
  /** Called with those of a batch that are beyond the limits, and waited for. */
  readonly onOutliers?: TakeCompared | undefined;
  /** Called after each batch with how many customers are done. */
  readonly onProgress?: (customers: number) => void;
  /** Aborted: it throws before its next batch. */
  readonly signal?: AbortSignal | undefined;
}

type TakeCompared = (compared: readonly Compared[]) => Promise<unknown> | undefined;

/** What is the same size however many customers there are. */
export interface Rehearsed {
  readonly runOn: IsoDate;
  readonly figures: RehearsalFigures;
  /** The first customers that the run would hold. */
  readonly failing: readonly HeldCustomer[];
}

/**
 * What the billing run of a day makes if nothing else happens before: no call, no payment, no ageing.
 * It reads and rates in batches as the run does, in transactions that only read, and asks no provider.
 * Throws field.invalid for a day too far ahead.
 */
export async function rehearse(
  dependencies: Dependencies,
  tenantId: number,
  { day, limits, onCompared, onOutliers, onProgress, signal }: RehearsalOptions,
): Promise<Rehearsed> {
  const today = await todayOf(dependencies, tenantId);
  const runOn = runOf(day, today);
  const found = newFindings();
  let done = 0;
  for (let after = 0, isMore = true; isMore;) {
    const choice = { by: runOn, after, limit: PAGE_CUSTOMERS_MAX };
    const page = await inTenant(
      dependencies.db,
      tenantId,
      (tx) => customersDueBy(tx, choice),
      reading,
    );
    const free = page.filter(({ isHeld, isSuspect }) => !isHeld && !isSuspect);
    found.held += page.filter(({ isHeld }) => isHeld).length;
    found.suspects += page.filter(({ isHeld, isSuspect }) => isSuspect && !isHeld).length;
    for (const batch of batchesOf(
      free.map(({ id }) => id),
      BATCH_CUSTOMERS_MAX,
    )) {
      const all = await rehearseBatch(
        { dependencies, tenantId, today, runOn, found, signal },
        batch,
      );
      const outliers = all.filter((each) => isOutlier(each, limits));
      found.outliers += outliers.length;
      await onCompared?.(all);
      await onOutliers?.(outliers);
      done += batch.length;
      onProgress?.(done);
    }
    isMore = page.length === PAGE_CUSTOMERS_MAX;
    after = page.at(-1)?.id ?? after;
  }
  return { runOn, ...resultOf(found) };
}

/** The day of the run that bills what is due by a day; throws field.invalid. */
export function runOf(day: IsoDate, today: IsoDate): IsoDate {
  const last = addDays(today, DAYS_AHEAD_MAX);
  if (day <= last) return maxDate(day, today);
  const text = `a run is rehearsed up to ${DAYS_AHEAD_MAX} days ahead, to ${last}`;
  throw new DomainError('field.invalid', text, { path: 'runOn', value: day });
}

/** The tenant's day. */
export async function todayOf(dependencies: Dependencies, tenantId: number): Promise<IsoDate> {
  const tenant = await tenantInfo(dependencies, tenantId);
  const { today } = await inTenant(
    dependencies.db,
    tenantId,
    (tx) => tenantTimeOf(dependencies, tenant, tx, 'none'),
    reading,
  );
  return today;
}

interface Rehearsing {
  readonly dependencies: Dependencies;
  readonly tenantId: number;
  readonly today: IsoDate;
  readonly runOn: IsoDate;
  readonly found: Findings;
  readonly signal: AbortSignal | undefined;
}

/** Reads as many customers at once as one transaction of the run does, until none is left. */
async function rehearseBatch(
  { dependencies, tenantId, today, runOn, found, signal }: Rehearsing,
  customerIds: readonly number[],
): Promise<readonly Compared[]> {
  const all: Compared[] = [];
  for (let left = customerIds; left.length > 0;) {
    signal?.throwIfAborted();
    const { inputs, isTooMuch, ids } = await readBatch(
      { dependencies, tenantId, today, runOn },
      left,
    );
    const rated = inputs.flatMap((input) => ratedOf(input, found));
    const orders = rated.flatMap(({ billings }) => billedOrdersOf(billings));
    const lasts =
      orders.length === 0
        ? new Map<number, Decimal>()
        : await inTenant(dependencies.db, tenantId, (tx) => lastAmounts(tx, orders), reading);
    all.push(...rated.flatMap((each) => addCustomer(found, each, lasts)));
    if (isTooMuch) found.tooLarge += 1;
    left = ids.slice(isTooMuch ? 1 : inputs.length);
    // What else this process does comes between two batches.
    await turn();
  }
  return all;
}

interface ReadBatch extends Forecasts {
  /** Of the customers that are there and not held, by ascending id. */
  readonly ids: readonly number[];
}

async function readBatch(
  { dependencies, tenantId, today, runOn }: Omit<Rehearsing, 'found' | 'signal'>,
  customerIds: readonly number[],
): Promise<ReadBatch> {
  const tenant = await tenantInfo(dependencies, tenantId);
  return inTenant(
    dependencies.db,
    tenantId,
    async (tx) => {
      const customers = (await findCustomers(tx, customerIds)).filter(({ isHeld }) => !isHeld);
      const ids = customers.map(({ id }) => id);
      const choice = { customers, today, asOf: runOn };
      return { ids, ...(await readForecasts(dependencies, { tx, tenant }, choice)) };
    },
    reading,
  );
}

interface Rated {
  readonly customerId: number;
  /** The transactions of the day's run. */
  readonly billings: readonly CustomerBilling[];
  /** Those of the runs before. */
  readonly before: readonly CustomerBilling[];
}

/** None of a customer that the run would hold, or that has too much due. */
function ratedOf(input: ForecastInput, found: Findings): readonly Rated[] {
  const { customer, asOf } = input;
  const billings: CustomerBilling[] = [];
  const before: CustomerBilling[] = [];
  let charges = 0;
  try {
    for (const { on, billing } of forecastRuns(input)) {
      charges += billing.ratedCount;
      if (charges > CHARGES_MAX) {
        found.tooLarge += 1;
        return [];
      }
      (on === asOf ? billings : before).push(billing);
    }
  } catch (error) {
    // Rating is a pure computation, so the run would fail in the same way.
    const code = holdCodeOf(error) ?? 'service.fault';
    found.codes.set(code, (found.codes.get(code) ?? 0) + 1);
    if (found.failing.length < FAILING_NAMED_MAX) {
      found.failing.push({ customerId: customer.id, code });
    }
    return [];
  }
  return [{ customerId: customer.id, billings, before }];
}

/* What was found so far. */

interface Findings {
  run: RunFigures;
  before: RunFigures;
  compared: RehearsalFigures['compared'];
  held: number;
  suspects: number;
  tooLarge: number;
  readonly codes: Map<string, number>;
  readonly failing: HeldCustomer[];
  outliers: number;
}

function newFindings(): Findings {
  return {
    run: noFigures,
    before: noFigures,
    compared: { amounts: {}, lastAmounts: {}, first: 0 },
    held: 0,
    suspects: 0,
    tooLarge: 0,
    codes: new Map(),
    failing: [],
    outliers: 0,
  };
}

function addCustomer(
  found: Findings,
  { customerId, billings, before }: Rated,
  lasts: ReadonlyMap<number, Decimal>,
): readonly Compared[] {
  found.run = addFigures(found.run, figuresOf(billings));
  found.before = addFigures(found.before, figuresOf(before));
  const invoices = billings.flatMap((billing) => billing.invoices);
  const orders = billedOrdersOf(billings);
  const lastOf = (orderId: number): Decimal | null => lasts.get(orderId) ?? null;
  const all = comparedOf(customerId, { invoices, orders, lastOf });
  for (const { currency, amount, lastAmount } of all) {
    const { amounts, lastAmounts: last, first } = found.compared;
    found.compared = {
      amounts: addAmounts(amounts, { [currency]: amount }),
      lastAmounts: addAmounts(last, { [currency]: lastAmount ?? '0' }),
      first: first + (lastAmount === null ? 1 : 0),
    };
  }
  return all;
}

function resultOf(found: Findings): Omit<Rehearsed, 'runOn'> {
  const { run, before, compared, outliers, failing } = found;
  const { held, suspects, tooLarge, codes } = found;
  const passedOver = { held, suspects, tooLarge, failing: Object.fromEntries(codes) };
  const figures = { run, before, compared, outliers, passedOver };
  return { figures, failing };
}
