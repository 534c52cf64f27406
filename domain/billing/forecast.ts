/** Repeats the billing of one customer day by day, in memory: what the runs will make. */
import assert from 'node:assert';
import {
  type DiscountCharge,
  type InvoiceCharge,
  type PeriodCharge,
  planChargeOf,
  taxCodeOf,
} from './charges.ts';
import { correctedAfter } from './credit/corrected.ts';
import { usesAfter } from './rate/discount.ts';
import { applyDue } from './due/due.ts';
import type { DraftCharge, DraftInvoice } from './rate/total.ts';
import { DomainError } from '../errors.ts';
import { RATED_CHARGES_MAX } from './due/limits.ts';
import type { IsoDate } from '../calendar/calendar.ts';
import { type LineToRate, type OrderToRate, awaitsChange, termsOfOrder } from './order-to-rate.ts';
import { usesWith } from './credit/changes.ts';
import {
  type CustomerBilling,
  type StoredOrderBilling,
  notesOf,
  rateCustomer,
} from './rate-customer.ts';
import type { RateCustomerInput, RatingBasis } from './due/open-orders.ts';
import { actsBy, nextActionOn, reschedule } from './due/dates.ts';
import { refuseUntaxed } from './rate/provider-tax.ts';
import { type StandingDays, standingAt } from './rate/pricing.ts';
import type { DueCharge, UsageWindow } from './due/due-charges.ts';
import type { BilledDays } from '../standing/line.ts';
import { resumedPauses, untilOf } from '../standing/pause.ts';
import { statusOn } from '../standing/status.ts';
import { type CustomerStatus, isSuspending } from '../customers/status.ts';
import { referencesOf } from './references.ts';
import type { InvoicedLine } from './credit/dependents.ts';

/** A day's invoice, with the notes of its orders. */
export interface ForecastInvoice {
  readonly draft: DraftInvoice;
  readonly notes: string | null;
}

export interface ForecastInput extends Pick<
  RateCustomerInput,
  'customer' | 'rows' | 'basis' | 'tenantTerms' | 'usageGraceDays' | 'today' | 'corrected'
> {
  /** The last day; today means what generateInvoice would bill. */
  readonly asOf: IsoDate;
  /** Today's invoices are those of generateInvoice, not of the run: if it is the last day, by default. */
  readonly atOnce?: boolean;
  /** When the pause of the customer ends by itself, and the status that it has then. */
  readonly resumes?: Resumption | null;
}

interface Resumption {
  readonly on: IsoDate;
  readonly status: CustomerStatus;
}

/**
 * The invoices that the runs up to and including `asOf` make if nothing else happens, oldest first.
 * Throws DomainError where a run would hold the customer, or if there are too many charges.
 *
 * @example // GOLD from 2027-01-15, billed to 2027-02-14
 *   forecast({ rows: [gold], today: '2027-01-15', asOf: '2027-03-20', ... })
 *   // the invoices of 2027-02-15 and 2027-03-15
 */
export function forecast(input: ForecastInput): readonly ForecastInvoice[] {
  const invoices: ForecastInvoice[] = [];
  let charges = 0;
  for (const { billing } of forecastRuns(input)) {
    charges += billing.ratedCount;
    if (charges > RATED_CHARGES_MAX || (billing.hasMore && charges === RATED_CHARGES_MAX)) {
      throw tooManyCharges(input.asOf);
    }
    for (const draft of billing.invoices) {
      invoices.push({ draft, notes: notesOf(draft, billing.orders) });
    }
  }
  return invoices;
}

/** What one transaction of a day's run makes of the customer. */
export interface ForecastRun {
  readonly on: IsoDate;
  readonly billing: CustomerBilling;
}

/**
 * The runs up to and including `asOf`, in their order; one that bills more than a transaction does has
 * several. Throws DomainError where a run would hold the customer.
 *
 * @example
 *   [...forecastRuns({ rows: [gold], today: '2027-01-15', asOf: '2027-03-20', ... })]
 *   // [{ on: '2027-01-15', .. }, { on: '2027-02-15', .. }, { on: '2027-03-15', .. }]
 */
export function* forecastRuns(ahead: ForecastInput): Generator<ForecastRun> {
  const { asOf, atOnce = asOf === ahead.today, ...input } = ahead;
  let { resumes = null } = ahead;
  let rows: readonly OrderToRate[] = input.rows;
  let { basis, customer, corrected = new Map() } = input;
  let day: IsoDate | null = input.today;
  while (day !== null && day <= asOf) {
    const today: IsoDate = day;
    if (!atOnce) {
      const due: Resumption | null = resumes !== null && resumes.on <= today ? resumes : null;
      if (due !== null) {
        customer = { ...customer, status: due.status };
        resumes = null;
      }
      const resumed = afterPauses({ ...input, customer, basis, today, isResumed: due !== null });
      rows = rows.map(resumed);
      const successors = [...basis.successors].map(([id, row]) => [id, resumed(row)] as const);
      basis = { ...basis, successors: new Map(successors) };
    }
    const acting = rows.filter((row) => actsBy(row, { by: today, atOnce }));
    const rated = { ...input, customer, basis, corrected };
    const billing = rateCustomer({ ...rated, rows: acting, today, atOnce });
    yield { on: today, billing };
    const billed = new Map(billing.orders.map((each) => [each.row.id, each]));
    const taken = takenOff(billing.invoices);
    const begun = billing.orders.flatMap(({ row }) =>
      rows.some(({ id }) => id === row.id) ? [] : [row],
    );
    const moved = [...rows, ...begun].map((row) =>
      after(row, billed.get(row.id), taken.get(row.id)),
    );
    rows = withUsesOfChains(moved, basis.plans);
    corrected = correctedAfter(corrected, chargesOf(billing.invoices));
    basis = { ...basis, unused: withUnused(basis.unused, rows, billing.invoices) };
    day = billing.hasMore ? today : nextDay(rows, today, resumes);
  }
}

