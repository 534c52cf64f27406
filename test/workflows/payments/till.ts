/** Cards and payments with their outcomes, for tests of the payments' workflows. */

import type { WorkflowHandle } from '@temporalio/client';
import { openGateways } from '../../../operations/gateway-calls/gateways.ts';
import { gatewayAdapters } from '../../../providers/gateway/adapters.ts';
import { awaitPayment } from '../../../operations/gateway-calls/await.ts';
import { createPayment } from '../../../operations/payments/create.ts';
import type { MethodChoice } from '../../../operations/payment-methods/choice.ts';
import { putMethodOnFile } from '../../../operations/payment-methods/methods.ts';
import type { AutopayPreference } from '../../../domain/payments/allocation.ts';
import type { GatewayName } from '../../../providers/gateway/gateway.ts';
import { SECRET_KEY } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import type { Nudge } from '../../../operations/context/nudge.ts';
import type { Books, Place } from '../harness.ts';

export const cards = {
  good: '4111111111111111',
  declined: '4000000000000002',
  noFunds: '4000000000009995',
  /** Its first answer never comes; the gateway's status is declined. */
  timesOut: '4000000000000044',
} as const;

/** A method of a gateway that nobody has configured: it can never be reached. */
export const unreachable = {
  by: 'vaulted',
  type: 'CreditCard',
  gateway: 'stripe',
  method: { token: 'pm_test', brand: 'Visa', lastFour: '4242', expiry: '2039-12-31' },
  saveAs: null,
} as const;

export interface Card {
  readonly number: string;
  /** `SLOW ANSWER 2` and the like. */
  readonly holder?: string;
}

export function payment(cascadeId: number): Nudge {
  return { kind: 'payment', objectId: cascadeId };
}

export interface Paid {
  readonly type?: 'Payment' | 'Refund';
  readonly customerId: number;
  readonly amount: string;
  /** Null for a refund by the original methods. */
  readonly by: Card | Extract<MethodChoice, { readonly by: 'preference' | 'vaulted' }> | null;
  readonly invoiceIds?: readonly number[];
  /** Of a refund whose credit notes say so. */
  readonly invoiceText?: string | null;
}

export type Till = ReturnType<typeof openTill>;

const WAIT_MS = 30_000;
/** How long a patient caller waits for a payment that never ends. */
export const PATIENT_MS = 10_000;

export function openTill({ dependencies, engine }: Place, books: Books) {
  const gateways = openGateways(
    dependencies,
    gatewayAdapters(dependencies, { secretKeys: SECRET_KEY }),
  );
  let stored = 0;
  const amounts = new Map<number, string>();

  async function vaulted({ number, holder = 'Ada Lovelace' }: Card) {
    const gateway = await gateways.ofTenant(books.tenantId);
    const details = { cardNumber: number, expiry: '2039-12-31', cardholderName: holder };
    stored += 1;
    const method = await gateway.store(
      { type: 'CreditCard', ...details, cvv: '123', billingAddress: null },
      `${books.label}/store ${stored}`,
    );
    return { type: 'CreditCard', gateway: gateway.name, method } as const;
  }

  const methodOf = async (by: Paid['by']): Promise<MethodChoice | null> =>
    by === null || 'by' in by ? by : { by: 'vaulted', ...(await vaulted(by)), saveAs: null };

  const isPending = async (cascadeId: number): Promise<boolean> => {
    const pending = `select from payment where cascade_id = $1 and status = 'Pending'`;
    return (await books.read((tx) => tx.query(pending, [cascadeId]))).length > 0;
  };

  return {
    gateways,
    vaulted,
    async onFile(customerId: number, preference: AutopayPreference, card: Card): Promise<void> {
      const method = await vaulted(card);
      await books.work((work) => putMethodOnFile(work, { id: customerId }, preference, method));
    },
    /** As the API does it up to its commit: the payment is Pending, and nobody was nudged. */
    async create({
      type = 'Payment',
      customerId,
      amount,
      by,
      invoiceIds = [],
      invoiceText = null,
    }: Paid): Promise<number> {
      const method = await methodOf(by);
      const customer = { id: customerId };
      const noted = { invoiceText, creditNote: invoiceText !== null };
      const input = { ...blank, type, customer, amount, method, invoiceIds, ...noted };
      const id = await books.work((work) =>
        createPayment(dependencies, work, input, { userId: null }),
      );
      amounts.set(id, amount);
      return id;
    },
    /** As the API does it after its commit; without a limit until the payment is final. */
    async wait(cascadeId: number, customerId: number, limitMs?: number): Promise<void> {
      const tenant = { id: books.tenantId, label: books.label };
      const amount = amounts.get(cascadeId) ?? '0';
      const awaited = { ...cascadeTarget(cascadeId, customerId), amount };
      if (limitMs !== undefined) return awaitPayment(engine, tenant, awaited, limitMs);
      // A slow engine ends a wait early.
      await until(`payment ${cascadeId} is final`, async () => {
        await awaitPayment(engine, tenant, awaited, WAIT_MS);
        return !(await isPending(cascadeId));
      });
    },
    /** Another installation has charged this much under the key of a payment that waits. */
    chargedElsewhere: (cascadeId: number, amount: string) =>
      books.work(({ tx }) =>
        tx.query(
          `insert into sandbox_transaction (tenant_id, idempotency_key, operation, amount,
             currency, status)
           select tenant_id, gateway_key, 'charge', $2, currency, 'Approved' from payment
           where id = $1`,
          [cascadeId, amount],
        ),
      ),
    workflow: (cascadeId: number): WorkflowHandle => books.workflow(payment(cascadeId)),
    payments: () => books.read(readPayments),
    /** The sandbox's own log. */
    charges: () => books.read(readCharges),
  };
}

function cascadeTarget(cascadeId: number, customerId: number) {
  const gateway: GatewayName = 'sandbox';
  const shown = { customerRef: null, currency: 'USD', type: 'Payment' } as const;
  return { cascadeId, customerId, gateway, ...shown };
}

const blank = {
  root: 'processPayment',
  totalSurcharge: null,
  currencyCode: null,
  generateInvoice: false,
  effectiveDate: null,
  invoiceText: null,
  purchaseDescription: null,
  internalNotes: null,
} as const;

type Reading = Parameters<Parameters<Books['read']>[0]>[0];

/** `Paid 20.00, 0.00 left`, `Declined 20.00 card_declined`, in the order of their creation. */
async function readPayments(tx: Reading): Promise<string[]> {
  const rows = await tx.query<{ text: string }>(
    `select p.status || coalesce(' ' || p.phase, '') || ' ' || round(p.amount, 2)
            || case when p.status = 'Paid' then ', ' || round(p.balance, 2) || ' left' else '' end
            || coalesce(' ' || nullif(r.error_code, '0'), '') as text
     from payment p
     left join lateral (select error_code from processor_result r
       where r.tenant_id = p.tenant_id and r.payment_id = p.id order by r.id desc limit 1) r on true
     order by p.id`,
  );
  return rows.map((row) => row.text);
}

/** `Approved 20.00` for each charge, in the order of the calls. */
async function readCharges(tx: Reading): Promise<string[]> {
  const rows = await tx.query<{ text: string }>(
    `select status || ' ' || round(amount, 2) as text from sandbox_transaction
     where operation = 'charge' order by id`,
  );
  return rows.map((row) => row.text);
}
