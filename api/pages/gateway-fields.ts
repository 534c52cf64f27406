/**
 * The fields of the gateway's own on a hosted form, where its account wants no numbers from us: its
 * script puts what it made of them into a hidden field. So no field of ours takes a number.
 */
import type { EnteredMethod } from '../../domain/payments/gateway-settings.ts';
import type { TenantInfo } from '../../operations/context/context.ts';
import { gatewayTable } from '../../providers/gateway/gateway.ts';
import { stripeAmount, stripeDigits } from '../../providers/gateway/stripe/amount.ts';
import type { FormFields } from '../calls/route-types.ts';
import type { PageWords } from '../../domain/text/messages.ts';
import { fieldOf, type FormContext } from './fields.ts';
import { linkable } from './frame.ts';
import { type GatewayScript, scriptAddress } from './gateway-sources.ts';
import type { Refuse } from './typed-text.ts';

/** The hidden field. */
export const GATEWAY_TOKEN = 'gatewayToken';

/** How a page of the tenant takes a new method: by our fields, by the gateway's own, or not at all. */
export type NewMethods =
  | { readonly by: 'ourFields' }
  | {
      readonly by: 'gatewayFields';
      readonly publishableKey: string;
      readonly gatewayScript: GatewayScript;
    }
  | { readonly by: 'nothing' };

export function newMethodsOf({ gateway, gatewaySettings }: EnteringAt): NewMethods {
  if (!gatewayTable[gateway].hasAccount) return { by: 'ourFields' };
  const { publishableKey, scriptUrl } = gatewaySettings;
  if (publishableKey === null) return { by: 'nothing' };
  return { by: 'gatewayFields', publishableKey, gatewayScript: { url: scriptUrl } };
}

/** What of a tenant decides about it. */
export type EnteringAt = Pick<TenantInfo, 'gateway' | 'gatewaySettings'>;

/** For the policy of a page that has such fields, or a challenge. */
export function gatewayScriptOf(tenant: EnteringAt): { readonly gatewayScript?: GatewayScript } {
  const methods = newMethodsOf(tenant);
  return methods.by === 'gatewayFields' ? { gatewayScript: methods.gatewayScript } : {};
}

/** What the fields are for. */
export interface GatewayFieldsSpec {
  readonly tenant: EnteringAt;
  readonly currency: string;
  /** What the tenant takes in the currency. */
  readonly taken: readonly EnteredMethod[];
  /** What is paid, in the currency's own units; null: the method is put on file, and nothing is paid. */
  readonly amount: string | null;
  readonly isRequired: boolean;
  /** The page puts it on file, whether a box is ticked or not. */
  readonly isSaved?: boolean;
}

/** For the template `@gateway-fields`; the problem of the field is that of the whole. */
export function shownGatewayFields(context: FormContext, spec: GatewayFieldsSpec) {
  const { tenant, currency, taken, amount, isRequired, isSaved = false } = spec;
  const { words } = context;
  const methods = newMethodsOf(tenant);
  const isCard = taken.length === 1 && taken[0] === 'card';
  const { title: label } = isCard ? words.card : words.method;
  const state = fieldOf(context, { name: GATEWAY_TOKEN, label, autocomplete: 'off', isRequired });
  const none = words.problem['newMethod.none'];
  const shown = { state, words: words.gateway, none };
  if (methods.by !== 'gatewayFields') return { ...shown, settings: null };
  const settings = JSON.stringify({
    script: scriptAddress(methods.gatewayScript),
    key: methods.publishableKey,
    mode: amount === null ? 'setup' : 'payment',
    currency: currency.toLowerCase(),
    digits: stripeDigits(currency),
    amount: amount === null ? null : stripeAmount(currency, amount),
    types: taken.map((kind) => typeOf[kind]),
    isRequired,
    isSaved,
    words: words.gateway,
  });
  return { ...shown, settings };
}

const typeOf: Readonly<Record<EnteredMethod, string>> = {
  card: 'card',
  sepa: 'sepa_debit',
  usBankAccount: 'us_bank_account',
};

/** What the script has put there; what is not of the gateway's form is noted. */
export function readGatewayToken(posted: FormFields, refuse: Refuse): string {
  const token = posted.get(GATEWAY_TOKEN)?.trim() ?? '';
  if (!/^(ctoken|pm)_\w{1,250}$/.test(token)) refuse(GATEWAY_TOKEN, 'gatewayToken');
  return token;
}

/** The gateway's own challenge on a page of the tenant, whose payer it asks. */
export interface ChallengeOnPage {
  readonly tenant: EnteringAt;
  /** Read from the gateway for this page alone. */
  readonly clientSecret: string;
  /** Where the page leads then: a path of this host. */
  readonly to: string;
}

/** For the template `@authenticate`. */
export function shownChallenge(words: GatewayWords, { tenant, clientSecret, to }: ChallengeOnPage) {
  const methods = newMethodsOf(tenant);
  const shown = { words, to: linkable(to), heading: null };
  if (methods.by !== 'gatewayFields') return { ...shown, settings: null };
  const { publishableKey: key, gatewayScript } = methods;
  const settings = { script: scriptAddress(gatewayScript), key, clientSecret, to };
  return { ...shown, settings: JSON.stringify(settings) };
}

type GatewayWords = PageWords['gateway'];
