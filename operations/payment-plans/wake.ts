/** The wake of a payment plan's workflow: claims what is due, and says what comes next. */
import { startOfDay } from '../../domain/calendar/zone.ts';
import { type Decimal, formatAmount } from '../../domain/money/money.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { noteSeen } from '../../db/queries/clock/workflows-seen.ts';
import { type Tx, inTenant } from '../../db/connection/tenancy.ts';
import type { PlanStep, PlanWake } from '../../workflows/contract.ts';
import {
  type Dependencies,
  type TenantInfo,
  inOperation,
  tenantInfo,
  tenantTimeOf,
} from '../context/context.ts';
import { kinds } from '../context/kinds.ts';
import type { Dispatcher } from '../outbox/dispatch-after-commit.ts';
import { shownReference } from '../workflow-kinds/shown-reference.ts';
import { wakePace } from '../outbox/wake-pace.ts';
import { claimAttempts } from '../collection/claim-attempts.ts';
import { payAtOnce } from '../gateway-calls/pay-at-once.ts';
import type { Gateways } from '../../providers/gateway/gateway.ts';
import { type SkipRequest, skipInstallment } from './change.ts';
import type { PaymentPlan } from '../../db/entities/collection.ts';
import type { RowOf } from '../../db/entities/rows.ts';

export interface PlanHooks {
  /** Nudges workflows after a commit; never waits, never fails. */
  readonly dispatch: Dispatcher['dispatch'];
  readonly gateways: Gateways;
}

const awaitedPlan = { name: 'paymentPlan', table: kinds.paymentPlan.table };
/** Claim what is due, look again; a payment may be declined and have a retry of today. */
const ROUNDS_MAX = 3;

/** On a test clock the clock claims, and the workflow only sees it. */
export async function wakePaymentPlan(
  dependencies: Dependencies,
  tenantId: number,
  planId: number,
  { dispatch, gateways }: PlanHooks,
): Promise<PlanWake> {
  const tenant = await tenantInfo(dependencies, tenantId);
  let did = 'looked at the plan';
  for (let round = 1; ; round += 1) {
    const { plan, today, nowMs } = await readPlan(dependencies, tenant, planId);
    if (!plan) return gone;
    const pace = await wakePace(dependencies, tenantId);
    const found = describe(tenant, plan, today);
    const wakeAt = found.next && found.next.at + pace(plan.customerId);
    const seen = { ...found, did };
    if (found.ended || wakeAt === null || tenant.hasTestClock) return seen;
    if (nowMs < wakeAt || round > ROUNDS_MAX) {
      return { ...seen, waitMs: Math.max(LOOK_AGAIN_MS, wakeAt - nowMs) };
    }
    const { payments } = await inOperation(dependencies, tenantId, (work) =>
      claimAttempts(work, { kind: 'installment', planId }),
    );
    const options = { dispatch, lanes: 1, mayContinue: () => true };
    await payAtOnce(dependencies, gateways, tenantId, payments, options);
    did = 'claimed what was due';
  }
}

const LOOK_AGAIN_MS = 10_000;

/** Skips the next installment, and looks at the plan. */
export async function skipAndWake(
  dependencies: Dependencies,
  tenantId: number,
  request: SkipRequest,
  hooks: PlanHooks,
): Promise<PlanWake> {
  const did = await inOperation(dependencies, tenantId, (work) => skipInstallment(work, request));
  const wake = await wakePaymentPlan(dependencies, tenantId, request.planId, hooks);
  return { ...wake, did };
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

async function readPlan(
  dependencies: Dependencies,
  tenant: TenantInfo,
  planId: number,
): Promise<{ plan: WokenPlan | undefined; today: IsoDate; nowMs: number }> {
  return inTenant(
    dependencies.db,
    tenant.id,
    async (tx) => {
      // Only a test clock waits until workflows have seen their objects.
      if (tenant.hasTestClock) noteSeen(tx, awaitedPlan, planId);
      const [{ now, today }, plan] = await Promise.all([
        tenantTimeOf(dependencies, tenant, tx, 'none'),
        readWokenPlan(tx, planId),
      ]);
      return { plan, today, nowMs: now.getTime() };
    },
    tenant.hasTestClock ? { isForgettable: true } : { readOnly: true },
  );
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

/** The state of the rows for the workflow; the caller adds how long to wait. */
function describe(tenant: TenantInfo, plan: WokenPlan, today: IsoDate) {
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
