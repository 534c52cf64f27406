/**
 * Waits for the servers that have a mail and have not answered yet, so that no pass waits for them.
 * While too many answers are missing, nothing more is sent.
 */
import { keepSending, type ClaimedMail } from '../../db/queries/mail/mails.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import type { Answered } from '../../providers/mail/mailer.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import { lineOf, record, resultOf } from './outcome.ts';

/** Of one worker. Each keeps a connection to the server. */
const LATE_MAX = 32;
/** One tenant leaves places for the others. */
const TENANT_LATE_MAX = 4;
/** Several times within the time after which a mail has lost its process. */
const KEEP_MS = 60_000;

export interface LateMail {
  readonly mail: ClaimedMail;
  readonly answer: Promise<Answered>;
  readonly began: number;
}

export interface LateAnswers {
  readonly isFull: (tenantId: number) => boolean;
  /** Records the answer when it comes; never throws. */
  readonly add: (dependencies: Dependencies, tenant: TenantInfo, late: LateMail) => void;
  /** Resolves when every answer has been recorded. */
  readonly settled: () => Promise<void>;
}

export function createLateAnswers(): LateAnswers {
  const waiting = new Map<Promise<void>, number>();

  async function awaitAnswer(
    dependencies: Dependencies,
    tenant: TenantInfo,
    { mail, answer, began }: LateMail,
  ): Promise<void> {
    const { db, onWork } = dependencies;
    const inIts = (work: Parameters<typeof inTenant<void>>[2]) => inTenant(db, tenant.id, work);
    const keep = (): void => void inIts((tx) => keepSending(tx, mail)).catch(() => undefined);
    keep();
    const timer = setInterval(keep, KEEP_MS).unref();
    try {
      const result = resultOf(await answer);
      await inIts((tx) => record(tx, mail, result));
      onWork?.(lineOf(tenant, mail, { result, began }));
    } catch {
      // A mail without a record is found as one whose process has ended.
    } finally {
      clearInterval(timer);
    }
  }

  return {
    isFull(tenantId) {
      const own = [...waiting.values()].filter((each) => each === tenantId);
      return waiting.size >= LATE_MAX || own.length >= TENANT_LATE_MAX;
    },
    add(dependencies, tenant, late) {
      const awaited = awaitAnswer(dependencies, tenant, late).finally(() =>
        waiting.delete(awaited),
      );
      waiting.set(awaited, tenant.id);
    },
    async settled() {
      await Promise.all(waiting.keys());
    },
  };
}
