/**
 * What the Temporal Web UI shows of an order, a dunning or a payment plan: the search attributes and
 * the details. A workflow shows it after each look; one whose start waits for its first step is
 * started with it.
 */
import type { SearchAttributeUpdatePair } from '@temporalio/common';
import {
  SLEEP_MS_MAX,
  failureCodeKey,
  nextActionAtKey,
  phaseKey,
  type OrderWake,
  type PlanWake,
} from '../contract/contract.ts';
import type { DunningWake } from '../contract/dunning.ts';
import { counted, minuteOf, nameOf } from './story.ts';

export interface Shown {
  readonly attributes: readonly SearchAttributeUpdatePair[];
  /** `Active`, `Held (order.priceMissing)` */
  readonly state: string;
  readonly facts: readonly (string | null)[];
}

/** @param nowMs when it was found */
export function shownOrder(wake: OrderWake, nowMs: number): Shown {
  const { phase, next, failureCode } = wake;
  const failure = failureCode === null ? '' : ` (${failureCode})`;
  return {
    attributes: [
      { key: phaseKey, value: phase },
      { key: failureCodeKey, value: failureCode },
      { key: nextActionAtKey, value: next ? new Date(next.at) : null },
    ],
    state: `${phase}${failure}`,
    facts: factsOfOrder(wake, nowMs),
  };
}

function factsOfOrder(wake: OrderWake, nowMs: number): (string | null)[] {
  const { customer, usage = null, coupon = null, changes = [], agents = [] } = wake;
  return [
    customer ? nameOf(customer) : null,
    `next: ${nextOfOrder(wake, nowMs)}`,
    usage,
    coupon,
    ...changes,
    ...agents,
    failureOf(wake),
  ];
}

function failureOf({ failureCode, waitsSince }: OrderWake): string | null {
  if (failureCode === null) return null;
  if (waitsSince !== undefined) return `waits for the tax provider since ${minuteOf(waitsSince)}`;
  const also = failureCode === 'tax.refused' ? ', or generateInvoice succeeds' : '';
  return `held from billing (${failureCode}) until somebody activates the customer${also}`;
}

function nextOfOrder({ next, waitMs, ended, clockOn }: OrderWake, nowMs: number): string {
  if (ended) return 'nothing, it has ended';
  const step = next ? `${next.what} on ${next.on}` : 'nothing before a change of the order';
  // It is nudged on the days of its own order, not on each day of the clock.
  if (clockOn) return `${step} by the test clock, which was at ${clockOn} at the last look`;
  return withWait(step, waitMs, nowMs);
}

export function shownDunning(wake: DunningWake, nowMs: number): Shown {
  const { phase, next, customer, owed, trying = [], later } = wake;
  return {
    attributes: [
      { key: phaseKey, value: phase },
      { key: nextActionAtKey, value: next ? new Date(next.at) : null },
    ],
    state: phase,
    facts: [
      customer ? nameOf(customer) : null,
      ...owed.map((text) => `overdue: ${text}`),
      ...trying.map((payment) => `retries now: payment ${payment}`),
      `next: ${nextOfDunning(wake, nowMs)}`,
      later ? `then: ${later.what} on ${later.on}` : null,
      wake.waitsFor === null ? null : `waits for ${wake.waitsFor}`,
    ],
  };
}

function nextOfDunning({ next, ended, waitMs, clockOn }: DunningWake, nowMs: number): string {
  if (ended) return 'nothing, nothing is overdue and nothing is retried';
  const step = next ? `${next.what} on ${next.on}` : 'no step by age, no retry';
  if (clockOn) {
    const by = next ? ' by the test clock, which was' : '; the test clock was';
    return `${step}${by} at ${clockOn} at the last look`;
  }
  return withWait(step, waitMs, nowMs);
}

export function shownPlan(wake: PlanWake, nowMs: number): Shown {
  const { phase, next } = wake;
  return {
    attributes: [
      { key: phaseKey, value: phase },
      { key: nextActionAtKey, value: next ? new Date(next.at) : null },
    ],
    state: phase,
    facts: phase === 'Gone' ? ['there is no such plan'] : factsOfPlan(wake, nowMs),
  };
}

function factsOfPlan(wake: PlanWake, nowMs: number): (string | null)[] {
  const { customer, terms, remaining, paying } = wake;
  return [
    customer ? nameOf(customer) : null,
    `${terms}; ${counted(remaining, 'installment')} to come`,
    paying.length === 0 ? null : `waits for payment ${paying.join(', ')}`,
    `next: ${nextOfPlan(wake, nowMs)}`,
  ];
}

function nextOfPlan({ next, waitMs, ended, clockOn, paying }: PlanWake, nowMs: number): string {
  if (ended) return 'nothing, the plan has ended';
  if (!next) return paying.length > 0 ? 'the outcome of the payment' : 'nothing before a change';
  const step = installmentText(next);
  if (clockOn) return `${step} by the test clock, which was at ${clockOn} at the last look`;
  return withWait(step, waitMs, nowMs);
}

/** `charges installment 2 on 2027-02-28` */
export function installmentText({ what, installment, on }: NonNullable<PlanWake['next']>): string {
  return `${what} installment ${installment} on ${on}`;
}

/** `bills on 2027-02-15, waits until 2027-02-15 05:01 UTC` */
function withWait(step: string, waitMs: number | null, nowMs: number): string {
  if (waitMs === null) return step;
  return `${step}, waits until ${minuteOf(nowMs + Math.min(waitMs, SLEEP_MS_MAX))}`;
}
