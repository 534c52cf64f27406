/** A tenant's time, inside a statement. */

/** The present time of the tenant $1: that of its test clock, or the given real one. */
export const tenantNow = (real: string): string =>
  `coalesce((select k.now from test_clock k where k.tenant_id = $1), ${real})`;
