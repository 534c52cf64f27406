/** Hosted pages: sign-ups, many of them beside a billing run, and customers at their accounts. */
import { done, text, type RestTarget } from '../../cli/rest.ts';
import { SITE } from '../client/pages.ts';
import { callRows, startClient, timesOf } from '../harness/client.ts';
import { scenario } from '../harness/scenario.ts';
import {
  advance,
  assertNumber,
  BILLED_FIRST,
  firstOf,
  makeRenewing,
  makeTenant,
} from '../harness/tenants.ts';

const options = {
  more: `gateway: { type: sandbox }\nhostedPages: { allowedOrigins: ['${SITE}'] }\n`,
};

export const pages = scenario({
  about:
    'hosted sign-ups: start, page and form; then many at once, alone and beside a billing run of another tenant',
  sizes: { orders: 2_000, signups: 100, connections: [1, 8, 16], warmMs: 2_000, measureMs: 6_000 },
  brief: { orders: 4, signups: 2, connections: [1], warmMs: 20, measureMs: 60 },
  async measure(bench, { orders, signups, connections, ...times }) {
    const system = await bench.system();
    const tenant = await makeTenant(system, 'pages', options);
    const form = 'the form, until it is paid';
    const asked = { targets: [tenant.target], connections, ...times };
    const client = startClient(bench);
    const rows = await callRows(bench, client, ['signup/start', 'the page', form], asked);
    bench.say(`A renewal of ${orders} orders of another tenant, ${signups} sign-ups, then both`);
    const other = await makeRenewing(system, 'pages-run', { orders, ...options });
    await advance(other, BILLED_FIRST);
    const signUp = async () => {
      const all = { ...asked, what: form, connections: signups, times: signups, warmMs: 0 };
      const measured = await client.ask(all);
      return { seconds: measured.seconds, ...timesOf(measured, form) };
    };
    const runMs = await advance(other, firstOf(1));
    await system.settled();
    const alone = await signUp();
    await system.settled();
    const [besideMs, beside] = await Promise.all([advance(other, firstOf(2)), signUp()]);
    await system.settled();
    const sql =
      `select count(*) filter (where status <> 'PROCESSED') ` +
      `from (select status from signup order by id desc limit ${2 * signups}) s`;
    await assertNumber(system, tenant, { sql, number: 0 });
    const run = { 'renewal per second': (orders * 1_000) / runMs };
    const runBeside = {
      'renewal per second': (orders * 1_000) / besideMs,
      share: runMs / besideMs,
    };
    return [
      { title: 'Hosted sign-ups, until a step is answered', rows },
      {
        title: `${signups} sign-ups at once, and a renewal of ${orders} orders of another tenant`,
        rows: [
          { '': 'each alone', ...alone, ...run },
          { '': 'beside each other', ...beside, ...runBeside },
        ],
      },
    ];
  },
});

export const account = scenario({
  about:
    'hosted self-service: the first page, a statement of many entries, and a form that pays an invoice by a card',
  sizes: {
    entries: 1_000,
    customers: 20,
    /** More than can be paid while it measures. */
    payers: 400,
    connections: [1, 8, 16],
    warmMs: 2_000,
    measureMs: 6_000,
  },
  brief: { entries: 4, customers: 2, payers: 40, connections: [1], warmMs: 20, measureMs: 60 },
  async measure(bench, { entries, customers: count, payers, connections, ...times }) {
    const system = await bench.system();
    const tenant = await makeTenant(system, 'account', options);
    const { caller } = tenant;
    bench.say(`A customer with ${entries} entries, ${count} with some, and open invoices to pay`);
    const [reader = 0] = await customersWithInvoice(caller, 1);
    for (let each = 1; each < entries; each += 1) await addInvoice(caller, reader);
    const facts = { customers: await customersWithInvoice(caller, count) };
    const asked = { targets: [tenant.target], ...times };
    const client = startClient(bench);
    const rows = [
      ...(await callRows(bench, client, ['the first page'], { ...asked, facts, connections })),
      ...(await callRows(bench, client, ['a statement'], {
        ...asked,
        facts: { customers: [reader] },
        connections,
      })),
    ];
    for (const each of connections) {
      const owing = { customers: await customersWithInvoice(caller, payers) };
      const paying = { ...asked, facts: owing, connections: [each] };
      rows.push(...(await callRows(bench, client, ['paying an invoice'], paying)));
    }
    await system.settled();
    const sql = `select count(*) filter (where p.status <> 'Paid')
      from self_service_payment s join payment p on p.id = s.payment_id`;
    await assertNumber(system, tenant, { sql, number: 0 });
    return [{ title: `Hosted self-service; a statement has ${entries} entries`, rows }];
  },
});

async function customersWithInvoice(caller: RestTarget, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let each = 0; each < count; each += 1) {
    const contact = '<billingContact><firstName>Ada</firstName></billingContact>';
    const body = `<customer><name>Ada ${each}</name>${contact}</customer>`;
    const id = Number(text(await done(caller, 'POST', '/rest/customers', body), '@id'));
    await addInvoice(caller, id);
    ids.push(id);
  }
  return ids;
}

function addInvoice(caller: RestTarget, customerId: number): Promise<unknown> {
  return done(
    caller,
    'POST',
    `/rest/invoices?customerId=${customerId}`,
    `<invoice><invoiceLineItems><invoiceLineItem><invoiceLineItemCharges><invoiceLineItemCharge>
     <position>1</position><priceCode>FEE</priceCode><invoiceText>Fee</invoiceText>
     <unitPrice>10.00</unitPrice><quantity>1</quantity></invoiceLineItemCharge>
     </invoiceLineItemCharges></invoiceLineItem></invoiceLineItems></invoice>`,
  );
}
