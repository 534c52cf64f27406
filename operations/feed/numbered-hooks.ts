/** What follows numbered events, in the transaction that numbers them. */
import { callbackHook } from '../callbacks/hook.ts';
import type { NumberedHook } from '../events/sequencer.ts';
import { queueMails } from '../mail/queue.ts';
import { nudgeTaxRecords } from '../tax-records/hook.ts';

/** Called in this order. */
export const numberedHooks: readonly NumberedHook[] = [
  callbackHook,
  { name: 'mail', numbered: queueMails },
  { name: 'tax records', numbered: nudgeTaxRecords },
];
