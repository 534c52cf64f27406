/** What the workflow of a dunning shows: what has happened, what comes next, and what it waits for. */
import { addDays, daysFromTo } from '../../domain/calendar/calendar.ts';
import { startOfDay } from '../../domain/calendar/zone.ts';
import { nextStep } from '../../domain/dunning/ageing.ts';
import { formatAmount } from '../../domain/money/money.ts';
import type { Tried, WokenDunning } from '../../db/queries/dunning/wake.ts';
import type { RulesRow } from '../../db/queries/ageing/standings.ts';
import type { DunningStep, DunningWake, SeenDunning } from '../../workflows/contract/dunning.ts';
import { retryText } from '../collection/installments.ts';
import type { TenantInfo } from '../context/context.ts';
import type { Look } from '../wakes/wake.ts';
import { shownReference } from '../workflow-kinds/shown-reference.ts';

export function gone(seen: SeenDunning | undefined): DunningWake {
  return {
    did: 'found no dunning',
    happened: [],
    phase: 'Gone',
    next: null,
    waitsFor: null,
    waitMs: null,
    yielded: false,
    ended: true,
    owed: [],
    clockOn: null,
    seen: seen ?? { last: 0 },
  };
}

export interface ReadDunning extends WokenDunning {
  readonly customerId: number;
  readonly rules: RulesRow;
}

/** The state of the rows for the workflow; the wake adds what it did and how long to wait. */
export function describe(
  { tenant, row, today }: Look<ReadDunning>,
  before: SeenDunning | undefined,
) {
  const { rules } = row;
  const { status, isOpen, isHeld } = row;
  const steps = isOpen ? stepsOf(tenant, row, rules) : [];
  const [next = null, later = null] = steps;
  const last = Math.max(before?.last ?? 0, ...row.happened.map(({ id }) => id));
  return {
    // First, as it is what people look for in a history.
    did: '',
    happened: happenedOf(row),
    phase: isOpen ? (isHeld ? 'Held' : status) : 'Closed',
    next,
    later,
    waitsFor: isOpen && next === null ? waitOf(row) : null,
    waitMs: null,
    yielded: false,
    ended: !isOpen,
    owed: row.owed.map(({ currency, amount, since }) => {
      const days = daysFromTo(addDays(since, 1), today);
      return `${formatAmount(currency, amount)} ${currency}, ${days} days since ${since}`;
    }),
    trying: row.trying.map(String),
    tenant: tenant.label,
    customer: { customerId: String(row.id), customerRef: shownReference(row.customerRef) },
    clockOn: tenant.hasTestClock ? today : null,
    seen: { last, retries: row.retried },
  } satisfies DunningWake;
}

/** By their days; of one day each line keeps its place. */
function happenedOf({ happened, tried }: WokenDunning): string[] {
  return [...tried.map(({ on, ...each }) => ({ on, text: triedText(each) })), ...happened]
    .toSorted((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0))
    .map(({ on, text }) => `${on}: ${text}`);
}

const outcomeTexts: Readonly<Record<string, string>> = {
  paid: 'was paid',
  declined: 'was declined',
  nothingOwed: 'charged nothing, as nothing is open',
  noMethod: 'charged nothing, as no payment method on file may be tried again',
  overtaken: 'charged nothing, as nothing was open in its turn',
  planEnabled: 'charged nothing, as a payment plan was made',
};

/** `retry 2 of invoice 1001 was declined: payment 4711` */
function triedText({ invoice, attempt, outcome, paymentId }: Omit<Tried, 'on'>): string {
  const by = paymentId === null ? '' : `: payment ${paymentId}`;
  return `retry ${attempt} of invoice ${invoice} ${outcomeTexts[outcome] ?? outcome}${by}`;
}

/** The next threshold and the next retry, the earlier one first; of one day the retry is first. */
function stepsOf(tenant: TenantInfo, row: WokenDunning, rules: RulesRow): DunningStep[] {
  const { retry, nextStepOn: on } = row;
  const ages = on === null ? [] : [{ what: ageingOf(row, rules), on }];
  const retries = retry === null ? [] : [{ what: retriesText(retry), on: retry.on }];
  return [...retries, ...ages]
    .toSorted((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0))
    .map((step) => ({ ...step, at: startOfDay(tenant.timezone, step.on) }));
}

function retriesText({ count, invoice, attempt }: NonNullable<WokenDunning['retry']>): string {
  return count === 1 ? retryText({ invoice, attempt }) : `retries ${count} invoices`;
}

function ageingOf(row: WokenDunning, rules: RulesRow): string {
  const standing = {
    status: row.status,
    isByHand: row.isByHand,
    oldestDueOn: row.oldestDueOn,
    oldestUnaidedOn: row.oldestDueOn,
    movedInOn: null,
    forgivenOn: row.forgivenOn,
  };
  const next = nextStep(standing, rules);
  return next ? `becomes ${next.status}` : 'looks at its status';
}

function waitOf({ isHeld, heldReason, isByHand, trying }: WokenDunning): string {
  if (isHeld) return `the Update resume: held (${heldReason})`;
  if (trying.length > 0) return `the end of payment ${trying.join(', ')}, a retry`;
  if (isByHand) return 'somebody who activates the customer: suspended by hand';
  return 'a payment: no further threshold';
}
