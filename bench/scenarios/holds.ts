/** How long the largest calls block the event loop of the API, in CPU time of its thread. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dateIn } from '../../domain/calendar/zone.ts';
import { addMonths } from '../../domain/calendar/calendar.ts';
import { get, orderDocument, post } from '../client/calls.ts';
import { openLane, type Outgoing } from '../client/http.ts';
import { scenario } from '../harness/scenario.ts';
import { startSecondApi } from '../harness/client.ts';
import { addCustomers, makeTenant, numberOf } from '../harness/tenants.ts';

const ELEMENTS_BYTES = 8_000_000;
const SINCE_1945 = 984;

export const holds = scenario({
  about: "the longest time that each of the largest calls holds the API's event loop, in CPU",
  sizes: {
    customers: 1_000,
    orders: 40,
    billed: 4,
    lines: 500,
    periods: 10,
    repeats: 3,
    settleMs: 300,
  },
  brief: { customers: 10, orders: 3, billed: 2, lines: 20, periods: 3, repeats: 1, settleMs: 20 },
  async measure(bench, sizes) {
    const { customers: count, orders, billed, repeats, settleMs } = sizes;
    const system = await bench.system();
    const tenant = await makeTenant(system, 'holds', { isRealTime: true });
    const [billedId = 0, openId = 0] = await addCustomers(system, tenant, count);
    let heldMs = 0;
    const port = await startSecondApi(bench, {
      execArgv: ['--import', join(import.meta.dirname, '../harness/probe.ts')],
      onLine: (line) => {
        heldMs = Math.max(heldMs, (JSON.parse(line) as { heldMs?: number }).heldMs ?? 0);
      },
    });
    const lane = openLane({ ...tenant.target, port });
    bench.cleanups.push(lane.close);
    const timed = async (outgoing: Outgoing, wanted: number): Promise<number> => {
      const { status, ms } = await lane.send(outgoing);
      if (status !== wanted) throw new Error(`${outgoing.path} was answered ${status}`);
      return ms;
    };
    bench.say(`Making ${orders} orders of ${sizes.lines} lines, of which ${billed} are billed`);
    const made = documents(sizes, { billedId, openId });
    for (let nth = 0; nth < orders; nth += 1) {
      await timed(nth < billed ? made.billed : post('/rest/orders', made.open), 201);
    }
    const orderId = await numberOf(system, tenant, 'select max(id) from subscription_order');
    const invoiceId = await numberOf(system, tenant, 'select max(id) from invoice');
    const rows = [];
    for (const [name, outgoing, status] of callsOf(sizes, made, { orderId, invoiceId })) {
      bench.say(name);
      const times = [];
      // The first call compiles; the others show the lasting cost.
      for (let repeat = 0; repeat <= repeats; repeat += 1) {
        await sleep(settleMs);
        heldMs = 0;
        const wallMs = await timed(outgoing, status);
        // The work after the call has ended, and the probe's output about it was read.
        await sleep(settleMs);
        if (repeat > 0) times.push({ 'ms held': heldMs, 'ms in all': wallMs });
      }
      const [worst] = times.toSorted((one, other) => other['ms held'] - one['ms held']);
      rows.push({ '': name, status, ...worst });
    }
    return [{ title: "Longest hold of the event loop by a call, CPU of the API's thread", rows }];
  },
});

interface HoldSizes {
  readonly customers: number;
  readonly orders: number;
  readonly billed: number;
  readonly lines: number;
  /** Of an order, up to the present one. */
  readonly periods: number;
}

const bills = (body: string): Outgoing => post('/rest/orders?generateInvoice=true', body);

function documents(
  { lines, periods }: HoldSizes,
  { billedId, openId }: Readonly<Record<'billedId' | 'openId', number>>,
) {
  const today = dateIn('America/New_York', Date.now());
  const startDate = addMonths(today, 1 - periods);
  const since1945 = addMonths(today, 1 - SINCE_1945);
  const line = '<orderLineItem/>';
  const wide = `<subscriptionOrder><orderLineItems>${line.repeat(ELEMENTS_BYTES / line.length)}`;
  return {
    open: orderDocument(openId, { lines, startDate }),
    billed: bills(orderDocument(billedId, { lines, startDate })),
    old: bills(orderDocument(openId, { lines, startDate: since1945 })),
    oldAndLong: bills(orderDocument(openId, { lines: 1_500, startDate: since1945 })),
    wide: post('/rest/orders', `${wide}</orderLineItems></subscriptionOrder>`),
  };
}

type HoldCall = readonly [name: string, outgoing: Outgoing, status: number];

/** The largest calls that the interface accepts, and some that it refuses. */
function callsOf(
  { customers, orders, billed, lines, periods }: HoldSizes,
  made: ReturnType<typeof documents>,
  { orderId, invoiceId }: Readonly<Record<'orderId' | 'invoiceId', number>>,
): readonly HoldCall[] {
  const order = `/rest/order/${orderId}`;
  const invoice = `/rest/invoice/${invoiceId}`;
  const listed = billed - 1;
  return [
    [`POST order, ${lines} lines`, post('/rest/orders', made.open), 201],
    [`POST order, ${lines * periods} charges billed at once`, made.billed, 201],
    [`refused: ${lines} lines since 1945`, made.old, 400],
    ['refused: 1,500 lines since 1945', made.oldAndLong, 400],
    ['refused: a body of 8 MB of elements', made.wide, 400],
    [`PUT order, ${lines} lines anew`, { method: 'PUT', path: order, body: made.open }, 200],
    [`GET order, ${lines} lines`, get(order), 200],
    [`GET invoice, ${lines * periods} charges`, get(invoice), 200],
    ['the same as HTML', get(`${invoice}?format=html`), 200],
    ['the same as PDF', get(`${invoice}?format=pdf`), 200],
    [`list of ${orders} orders`, get(`/rest/orders?max=${orders}`), 200],
    [`list of ${listed} invoices`, get(`/rest/invoices?max=${listed}`), 200],
    [`list of ${customers} customers`, get(`/rest/customers?max=${customers}`), 200],
  ];
}