/**
 * Throws UnansweredTaxes if an invoice lacks the answer of the tax provider.
 *
 * @example taxed(forecast(input))
 */
export function taxed(invoices: readonly ForecastInvoice[]): readonly ForecastInvoice[] {
  refuseUntaxed(invoices.map(({ draft }) => draft));
  return invoices;
}

function nextDay(
  rows: readonly OrderToRate[],
  today: IsoDate,
  resumes: Resumption | null,
): IsoDate | null {
  const days = rows.flatMap((row) => [nextActionOn(row), resumptionOf(row)]);
  const [first] = [...days, resumes?.on ?? null].filter((day) => day !== null).toSorted();
  assert(first === undefined || first > today, 'a run leaves nothing due of its day');
  return first ?? null;
}

/** The day on which an order's own pause ends by itself; null without one. */
const resumptionOf = ({ status, pauses }: OrderToRate): IsoDate | null =>
  status === 'Suspended' ? untilOf(pauses) : null;

interface PausesBasis extends Pick<
  ForecastInput,
  'customer' | 'basis' | 'usageGraceDays' | 'today'
> {
  /** The pause of the customer ends today. */
  readonly isResumed: boolean;
}

/** An order after the pauses of the day have ended, which come before its changes and its bills. */
function afterPauses({ customer, basis, usageGraceDays, today, isResumed }: PausesBasis) {
  const isServed = isResumed && !isSuspending(customer.status);
  const view = { customerStatus: customer.status, today, usageGraceDays };
  return (row: OrderToRate): OrderToRate => {
    const until = resumptionOf(row);
    const isOver =
      until !== null && until <= today && statusOn(termsOfOrder(row), today).status === row.status;
    if (!isResumed && !isOver) return row;
    const own = isOver ? resumedPauses(row.pauses, 'order', until) : row.pauses;
    const begins = isOver && row.startDate > today ? 'Provisioning' : 'Active';
    const resumed: OrderToRate = {
      ...row,
      status: isOver ? begins : row.status,
      pauses: isServed ? resumedPauses(own, 'customer', today) : own,
      billOn: row.billOn ?? today,
    };
    return { ...resumed, ...reschedule(resumed, basis.plans, view) };
  };
}

/** Invoices of an order that will be replaced are credited as stored ones are. */
function chargesOf(invoices: readonly DraftInvoice[]): readonly InvoiceCharge[] {
  return invoices.flatMap(({ lines }) =>
    lines.flatMap(({ charges }) => charges.map(({ charge }) => charge)),
  );
}

function withUnused(
  unused: RatingBasis['unused'],
  rows: readonly OrderToRate[],
  invoices: readonly DraftInvoice[],
): RatingBasis['unused'] {
  const changing = new Set(rows.flatMap(({ id, changeOn }) => (changeOn === null ? [] : [id])));
  if (changing.size === 0) return unused;
  const made = new Map(unused);
  for (const { invoiceDate: invoicedOn, asked, lines } of invoices) {
    for (const { order, charges } of lines) {
      if (order === null || !changing.has(order.id)) continue;
      const line = invoicedLine(charges, { invoicedOn, isProvided: asked !== null });
      made.set(order.id, [...(made.get(order.id) ?? []), line]);
    }
  }
  return made;
}

/** The order after a run, as the next one reads it. */
function after(
  before: OrderToRate,
  billed: StoredOrderBilling | undefined,
  discounts: readonly DiscountCharge[] = [],
): OrderToRate {
  if (billed === undefined) return before;
  const { dates, due, order, row, change } = billed;
  const applied = new Map(applyDue(order, due).lines.map((line) => [line.id, line]));
  const lines = row.lines.map((line): LineToRate => {
    const billedLine = applied.get(line.id);
    assert(billedLine, 'an order is rated with all of its lines');
    const { nextPeriodIndex, charge } = billedLine;
    const isOver =
      charge.chargeType === 'OneTimeCharge' && nextPeriodIndex !== line.nextPeriodIndex;
    return {
      ...line,
      nextPeriodIndex,
      penaltySince: isOver ? null : line.penaltySince,
      billed: billedLine.billed,
      ...(line.windows && {
        windows: line.windows.filter(({ periodIndex }) => periodIndex >= nextPeriodIndex),
      }),
    };
  });
  const couponUses = usesAfter(row.couponUses, discounts);
  return { ...row, ...change, ...dates, lines, couponUses };
}

