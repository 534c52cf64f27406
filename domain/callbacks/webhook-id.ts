/** The id of an event by which receivers know that they have it. */

/** From which id on events are of an epoch: the database was put back to an older state before. */
export interface Epoch {
  readonly epoch: number;
  readonly firstId: number;
}

/**
 * The same for each post of the event. What happened after a restoration never has the id of
 * what was lost by it.
 *
 * @param epochs in their order
 * @example webhookIdOf(7, []) // 'evt_7'
 * @example webhookIdOf(2001, [{ epoch: 1, firstId: 1001 }]) // 'evt_1_2001'
 */
export function webhookIdOf(eventId: number, epochs: readonly Epoch[]): string {
  const own = epochs.findLast(({ firstId }) => eventId >= firstId);
  return own === undefined ? `evt_${eventId}` : `evt_${own.epoch}_${eventId}`;
}
