/** Decides a customer's status by the age of its oldest unpaid invoice. */
import { addDays, maxDate, type IsoDate } from '../calendar/calendar.ts';
import type { CustomerStatus } from '../customers/status.ts';

/** From this many days after the dueDate of the oldest unpaid invoice, the customer has the status. */
export interface Threshold {
  readonly daysOverdue: number;
  readonly status: CustomerStatus;
}

/** A tenant's thresholds, ascending by days. */
export interface AgeingRules {
  readonly thresholds: readonly Threshold[];
  /**
   * The day of the first run of these thresholds. What was reached by then is one transition,
   * without mail and penalty.
   */
  readonly inForceOn: IsoDate;
}

/** The facts of a customer that decide its ageing. */
export interface Standing {
  readonly status: CustomerStatus;
  /** Suspended by hand, so no ageing changes the status until somebody activates the customer. */
  readonly isByHand: boolean;
  /** The dueDate of the oldest open invoice in any currency; null if no invoice is open. */
  readonly oldestDueOn: IsoDate | null;
  /**
   * The same without the invoices that payments in processing would pay: no step upwards follows
   * from those.
   */
  readonly oldestUnaidedOn: IsoDate | null;
  /** The day on which an import moved that invoice in; null if it was made here. */
  readonly movedInOn: IsoDate | null;
  /** Somebody activated the customer on this day: thresholds reached by then do not count. */
  readonly forgivenOn: IsoDate | null;
}

/** One change of a customer's status by ageing. */
export interface AgeingStep {
  readonly from: CustomerStatus;
  readonly to: CustomerStatus;
  /** The change that a mail announces: the last one upwards. */
  readonly isMailed: boolean;
  /** Penalties follow from it, if it goes upwards. */
  readonly isPenalized: boolean;
}

/** A later status, and the day on which it comes. */
export interface NextStep {
  readonly on: IsoDate;
  readonly status: CustomerStatus;
}

/**
 * The changes of a day's run: one for each threshold that was passed, however late the run comes.
 * What was reached by the first day of the thresholds is one change, and so is what an imported
 * invoice reached by the first run after it was moved in, if it was overdue before.
 *
 * @example // thresholds at 15, 30 and 60 days; Active; the oldest invoice was due on 2027-01-31
 *   ageingSteps(standing, rules, '2027-02-15') // Active to Overdue1
 *   ageingSteps(standing, rules, '2027-03-05') // Active to Overdue1, Overdue1 to Overdue2
 */
export function ageingSteps(
  standing: Standing,
  rules: AgeingRules,
  today: IsoDate,
): readonly AgeingStep[] {
  if (standing.isByHand) return [];
  const position = positionOf(standing.status, rules);
  const reached = reachedBy({ ...standing, oldestDueOn: standing.oldestUnaidedOn }, rules, today);
  const target = reached.at(-1);
  if (!target || (position !== null && target.index <= position)) {
    return downwards(standing, rules, today);
  }
  const steps: AgeingStep[] = [];
  let status = standing.status;
  const passed = reached.filter(({ index }) => position === null || index > position);
  const quietUntil = lastQuietDay(standing, rules);
  const before = passed.findLast(({ on }) => on <= quietUntil);
  if (before) {
    steps.push(quietStep(status, before.status));
    ({ status } = before);
  }
  for (const each of passed.filter(({ on }) => on > quietUntil)) {
    const isMailed = each.index === target.index;
    steps.push({ from: status, to: each.status, isMailed, isPenalized: true });
    ({ status } = each);
  }
  return steps;
}

/** Thresholds that were reached by this day are passed without mail and penalty. */
function lastQuietDay(
  { oldestUnaidedOn, movedInOn }: Standing,
  { inForceOn }: AgeingRules,
): IsoDate {
  if (movedInOn === null || !isOverdue(oldestUnaidedOn, movedInOn)) return inForceOn;
  return maxDate(inForceOn, addDays(movedInOn, 1));
}

/** Only thresholds that have changed make a run go downwards. */
function downwards(standing: Standing, rules: AgeingRules, today: IsoDate): readonly AgeingStep[] {
  const position = positionOf(standing.status, rules);
  const target = reachedBy(standing, rules, today).at(-1);
  if (target && position !== null && target.index >= position) return [];
  const to = target?.status ?? 'Active';
  return to === standing.status ? [] : [quietStep(standing.status, to)];
}

