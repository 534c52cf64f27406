/** Takes payments, credits and refunds: by what is sent, or by the methods on file. */
import { z } from 'zod';
import { DomainError } from '../../domain/errors.ts';
import type { AutopayPreference, PaymentType } from '../../domain/payments.ts';
import { findCustomer } from '../../operations/locks.ts';
import type { CustomerAddress } from '../../operations/locks.ts';
import { checkPayment } from '../../operations/payments/check.ts';
import { createPayment } from '../../operations/payments/create.ts';
import type { MethodChoice, PaymentInput } from '../../operations/payments/input.ts';
import { readLastAttempt } from '../../operations/payments/read.ts';
import { momentOf } from '../../operations/services.ts';
import type { TenantInfo, Work } from '../../operations/services.ts';
import { badRequest } from '../errors.ts';
import type { Follows } from '../following.ts';
import { writeRoute } from '../route.ts';
import type { Route } from '../route.ts';
import type { AutopayPaymentRequest, PaymentAnswer } from '../xml/schemas/payment.ts';
import { paymentCodec, processRequests, processWithAutopay } from '../xml/schemas/payment.ts';
import { paymentDocument, paymentInput } from './payment-documents.ts';
import { isOfGateway, refuseUnusable, sentMethod, vaultKey, vaulted } from './payment-methods.ts';
import type { SentMethod } from './payment-methods.ts';
import { extCustomerRef } from './queries.ts';
import { found, readingMore } from './services.ts';
import type { ApiServices } from './services.ts';

const byReference = z.object({ extCustomerRef: extCustomerRef().optional() });
type ByReference = z.output<typeof byReference>;

export function paymentWriteRoutes(services: ApiServices): Route[] {
  return [
    processRoute(services, 'Payment', 'Take a payment'),
    processRoute(services, 'Credit', 'Lower what is owed; a negative amount raises it'),
    processRoute(services, 'Refund', 'Give money back'),
    autopayRoute(services, 'Payment', 'Take a payment by the methods on file'),
    autopayRoute(services, 'Refund', 'Give money back that was paid by a method on file'),
  ];
}

const pathOf = (type: PaymentType): string => `/${type.toLowerCase()}s`;

const PENDING = 202;

/** The answer speaks of the last attempt of the cascade. */
function follows(services: ApiServices): Follows<PaymentAnswer> {
  return {
    pendingStatus: PENDING,
    idOf: ({ chainId }) => chainId,
    statusOf: ({ status }) => (status === 'Pending' ? PENDING : 201),
    async wait(tenant, { status, chainId, customer, paymentType: type, gateway }) {
      if (status !== 'Pending' || gateway === null) return false;
      const payment = { chainId, customerId: customer.id, type, gateway };
      await services.awaitPayment(tenant, payment, services.paymentWaitSeconds * 1_000);
      return true;
    },
    read: async (tx, tenant, id) =>
      paymentDocument(found('payment', await readLastAttempt(tx, tenant, id), { id })),
  };
}

function processRoute(services: ApiServices, type: PaymentType, summary: string): Route {
  return writeRoute(services, {
    method: 'POST',
    path: pathOf(type),
    summary,
    status: 201,
    query: byReference,
    request: processRequests[type],
    response: paymentCodec,
    follows: follows(services),
    asksElsewhere: true,
    async handler({ tenant, user, body: { root, value }, query, onceKey, write }) {
      const payer = payerOf(root, value, query);
      const dto = value.paymentMethodDTO;
      const sent = dto ? sentMethod(dto, root) : null;
      const input = (method: MethodChoice | null): PaymentInput =>
        paymentInput(value, { type, root, customer: payer.address, method });
      const choice = sent && choiceOf(type, sent, tenant);
      if (type === 'Payment' && sent !== null && isOfGateway(sent)) {
        await readingMore(services, tenant, async (tx) => {
          const moment = await momentOf(services, tenant, tx, 'none');
          refuseUnusable(sent, { today: moment.today, gateway: tenant.gateway });
          await checkPayment(tx, moment, input(choice));
        });
        const key = vaultKey(tenant, onceKey());
        const { at: _at, ...method } = await vaulted({ services, tenant, key }, sent);
        const paidBy = { by: 'vaulted', ...method, saveAs: sent.preference } as const;
        return write((work) => made(services, work, { input: input(paidBy), payer, user }));
      }
      return write((work) => made(services, work, { input: input(choice), payer, user }));
    },
  });
}

/**
 * As it can be told before a vault has seen it. A refund takes from payments by that method, which
 * is known by its end; a credit moves no money, so its card is looked at and left aside.
 */
function choiceOf(type: PaymentType, sent: SentMethod, tenant: TenantInfo): MethodChoice | null {
  if (!isOfGateway(sent)) return sent;
  if (type === 'Credit') return null;
  return { by: 'vaulted', ...sent.known, gateway: tenant.gateway, saveAs: null };
}

function autopayRoute(services: ApiServices, type: 'Payment' | 'Refund', summary: string): Route {
  return writeRoute(services, {
    method: 'POST',
    path: `${pathOf(type)}/autopay`,
    summary,
    status: 201,
    query: byReference,
    request: processWithAutopay,
    response: paymentCodec,
    follows: follows(services),
    handler({ user, body: { root, value }, query, write }) {
      const payer = payerOf(root, value, query);
      const preference = (value.autopayPreference ?? 1) as AutopayPreference;
      const method = { by: 'preference', preference } as const;
      const input = paymentInput(value, { type, root, customer: payer.address, method });
      return write((work) => made(services, work, { input, payer, user }));
    },
  });
}

/** Whose payment it is, as the query or the body says. */
interface Payer {
  readonly address: CustomerAddress;
  /** The body's customer where the query names one as well: they must be one and the same. */
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
  services: ApiServices,
  work: Work,
  { input, payer: { address, alsoNamed }, user }: Making,
): Promise<PaymentAnswer> {
  if (alsoNamed !== null && (await findCustomer(work.tx, address)).id !== alsoNamed) {
    const message = 'customer/@id and extCustomerRef name different ones';
    const path = `${input.root}/customer/@id`;
    throw new DomainError('field.invalid', message, { path, value: String(alsoNamed) });
  }
  const paymentId = await createPayment(services, work, input, { userId: user.id });
  const view = await readLastAttempt(work.last, work.tenant, paymentId);
  return paymentDocument(found('payment', view, { id: paymentId }));
}
