/** What the router hands to those who perform calls. */
import { createTurns } from '../../db/connection/turns.ts';
import type { TenantInfo } from '../../operations/context/context.ts';
import type { Admission } from '../access/admission.ts';
import type { PostLimits } from '../access/post-limits.ts';
import type { PathTexts } from '../calls/call.ts';
import type { PageAnswers } from '../pages/answers.ts';
import type { ApiContext } from './context.ts';
import type { HeavyThread } from './heavy/thread.ts';

export interface RouterOptions {
  readonly admission: Admission;
  /** Performs heavy calls; without it this thread does. */
  readonly heavy?: Pick<HeavyThread, 'respond'> | undefined;
  /** How long the sender of a streamed body may send nothing; a minute by default. */
  readonly stalledBodyMs?: number | undefined;
  readonly pages: PageWalls;
  /** Commits the entry of an export in the audit log, before anybody has the answer. */
  readonly noteExport: (ctx: ApiContext, tenantId: number, status: number) => Promise<void>;
}

/** What stands around hosted pages. */
export interface PageWalls {
  readonly waits: PageWaits;
  readonly answers: PageAnswers;
  readonly limits: PostLimits;
}

/** A call whose tenant and route are known. */
export interface Incoming {
  readonly ctx: ApiContext;
  readonly tenant: TenantInfo;
  /** The id in the path; 0 if the path has none. */
  readonly id: number;
  readonly pathTexts: PathTexts;
}

/* Limits how many forms wait for what they have begun, such as a payment. */

/** Waits, or does not where too many do: the page that follows says what is so. */
type PageWaits = (tenantId: number, wait: () => Promise<string | void>) => Promise<string | void>;

/** A wait is a call of the engine, and no place of the tenant's calls. */
const WAITS_MAX = 256;
const TENANT_WAITS_MAX = 64;

export function createPageWaits(): PageWaits {
  const nobodyQueues = { waitingMax: 0, laneWaitingMax: 0, waitMs: 0 };
  const turns = createTurns({
    placesMax: WAITS_MAX,
    lanePlacesMax: TENANT_WAITS_MAX,
    ...nobodyQueues,
  });
  return async (tenantId, wait) => {
    const leave = turns.takeNow(String(tenantId));
    if (leave === undefined) return undefined;
    try {
      return await wait();
    } finally {
      leave();
    }
  };
}
