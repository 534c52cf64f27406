/**
 * A tenant whose gateway is Stripe, simulated by a server of the test: it counts requests, and
 * sends signed events as Stripe does.
 */
import Stripe from 'stripe';
import type { Database } from '../../../db/connection/database.ts';
import { keyName } from '../../../providers/gateway/stripe/key-name.ts';
import { account, amount, pay } from '../../api/payments/bodies.ts';
import { send, type Received } from '../../api/support.ts';
import {
  type Answer,
  type SeenRequest,
  type StripeServer,
  intent,
} from '../../providers/gateway/stripe-server.ts';
import { suffix } from '../../support/temporal.ts';
import type { Parts } from './parts.ts';
import { openTill, type Till } from './till.ts';

const SECRET = 'whsec_of_the_crashes';

export interface StripeTill extends Till {
  /** A payment by a bank account, which Stripe accepts as this intent. */
  readonly payBy: (customerId: number, made: object) => Promise<Received>;
  /** Sends an event with our signature; rejects when the API dies. */
  readonly event: (id: string, type: string, object: object) => Promise<Received>;
  /** The events that were taken, and whether Stripe was asked about each. */
  readonly events: (customerId: number) => Promise<readonly string[]>;
  /** How often Stripe received that request. */
  readonly count: (line: string) => number;
}

export async function openStripeTill(
  parts: Parts,
  db: Database,
  { answer, requests }: StripeServer,
): Promise<StripeTill> {
  const gateway = { type: 'stripe', secretKey: 'sk_test_1', webhookSecret: SECRET };
  const till = await openTill(parts, db, { label: `stripe-${suffix()}`, file: { gateway } });
  answer('POST', '/v1/payment_methods', { body: { id: 'pm_1', type: 'us_bank_account' } });
  answer('GET', '/v1/payment_methods/pm_1', { body: { id: 'pm_1', type: 'us_bank_account' } });
  answer('POST', '/v1/customers', { body: { id: 'cus_1' } });
  answer('POST', '/v1/payment_methods/pm_1/attach', { body: { id: 'pm_1' } });
  const port = Number(new URL(parts.apiUrl).port);
  return {
    ...till,
    payBy(customerId, made) {
      answer('POST', '/v1/payment_intents', { body: intent(made) });
      const inner = `<customer id="${customerId}"/>${amount('12.50')}${account()}`;
      return till.call('POST', '/payments', pay(inner));
    },
    event(id, type, object) {
      const payload = JSON.stringify({ id, object: 'event', type, data: { object } });
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET });
      return send(port, {
        method: 'POST',
        path: '/gateway/stripe',
        host: `${till.label}.localhost`,
        auth: null,
        body: payload,
        headers: { 'stripe-signature': signature },
      });
    },
    async events(customerId) {
      const rows = await till.read<{ said: string }>(
        `select concat_ws(' ', e.event_id, case when e.asked_at is null then 'open' else 'asked' end)
           as said
         from gateway_event e join payment p on p.tenant_id = e.tenant_id and p.id = e.payment_id
         where p.customer_id = $1 order by e.id`,
        customerId,
      );
      return rows.map(({ said }) => said);
    },
    count: (line) => requests.filter((each) => each.line === line).length,
  };
}

/** What Stripe has stored with its object. */
export function metadataOf({ body }: SeenRequest): Readonly<Record<string, string>> {
  return { [keyName]: body.get(`metadata[${keyName}]`) ?? '' };
}

export function listOf(...data: readonly object[]): Answer {
  return { body: { object: 'list', data } };
}
