/**
 * The wake of a dunning's workflow: pays retries and takes a step that the run left, and returns
 * what comes next.
 */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { readWokenDunning, type WokenDunning } from '../../db/queries/dunning/wake.ts';
import { readRunState } from '../../db/queries/due/billing-runs.ts';
import { noteSeen } from '../../db/queries/clock/workflows-seen.ts';
import { readRules, type RulesRow } from '../../db/queries/ageing/standings.ts';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import type { DunningWake, SeenDunning } from '../../workflows/contract-dunning.ts';
import {
  inOperation,
  tenantInfo,
  tenantTimeOf,
  type Dependencies,
  type TenantInfo,
} from '../context/context.ts';
import { kinds } from '../context/kinds.ts';
import type { Dispatcher } from '../outbox/dispatch-after-commit.ts';
import { fractionOf, wakePace } from '../outbox/wake-pace.ts';
import { claimAttempts } from '../collection/claim-attempts.ts';
import { payAtOnce } from '../gateway-calls/pay-at-once.ts';
import type { Gateways } from '../../providers/gateway/gateway.ts';
import { ageCustomers } from './age.ts';
import { describe, gone } from './story.ts';

const YIELD_MS = 10_000;
const YIELD_SPREAD_MS = 5_000;
/** A retry, a step, and the step after it: then nothing is due. */
const ROUNDS_MAX = 4;
const awaitedDunning = { name: 'dunning', table: kinds.dunning.table };

export interface DunningWakeRequest {
  readonly customerId: number;
  /** How often in a row the due step was left to the run of the day. */
  readonly yields: number;
  readonly seen?: SeenDunning | undefined;
}

export interface DunningHooks {
  /** Nudges workflows after a commit; never waits, never fails. */
  readonly dispatch: Dispatcher['dispatch'];
  readonly gateways: Gateways;
}

export async function wakeDunning(
  dependencies: Dependencies,
  tenantId: number,
  request: DunningWakeRequest,
  hooks: DunningHooks,
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
    if (wake.ended || tenant.hasTestClock || wake.next === null) return wake;
    const wakeAt = wake.next.at + (await wakePace(dependencies, tenantId))(customerId);
    // The run has looked at a step that waits, and left it to this workflow.
    if (nowMs < wakeAt && !row.waits) return { ...wake, waitMs: wakeAt - nowMs };
    if (row.retry !== null && row.retry.on <= today) {
      did = await payRetries(dependencies, tenantId, customerId, hooks);
      continue;
    }
    const yieldMs = YIELD_MS + YIELD_SPREAD_MS * fractionOf(customerId);
    if (!row.waits && (run === 'running' || (run === 'none' && yields === 0))) {
      return { ...wake, did: 'left it to the run of the day', waitMs: yieldMs, yielded: true };
    }
    const aged = await inOperation(dependencies, tenantId, async (context) => {
      const batch = await ageCustomers(context, [customerId], { wait: true });
      return { ...batch, nudges: context.nudges };
    });
    hooks.dispatch(tenantId, aged.nudges);
    const [waiting] = aged.waiting;
    if (waiting) {
      // The end of its payment nudges the workflow.
      const waitMs = Math.max(waiting.untilMs - nowMs, 0);
      return { ...wake, did: 'waits for a payment', waitsFor: 'a payment under way', waitMs };
    }
    did = aged.moved > 0 ? 'changed the status' : 'found no step to take';
  }
  throw new Error(`the dunning of customer ${customerId} stays due`);
}

/** Claims the customer's retries whose day has come, and pays them; returns what it did. */
async function payRetries(
  dependencies: Dependencies,
  tenantId: number,
  customerId: number,
  { dispatch, gateways }: DunningHooks,
): Promise<string> {
  const { payments } = await inOperation(dependencies, tenantId, (context) =>
    claimAttempts(context, { kind: 'retry', customerId }),
  );
  const options = { dispatch, lanes: 1, mayContinue: () => true };
  await payAtOnce(dependencies, gateways, tenantId, payments, options);
  return payments.length > 0 ? 'retried what was due' : 'found no retry to make';
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
    readWokenDunning(tx, {
      customerId,
      today,
      seen: seen?.last ?? 0,
      seenRetries: seen?.retries ?? 0,
    }),
  ]);
  const isDue = row?.nextStepOn != null && row.nextStepOn <= today;
  const run = isDue && !tenant.hasTestClock ? await readRunState(tx, today) : 'none';
  return { row, rules, today, nowMs: now.getTime(), run };
}