/**
 * The lower status that a customer gets at once, when its oldest invoice is paid, credited or
 * cancelled; null if its status stays. Higher ones wait for the next run.
 *
 * @example // Suspended1; nothing is open any more
 *   statusAtOnce(standing, rules, '2027-04-02') // 'Active'
 */
export function statusAtOnce(
  standing: Standing,
  rules: AgeingRules,
  today: IsoDate,
): CustomerStatus | null {
  if (standing.isByHand || standing.status === 'Active') return null;
  if (!isOverdue(standing.oldestDueOn, today)) return 'Active';
  const position = positionOf(standing.status, rules);
  // The status is of earlier thresholds, and the first run of the present ones replaces it.
  if (position === null || today < rules.inForceOn) return null;
  const target = reachedBy(standing, rules, today).at(-1);
  if (target && target.index >= position) return null;
  return target?.status ?? 'Active';
}

/**
 * The status that a customer takes when its suspension by hand ends by itself: nothing is forgiven.
 *
 * @example // thresholds at 15, 30 and 60 days; the oldest invoice was due on 2027-01-31
 *   statusByAge(standing, rules, '2027-04-01') // 'Suspended1'
 */
export function statusByAge(
  standing: Standing,
  rules: AgeingRules,
  today: IsoDate,
): CustomerStatus {
  return reachedBy(standing, rules, today).at(-1)?.status ?? 'Active';
}

/**
 * The first threshold above the present status, which may be one of the past that no run has
 * taken yet; null if there is none.
 *
 * @example // thresholds at 15, 30 and 60 days; Overdue1; the oldest invoice was due on 2027-01-31
 *   nextStep(standing, rules) // { on: '2027-03-02', status: 'Overdue2' }
 */
export function nextStep(standing: Standing, rules: AgeingRules): NextStep | null {
  if (standing.isByHand || standing.oldestDueOn === null) return null;
  const position = positionOf(standing.status, rules) ?? -1;
  return daysOf(standing, rules).find(({ index }) => index > position) ?? null;
}

/** Where a dunning's next step goes after a change. */
export interface StepBasis {
  /** The threshold that comes next; null if there is none. */
  readonly next: NextStep | null;
  readonly today: IsoDate;
  /** The first day whose run may still take a step: tomorrow once the run of today has passed. */
  readonly earliest: IsoDate;
}

/**
 * The day whose run takes the next step; `before` is the previous value. A change never delays a
 * step whose day has come, so a step that waits for a payment is taken when that payment ends.
 *
 * @example // the run of 20 January has passed, and left a step of that day to a payment
 *   stepOn('2027-01-20', { next, today: '2027-01-20', earliest: '2027-01-21' }) // '2027-01-20'
 */
export function stepOn(
  before: IsoDate | null,
  { next, today, earliest }: StepBasis,
): IsoDate | null {
  if (next === null || next.on > today) return next?.on ?? null;
  if (before !== null && before <= today) return before;
  return maxDate(next.on, earliest);
}

/** An invoice is overdue from the day after its dueDate. @example isOverdue('2027-01-31', '2027-02-01') // true */
export function isOverdue(dueOn: IsoDate | null, today: IsoDate): boolean {
  return dueOn !== null && dueOn < today;
}

interface ThresholdDay extends NextStep {
  readonly index: number;
}

/** The days of the thresholds that count, in their order. */
function daysOf(
  { oldestDueOn, forgivenOn }: Standing,
  { thresholds }: AgeingRules,
): readonly ThresholdDay[] {
  if (oldestDueOn === null) return [];
  return thresholds
    .map(({ daysOverdue, status }, index) => {
      return { index, status, on: addDays(oldestDueOn, daysOverdue) };
    })
    .filter(({ on }) => forgivenOn === null || on > forgivenOn);
}

function reachedBy(
  standing: Standing,
  rules: AgeingRules,
  today: IsoDate,
): readonly ThresholdDay[] {
  return daysOf(standing, rules).filter(({ on }) => on <= today);
}

/** -1 for Active; null for a status that no threshold has. */
function positionOf(status: CustomerStatus, { thresholds }: AgeingRules): number | null {
  if (status === 'Active') return -1;
  const index = thresholds.findIndex((threshold) => threshold.status === status);
  return index === -1 ? null : index;
}

function quietStep(from: CustomerStatus, to: CustomerStatus): AgeingStep {
  return { from, to, isMailed: false, isPenalized: false };
}
