/** For slices of which no payment is due for settlement. */
import type { RunSliceOptions } from '../../../operations/due/billing-run.ts';

export const noGateways: RunSliceOptions['gateways'] = {
  ofTenant: () => Promise.reject(new Error('no gateway is asked')),
  named: () => Promise.reject(new Error('no gateway is asked')),
  returnUrl: (_tenantId, sealed) => sealed,
};
