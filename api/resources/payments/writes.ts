/** Makes payments, credits and refunds: by a method in the request, or by the methods on file. */
import { z } from 'zod';
import { DomainError } from '../../../domain/errors.ts';
import type { AutopayPreference, PaymentType } from '../../../domain/payments/allocation.ts';
import { findCustomer, type CustomerAddress } from '../../../operations/context/locks.ts';
import { checkPayment } from '../../../operations/payments/check.ts';
import { createPayment } from '../../../operations/payments/create.ts';
import type { MethodChoice } from '../../../operations/payment-methods/choice.ts';
import type { PaymentInput } from '../../../operations/payments/input.ts';
import { readLastAttempt } from '../../../operations/payments/read.ts';
import { retryInvoice } from '../../../operations/payments/retry-invoice.ts';
import {
  tenantTimeOf,
  type TenantInfo,
  type OperationContext,
} from '../../../operations/context/context.ts';
import { addressed } from '../../calls/addressed.ts';
import { badRequest } from '../../calls/errors.ts';
import type { Continuing } from '../../calls/continuing.ts';
import { writeRoute, type Route } from '../../calls/route.ts';
import {
  type AutopayPaymentRequest,
  type PaymentAnswer,
  paymentCodec,
  processRequests,
  processWithAutopay,
} from './schema.ts';
import { paymentDocument, paymentInput } from './mapping.ts';
import {
  isOfGateway,
  refuseRawCard,
  refuseUnusable,
  sentMethod,
  vaultKey,
  vaulted,
  type SentMethod,
} from '../payment-methods/methods.ts';
import { extCustomerRef } from '../../calls/queries.ts';
import { found, readingMore, type RouteDependencies } from '../../calls/services.ts';

const byReference = z.object({ extCustomerRef: extCustomerRef().optional() });
type ByReference = z.output<typeof byReference>;

export function paymentWriteRoutes(dependencies: RouteDependencies): Route[] {
  return [
    processRoute(dependencies, 'Payment', 'Take a payment'),
    processRoute(dependencies, 'Credit', 'Reduce the debt; a negative amount increases it'),
    processRoute(dependencies, 'Refund', 'Refund money'),
    autopayRoute(dependencies, 'Payment', 'Take a payment by the methods on file'),
    autopayRoute(dependencies, 'Refund', 'Refund money that was paid by a method on file'),
    ...retryRoutes(dependencies),
  ];
}

const pathOf = (type: PaymentType): string => `/${type.toLowerCase()}s`;

const PENDING = 202;

/** The answer shows the last attempt of the cascade. */
function awaited(dependencies: RouteDependencies, finalStatus: number): Continuing<PaymentAnswer> {
  return {
    pendingStatus: PENDING,
    idOf: ({ cascadeId }) => cascadeId,
    statusOf: ({ status }) =>
      status === 'Pending' || status === 'ActionRequired' ? PENDING : finalStatus,
    async wait(tenant, { status, gateway, ...answer }) {
      if (status !== 'Pending' || gateway === null) return false;
      const { cascadeId, customer, customerRef, paymentType: type, amount, currency } = answer;
      const shown = { customerId: customer.id, customerRef, amount, currency: currency.id };
      const payment = { cascadeId, type, gateway, ...shown };
      await dependencies.awaitPayment(tenant, payment, dependencies.paymentWaitSeconds * 1_000);
      return true;
    },
    read: async (tx, tenant, id) =>
      paymentDocument(found('payment', await readLastAttempt(tx, tenant, id), { id })),
  };
}

