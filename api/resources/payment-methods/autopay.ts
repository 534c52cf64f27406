/** The payment methods on file of a customer: put one on file, list them without numbers. */
import type { AutopayPreference } from '../../../domain/payments/allocation.ts';
import { findWritable, type CustomerAddress } from '../../../operations/context/locks.ts';
import {
  listMethods,
  putMethodOnFile,
  removeMethod,
  reorderMethods,
} from '../../../operations/payment-methods/methods.ts';
import { tenantTimeOf, type TenantInfo } from '../../../operations/context/context.ts';
import { addressed } from '../../calls/addressed.ts';
import type { Answer } from '../../calls/answer.ts';
import { badRequest } from '../../calls/errors.ts';
import type { Route } from '../../calls/route.ts';
import type { Write } from '../../calls/call.ts';
import {
  autopayPreference,
  autopayRequest,
  methodList,
  type AutopayRequest,
} from './method-schema.ts';
import { statusCodec, type StatusDocument } from '../../calls/status-schema.ts';
import { boolean, formed } from '../../xml/types.ts';
import {
  assertTaken,
  isOfGateway,
  refuseRawCard,
  refuseUnusable,
  sentMethod,
  vaultKey,
  vaulted,
} from './methods.ts';
import { reading, readingMore, type RouteDependencies } from '../../calls/services.ts';

const below = '/autopay';

export function autopayRoutes(dependencies: RouteDependencies): Route[] {
  return [
    ...readRoutes(dependencies),
    ...writeRoutes(dependencies, 'PUT'),
    // Some clients use it to create one.
    ...writeRoutes(dependencies, 'POST'),
    ...removeRoutes(dependencies),
    ...reorderRoutes(dependencies),
  ];
}

function readRoutes(dependencies: RouteDependencies): Route[] {
  return addressed('customer', dependencies).reads({
    below,
    summary: 'The payment methods on file, without their numbers',
    right: 'read',
    response: methodList,
    find: ({ tenant, address }) => reading(dependencies, tenant, (tx) => listMethods(tx, address)),
    document: (methods) => methods,
  });
}

function removeRoutes(dependencies: RouteDependencies): Route[] {
  return addressed('customer', dependencies).writes({
    method: 'DELETE',
    below,
    summary: 'Take a payment method off file',
    right: 'write',
    query: { autopayPreference: autopayPreference() },
    parameterErrors: ['paymentMethod.unknown'],
    response: statusCodec,
    isUnversioned: true,
    handler: ({ address, query: { autopayPreference: preference }, write }) =>
      write(async (context) => {
        const orders = await removeMethod(context, address, preference as AutopayPreference);
        const message = `The payment method ${preference} is no longer on file${leftWithout(orders)}`;
        return { success: true, message };
      }),
  });
}

function leftWithout(orders: number): string {
  if (orders === 0) return '';
  return orders === 1
    ? '; 1 order with isAutoPay has no method'
    : `; ${orders} orders with isAutoPay have no method`;
}

function reorderRoutes(dependencies: RouteDependencies): Route[] {
  return addressed('customer', dependencies).writes({
    method: 'POST',
    below,
    actions: ['reorder'],
    summary: 'Number the payment methods on file anew',
    right: 'write',
    query: { order: formed(/^\d(,\d)*$/, 'preferences with commas between them, such as 3,1') },
    response: methodList,
    isUnversioned: true,
    handler: ({ address, query: { order }, write }) =>
      write(async (context) => {
        const wanted = order.split(',').map(Number);
        const onFile = await reorderMethods(context, address, wanted);
        if (onFile === null) return (await listMethods(context.tx, address)) ?? [];
        const message = `order must name each preference on file once: ${onFile.join(', ') || 'none'}`;
        throw badRequest('query.invalid', message, 'order', order);
      }),
  });
}

interface PutCall {
  readonly tenant: TenantInfo;
  readonly body: AutopayRequest;
  readonly onceKey: () => string;
  readonly write: Write<StatusDocument>;
  readonly query: { readonly validate: boolean };
}

function writeRoutes(dependencies: RouteDependencies, method: 'PUT' | 'POST'): Route[] {
  return addressed('customer', dependencies).writes({
    method,
    below,
    summary: 'Put a payment method on file, replacing the one with its autopayPreference',
    right: 'write',
    query: { validate: boolean().default(false) },
    request: autopayRequest,
    response: statusCodec,
    asksElsewhere: true,
    isUnversioned: true,
    handler: (call) => put(dependencies, call.address, call),
  });
}

async function put(
  dependencies: RouteDependencies,
  address: CustomerAddress,
  { tenant, body, query, onceKey, write }: PutCall,
): Promise<Answer> {
  const sent = sentMethod(body.paymentMethodDTO, 'autopay');
  if (!isOfGateway(sent)) {
    const { type } = body.paymentMethodDTO;
    const message = `${type} cannot be kept on file; CreditCard, ACH or Token can`;
    throw badRequest('payment.method', message, 'autopay/paymentMethodDTO/@type', type);
  }
  refuseRawCard(sent, tenant);
  await readingMore(dependencies, tenant, async (tx) => {
    const { today } = await tenantTimeOf(dependencies, tenant, tx, 'none');
    refuseUnusable(sent, { today, gateway: tenant.gateway });
    await findWritable(tx, address);
  });
  const key = vaultKey(tenant, onceKey());
  const stored = await vaulted({ dependencies, tenant, key, isKept: true }, sent);
  const { path } = sent;
  const inVault = query.validate ? (await assertTaken(stored, { path, key })).inVault : stored;
  const preference: AutopayPreference = sent.preference ?? 1;
  return write(async (work) => {
    await putMethodOnFile(work, address, preference, inVault);
    const message = `The payment method is on file under autopayPreference ${preference}`;
    return { success: true, message };
  });
}
