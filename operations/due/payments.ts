/** Pays what is due; on a test clock, waits for all pending payments. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isOnAgenda, type AgendaBranch } from '../../db/queries/due/agenda.ts';
import { countPending } from '../../db/queries/clock/test-clock.ts';
import { markPayersBehind } from '../../db/queries/clock/workflows-seen.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { claimAttempts, type AttemptKind } from '../collection/claim-attempts.ts';
import { claimAutopay, type ClaimedAutopay } from '../collection/autopay.ts';
import { payAtOnce } from '../gateway-calls/pay-at-once.ts';
import { inOperation, type OperationContext } from '../context/context.ts';
import type { DueSlice, Emptied, RunSlice } from './slice.ts';

/** A batch is one transaction, and is paid before its outbox rows start workflows. */
const CLAIMED_AT_ONCE_MAX = 100;
/** Each uses a connection for most of its time. */
const PAYMENTS_AT_ONCE_MAX = 6;
/** In real time a batch is one transaction, whose payments their workflows process. */
const RUN_CLAIMED_AT_ONCE_MAX = 200;
const LOOK_MS_MIN = 20;
const LOOK_MS_MAX = 500;

/** Pays the invoices whose autopay day has come. */
export async function emptyAutopay(slice: DueSlice): Emptied {
  const { dependencies, tenant, today } = slice;
  if (!(await isDue(slice, 'autopay'))) return true;
  // A separate transaction: no other transaction with locked customers locks rows of workflows.
  await inTenant(dependencies.db, tenant.id, (tx) => markPayersBehind(tx, today));
  return payAll(slice, (work) => claimAutopay(work, { limit: CLAIMED_AT_ONCE_MAX }));
}

/** Pays the attempts whose day has come. */
export async function emptyAttempts(slice: DueSlice, kind: AttemptKind): Emptied {
  if (!(await isDue(slice, kind))) return true;
  return payAll(slice, (work) => claimAttempts(work, { kind, limit: CLAIMED_AT_ONCE_MAX }));
}

/** Claims invoices made by hand, and those whose workflow missed its day. */
export function runAutopay(slice: RunSlice): Emptied {
  const choice = { limit: RUN_CLAIMED_AT_ONCE_MAX, before: slice.today };
  return claimAll(slice, (work) => claimAutopay(work, choice));
}

/** Claims the attempts of the day. */
export function runAttempts(slice: RunSlice, kind: AttemptKind): Emptied {
  return claimAll(slice, (work) => claimAttempts(work, { kind, limit: RUN_CLAIMED_AT_ONCE_MAX }));
}

function isDue({ dependencies, tenant, today }: DueSlice, branch: AgendaBranch): Promise<boolean> {
  return inTenant(dependencies.db, tenant.id, (tx) => isOnAgenda(tx, branch, today), {
    readOnly: true,
  });
}

type Claim = (work: OperationContext) => Promise<ClaimedAutopay>;

async function payAll(slice: DueSlice, claim: Claim): Emptied {
  const { dependencies, gateways, tenant, dispatch, mayContinue } = slice;
  const options = { dispatch, lanes: PAYMENTS_AT_ONCE_MAX, mayContinue };
  for (let more = true; more;) {
    if (!mayContinue()) return false;
    const claimed = await inOperation(dependencies, tenant.id, claim);
    await payAtOnce(dependencies, gateways, tenant.id, claimed.payments, options);
    ({ more } = claimed);
  }
  return true;
}

/** The workflows of the payments process them. */
async function claimAll(
  { dependencies, tenant, dispatch, mayContinue }: RunSlice,
  claim: Claim,
): Emptied {
  for (let more = true; more;) {
    if (!mayContinue()) return false;
    const claimed = await inOperation(dependencies, tenant.id, async (work) => ({
      ...(await claim(work)),
      nudges: work.nudges,
    }));
    if (claimed.nudges.length > 0) dispatch(tenant.id, claimed.nudges);
    ({ more } = claimed);
  }
  return true;
}

/** Waits until no payment is pending. Their workflows, once started, finish them. */
export async function awaitPayments({ dependencies, tenant, mayContinue }: DueSlice): Emptied {
  const look = () => inTenant(dependencies.db, tenant.id, countPending, { readOnly: true });
  let lookMs = LOOK_MS_MIN;
  for (let pending = await look(); pending > 0; pending = await look()) {
    if (!mayContinue()) return false;
    await sleep(lookMs);
    lookMs = Math.min(lookMs * 1.5, LOOK_MS_MAX);
  }
  return true;
}
