/** Chains the committed rows of the audit log. */
import { hash as hashOf } from 'node:crypto';
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
import { eachTenant } from '../context/lanes.ts';
import { patient, startLoop, type Loop } from '../context/loop.ts';

/**
 * An entry has its number and hash within ten seconds of its commit. A pass costs each tenant with
 * new ones a transaction, however few they are, so it is not made more often than that requires.
 */
const PASS_MS = 5_000;
/** The rows of one transaction; a tenant with more waits for its next turn. */
export const CHAINED_AT_ONCE_MAX = 500;

export interface AuditLoopOptions {
  readonly dependencies: Dependencies;
  /** A connection with the role sundial_relay, which sees the tenants with new rows. */
  readonly relayDb: Database;
  readonly onError: (error: unknown) => void;
}

export function startAuditChain(options: AuditLoopOptions): Loop {
  const { onError } = options;
  return startLoop(patient({ passMs: PASS_MS, onError }, (signal) => chainPass(options, signal)));
}

/** Gives each tenant with new rows one turn. True if one has more. */
export async function chainPass(options: AuditLoopOptions, signal?: AbortSignal): Promise<boolean> {
  let hasMore = false;
  const { dependencies, relayDb, onError } = options;
  const chain = async (tenantId: number): Promise<void> => {
    const chained = await chainTenant(dependencies, tenantId);
    if (chained === CHAINED_AT_ONCE_MAX) hasMore = true;
  };
  await eachTenant(await tenantsToChain(relayDb), chain, { signal, onError });
  return hasMore;
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
    const hash = hashOf('sha256', text);
    const link = { id, sequence, previousHash, hash };
    previousHash = hash;
    return link;
  });
}
