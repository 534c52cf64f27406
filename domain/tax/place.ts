/** What an address has to say so that a tenant's taxes can be decided by it. */
import type { TaxRate } from './rates.ts';

export interface AskedPlace {
  /** Taxes go by place. */
  readonly country: boolean;
  /** The countries in which a rate is of one state. */
  readonly statesOf: readonly string[];
}

/**
 * What people have to type: the country where the tenant's tax goes by place, and the state where a
 * rate of that country has one. A provider takes what it is given.
 *
 * @example askedPlace({ hasProvider: false, rates: [newYork] }) // { country: true, statesOf: ['US'] }
 */
export function askedPlace({
  hasProvider,
  rates,
}: {
  readonly hasProvider: boolean;
  readonly rates: readonly TaxRate[];
}): AskedPlace {
  const ofStates = rates.filter(({ state }) => state !== null).map(({ country }) => country);
  return { country: hasProvider || rates.length > 0, statesOf: [...new Set(ofStates)] };
}
