/** What follows numbered events, in the transaction that numbers them. */
import type { NumberedEvent } from '../../db/queries/events/number.ts';
import { callbackHook } from '../callbacks/hook.ts';
import type { OperationContext } from '../context/context.ts';
import { queueMails } from '../mail/queue.ts';

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

/** Called in this order. */
export const numberedHooks: readonly NumberedHook[] = [
  callbackHook,
  { name: 'mail', numbered: queueMails },
];
