/** Validates the reason that a person gives with an Update. */

const REASON_LENGTH_MAX = 255;
const longNumber = /(?:\d[ .-]{0,3}){13}/;

/** Throws an error for the person; refused Updates are not in the history. */
export function assertReason(reason: unknown): void {
  if (typeof reason !== 'string' || reason.trim() === '' || reason.length > REASON_LENGTH_MAX) {
    throw new Error(`reason is required, in at most ${REASON_LENGTH_MAX} characters`);
  }
  if (longNumber.test(reason)) throw new Error('reason must not hold the number of a card');
}
