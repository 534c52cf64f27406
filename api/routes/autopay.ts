/** The payment methods that a customer has on file: put there, or listed by what may be shown. */
import { z } from 'zod';
import type { AutopayPreference } from '../../domain/payments.ts';
import { findCustomer } from '../../operations/locks.ts';
import type { CustomerAddress } from '../../operations/locks.ts';
import { listMethods, putMethodOnFile } from '../../operations/payments/methods.ts';
import { momentOf } from '../../operations/services.ts';
import type { TenantInfo } from '../../operations/services.ts';
import type { Answer } from '../answer.ts';
import { badRequest } from '../errors.ts';
import { route, writeRoute } from '../route.ts';
import type { Route, Write } from '../route.ts';
import { autopayRequest, methodList } from '../xml/schemas/payment-method.ts';
import type { AutopayRequest } from '../xml/schemas/payment-method.ts';
import { statusCodec } from '../xml/schemas/status.ts';
import type { StatusDocument } from '../xml/schemas/status.ts';
import { boolean } from '../xml/types.ts';
import {
  assertTaken,
  isOfGateway,
  refuseUnusable,
  sentMethod,
  vaultKey,
  vaulted,
} from './payment-methods.ts';
import { extCustomerRef } from './queries.ts';
import { found, reading, readingMore } from './services.ts';
import type { ApiServices } from './services.ts';

const paths = { byId: '/customer/:id/autopay', byRef: '/customer/autopay' };
const reference = { extCustomerRef: extCustomerRef() };
const validation = { validate: boolean().default(false) };

export function autopayRoutes(services: ApiServices): Route[] {
  return [
    ...readRoutes(services),
    ...writeRoutes(services, 'PUT'),
    // Some clients take it for making one.
    ...writeRoutes(services, 'POST'),
  ];
}

function readRoutes(services: ApiServices): Route[] {
  const list = (tenant: TenantInfo, address: CustomerAddress) =>
    reading(services, tenant, async (tx) =>
      found('customer', await listMethods(tx, address), address),
    );
  const shared = {
    method: 'GET',
    summary: 'The payment methods on file, by what may be shown of them',
    response: methodList,
  } as const;
  return [
    route({ ...shared, path: paths.byId, handler: ({ tenant, id }) => list(tenant, { id }) }),
    route({
      ...shared,
      path: paths.byRef,
      query: z.object(reference),
      handler: ({ tenant, query }) => list(tenant, query),
    }),
  ];
}

interface PutCall {
  readonly tenant: TenantInfo;
  readonly body: AutopayRequest;
  readonly onceKey: () => string;
  readonly write: Write<StatusDocument>;
  readonly query: { readonly validate: boolean };
}

function writeRoutes(services: ApiServices, method: 'PUT' | 'POST'): Route[] {
  const shared = {
    method,
    summary: 'Put a payment method on file, in place of the one under its autopayPreference',
    request: autopayRequest,
    response: statusCodec,
    asksElsewhere: true,
  } as const;
  return [
    writeRoute(services, {
      ...shared,
      path: paths.byId,
      query: z.object(validation),
      handler: (call) => put(services, { id: call.id }, call),
    }),
    writeRoute(services, {
      ...shared,
      path: paths.byRef,
      query: z.object({ ...reference, ...validation }),
      handler: (call) => put(services, { extCustomerRef: call.query.extCustomerRef }, call),
    }),
  ];
}

async function put(
  services: ApiServices,
  address: CustomerAddress,
  { tenant, body, query, onceKey, write }: PutCall,
): Promise<Answer> {
  const sent = sentMethod(body.paymentMethodDTO, 'autopay');
  if (!isOfGateway(sent)) {
    const { type } = body.paymentMethodDTO;
    const message = `${type} cannot be kept on file; CreditCard, ACH or Token can`;
    throw badRequest('payment.method', message, 'autopay/paymentMethodDTO/@type', type);
  }
  await readingMore(services, tenant, async (tx) => {
    const { today } = await momentOf(services, tenant, tx, 'none');
    refuseUnusable(sent, { today, gateway: tenant.gateway });
    await findCustomer(tx, address);
  });
  const key = vaultKey(tenant, onceKey());
  const inVault = await vaulted({ services, tenant, key }, sent);
  if (query.validate) await assertTaken(inVault, { path: sent.path, key });
  const preference: AutopayPreference = sent.preference ?? 1;
  return write(async (work) => {
    await putMethodOnFile(work, address, preference, inVault);
    const message = `The payment method is on file under autopayPreference ${preference}`;
    return { success: true, message };
  });
}
