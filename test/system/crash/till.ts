/** A tenant's customers who pay over HTTP, with their books and the sandbox's log. */
import { openDatabase, type Database } from '../../../db/connection/database.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { type TenantOptions, PASSWORD, makeTenant } from '../../support/tenants.ts';
import { amount, autopay, card, idOf, pay, payWithAutopay } from '../../api/payments/bodies.ts';
import { send, type Received } from '../../api/support.ts';
import type { Parts } from './parts.ts';
import { until } from '../../support/until.ts';

export interface Story {
  /** Payments and refunds, the oldest first, then one that waits or was canceled. */
  readonly books: readonly string[];
  /** The sandbox's log, in order. */
  readonly log: readonly string[];
  /** The sum of the ledger, the amounts applied to invoices, and the balances of payments. */
  readonly sums: string;
}

export interface Till {
  readonly tenantId: number;
  readonly label: string;
  /** With an open invoice of 10.00 by default; returns the id. */
  readonly customer: (invoiced?: boolean) => Promise<number>;
  /**
   * By a card whose holder's name selects what the sandbox does; the answer comes late, or is cut
   * off.
   */
  readonly pay: (customerId: number, more?: Paying) => Promise<Received>;
  /** Names the customer's open invoices. */
  readonly payInvoice: (customerId: number, cardNumber?: string) => Promise<Received>;
  readonly payByFile: (customerId: number) => Promise<Received>;
  readonly refund: (customerId: number, value: string) => Promise<Received>;
  readonly onFile: (customerId: number, ...numbers: readonly string[]) => Promise<void>;
  readonly call: (method: string, path: string, body?: string, key?: string) => Promise<Received>;
  readonly story: (customerId: number) => Promise<Story>;
  /** Resolves when all payments of the customers are final. */
  readonly settled: (...customerIds: readonly number[]) => Promise<void>;
  /** Resolves when the customer's books and log are these. */
  readonly tells: (customerId: number, story: Partial<Story>) => Promise<void>;
  readonly read: <Row extends object>(sql: string, ...values: unknown[]) => Promise<Row[]>;
}

export interface Paying {
  readonly holder?: string;
  readonly value?: string;
  readonly key?: string;
}

export function openTestDatabase({ ownerUrl }: Parts, role: 'sundial_app' | 'sundial_relay') {
  const pool = { poolMax: 2, statementTimeoutMs: 30_000, name: 'test' };
  return openDatabase({ ...pool, url: ownerUrl, role });
}

const invoice =
  '<invoice><invoiceLineItems><invoiceLineItem><invoiceLineItemCharges><invoiceLineItemCharge>' +
  '<amount>10.00</amount></invoiceLineItemCharge></invoiceLineItemCharges></invoiceLineItem>' +
  '</invoiceLineItems></invoice>';

const storySql = `
  with mine as (select * from payment where customer_id = $1),
  keys as (select id::text as key from mine union all
    select s.id::text from refund_share s join mine m on m.id = s.refund_id)
  select
    (select coalesce(json_agg(concat_ws(' ', payment_type, status, phase, round(amount, 2))
       order by phase = 'Waiting' nulls first, status = 'Canceled', id), '[]') from mine) as books,
    (select coalesce(json_agg(concat_ws(' ', operation, status, round(amount, 2)) order by id), '[]')
     from sandbox_transaction where split_part(idempotency_key, '/', 2) in (select key from keys)
       or operation = 'return' and charge_id in (select transaction_id from mine)) as log,
    concat_ws(' ',
      'owes', (select round(coalesce(sum(amount), 0), 2) from ledger_entry where customer_id = $1),
      'applied', (select round(coalesce(sum(amount_applied), 0), 2) from invoice_payment
                  where customer_id = $1),
      'left', (select round(coalesce(sum(balance), 0), 2) from mine)) as sums`;

export async function openTill(
  parts: Parts,
  db: Database,
  options: TenantOptions = {},
): Promise<Till> {
  const { id: tenantId, label } = await makeTenant({ db, realNow: Date.now }, options);
  const port = Number(new URL(parts.apiUrl).port);
  const host = `${label}.localhost`;
  const call: Till['call'] = (method, path, body, key) =>
    send(port, {
      method,
      path: `/rest${path}`,
      host,
      auth: `api@test:${PASSWORD}`,
      headers: key === undefined ? {} : { 'idempotency-key': key },
      ...(body === undefined ? {} : { body }),
    });
  const read: Till['read'] = <Row extends object>(sql: string, ...values: unknown[]) =>
    inTenant(db, tenantId, (tx) => tx.query<Row & Record<string, unknown>>(sql, values), {
      readOnly: true,
    });
  const story = async (customerId: number): Promise<Story> => {
    const [row] = await read<Story>(storySql, customerId);
    if (!row) throw new Error('no story');
    return row;
  };
  const of = (customerId: number): string => `<customer id="${customerId}"/>`;
  return {
    tenantId,
    label,
    call,
    read,
    story,
    async customer(invoiced = true) {
      const named = '<billingContact><firstName>Ada</firstName></billingContact>';
      const made = await call('POST', '/customers', `<customer>${named}</customer>`);
      const id = Number(idOf(made));
      if (invoiced) idOf(await call('POST', `/invoices?customerId=${id}`, invoice));
      return id;
    },
    pay(customerId, { holder = 'Ada', value = '10.00', key } = {}) {
      const more = `<cardholderName>${holder}</cardholderName>`;
      return call('POST', '/payments', pay(of(customerId) + amount(value) + card({ more })), key);
    },
    async payInvoice(customerId, number) {
      const open = await read<{ id: number }>(
        `select id from invoice where customer_id = $1 and status = 'Outstanding'`,
        customerId,
      );
      const named = open.map(({ id }) => `<invoice id="${id}"/>`).join('');
      const inner =
        of(customerId) +
        amount('10.00') +
        `<invoices>${named}</invoices>` +
        card(number === undefined ? {} : { number });
      return call('POST', '/payments', pay(inner));
    },
    payByFile: (customerId) =>
      call('POST', '/payments/autopay', payWithAutopay(of(customerId) + amount('10.00'))),
    refund(customerId, value) {
      const inner = of(customerId) + amount(value);
      return call('POST', '/refunds', `<processRefund>${inner}</processRefund>`);
    },
    async onFile(customerId, ...numbers) {
      for (const [index, number] of numbers.entries()) {
        const more = `<autopayPreference>${index + 1}</autopayPreference>`;
        const body = autopay(card({ number, more }));
        // The gateway is asked, which has a time limit: nothing was changed if it is over.
        await until('the method is on file', async () => {
          const put = await call('PUT', `/customer/${customerId}/autopay`, body);
          if (put.status !== 200 && put.status !== 503) throw new Error(put.body);
          return put.status === 200;
        });
      }
    },
    settled: (...customerIds) =>
      until('all payments are final', async () => {
        const pending = `select from payment where customer_id = any($1) and status = 'Pending'`;
        return (await read(pending, customerIds)).length === 0;
      }),
    tells: (customerId, wanted) =>
      until(JSON.stringify(wanted), async () => {
        const now = await story(customerId);
        return JSON.stringify({ ...now, ...wanted }) === JSON.stringify(now);
      }),
  };
}
