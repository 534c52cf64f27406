/** Measures hosted self-service: the first page, a statement of 1,000 entries, and paying an invoice. */
import type { AccountAssignment, AccountStep } from './account/client.ts';
import { startChild, target } from './api/children.ts';
import type { PagesMeasured } from './pages/figures.ts';
import { inTenant } from '../db/connection/tenancy.ts';
import { done, text, type RestTarget } from '../cli/rest.ts';
import { callerOf } from './support/caller.ts';
import { untilQuiet } from './support/quiet.ts';
import { benchOfSystem, type Asked } from './support/run.ts';
import { makeTenant, type BenchSystem } from './support/system.ts';

interface AccountRow extends PagesMeasured {
  readonly step: AccountStep;
  readonly connections: number;
}

interface AccountFigures {
  readonly rows: readonly AccountRow[];
  /** Payments that are Paid, and the forms that were answered. */
  readonly paid: number;
  readonly submitted: number;
}

const connectionCounts = [1, 8, 16];
const WARM_MS = 2_000;
const MEASURE_MS = 6_000;
/** Each is an invoice, or a payment of it. */
const ENTRIES = 1_000;
const HOLDERS = 20;
/** More than can be paid while it measures. */
const PAYERS = 400;

export const account = benchOfSystem({ measure, report });

async function measure(system: BenchSystem, { say }: Asked): Promise<AccountFigures> {
  const tenantId = await makeTenant(system, 'bench', { file: 'pages/tenant.yaml' });
  const caller = callerOf(system.apiUrl, 'bench');
  say(`A customer with ${ENTRIES} entries, ${HOLDERS} with some, and open invoices to pay`);
  const [reader = 0] = await customersOf(caller, 1);
  for (let each = 0; each < ENTRIES / 2; each += 1) {
    await invoice(caller, reader);
    await payCash(caller, reader);
  }
  const holders = await customersOf(caller, HOLDERS);
  for (const each of holders) await invoice(caller, each);
  const client = await startChild('../account/client.ts', []);
  const at = target(Number(new URL(system.apiUrl).port));
  try {
    const rows: AccountRow[] = [];
    for (const step of ['home', 'statements', 'pay'] as const) {
      for (const connections of connectionCounts) {
        const customers = await whoOf(step, { caller, reader, holders });
        say(`${step}, ${connections} at once`);
        await untilQuiet(system);
        const times = { warmMs: WARM_MS, measureMs: MEASURE_MS };
        client.say({
          step,
          target: at,
          customers,
          connections,
          ...times,
        } satisfies AccountAssignment);
        rows.push({ step, connections, ...(JSON.parse(await client.nextLine()) as PagesMeasured) });
      }
    }
    await untilQuiet(system);
    return { rows, ...(await countPaid(system, tenantId)) };
  } finally {
    client.end();
  }
}

interface Known {
  readonly caller: RestTarget;
  readonly reader: number;
  readonly holders: readonly number[];
}

async function whoOf(
  step: AccountStep,
  { caller, reader, holders }: Known,
): Promise<readonly number[]> {
  if (step === 'home') return holders;
  if (step === 'statements') return [reader];
  const payers = await customersOf(caller, PAYERS);
  for (const each of payers) await invoice(caller, each);
  return payers;
}

async function customersOf(caller: RestTarget, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let each = 0; each < count; each += 1) {
    const contact = '<billingContact><firstName>Ada</firstName></billingContact>';
    const body = `<customer><name>Ada ${each}</name>${contact}</customer>`;
    ids.push(Number(text(await done(caller, 'POST', '/rest/customers', body), '@id')));
  }
  return ids;
}

async function invoice(caller: RestTarget, customerId: number): Promise<void> {
  await done(
    caller,
    'POST',
    `/rest/invoices?customerId=${customerId}`,
    `<invoice><invoiceLineItems><invoiceLineItem><invoiceLineItemCharges><invoiceLineItemCharge>
     <position>1</position><priceCode>FEE</priceCode><invoiceText>Fee</invoiceText>
     <unitPrice>10.00</unitPrice><quantity>1</quantity></invoiceLineItemCharge>
     </invoiceLineItemCharges></invoiceLineItem></invoiceLineItems></invoice>`,
  );
}

async function payCash(caller: RestTarget, customerId: number): Promise<void> {
  await done(
    caller,
    'POST',
    '/rest/payments',
    `<processPayment><customer id="${customerId}"/><amount>10.00</amount>
     <paymentMethodDTO type="Cash"><cashPaymentMethod/></paymentMethodDTO></processPayment>`,
  );
}

/** Figures of what was not paid would be worthless. */
async function countPaid(
  { db }: BenchSystem,
  tenantId: number,
): Promise<Pick<AccountFigures, 'paid' | 'submitted'>> {
  const [row] = await inTenant(db, tenantId, (tx) =>
    tx.query<Pick<AccountFigures, 'paid' | 'submitted'>>(
      `select count(*)::int as submitted, count(*) filter (where p.status = 'Paid')::int as paid
       from self_service_payment s join payment p on p.id = s.payment_id`,
    ),
  );
  return row ?? { paid: 0, submitted: 0 };
}

function report({ rows, paid, submitted }: AccountFigures): string {
  const figure = (value: number): string => value.toFixed(1).padStart(8);
  const lines = rows.map(({ step, connections, p50Ms, p99Ms, failed, requests }) =>
    [
      step.padEnd(11),
      String(connections).padStart(9),
      figure(p50Ms),
      figure(p99Ms),
      String(failed).padStart(8),
      String(requests).padStart(9),
    ].join(''),
  );
  return [
    `Hosted self-service: the first page, a statement of ${ENTRIES} entries, a form that pays`,
    'step         at once  p50 ms  p99 ms  failed  answers',
    ...lines,
    `${paid} of ${submitted} payments are Paid`,
    '',
  ].join('\n');
}
