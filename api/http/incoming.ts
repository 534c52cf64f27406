/** What the router hands to those who perform calls. */
import type { TenantInfo } from '../../operations/context/context.ts';
import type { Admission } from '../access/admission.ts';
import type { PostLimits } from '../access/post-limits.ts';
import type { PathTexts } from '../calls/call.ts';
import type { PageAnswers } from '../pages/answers.ts';
import type { PageWaits } from './page-waits.ts';
import type { ApiContext } from './context.ts';
import type { HeavyThread } from './heavy/thread.ts';

export interface RouterOptions {
  readonly admission: Admission;
  /** Performs heavy calls; without it this thread does. */
  readonly heavy?: Pick<HeavyThread, 'respond'> | undefined;
  /** How long the sender of a streamed body may send nothing; a minute by default. */
  readonly stalledBodyMs?: number | undefined;
  readonly pages: PageWalls;
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
