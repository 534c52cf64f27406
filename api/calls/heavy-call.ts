/** A call that shows only while it runs that it computes for long. */

/**
 * Thrown by the handler of a read before it computes for long: the call then begins again as a heavy
 * one, beside the light calls.
 */
export class HeavyCall extends Error {
  override readonly name = 'HeavyCall';

  constructor() {
    super('the call is heavy, and begins again as such');
  }
}
