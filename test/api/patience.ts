/** The gateways as they are, except that nobody waits long for the card whose answer never comes. */
import { openGateways } from '../../operations/gateways.ts';
import type { Services } from '../../operations/services.ts';
import type { Gateway, Gateways } from '../../providers/gateway/gateway.ts';
import { SECRET_KEY } from '../support/tenants.ts';

/** The sandbox's. */
export const SILENT_CARD = '4000000000000044';

const SILENCE_MS = 100;

export function gatewaysOf(services: Services): Gateways {
  const patient = openGateways(services, { secretKey: SECRET_KEY });
  const impatient = openGateways(services, { secretKey: SECRET_KEY, timeLimitMs: SILENCE_MS });
  const silent = new Set<string>();
  const both = (gateway: Gateway, hasty: Gateway): Gateway => ({
    ...gateway,
    async store(details, key) {
      const method = await gateway.store(details, key);
      if (details.type === 'CreditCard' && details.cardNumber === SILENT_CARD) {
        silent.add(method.token);
      }
      return method;
    },
    charge: (call) => (silent.has(call.token) ? hasty : gateway).charge(call),
  });
  return {
    ofTenant: async (tenantId) =>
      both(await patient.ofTenant(tenantId), await impatient.ofTenant(tenantId)),
    named: async (tenantId, name) =>
      both(await patient.named(tenantId, name), await impatient.named(tenantId, name)),
  };
}
