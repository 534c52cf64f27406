/** The wake of a payment plan's workflow: claims what is due, and says what comes next. */
import { startOfDay } from '../../domain/calendar/zone.ts';
import { type Decimal, formatAmount } from '../../domain/money/money.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { PlanStep, PlanWake } from '../../workflows/contract/contract.ts';
import { shownPlan } from '../../workflows/story/shown.ts';
import { inOperation, type Dependencies, type TenantInfo } from '../context/context.ts';
import type { FirstLook } from '../workflow-kinds/description.ts';
import { shownReference } from '../workflow-kinds/shown-reference.ts';
import { claimAttempts } from '../collection/claim-attempts.ts';
import { firstLook, type Beginning } from '../wakes/first-look.ts';
import { wake, type Look, type WakeHooks, type WakeParts } from '../wakes/wake.ts';
import { type SkipRequest, skipInstallment } from './change.ts';
import type { PaymentPlan } from '../../db/entities/collection.ts';
import type { RowOf } from '../../db/entities/rows.ts';

/** On a test clock the clock claims, and the workflow only sees it. */
export function wakePaymentPlan(
  dependencies: Dependencies,
  tenantId: number,
  planId: number,
  hooks: WakeHooks,
): Promise<PlanWake> {
  return wake(dependencies, tenantId, planParts(planId), hooks);
}

export function firstLookAtPlan(
  dependencies: Dependencies,
  tx: Tx,
  beginning: Beginning,
  planId: number,
): Promise<FirstLook | null> {
  return firstLook(dependencies, tx, beginning, planParts(planId), (found, nowMs) => ({
    shown: shownPlan(found, nowMs),
    story: found.happened,
    input: {},
  }));
}

function planParts(planId: number): WakeParts<WokenPlan, PlanWake> {
  return {
    kind: 'paymentPlan',
    objectId: planId,
    yields: 0,
    looked: 'looked at the plan',
    read: (tx) => readWokenPlan(tx, planId),
    describe,
    gone: () => gone,
    pays: {
      when: 'inItsTurn',
      isDue: () => true,
      claim: (context) => claimAttempts(context, { kind: 'installment', planId }),
      did: () => 'claimed what was due',
    },
  };
}

/** Skips the next installment, and looks at the plan. */
export async function skipAndWake(
  dependencies: Dependencies,
  tenantId: number,
  request: SkipRequest,
  hooks: WakeHooks,
): Promise<PlanWake> {
  const did = await inOperation(dependencies, tenantId, (work) => skipInstallment(work, request));
  const found = await wakePaymentPlan(dependencies, tenantId, request.planId, hooks);
  return { ...found, did };
}

const gone: PlanWake = {
  did: 'found no plan',
  phase: 'Gone',
  terms: '',
  remaining: 0,
  happened: [],
  paying: [],
  next: null,
  waitMs: null,
  ended: true,
};

interface WokenPlan extends RowOf<
  typeof PaymentPlan,
  | 'customerId'
  | 'currency'
  | 'chargeAmount'
  | 'frequencyValue'
  | 'frequencyUnits'
  | 'isEnabled'
  | 'endedOn'
> {
  readonly customerRef: string | null;
  readonly onlyIfOwed: boolean;
  readonly remaining: number;
  readonly paying: readonly number[];
  readonly next: NextAttempt | null;
  readonly concluded: readonly ConcludedAttempt[];
}

interface NextAttempt {
  readonly installment: number;
  readonly attempt: number;
  readonly on: IsoDate;
}

interface ConcludedAttempt {
  readonly installment: number;
  readonly attempt: number;
  readonly outcome: string;
  readonly on: IsoDate;
  readonly reason: string | null;
  readonly paymentId: number | null;
  readonly amount: Decimal | null;
}

const CONCLUDED_SHOWN_MAX = 3;

