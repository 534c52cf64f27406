/** Where the gateway's own fields on our pages come from, and what these may load for them. */

/** Of the release whose interface the adapter uses. */
const STRIPE_SCRIPT = 'https://js.stripe.com/endive/stripe.js';

/** Null: Stripe's own. */
export type GatewayScript = { readonly url: string | null };

export const scriptAddress = ({ url }: GatewayScript): string => url ?? STRIPE_SCRIPT;

/** By directives of the policy. */
export interface GatewaySources {
  readonly scripts: readonly string[];
  readonly frames: readonly string[];
  readonly connections: readonly string[];
}

/** docs.stripe.com/security/guide, "Content security policy". */
const ofStripe: GatewaySources = {
  scripts: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frames: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  connections: ['https://api.stripe.com'],
};

/** The origin of another script stands for all of Stripe's. */
export function gatewaySources({ url }: GatewayScript): GatewaySources {
  if (url === null) return ofStripe;
  const own = [new URL(url).origin];
  return { scripts: own, frames: own, connections: own };
}