function processRoute(dependencies: RouteDependencies, type: PaymentType, summary: string): Route {
  return writeRoute(dependencies, {
    method: 'POST',
    path: pathOf(type),
    summary,
    audited: 'payment',
    right: 'finance',
    status: 201,
    query: byReference,
    request: processRequests[type],
    response: paymentCodec,
    continues: awaited(dependencies, 201),
    asksElsewhere: true,
    async handler({ tenant, user, body: { root, value }, query, onceKey, write }) {
      const payer = payerOf(root, value, query);
      const dto = value.paymentMethodDTO;
      const sent = dto ? sentMethod(dto, root) : null;
      // A credit moves no money.
      if (sent !== null && type !== 'Credit') refuseRawCard(sent, tenant);
      const input = (method: MethodChoice | null): PaymentInput =>
        paymentInput(value, { type, root, customer: payer.address, method });
      const choice = sent && choiceOf(type, sent, tenant);
      if (type === 'Payment' && sent !== null && isOfGateway(sent)) {
        await readingMore(dependencies, tenant, async (tx) => {
          const time = await tenantTimeOf(dependencies, tenant, tx, 'none');
          refuseUnusable(sent, { today: time.today, gateway: tenant.gateway });
          await checkPayment(tx, time, input(choice));
        });
        const key = vaultKey(tenant, onceKey());
        const isKept = sent.preference !== null;
        const vaulting = { dependencies, tenant, key, isKept };
        const { at: _at, ...method } = await vaulted(vaulting, sent);
        const paidBy = { by: 'vaulted', ...method, saveAs: sent.preference } as const;
        return write((context) =>
          made(dependencies, context, { input: input(paidBy), payer, user }),
        );
      }
      return write((context) => made(dependencies, context, { input: input(choice), payer, user }));
    },
  });
}

/**
 * The method as the request shows it, before a vault has stored it. A refund takes from payments by
 * that method, matched by its last digits; a credit moves no money, so its card is only validated.
 */
function choiceOf(type: PaymentType, sent: SentMethod, tenant: TenantInfo): MethodChoice | null {
  if (!isOfGateway(sent)) return sent;
  if (type === 'Credit') return null;
  return { by: 'vaulted', ...sent.known, gateway: tenant.gateway, saveAs: null };
}

function autopayRoute(
  dependencies: RouteDependencies,
  type: 'Payment' | 'Refund',
  summary: string,
): Route {
  return writeRoute(dependencies, {
    method: 'POST',
    path: `${pathOf(type)}/autopay`,
    summary,
    audited: 'payment',
    right: 'finance',
    status: 201,
    query: byReference,
    request: processWithAutopay,
    response: paymentCodec,
    continues: awaited(dependencies, 201),
    handler({ user, body: { root, value }, query, write }) {
      const payer = payerOf(root, value, query);
      const preference = (value.autopayPreference ?? 1) as AutopayPreference;
      const method = { by: 'preference', preference } as const;
      const input = paymentInput(value, { type, root, customer: payer.address, method });
      return write((context) => made(dependencies, context, { input, payer, user }));
    },
  });
}

function retryRoutes(dependencies: RouteDependencies): Route[] {
  return addressed('invoice', dependencies).writes({
    method: 'POST',
    actions: ['retry'],
    summary: 'Charge what is open of an invoice by the methods on file',
    right: 'write',
    parameterErrors: ['payment.invoice', 'paymentMethod.unknown'],
    response: paymentCodec,
    continues: awaited(dependencies, 200),
    handler: ({ user, address, write }) =>
      write(async (context) =>
        shown(context, await retryInvoice(context, address, { userId: user.id })),
      ),
  });
}

/** The paying customer from the query or the body. */
interface Payer {
  readonly address: CustomerAddress;
  /** The body's customer if the query also names one: both must be the same. */
  readonly alsoNamed: number | null;
}

function payerOf(
  root: string,
  { customer }: Pick<AutopayPaymentRequest, 'customer'>,
  { extCustomerRef: reference }: ByReference,
): Payer {
  if (reference !== undefined) {
    return { address: { extCustomerRef: reference }, alsoNamed: customer?.id ?? null };
  }
  if (customer) return { address: { id: customer.id }, alsoNamed: null };
  const message = 'customer, or extCustomerRef in the query, is required';
  throw badRequest('field.required', message, `${root}/customer`);
}

interface Making {
  readonly input: PaymentInput;
  readonly payer: Payer;
  readonly user: { readonly id: number };
}

async function made(
  dependencies: RouteDependencies,
  context: OperationContext,
  { input, payer: { address, alsoNamed }, user }: Making,
): Promise<PaymentAnswer> {
  if (alsoNamed !== null && (await findCustomer(context.tx, address)).id !== alsoNamed) {
    const message = 'customer/@id and extCustomerRef name different ones';
    const path = `${input.root}/customer/@id`;
    throw new DomainError('field.invalid', message, { path, value: String(alsoNamed) });
  }
  return shown(context, await createPayment(dependencies, context, input, { userId: user.id }));
}

async function shown({ finalQuery, tenant }: OperationContext, id: number): Promise<PaymentAnswer> {
  return paymentDocument(found('payment', await readLastAttempt(finalQuery, tenant, id), { id }));
}
