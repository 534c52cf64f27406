/** Pays what is due; on a test clock, waits for all pending payments. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isOnAgenda } from '../../db/queries/due/agenda.ts';
import { countPending } from '../../db/queries/clock/test-clock.ts';
import { markPayersBehind } from '../../db/queries/clock/workflows-seen.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { claimAutopay } from '../collection/autopay.ts';
import { payAtOnce } from '../gateway-calls/pay-at-once.ts';
import { inOperation } from '../context/context.ts';
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
  const { dependencies, gateways, tenant, today, dispatch, mayGoOn } = slice;
  const { db } = dependencies;
  const isDue = await inTenant(db, tenant.id, (tx) => isOnAgenda(tx, 'autopay', today), {
    readOnly: true,
  });
  if (!isDue) return true;
  // A separate transaction: no other transaction with locked customers locks rows of workflows.
  await inTenant(db, tenant.id, (tx) => markPayersBehind(tx, today));
  const options = { dispatch, lanes: PAYMENTS_AT_ONCE_MAX, mayGoOn };
  for (let more = true; more;) {
    if (!mayGoOn()) return false;
    const claimed = await inOperation(dependencies, tenant.id, (work) =>
      claimAutopay(work, { limit: CLAIMED_AT_ONCE_MAX }),
    );
    await payAtOnce(dependencies, gateways, tenant.id, claimed.payments, options);
    ({ more } = claimed);
  }
  return true;
}

/** Claims invoices made by hand, and those whose workflow missed its day. */
export async function runAutopay(slice: RunSlice): Emptied {
  const { dependencies, tenant, today, dispatch, mayGoOn } = slice;
  for (let more = true; more;) {
    if (!mayGoOn()) return false;
    const choice = { limit: RUN_CLAIMED_AT_ONCE_MAX, before: today };
    const claimed = await inOperation(dependencies, tenant.id, async (work) => ({
      ...(await claimAutopay(work, choice)),
      nudges: work.nudges,
    }));
    dispatch(tenant.id, claimed.nudges);
    ({ more } = claimed);
  }
  return true;
}

/** Waits until no payment is pending. Their workflows, once started, finish them. */
export async function awaitPayments({ dependencies, tenant, mayGoOn }: DueSlice): Emptied {
  const look = () => inTenant(dependencies.db, tenant.id, countPending, { readOnly: true });
  let lookMs = LOOK_MS_MIN;
  for (let pending = await look(); pending > 0; pending = await look()) {
    if (!mayGoOn()) return false;
    await sleep(lookMs);
    lookMs = Math.min(lookMs * 1.5, LOOK_MS_MAX);
  }
  return true;
}