/**
 * An order that began knows the discounts of the order before it, which knows its: it may still bill
 * usage.
 */
function withUsesOfChains(
  rows: readonly OrderToRate[],
  plans: RatingBasis['plans'],
): readonly OrderToRate[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const next of rows) {
    const current = byId.get(next.previousOrderId ?? next.id);
    if (current === undefined || current === next || awaitsChange(next)) continue;
    byId.set(next.id, { ...next, couponUses: usesWith(current, next, plans) });
    byId.set(current.id, { ...current, couponUses: usesWith(next, current, plans) });
  }
  return [...byId.values()];
}

/** The discounts of each order. */
function takenOff(
  invoices: readonly DraftInvoice[],
): ReadonlyMap<number | undefined, readonly DiscountCharge[]> {
  const found = invoices.flatMap(({ lines }) =>
    lines.flatMap(({ order, charges }) =>
      charges.flatMap(({ charge }) => (charge.kind === 'discount' ? [{ order, charge }] : [])),
    ),
  );
  const byOrder = Map.groupBy(found, ({ order }) => order?.id);
  return new Map([...byOrder].map(([id, each]) => [id, each.map(({ charge }) => charge)]));
}

/** More than a preview rates, as more than one transaction bills. @example throw tooManyCharges('2027-12-31') */
export function tooManyCharges(asOf: IsoDate): DomainError {
  const text = `more than ${RATED_CHARGES_MAX} charges are due up to ${asOf}`;
  return new DomainError('field.invalid', text, { path: 'asOf', value: asOf });
}

/* A drafted invoice line as it is read once it is stored, for the credit of its unused days. */

interface InvoicedOf {
  readonly invoicedOn: IsoDate;
  /** A tax provider taxes the invoice. */
  readonly isProvided?: boolean;
}

/**
 * The ids of its charges are their positions; each due charge is a billed period.
 *
 * @example
 *   invoicedLine(draft.lines[0].charges, { invoicedOn: '2027-01-15' }).charges[0].amount // '29.95'
 */
export function invoicedLine(
  charges: readonly DraftCharge[],
  { invoicedOn, isProvided = false }: InvoicedOf,
): InvoicedLine {
  const positions = new Map(charges.map(({ charge, position }) => [charge, position]));
  const periods = new Map<DueCharge, number>();
  const windows = new Map<UsageWindow, number>();
  return {
    invoicedOn,
    isProvided,
    charges: charges
      .filter(({ charge }) => charge.kind !== 'usageSubTotal')
      .map(({ charge, position, ...shown }) => {
        const { due, window, base, orderLineId, couponId } = referencesOf(charge);
        const ofPlan = charge.kind === 'discount' ? null : planChargeOf(charge);
        const { priceCode, accountingCode, invoiceText, isPercent } = shown;
        const { unitPrice, quantity, amount } = shown;
        return {
          id: position,
          position,
          kind: charge.kind,
          isPercent,
          isRecurring: ofPlan?.chargeType === 'RecurringCharge',
          isProrated: ofPlan?.isProrated ?? false,
          couponId,
          priceCode,
          accountingCode,
          invoiceText,
          taxCode: taxCodeOf(charge),
          orderLineId,
          windowId: window && idIn(windows, window),
          credited: '0',
          noted: '0',
          basePositions: base && base.map((each) => positions.get(each) ?? 0),
          unitPrice,
          quantity,
          amount,
          before: isOfPeriod(charge) ? earlierDays(charge, charges) : null,
          billed: due && {
            periodId: idIn(periods, due),
            periodIndex: due.periodIndex,
            from: due.from,
            to: due.to,
          },
        };
      }),
  };
}

/** What was billed for earlier days of the period of a part, on its own invoice or before. */
function earlierDays(
  { due, ...price }: PeriodCharge,
  charges: readonly DraftCharge[],
): StandingDays | null {
  if (due.before === undefined) return null;
  const together = charges.flatMap(({ charge }): readonly BilledDays[] => {
    if (!isOfPeriod(charge) || charge.due.line.id !== due.line.id) return [];
    const { periodIndex, from, to, share } = charge.due;
    return [{ periodIndex, from, to, cost: { days: share.numerator, parts: [charge] } }];
  });
  const earlier = [...due.before.billed, ...together].filter(
    ({ periodIndex, to }) => periodIndex === due.periodIndex && to < due.from,
  );
  return standingAt(price, earlier);
}

function isOfPeriod(charge: InvoiceCharge): charge is PeriodCharge {
  return 'due' in charge && 'unitPrice' in charge;
}

/** Counted from 1 in the order of being asked for. */
function idIn<Thing>(ids: Map<Thing, number>, thing: Thing): number {
  const id = ids.get(thing) ?? ids.size + 1;
  ids.set(thing, id);
  return id;
}
