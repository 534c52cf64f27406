/** Asks gateways for what they have to say at a test clock's instant, before all else. */
import { setTimeout as sleep } from 'node:timers/promises';
import { settleDue } from '../payments/settle-due.ts';
import type { DueSlice, Emptied } from './due-slice.ts';

/** Before a gateway that did not answer is asked again, by the next slice. */
const UNSETTLED_PAUSE_MS = 1_000;

export async function emptySettlement(slice: DueSlice): Emptied {
  const { dependencies, gateways, tenant } = slice;
  const isEmpty = await settleDue(dependencies, gateways, tenant.id, slice);
  if (!isEmpty && slice.mayGoOn()) await sleep(UNSETTLED_PAUSE_MS);
  return isEmpty;
}
