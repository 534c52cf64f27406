/** Asks the gateways about payments that are due, before all else. */
import { setTimeout as sleep } from 'node:timers/promises';
import { settleDue } from '../gateway-calls/settle-due.ts';
import type { DueSlice, Emptied, RunSlice } from './slice.ts';

/** The pause before the next slice asks a gateway again that did not answer. */
const UNSETTLED_PAUSE_MS = 1_000;

export async function emptySettlement(slice: DueSlice): Emptied {
  const { dependencies, gateways, tenant } = slice;
  const isEmpty = await settleDue(dependencies, gateways, tenant.id, slice);
  if (!isEmpty && slice.mayContinue()) await sleep(UNSETTLED_PAUSE_MS);
  return isEmpty;
}

/** If a gateway does not answer now, the next slice and the payment's workflow ask again. */
export async function runSettlement(slice: RunSlice): Emptied {
  await settleDue(slice.dependencies, slice.gateways, slice.tenant.id, slice);
  return true;
}
