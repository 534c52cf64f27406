/** Validates the reason that a person gives with an Update. */
import { refusal } from './updates.ts';

const REASON_LENGTH_MAX = 255;
const longNumber = /(?:\d[ .-]{0,3}){13}/;

/** Throws an error for the person; refused Updates are not in the history. */
export function assertReason(reason: unknown): void {
  if (typeof reason !== 'string' || reason.trim() === '' || reason.length > REASON_LENGTH_MAX) {
    throw refusal(`reason is required, in at most ${REASON_LENGTH_MAX} characters`);
  }
  if (longNumber.test(reason)) throw refusal('reason must not hold the number of a card');
}
