/** The turns of a soak: ten seconds of the normal tenant alone, then ten beside the hostile one. */
import { setTimeout as sleep } from 'node:timers/promises';

export type Phase = 'quiet' | 'beside' | 'settling';

/** The processes of a soak share the clock of their machine. */
export interface Turns {
  /** Milliseconds since 1970, when the first turn begins. */
  readonly beganAt: number;
  /** Of a turn alone and a turn beside the hostile tenant. */
  readonly pairs: number;
}

const TURN_MS = 10_000;
const PAIR_MS = 2 * TURN_MS;
/** After a change, answers of the turn before are still under way; these calls are left out. */
export const SETTLING_MS = 3_000;
const MINUTE_MS = 60_000;

/** Whole pairs, so that both phases get the same time. */
export const pairsIn = (minutes: number): number =>
  Math.max(1, Math.round((minutes * MINUTE_MS) / PAIR_MS));

export const durationMs = ({ pairs }: Turns): number => pairs * PAIR_MS;

/** In all turns of one phase together. */
export const durationOfPhaseMs = ({ pairs }: Turns): number => pairs * TURN_MS;

/** @param sinceMs since the first turn began */
export function phaseAt(sinceMs: number): Phase {
  if (sinceMs % TURN_MS < SETTLING_MS) return 'settling';
  return isHostile(sinceMs) ? 'beside' : 'quiet';
}

const isHostile = (sinceMs: number): boolean => sinceMs % PAIR_MS >= TURN_MS;

/** Sleeps until the hostile tenant's turn; false once the last one is over. */
export async function untilHostileTurn(turns: Turns): Promise<boolean> {
  const sinceMs = Math.max(0, Date.now() - turns.beganAt);
  if (sinceMs >= durationMs(turns)) return false;
  if (!isHostile(sinceMs)) {
    const next = Math.floor(sinceMs / PAIR_MS) * PAIR_MS + TURN_MS;
    await sleep(Math.max(0, turns.beganAt + next - Date.now()));
  }
  return Date.now() - turns.beganAt < durationMs(turns);
}

/** When the hostile tenant has had that much time, counted in its own turns only. */
export function hostileInstant({ beganAt }: Turns, ownMs: number): number {
  return beganAt + Math.floor(ownMs / TURN_MS) * PAIR_MS + TURN_MS + (ownMs % TURN_MS);
}
