/** What every act of the operator's page gets. */
import type { Dependencies, TenantInfo } from '../context/context.ts';
import type { Nudge } from '../context/nudge.ts';
import type { Engine } from '../outbox/engine.ts';

export interface ActPlace {
  readonly dependencies: Dependencies;
  readonly engine: Engine;
  readonly tenant: TenantInfo;
  /** Delivers nudges after a commit. */
  readonly dispatch: (tenantId: number, nudges: readonly Nudge[]) => void;
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
}
