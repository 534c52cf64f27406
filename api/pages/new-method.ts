/**
 * The payment method that hosted forms take: by our own fields, or, where the gateway's account wants
 * no numbers from us, by the gateway's.
 */
import type { EnteredMethod } from '../../domain/payments/gateway-settings.ts';
import type { FormFields } from '../calls/route-types.ts';
import type { FieldState, FormContext } from './fields.ts';
import {
  type EnteringAt,
  GATEWAY_TOKEN,
  type GatewayFieldsSpec,
  newMethodsOf,
  readGatewayToken,
  shownGatewayFields,
} from './gateway-fields.ts';
import {
  fieldOfMethod,
  nameOnCard,
  type OwnMethod,
  type OwnMethodSpec,
  readOwnMethod,
  shownMandate,
  shownOwnMethod,
} from './own-method.ts';
import type { Refuse } from './typed-text.ts';

export type NewMethod =
  | OwnMethod
  | {
      readonly kind: 'ofGateway';
      /** What the gateway's script has made. */
      readonly gatewayToken: string;
      readonly taken: readonly EnteredMethod[];
    };

interface Reading extends Pick<OwnMethodSpec, 'today' | 'taken'> {
  readonly tenant: EnteringAt;
}

/** What a page shows of what can be entered. */
export interface EnteringView {
  readonly tenant: EnteringAt;
  /** What the tenant takes in the currency. */
  readonly taken: readonly EnteredMethod[];
  readonly cardholderName: string;
  readonly typed?: FormFields | undefined;
}

/** What is at fault is noted; the method is of use if nothing is. It calls nobody. */
export function readNewMethod(
  posted: FormFields,
  { tenant, today, taken }: Reading,
  refuse: Refuse,
): NewMethod {
  const { by } = newMethodsOf(tenant);
  if (by === 'ourFields') return readOwnMethod(posted, { today, taken }, refuse);
  if (by === 'gatewayFields') {
    return { kind: 'ofGateway', gatewayToken: readGatewayToken(posted, refuse), taken };
  }
  refuse(GATEWAY_TOKEN, 'newMethod.none');
  return { kind: 'ofGateway', gatewayToken: '', taken };
}

export interface NewMethodSpec extends OwnMethodSpec, GatewayFieldsSpec {
  /** Who debits. */
  readonly creditor: string;
}

/**
 * For the templates `@new-method` and, above the button, `@mandate`; `fields` are all of them, in
 * their order.
 */
export function shownNewMethod(context: FormContext, spec: NewMethodSpec) {
  const { tenant, taken, creditor, typed } = spec;
  const { by } = newMethodsOf(tenant);
  const isTicked = typed?.has('mandateAccepted') ?? false;
  const isOurs = by === 'ourFields';
  const own = isOurs ? shownOwnMethod(context, spec) : null;
  const gateway = isOurs ? null : shownGatewayFields(context, spec);
  const mandate =
    by === 'nothing' ? null : shownMandate(context, { taken, creditor, isTicked, hasBox: isOurs });
  const box = mandate?.box ?? null;
  const fields: FieldState[] = [
    ...(own?.fields ?? []),
    ...(gateway === null ? [] : [gateway.state]),
    ...(box === null ? [] : [box]),
  ];
  return { own, gateway, mandate, fields, isCard: taken.length === 1 && taken[0] === 'card' };
}

/** Whether a page has anything to enter a method by. */
export const takesNewMethods = (tenant: EnteringAt): boolean =>
  newMethodsOf(tenant).by !== 'nothing';

/** The name on it, to be shown with a sign-up; only our own fields have one. */
export const nameOf = (method: NewMethod | null): string | null =>
  method === null || method.kind === 'ofGateway' ? null : nameOnCard(method);

/** The field that a vault calls so; null if the method has no such field. */
export function fieldOfNewMethod(method: NewMethod, name: string): string | null {
  return method.kind === 'ofGateway' ? null : fieldOfMethod(method, name);
}

/** The field that stands for the whole of it. */
export function mainFieldOf({ kind }: NewMethod): string {
  return mainFields[kind];
}

const mainFields: Readonly<Record<NewMethod['kind'], string>> = {
  card: 'cardNumber',
  sepa: 'iban',
  usBankAccount: 'accountNumber',
  ofGateway: GATEWAY_TOKEN,
};
