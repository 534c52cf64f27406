/** The heads of the audit logs' chains leave the database each day, so that nobody hides a cut end. */
import { type Head, showHead, tenantsToShow } from '../../db/queries/access/audit-log.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { tenantInfo } from '../context/context.ts';
import { eachTenant } from '../context/lanes.ts';
import { startLoop, type Loop } from '../context/loop.ts';
import type { AuditLoopOptions } from './audit-chain.ts';

const HEADS_PASS_MS = 60_000;
const DAY_MS = 86_400_000;

/** What leaves the database, and what the audit compares with it. */
export interface ShownHead extends Head {
  readonly tenant: string;
  /** In real time. */
  readonly at: string;
}

export interface AuditHeadsOptions extends AuditLoopOptions {
  /** Keeps the head of a tenant's chain outside the database, each day. */
  readonly keepHead?: ((head: ShownHead) => Promise<void>) | undefined;
}

export function startAuditHeads(options: AuditHeadsOptions): Loop {
  return startLoop(async (signal) => {
    await headsPass(options, signal).catch(options.onError);
    return HEADS_PASS_MS;
  });
}

/** Each head that has moved is kept once a day; one that could not be kept is tried again. */
export async function headsPass(options: AuditHeadsOptions, signal?: AbortSignal): Promise<void> {
  const { dependencies, relayDb, keepHead, onError } = options;
  if (keepHead === undefined) return;
  const at = new Date(dependencies.realNow());
  const before = new Date(at.getTime() - DAY_MS);
  const show = async (tenantId: number): Promise<void> => {
    const { label: tenant } = await tenantInfo(dependencies, tenantId);
    await inTenant(dependencies.db, tenantId, async (tx) => {
      const head = await showHead(tx, { at, before });
      // Before the commit: what is marked as kept was kept.
      if (head !== undefined) await keepHead({ tenant, at: at.toISOString(), ...head });
    });
  };
  await eachTenant(await tenantsToShow(relayDb, before), show, { signal, onError });
}
