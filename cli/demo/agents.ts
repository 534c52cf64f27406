/** The demo's sales agent: whose orders it has sold, and the statement of what it has earned. */
import { all, done, text, type RestTarget, type Xml } from '../rest.ts';
import { sum } from './books.ts';
import type { Cast, MadeCustomer } from './cast.ts';
import { explain, heading, say, table } from './words.ts';

/** Of the sample tenant, see tenants/demo.yaml. */
const AGENT = 'AGENT-1';
const PLAN = 'GOLD';
const ROWS_MAX = 200;

/** The numbers of the orders that the agent has sold. */
export type SoldOrders = ReadonlySet<string>;

/** Links the agent to the GOLD orders of three customers, before anything is billed. */
export async function linkAgent(
  target: RestTarget,
  customers: readonly MadeCustomer[],
  { refunded, quoted, upgrading }: Cast,
): Promise<SoldOrders> {
  const agent = await done(target, 'GET', `/rest/salesAgents?agentCode=${AGENT}`);
  const link = `<subscriptionOrderBiller><biller id="${text(agent, '@id')}"/></subscriptionOrderBiller>`;
  const sold = new Set<string>();
  const sellers = new Set([refunded, quoted, upgrading]);
  for (const { id, orders } of customers) {
    for (const order of sellers.has(id) ? orders : []) {
      if (order.plan !== PLAN) continue;
      await done(target, 'POST', `/rest/order/${order.id}/salesAgent`, `<list>${link}</list>`);
      sold.add(order.orderNumber);
    }
  }
  return sold;
}

export interface Statement {
  readonly rows: readonly Xml[];
  readonly from: string;
  readonly to: string;
}

/** What the agent has earned in the demo; change orders take it along to orders of later numbers. */
export async function statementOf(
  target: RestTarget,
  sold: SoldOrders,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Statement> {
  const path = `/rest/commissions?agentCode=${AGENT}&from=${from}&to=${to}&max=${ROWS_MAX}`;
  const first = Math.min(...[...sold].map(Number));
  const rows = all(await done(target, 'GET', path), 'commission');
  return { rows: rows.filter((row) => Number(text(row, 'orderNumber')) >= first), from, to };
}

const columns = [
  { title: 'Day' },
  { title: 'Order' },
  { title: 'Invoice' },
  { title: 'For' },
  { title: 'Base', isFigure: true },
  { title: 'Commission', isFigure: true },
];

export function sayStatement({ rows, from, to }: Statement): void {
  heading('What the sales agent has earned');
  explain(
    `${AGENT} has sold GOLD to three customers. By its commission plan it earns 10 percent of the ` +
      'monthly fees, net of discounts and without tax, once an invoice is paid in full, and 25.00 a ' +
      'month after it has joined. The change order takes the agent along.',
  );
  const lines = rows.map((row) => [
    text(row, 'dateEarned'),
    text(row, 'orderNumber'),
    text(row, 'invoiceNumber'),
    `${text(row, 'code')}${text(row, 'reversalOf', '@id') === '' ? '' : ', taken back'}`,
    text(row, 'invoiceNumber') === '' ? '' : text(row, 'baseAmount'),
    text(row, 'amount'),
  ]);
  const total = sum(rows.map((row) => text(row, 'amount')));
  const title = `Statement from ${from} to ${to}`;
  say('', ...table(columns, [...lines, ['', '', '', title, '', total]]));
}
