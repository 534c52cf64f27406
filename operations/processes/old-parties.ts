/** Gives the invoices and payments of before their parties, as these are today, some at a time. */
import type { Database } from '../../db/connection/database.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import {
  customersWithoutParties,
  keepOldLocales,
  freezeOldDocuments,
  tenantsWithoutParties,
} from '../../db/queries/parties/parties.ts';
import type { Dependencies } from '../context/context.ts';
import { lockCustomers } from '../context/locks.ts';
import { type Loop, startLoop } from '../context/loop.ts';

const PASS_MS = 60_000;
/** A transaction holds so many customers at most, and writes so many of their invoices and payments. */
const CUSTOMERS_MAX = 50;
const DOCUMENTS_MAX = 1_000;
const LOCALES_MAX = 500;

export interface OldPartiesOptions {
  readonly dependencies: Pick<Dependencies, 'db'>;
  /** A connection with the role sundial_relay, which sees all tenants. */
  readonly relayDb: Database;
  readonly onError: (error: unknown) => void;
}

export function startOldParties(options: OldPartiesOptions): Loop {
  return startLoop(async (signal) => {
    await oldPartiesPass(options, signal).catch(options.onError);
    return PASS_MS;
  });
}

/** Tenants take turns, one transaction each, until none has a document of before. */
export async function oldPartiesPass(
  { dependencies: { db }, relayDb, onError }: OldPartiesOptions,
  signal?: AbortSignal,
): Promise<void> {
  let left = await tenantsWithoutParties(relayDb.pool);
  while (left.length > 0 && signal?.aborted !== true) {
    const unfinished: number[] = [];
    for (const tenantId of left) {
      const frozen = await freezeSome(db, tenantId).catch((error: unknown) => {
        onError(error);
        return 0;
      });
      if (frozen > 0) unfinished.push(tenantId);
    }
    left = unfinished;
  }
}

/** Returns how many documents it has given their parties, or customers their locales. */
function freezeSome(db: Database, tenantId: number): Promise<number> {
  return inTenant(db, tenantId, async (tx) => {
    // The versions that documents of before get have them.
    const resolved = await keepOldLocales(tx, LOCALES_MAX);
    if (resolved > 0) return resolved;
    const customerIds = await customersWithoutParties(tx, CUSTOMERS_MAX);
    await lockCustomers(tx, customerIds);
    return freezeOldDocuments(tx, customerIds, DOCUMENTS_MAX);
  });
}
