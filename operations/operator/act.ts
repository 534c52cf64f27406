/** What every act of the operator's page gets. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import type { Nudge } from '../context/nudge.ts';
import type { Engine } from '../outbox/engine.ts';

export interface ActPlace {
  readonly dependencies: Dependencies;
  readonly engine: Engine;
  readonly tenant: TenantInfo;
  /** Delivers nudges after a commit. */
  readonly dispatch: (tenantId: number, nudges: readonly Nudge[]) => void;
  readonly rehearsals: Rehearsals;
}

/** Rehearses billing runs in a process of its own, one at a time. */
export interface Rehearsals {
  /** Throws update.refused while another one is under way. */
  readonly take: () => RehearsalTurn;
}

export interface RehearsalTurn {
  /** Returns what was found, in words; null if it takes longer than a page may wait, and goes on. */
  readonly rehearse: (asked: AskedRehearsal) => Promise<string | null>;
  /** Without one under way the turn is the next one's. */
  readonly leave: () => void;
}

export interface AskedRehearsal {
  readonly tenantId: number;
  readonly day: IsoDate;
  /** The outliers are held from billing. */
  readonly hold: boolean;
  readonly operator: string;
}

export interface AskedAct {
  /** 0 for an act whose object is named in a field. */
  readonly id: number;
  readonly reason: string;
  /** Who acts, as the audit log names it. */
  readonly by: string;
  /** The key of the form: what comes again with it is done once. */
  readonly requestId: string;
  readonly outcome: string | null;
  readonly transactionId: string | null;
  readonly workflow: string | null;
  /** `today`, `tomorrow` or a date. */
  readonly day: string | null;
  /** `yes` or `no` */
  readonly hold: string | null;
}