async function readWokenPlan(tx: Tx, planId: number): Promise<WokenPlan | undefined> {
  const [row] = await tx.query<WokenPlan & Record<string, unknown>>(
    `select p.customer_id, c.ext_customer_ref as customer_ref, p.currency, p.charge_amount,
       p.charge_only_if_balance_owed as only_if_owed, p.frequency_value, p.frequency_units,
       p.is_enabled, p.ended_on, p.total_installments - p.counted_installments as remaining,
       (select coalesce(json_agg(a.payment_id order by a.id), '[]') from collection_attempt a
        where a.tenant_id = p.tenant_id and a.payment_plan_id = p.id and a.state = 'claimed')
         as paying,
       (select json_build_object('installment', a.installment, 'attempt', a.attempt, 'on', a.due_on)
        from collection_attempt a
        where a.tenant_id = p.tenant_id and a.payment_plan_id = p.id and a.state = 'due'
        order by a.due_on, a.id limit 1) as next,
       (select coalesce(json_agg(last order by last.at, last.id), '[]') from (
          select a.id, a.updated_at as at, a.installment, a.attempt, a.outcome, a.reason,
                 a.concluded_on as on, a.payment_id as "paymentId", m.amount::text as amount
          from collection_attempt a
          left join lateral (
            select own.amount from payment own
            where own.tenant_id = a.tenant_id and own.cascade_id = a.payment_id
            order by own.id desc limit 1) m on true
          where a.tenant_id = p.tenant_id and a.payment_plan_id = p.id and a.state = 'done'
          order by a.updated_at desc, a.id desc limit ${CONCLUDED_SHOWN_MAX}) last) as concluded
     from payment_plan p
     join customer c on c.tenant_id = p.tenant_id and c.id = p.customer_id
     where p.tenant_id = $1 and p.id = $2`,
    [tx.tenantId, planId],
    'read-woken-plan',
  );
  return row;
}

function describe({ tenant, row: plan, today }: Look<WokenPlan>) {
  const isPaying = plan.paying.length > 0;
  const ended = !plan.isEnabled && !isPaying;
  const end = plan.endedOn === null ? [] : [`${plan.endedOn}: the plan is no longer enabled`];
  return {
    // First, as it is what people look for in a history.
    did: '',
    phase: isPaying ? 'Charging' : ended ? 'Ended' : 'Enabled',
    terms: termsText(plan),
    remaining: plan.remaining,
    happened: [...plan.concluded.map((each) => happenedText(plan.currency, each)), ...end],
    paying: plan.paying.map(String),
    next: plan.next && stepOf(tenant, plan.next),
    waitMs: null,
    ended,
    tenant: tenant.label,
    customer: {
      customerId: String(plan.customerId),
      customerRef: shownReference(plan.customerRef),
    },
    clockOn: tenant.hasTestClock ? today : null,
  } satisfies PlanWake;
}

function stepOf(tenant: TenantInfo, next: NextAttempt): PlanStep {
  const { installment, attempt, on } = next;
  const what = attempt === 1 ? 'charges' : 'retries';
  return { what, installment, on, at: startOfDay(tenant.timezone, on) };
}

function termsText(plan: WokenPlan): string {
  const { currency, frequencyValue: value, frequencyUnits: units } = plan;
  const cap = plan.onlyIfOwed ? 'at most what is owed' : 'whatever is owed';
  return `${formatAmount(currency, plan.chargeAmount)} ${currency} every ${value} ${units}, ${cap}`;
}

/** `2027-02-28: installment 2 paid 50.00 USD by payment 4711`. */
function happenedText(currency: string, attempt: ConcludedAttempt): string {
  const { installment, outcome, on } = attempt;
  const which = attempt.attempt === 1 ? '' : `, retry ${attempt.attempt - 1},`;
  const text = outcomeTexts[outcome]?.(attempt, currency) ?? outcome;
  return `${on}: installment ${installment}${which} ${text}`;
}

const outcomeTexts: Readonly<
  Record<string, (attempt: ConcludedAttempt, currency: string) => string>
> = {
  paid: (attempt, currency) => `paid ${paymentText(attempt, currency)}`,
  declined: (attempt, currency) => `was declined: ${paymentText(attempt, currency)}`,
  skipped: ({ reason }) => `was skipped: ${reason}`,
  nothingOwed: () => 'charged nothing, as nothing is owed',
  noMethod: ({ attempt }) =>
    attempt === 1
      ? 'charged nothing, as no payment method is on file'
      : 'charged nothing, as no payment method on file may be tried again',
  overtaken: () => 'charged nothing, as nothing was owed in its turn',
};

function paymentText({ amount, paymentId }: ConcludedAttempt, currency: string): string {
  const sum = amount === null ? '' : `${formatAmount(currency, amount)} ${currency} `;
  return `${sum}by payment ${paymentId}`;
}
