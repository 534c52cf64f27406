/** The payment methods on file of a customer: put one on file, list them without numbers. */
import type { AutopayPreference } from '../../../domain/payments/allocation.ts';
import { findCustomer, type CustomerAddress } from '../../../operations/context/locks.ts';
import { listMethods, putMethodOnFile } from '../../../operations/payment-methods/methods.ts';
import { tenantTimeOf, type TenantInfo } from '../../../operations/context/context.ts';
import { addressed } from '../../calls/addressed.ts';
import type { Answer } from '../../calls/answer.ts';
import { badRequest } from '../../calls/errors.ts';
import type { Route } from '../../calls/route.ts';
import type { Write } from '../../calls/call.ts';
import { autopayRequest, methodList, type AutopayRequest } from './method-schema.ts';
import { statusCodec, type StatusDocument } from '../../calls/status-schema.ts';
import { boolean } from '../../xml/types.ts';
import {
  assertTaken,
  isOfGateway,
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
  ];
}

function readRoutes(dependencies: RouteDependencies): Route[] {
  return addressed('customer', dependencies).reads({
    below,
    summary: 'The payment methods on file, without their numbers',
    response: methodList,
    find: ({ tenant, address }) => reading(dependencies, tenant, (tx) => listMethods(tx, address)),
    document: (methods) => methods,
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
  await readingMore(dependencies, tenant, async (tx) => {
    const { today } = await tenantTimeOf(dependencies, tenant, tx, 'none');
    refuseUnusable(sent, { today, gateway: tenant.gateway });
    await findCustomer(tx, address);
  });
  const key = vaultKey(tenant, onceKey());
  const inVault = await vaulted({ dependencies, tenant, key }, sent);
  if (query.validate) await assertTaken(inVault, { path: sent.path, key });
  const preference: AutopayPreference = sent.preference ?? 1;
  return write(async (work) => {
    await putMethodOnFile(work, address, preference, inVault);
    const message = `The payment method is on file under autopayPreference ${preference}`;
    return { success: true, message };
  });
}
