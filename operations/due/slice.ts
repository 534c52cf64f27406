/** The arguments of the batched operations that process a kind of due thing. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { CustomerRange } from '../../db/queries/billing/due-customers.ts';
import type { Gateways } from '../../providers/gateway/gateway.ts';
import type { BilledBatch } from '../billing/batch.ts';
import type { BillingDependencies } from '../billing/apart.ts';
import type { TenantInfo } from '../context/context.ts';
import type { Dispatcher } from '../outbox/dispatch-after-commit.ts';
import type { Engine } from '../outbox/engine.ts';

interface Slice {
  readonly dependencies: BillingDependencies;
  readonly gateways: Gateways;
  readonly tenant: TenantInfo;
  /** The tenant's day. */
  readonly today: IsoDate;
  /** Simultaneous billing transactions. */
  readonly lanes: number;
  /** Nudges workflows after a commit; never waits, never fails. */
  readonly dispatch: Dispatcher['dispatch'];
  /** Called before each batch: once it is false, the operation stops and returns false. */
  readonly mayContinue: () => boolean;
  /** Receives each billed batch. */
  readonly onBatch: (batch: BilledBatch) => void;
}

/** An instant of a test clock, which is at 00:00 of `today`. */
export interface DueSlice extends Slice {
  readonly engine: Engine;
}

/** The run of a day in real time. */
export interface RunSlice extends Slice {
  /** Takes what is due of many customers, for lanes to bill; without it the slice bills it. */
  readonly callLanes?: LaneCall | undefined;
}

interface LaneCall {
  /** From so many customers of whom something is due. */
  readonly from: number;
  readonly call: (ranges: readonly CustomerRange[]) => void;
}

/** Whether nothing of the kind is left at this instant; false if the operation had to stop. */
export type Emptied = Promise<boolean>;
