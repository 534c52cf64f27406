/** The arguments of the batched operations that process a kind of due thing at one instant. */
import type { IsoDate } from '../../domain/model.ts';
import type { Gateways } from '../../providers/gateway/gateway.ts';
import type { BillingDependencies } from '../billing/apart.ts';
import type { TenantInfo } from '../context/context.ts';
import type { Dispatcher } from '../outbox/dispatch-after-commit.ts';
import type { Engine } from '../outbox/engine.ts';

export interface DueSlice {
  readonly dependencies: BillingDependencies;
  readonly engine: Engine;
  readonly gateways: Gateways;
  readonly tenant: TenantInfo;
  /** The tenant's day; the clock is at its 00:00. */
  readonly today: IsoDate;
  /** Simultaneous billing transactions. */
  readonly lanes: number;
  /** Nudges workflows after a commit; never waits, never fails. */
  readonly dispatch: Dispatcher['dispatch'];
  /** Called before each batch: once it is false, the operation stops and returns false. */
  readonly mayGoOn: () => boolean;
}

/** Whether nothing of the kind is left at this instant; false if the operation had to stop. */
export type Emptied = Promise<boolean>;
