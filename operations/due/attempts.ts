/** Processes the retries and installments that are due: claims and pays them. */
import { isOnAgenda } from '../../db/queries/due/agenda.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { claimAttempts, type AttemptKind } from '../collection/claim-attempts.ts';
import { payAtOnce } from '../gateway-calls/pay-at-once.ts';
import { inOperation } from '../context/context.ts';
import type { DueSlice, Emptied, RunSlice } from './slice.ts';

/** A batch is one transaction, and is paid before its outbox rows start workflows. */
const CLAIMED_AT_ONCE_MAX = 100;
/** Each uses a connection for most of its time. */
const PAYMENTS_AT_ONCE_MAX = 6;
/** In real time a batch is one transaction, whose payments their workflows process. */
const RUN_CLAIMED_AT_ONCE_MAX = 200;

/** Pays the attempts whose day has come. */
export async function emptyAttempts(slice: DueSlice, kind: AttemptKind): Emptied {
  const { dependencies, gateways, tenant, today, dispatch, mayGoOn } = slice;
  const isDue = await inTenant(dependencies.db, tenant.id, (tx) => isOnAgenda(tx, kind, today), {
    readOnly: true,
  });
  if (!isDue) return true;
  const options = { dispatch, lanes: PAYMENTS_AT_ONCE_MAX, mayGoOn };
  for (let more = true; more;) {
    if (!mayGoOn()) return false;
    const claimed = await inOperation(dependencies, tenant.id, (work) =>
      claimAttempts(work, { kind, limit: CLAIMED_AT_ONCE_MAX }),
    );
    await payAtOnce(dependencies, gateways, tenant.id, claimed.payments, options);
    ({ more } = claimed);
  }
  return true;
}

/** Claims the attempts of the day; their payments' workflows process them. */
export async function runAttempts(slice: RunSlice, kind: AttemptKind): Emptied {
  const { dependencies, tenant, dispatch, mayGoOn } = slice;
  for (let more = true; more;) {
    if (!mayGoOn()) return false;
    const claimed = await inOperation(dependencies, tenant.id, async (work) => ({
      ...(await claimAttempts(work, { kind, limit: RUN_CLAIMED_AT_ONCE_MAX })),
      nudges: work.nudges,
    }));
    if (claimed.nudges.length > 0) dispatch(tenant.id, claimed.nudges);
    ({ more } = claimed);
  }
  return true;
}
