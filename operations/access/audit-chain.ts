/** Chains the committed rows of the audit log. */
import { createHash } from 'node:crypto';
import { auditText } from '../../domain/access/audit-log.ts';
import type { Database } from '../../db/connection/database.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import {
  type Head,
  type Link,
  type UnchainedEntry,
  lockHead,
  tenantsToChain,
  unchained,
  writeLinks,
} from '../../db/queries/access/audit-log.ts';
import type { Dependencies } from '../context/context.ts';
import { inLanes } from '../context/lanes.ts';
import { startLoop, type Loop } from '../context/loop.ts';

/** A row has its number and hash within ten seconds of its commit. */
const PASS_MS = 1_000;
/** The longest pause between passes while the database does not answer. */
const PAUSE_MS_MAX = 5_000;
/** The rows of one transaction; a tenant with more waits for its next turn. */
export const CHAINED_AT_ONCE_MAX = 500;
const TENANTS_AT_ONCE_MAX = 2;

export interface AuditLoopOptions {
  readonly dependencies: Dependencies;
  /** A connection with the role sundial_relay, which sees the tenants with new rows. */
  readonly relayDb: Database;
  readonly onError: (error: unknown) => void;
}

export function startAuditChain(options: AuditLoopOptions): Loop {
  let pauseMs = PASS_MS;
  return startLoop(async (signal) => {
    try {
      const hasMore = await chainPass(options, signal);
      pauseMs = PASS_MS;
      return hasMore ? 0 : pauseMs;
    } catch (error) {
      // Usually the database is down: the next pass tries again.
      options.onError(error);
      pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX);
      return pauseMs;
    }
  });
}

/** Gives each tenant with new rows one turn. True if one has more. */
export async function chainPass(options: AuditLoopOptions, signal?: AbortSignal): Promise<boolean> {
  let hasMore = false;
  await eachTenant(options, await tenantsToChain(options.relayDb), {
    signal,
    async work(tenantId) {
      const chained = await chainTenant(options.dependencies, tenantId);
      if (chained === CHAINED_AT_ONCE_MAX) hasMore = true;
    },
  });
  return hasMore;
}

interface EachTenant {
  readonly signal: AbortSignal | undefined;
  readonly work: (tenantId: number) => Promise<void>;
}

/** A failure of one tenant is reported, and does not stop the others. */
export async function eachTenant(
  { onError }: Pick<AuditLoopOptions, 'onError'>,
  tenantIds: readonly number[],
  { signal, work }: EachTenant,
): Promise<void> {
  await inLanes(tenantIds, (id) => work(id).catch(onError), {
    lanes: TENANTS_AT_ONCE_MAX,
    mayContinue: () => signal?.aborted !== true,
  });
}

/** One turn of a tenant; returns the number of rows, 0 while another process has the turn. */
export function chainTenant({ db }: Pick<Dependencies, 'db'>, tenantId: number): Promise<number> {
  return inTenant(db, tenantId, async (tx) => {
    const head = await lockHead(tx);
    if (head === undefined) return 0;
    const chained = linksOf(head, await unchained(tx, CHAINED_AT_ONCE_MAX));
    const last = chained.at(-1);
    if (last !== undefined) writeLinks(tx, chained, last);
    return chained.length;
  });
}

function linksOf(head: Head, entries: readonly UnchainedEntry[]): Link[] {
  let { sequence, hash: previousHash } = head;
  return entries.map(({ id, ...entry }) => {
    sequence += 1;
    const text = auditText(previousHash, { ...entry, sequence });
    const hash = createHash('sha256').update(text).digest('hex');
    const link = { id, sequence, previousHash, hash };
    previousHash = hash;
    return link;
  });
}
