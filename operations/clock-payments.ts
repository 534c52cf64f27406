/** Pays what is due at a test clock's instant, and waits for all that is under way. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { IsoDate } from '../domain/model.ts';
import { markPayersBehind, readPaying } from '../db/queries/test-clock.ts';
import { inTenant } from '../db/tenancy.ts';
import { deliver } from './delivery.ts';
import type { Engine } from './engine.ts';
import { workflowIdOf } from './outbox.ts';
import { claimAutopay } from './payments/autopay.ts';
import { working } from './services.ts';
import type { Services, TenantInfo } from './services.ts';

/** One batch is one transaction, which holds its customers. */
const CLAIMED_AT_ONCE_MAX = 200;
const LOOK_MS_MIN = 20;
const LOOK_MS_MAX = 500;

/**
 * Has invoices paid whose day has come, and answers with how many payments were still under way
 * when it had to stop. Their workflows, once started, end by themselves.
 */
export async function letPay(
  services: Services,
  engine: Engine,
  tenant: TenantInfo,
  { today, mayGoOn }: { readonly today: IsoDate; readonly mayGoOn: () => boolean },
): Promise<number> {
  const { db } = services;
  const look = () => inTenant(db, tenant.id, (tx) => readPaying(tx, today), { readOnly: true });
  const first = await look();
  let { pending } = first;
  if (first.isDue) {
    // By itself: who locks orders and then customers may wait for one who does it in order.
    await inTenant(db, tenant.id, (tx) => markPayersBehind(tx, today));
    await claimDue(services, engine, tenant, mayGoOn);
    ({ pending } = await look());
  }
  for (let lookMs = LOOK_MS_MIN; pending > 0 && mayGoOn(); { pending } = await look()) {
    await sleep(lookMs);
    lookMs = Math.min(lookMs * 1.5, LOOK_MS_MAX);
  }
  return pending;
}

async function claimDue(
  services: Services,
  engine: Engine,
  tenant: TenantInfo,
  mayGoOn: () => boolean,
): Promise<void> {
  for (let more = true; more && mayGoOn();) {
    const claimed = await working(services, tenant.id, (work) =>
      claimAutopay(work, { limit: CLAIMED_AT_ONCE_MAX }),
    );
    const ids = claimed.payments.map((objectId) =>
      workflowIdOf(tenant, { kind: 'payment', objectId }),
    );
    if (ids.length > 0) await deliver(services, engine, tenant.id, ids);
    ({ more } = claimed);
  }
}
