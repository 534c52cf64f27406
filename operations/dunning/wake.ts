/** The wake of a dunning's workflow: takes a step that the run left, and returns what comes next. */
import { addDays, daysFromTo } from '../../domain/calendar/calendar.ts';
import { startOfDay } from '../../domain/calendar/zone.ts';
import { nextStep } from '../../domain/dunning/ageing.ts';
import { formatAmount } from '../../domain/money/money.ts';
import type { IsoDate } from '../../domain/model.ts';
import { readWokenDunning, type WokenDunning } from '../../db/queries/dunning/wake.ts';
import { readRunState } from '../../db/queries/runs/billing-runs.ts';
import { noteSeen } from '../../db/queries/runs/workflows-seen.ts';
import { readRules, type RulesRow } from '../../db/queries/standing/rules.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { DunningStep, DunningWake, SeenDunning } from '../../workflows/contract-dunning.ts';
import { inOperation, tenantInfo, tenantTimeOf } from '../context/context.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import { kinds } from '../context/kinds.ts';
import type { Dispatcher } from '../outbox/dispatch-after-commit.ts';
import { shownReference } from '../outbox/shown-reference.ts';
import { fractionOf, wakePace } from '../outbox/wake-pace.ts';
import { ageCustomers, PAYMENTS_WAIT_MS } from './age.ts';

const YIELD_MS = 10_000;
const YIELD_SPREAD_MS = 5_000;
/** A step, and the step after it: then nothing is due. */
const ROUNDS_MAX = 3;
const awaitedDunning = { name: 'dunning', table: kinds.dunning.table };

export interface DunningWakeRequest {
  readonly customerId: number;
  /** How often in a row the due step was left to the run of the day. */
  readonly yields: number;
  readonly seen?: SeenDunning | undefined;
}

export async function wakeDunning(
  dependencies: Dependencies,
  tenantId: number,
  request: DunningWakeRequest,
  { dispatch }: { readonly dispatch: Dispatcher['dispatch'] },
): Promise<DunningWake> {
  const tenant = await tenantInfo(dependencies, tenantId);
  const { customerId, yields } = request;
  let did = 'looked at the dunning';
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    const read = await inTenant(
      dependencies.db,
      tenantId,
      (tx) => readAll(dependencies, tenant, tx, request),
      tenant.hasTestClock ? { isForgettable: true } : { readOnly: true },
    );
    const { row, nowMs, today, run } = read;
    if (!row) return gone(request.seen);
    const wake = { ...describe(tenant, row, read, request.seen), did };
    const { next_step_on: on } = row;
    if (wake.ended || tenant.hasTestClock || on === null) return wake;
    const at = startOfDay(tenant.timezone, on);
    const wakeAt = at + (await wakePace(dependencies, tenantId))(customerId);
    if (nowMs < wakeAt) return { ...wake, waitMs: wakeAt - nowMs };
    const yieldMs = YIELD_MS + YIELD_SPREAD_MS * fractionOf(customerId);
    if (run === 'running' || (run === 'none' && yields === 0)) {
      return { ...wake, did: 'left it to the run of the day', waitMs: yieldMs, yielded: true };
    }
    const aged = await inOperation(dependencies, tenantId, async (context) => {
      const batch = await ageCustomers(context, [customerId], { wait: true });
      return { ...batch, nudges: context.nudges };
    });
    dispatch(tenantId, aged.nudges);
    if (aged.waiting.length > 0) {
      // Its payment nudges the workflow; the time-out counts from 00:00.
      const until = startOfDay(tenant.timezone, today) + PAYMENTS_WAIT_MS;
      const waitMs = Math.max(until - nowMs, YIELD_MS);
      return { ...wake, did: 'waits for a payment', waitsFor: 'a payment under way', waitMs };
    }
    did = aged.moved > 0 ? 'changed the status' : 'found no step to take';
  }
  throw new Error(`the dunning of customer ${customerId} stays due`);
}

interface Read {
  readonly row: WokenDunning | undefined;
  readonly rules: RulesRow;
  readonly today: IsoDate;
  readonly nowMs: number;
  /** The state of the tenant's run of today; read only if a step is due. */
  readonly run: Awaited<ReturnType<typeof readRunState>>;
}

async function readAll(
  dependencies: Dependencies,
  tenant: TenantInfo,
  tx: Tx,
  { customerId, seen }: DunningWakeRequest,
): Promise<Read> {
  if (tenant.hasTestClock) noteSeen(tx, awaitedDunning, customerId);
  const { now, today } = await tenantTimeOf(dependencies, tenant, tx, 'none');
  const [rules, row] = await Promise.all([
    readRules(tx),
    readWokenDunning(tx, { customerId, today, seen: seen?.last ?? 0 }),
  ]);
  const isDue = row?.next_step_on != null && row.next_step_on <= today;
  const run = isDue && !tenant.hasTestClock ? await readRunState(tx, today) : 'none';
  return { row, rules, today, nowMs: now.getTime(), run };
}

function gone(seen: SeenDunning | undefined): DunningWake {
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

/** The state of the rows for the workflow; the caller adds how long to wait. */
function describe(
  tenant: TenantInfo,
  row: WokenDunning,
  { rules, today }: Read,
  before: SeenDunning | undefined,
) {
  const { status, is_open: isOpen, is_held: isHeld } = row;
  const next = isOpen ? stepOf(tenant, row, rules) : null;
  const last = Math.max(before?.last ?? 0, ...row.happened.map(({ id }) => id));
  return {
    // First, as it is what people look for in a history.
    did: '',
    happened: row.happened.map(({ on, text }) => `${on}: ${text}`),
    phase: isOpen ? (isHeld ? 'Held' : status) : 'Closed',
    next,
    waitsFor: isOpen && next === null ? waitOf(row) : null,
    waitMs: null,
    yielded: false,
    ended: !isOpen,
    owed: row.owed.map(({ currency, amount, since }) => {
      const days = daysFromTo(addDays(since, 1), today);
      return `${formatAmount(currency, amount)} ${currency}, ${days} days since ${since}`;
    }),
    tenant: tenant.label,
    customer: { customerId: String(row.id), customerRef: shownReference(row.customer_ref) },
    clockOn: tenant.hasTestClock ? today : null,
    seen: { last },
  } satisfies DunningWake;
}

function stepOf(tenant: TenantInfo, row: WokenDunning, rules: RulesRow): DunningStep | null {
  const { next_step_on: on } = row;
  if (on === null) return null;
  const standing = {
    status: row.status,
    isByHand: row.is_by_hand,
    oldestDueOn: row.oldest_due_on,
    oldestUnaidedOn: row.oldest_due_on,
    forgivenOn: row.forgiven_on,
  };
  const next = nextStep(standing, rules);
  const what = next ? `becomes ${next.status}` : 'looks at its status';
  return { what, on, at: startOfDay(tenant.timezone, on) };
}

function waitOf({ is_held, held_reason, is_by_hand }: WokenDunning): string {
  if (is_held) return `the Update resume: held (${held_reason})`;
  if (is_by_hand) return 'somebody who activates the customer: suspended by hand';
  return 'a payment: no further threshold';
}
