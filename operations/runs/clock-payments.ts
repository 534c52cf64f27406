/** Pays what is due at a test clock's instant, and waits for all that is under way. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { IsoDate } from '../../domain/model.ts';
import { markPayersBehind, readPaying } from '../../db/queries/runs/test-clock.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import type { Gateways } from '../../providers/gateway/gateway.ts';
import { claimAutopay } from '../payments/autopay.ts';
import { payAtOnce, type PayOptions } from '../payments/pay-at-once.ts';
import { inOperation } from '../context/context.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';

/** One batch is one transaction, and is paid before its rows in the outbox start workflows. */
const CLAIMED_AT_ONCE_MAX = 100;
const LOOK_MS_MIN = 20;
const LOOK_MS_MAX = 500;

export interface LetPayOptions extends PayOptions {
  readonly today: IsoDate;
  readonly gateways: Gateways;
}

/**
 * Has invoices paid whose day has come, and answers with how many payments were still under way
 * when it had to stop. Their workflows, once started, end by themselves.
 */
export async function letPay(
  dependencies: Dependencies,
  tenant: TenantInfo,
  { today, gateways, ...options }: LetPayOptions,
): Promise<number> {
  const { mayGoOn } = options;
  const { db } = dependencies;
  const look = () => inTenant(db, tenant.id, (tx) => readPaying(tx, today), { readOnly: true });
  const first = await look();
  let { pending } = first;
  if (first.isDue) {
    // By itself: who locks orders and then customers may wait for one who does it in order.
    await inTenant(db, tenant.id, (tx) => markPayersBehind(tx, today));
    await claimDue(dependencies, gateways, tenant.id, options);
    ({ pending } = await look());
  }
  for (let lookMs = LOOK_MS_MIN; pending > 0 && mayGoOn(); { pending } = await look()) {
    await sleep(lookMs);
    lookMs = Math.min(lookMs * 1.5, LOOK_MS_MAX);
  }
  return pending;
}

async function claimDue(
  dependencies: Dependencies,
  gateways: Gateways,
  tenantId: number,
  options: PayOptions,
): Promise<void> {
  for (let more = true; more && options.mayGoOn();) {
    const claimed = await inOperation(dependencies, tenantId, (work) =>
      claimAutopay(work, { limit: CLAIMED_AT_ONCE_MAX }),
    );
    await payAtOnce(dependencies, gateways, tenantId, claimed.payments, options);
    ({ more } = claimed);
  }
}
