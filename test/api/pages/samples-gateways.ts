/** What of tenants decides how their pages take a new payment method. */
import type { EnteringAt } from '../../../api/pages/gateway-fields.ts';
import { gatewaySettingsOf } from '../../../domain/payments/gateway-settings.ts';

const tellsPayers = false;

export const atSandbox: EnteringAt = {
  gateway: 'sandbox',
  gatewaySettings: gatewaySettingsOf({}, { tellsPayers }),
};

export const atStripe: EnteringAt = {
  gateway: 'stripe',
  gatewaySettings: gatewaySettingsOf({ publishableKey: 'pk_test_1' }, { tellsPayers }),
};

export const atStripeWithoutKey: EnteringAt = {
  gateway: 'stripe',
  gatewaySettings: gatewaySettingsOf({}, { tellsPayers }),
};
