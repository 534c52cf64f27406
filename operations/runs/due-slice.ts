/** What the batched operations that empty a kind of due thing are handed, at one instant. */
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
  /** The tenant's day, at whose 00:00 it stands. */
  readonly today: IsoDate;
  /** Transactions of billing under way at once. */
  readonly lanes: number;
  /** Told after a commit which workflows should look; never waits, never fails. */
  readonly dispatch: Dispatcher['dispatch'];
  /** Asked before each batch: once it is false, the operation answers that it had to stop. */
  readonly mayGoOn: () => boolean;
}

/** Whether nothing of the kind is left at this instant; false when the operation had to stop. */
export type Emptied = Promise<boolean>;
