/** What the parts of a tenant file have in common: what is not built yet, and when they are applied. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';

/** A part of the format that nothing acts on yet. */
export interface UnbuiltPart {
  /** A key of the format: `plans[].charges[].isPenalty`. */
  readonly key: string;
  /** The one value that nothing acts on; without it every value that asks for something. */
  readonly value?: string;
  /** What does not happen. */
  readonly missing: string;
}

/** The tenant's present, in which its file is applied. */
export interface ApplyTime {
  readonly now: Date;
  /** The tenant's day. */
  readonly today: IsoDate;
}

/** Another apply of the same tenant wrote between reading and writing, so this one begins again. */
export class MovedMeanwhile extends Error {
  constructor() {
    super('the tenant is being applied over and over by someone else');
  }
}
