/** Numbers the committed events of all tenants, and lets the hooks act on them. */
import type { Database } from '../../db/connection/database.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import {
  lockSequence,
  numberEvents,
  takeResends,
  tenantsWithNewEvents,
  type NumberedEvent,
} from '../../db/queries/events/number.ts';
import {
  operationContextOf,
  tenantInfo,
  type Dependencies,
  type OperationContext,
} from '../context/context.ts';
import { eachTenant } from '../context/lanes.ts';
import { patient, startLoop, type Loop } from '../context/loop.ts';
import type { Nudge } from '../context/nudge.ts';

const PASS_MS = 250;
/** The events of one transaction; a tenant with more waits for its next turn. */
export const EVENTS_AT_ONCE_MAX = 500;
const RESENDS_AT_ONCE_MAX = 100;

/** What follows numbered events, in the transaction that numbers them. */
export interface NumberedHook {
  /** Appears in the error of a hook that fails; numbering then waits for it. */
  readonly name: string;
  /** Called with each batch of events that were just numbered, in the order of their numbers. */
  readonly numbered: (
    context: OperationContext,
    events: readonly NumberedEvent[],
  ) => void | Promise<void>;
  /** Called with events that a caller asked to send again. */
  readonly resent?: (
    context: OperationContext,
    events: readonly NumberedEvent[],
  ) => void | Promise<void>;
}

export interface SequencerOptions {
  readonly dependencies: Dependencies;
  /** A connection with the role sundial_relay, which sees the tenants with new events. */
  readonly relayDb: Database;
  /** Delivers the nudges of the hooks after the commit. */
  readonly dispatch: (tenantId: number, nudges: readonly Nudge[]) => void;
  readonly onError: (error: unknown) => void;
  /** Called in this order. */
  readonly hooks: readonly NumberedHook[];
}

export function startSequencer(options: SequencerOptions): Loop {
  const { onError } = options;
  return startLoop(
    patient({ passMs: PASS_MS, onError }, (signal) => sequencerPass(options, signal)),
  );
}

/**
 * Gives each tenant with new events one turn, so that a tenant with many delays no other. True if a
 * tenant has more. A failure of one tenant is reported, and does not stop the others.
 */
export async function sequencerPass(
  options: SequencerOptions,
  signal?: AbortSignal,
): Promise<boolean> {
  let hasMore = false;
  const { relayDb, onError } = options;
  const sequence = async (tenantId: number): Promise<void> => {
    if ((await sequenceTenant(options, tenantId)) === EVENTS_AT_ONCE_MAX) hasMore = true;
  };
  await eachTenant(await tenantsWithNewEvents(relayDb), sequence, { signal, onError });
  return hasMore;
}

/**
 * One turn of a tenant, in one transaction: numbers events and calls the hooks. Returns the number
 * of events; 0 while another process has the turn. It does not wait for the test clock's lock.
 */
export async function sequenceTenant(
  { dependencies, dispatch, hooks }: SequencerOptions,
  tenantId: number,
): Promise<number> {
  const tenant = await tenantInfo(dependencies, tenantId);
  const done = await inTenant(dependencies.db, tenantId, async (tx) => {
    if (!(await lockSequence(tx))) return undefined;
    const context = await operationContextOf(dependencies, tenant, tx, 'none');
    const numbered = await numberEvents(tx, EVENTS_AT_ONCE_MAX);
    const resent = await takeResends(tx, RESENDS_AT_ONCE_MAX);
    for (const hook of hooks) await callHook(hook, context, numbered, resent);
    return { count: numbered.length, nudges: context.nudges };
  });
  if (done === undefined) return 0;
  if (done.nudges.length > 0) dispatch(tenantId, done.nudges);
  return done.count;
}

async function callHook(
  hook: NumberedHook,
  context: OperationContext,
  numbered: readonly NumberedEvent[],
  resent: readonly NumberedEvent[],
): Promise<void> {
  try {
    if (numbered.length > 0) await hook.numbered(context, numbered);
    if (resent.length > 0) await hook.resent?.(context, resent);
  } catch (error) {
    throw new Error(`the hook ${hook.name} failed`, { cause: error });
  }
}
