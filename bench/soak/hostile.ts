/**
 * Entry: the hostile tenant, in a separate process. It posts the largest valid orders, reads lists
 * of everything, and tries wrong passwords from many addresses, all on this machine and in its turns.
 */
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outgoing, Target } from '../api/http.ts';
import { ORDER_LINES_MAX, RATED_CHARGES_MAX } from '../../domain/billing/due/limits.ts';
import { countStatus, openLane, type Statuses } from './lane.ts';
import {
  durationMs,
  durationOfPhaseMs,
  hostileInstant,
  untilHostileTurn,
  type Turns,
} from './turns.ts';

export interface HostileAssignment {
  readonly port: number;
  /** Its own host, and the host of the tenant whose users' passwords it also guesses. */
  readonly ownHost: string;
  readonly otherHost: string;
  readonly authorization: string;
  readonly customers: readonly number[];
  /** The first day of the month in which the last of the elapsed periods begins. */
  readonly thisMonth: string;
  readonly turns: Turns;
}

/** By kind of request: how often each status was answered. */
export type HostileCounts = Readonly<Record<'orders' | 'lists' | 'guesses', Statuses>>;

/** Each order writes 5,000 charges. */
const ORDERS_PER_MINUTE = 16;
const ORDER_LANES = 2;
/** A lane sends an order in each such time of the hostile tenant's own turns. */
const ORDER_INTERVAL_MS = (ORDER_LANES * 60_000) / ORDERS_PER_MINUTE;
const LIST_LANES = 4;
const LIST_PAUSE_MS = 50;
const GUESS_LANES = 16;
const GUESS_PAUSE_MS = 50;
const LOWEST_PRIORITY = 19;
/** 127.0.0.2 and so on: as many addresses of callers as lanes. */
const FIRST_GUESSING_ADDRESS = 2;
const PERIODS = RATED_CHARGES_MAX / ORDER_LINES_MAX;

const lists = ['orders', 'invoices', 'customers', 'payments'];

async function attack(given: HostileAssignment): Promise<HostileCounts> {
  const counts = { orders: {}, lists: {}, guesses: {} };
  const { turns } = given;
  await Promise.all([
    ...Array.from({ length: ORDER_LANES }, (_, lane) => postOrders(given, lane, counts.orders)),
    ...Array.from({ length: LIST_LANES }, (_, lane) => readLists(given, lane, counts.lists)),
    ...Array.from({ length: GUESS_LANES }, (_, lane) => guess(given, lane, counts.guesses)),
  ]);
  await sleep(Math.max(0, turns.beganAt + durationMs(turns) - Date.now()));
  return counts;
}

function ownTarget({ port, ownHost: host, authorization }: HostileAssignment): Target {
  return { port, host, authorization };
}

async function postOrders(given: HostileAssignment, own: number, statuses: Statuses) {
  const lane = openLane(ownTarget(given));
  const { turns } = given;
  const ordersOfLane = Math.floor(durationOfPhaseMs(turns) / ORDER_INTERVAL_MS);
  for (let count = 0; count < ordersOfLane; count += 1) {
    const dueAt = hostileInstant(turns, count * ORDER_INTERVAL_MS);
    await sleep(Math.max(0, dueAt - Date.now()));
    if (!(await untilHostileTurn(turns))) break;
    const customerId = given.customers[(count * ORDER_LANES + own) % given.customers.length];
    countStatus(statuses, await lane.send(largestOrder(customerId ?? 0, given.thisMonth)));
  }
  lane.close();
}

function largestOrder(customerId: number, thisMonth: string): Outgoing {
  const [year = 0, month = 0] = thisMonth.split('-').map(Number);
  const start = new Date(Date.UTC(year, month - PERIODS, 1)).toISOString().slice(0, 10);
  const lines = Array.from(
    { length: ORDER_LINES_MAX },
    (_, index) =>
      `<orderLineItem><position>${index + 1}</position><quantity>2</quantity>` +
      '<priceCode>FEE</priceCode></orderLineItem>',
  );
  return {
    method: 'POST',
    path: '/rest/orders?generateInvoice=true',
    body:
      `<?xml version="1.0" encoding="UTF-8"?>\n<subscriptionOrder><customer id="${customerId}"/>` +
      `<contractCode>MONTHLY</contractCode><startDate>${start}</startDate>` +
      `<isAutoRenew>true</isAutoRenew><orderLineItems>${lines.join('')}</orderLineItems>` +
      '</subscriptionOrder>',
  };
}

/** As many as configured, within the limit of the largest orders. */
async function readLists(given: HostileAssignment, own: number, statuses: Statuses) {
  const lane = openLane(ownTarget(given));
  for (let count = own; await untilHostileTurn(given.turns); count += 1) {
    const max = count % 2 === 0 ? 1_000 : Math.floor(20_000 / ORDER_LINES_MAX);
    const path = `/rest/${lists[Math.floor(count / 2) % lists.length]}?max=${max}`;
    countStatus(statuses, await lane.send({ method: 'GET', path }));
    await sleep(LIST_PAUSE_MS);
  }
  lane.close();
}

/** Of its own users and the other tenant's, existing and invented ones. */
async function guess(given: HostileAssignment, own: number, statuses: Statuses) {
  const { port, ownHost, otherHost, turns } = given;
  const localAddress = `127.0.0.${FIRST_GUESSING_ADDRESS + own}`;
  for (let count = 0; await untilHostileTurn(turns); count += 1) {
    const user = count % 3 === 0 ? 'api@bench' : `guess-${own}-${count % 50}@bench`;
    const authorization = `Basic ${Buffer.from(`${user}:wrong-${count}`).toString('base64')}`;
    const host = count % 2 === 0 ? otherHost : ownHost;
    const lane = openLane({ port, host, authorization, localAddress });
    countStatus(statuses, await lane.send({ method: 'GET', path: '/rest/customers?max=1' }));
    lane.close();
    await sleep(GUESS_PAUSE_MS);
  }
}

// Attackers have machines of their own: this one's reading of megabytes is not to delay the normal
// tenant's client.
setPriority(LOWEST_PRIORITY);
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await attack(JSON.parse(line)))}\n`);
}
