/** Bills customers whose rating may have crashed a process, where no billing run does so soon. */
import type { Database } from '../../db/connection/database.ts';
import { buryNotes, openSuspects, tenantsWithSuspects } from '../../db/queries/billing/notes.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import type { BillingDependencies } from '../billing/apart.ts';
import { startLoop, type Loop } from '../context/loop.ts';

const PASS_MS = 2_000;
/** The limit for one tenant in one pass, so that tenants take turns. */
const SUSPECTS_MAX = 50;

export interface SuspectsOptions {
  /** Must include the process for suspects. */
  readonly dependencies: BillingDependencies;
  /** A connection with the role sundial_relay, which sees the tenants with suspects. */
  readonly relayDb: Database;
  readonly onError: (error: unknown) => void;
}

export function watchSuspects(options: SuspectsOptions): Loop {
  return startLoop(async (signal) => {
    await suspectsPass(options, signal).catch(options.onError);
    return PASS_MS;
  });
}

export async function suspectsPass(
  { dependencies, relayDb }: SuspectsOptions,
  signal?: AbortSignal,
): Promise<void> {
  for (const tenantId of await tenantsWithSuspects(relayDb)) {
    const suspects = await inTenant(dependencies.db, tenantId, async (tx) => {
      await buryNotes(tx);
      return openSuspects(tx, SUSPECTS_MAX);
    });
    for (const customerId of suspects) {
      if (signal?.aborted) return;
      await dependencies.apart?.bill(tenantId, customerId);
    }
  }
}
