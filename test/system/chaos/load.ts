/** People and programs who use two tenants all the time, and call again until they have an answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../db/connection/database.ts';
import { amount, autopay, card, pay, token } from '../../api/payments/bodies.ts';
import { startPath } from '../../api/signups/calls.ts';
import { ada, card as typedCard, keyIn, withPages } from '../../api/signups/page-calls.ts';
import { errorsOf, send, type Received } from '../../api/support.ts';
import { valueOf } from '../../api/tenant-api.ts';
import { csv } from '../../operations/support/imports.ts';
import { metered } from '../../operations/support/usage.ts';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { avataxAccount, portland } from '../../support/avatax.ts';
import { createDice, seedOf, type Dice } from '../../support/dice.ts';
import { callbackSecret } from '../../support/receiver.ts';
import { suffix } from '../../support/temporal.ts';
import { PASSWORD, makeTenant } from '../../support/tenants.ts';
import type { Outside } from './outside.ts';

export interface Shop {
  readonly id: number;
  readonly label: string;
  /** A charge of it needs what its gateway has given out. */
  readonly hasStripe: boolean;
  /** What each customer of the load has been answered, by its reference. */
  readonly customers: Map<string, Answered>;
}

interface Answered {
  /** Made by calls, those that replaced others among them. */
  orders: number;
  payments: number;
  /** The number of the newest order that stands. */
  orderNumber?: string;
}

export interface Load {
  readonly shops: readonly Shop[];
  /** From now on nobody begins anything; resolves when all have their answers. */
  readonly end: () => Promise<void>;
  /** For a test that has failed: nobody waits for an answer any more, nor calls again. */
  readonly giveUp: () => void;
  /** How many calls were answered, by what they did. */
  readonly done: ReadonlyMap<string, number>;
  /** How many calls were sent again. */
  readonly again: () => number;
  /** Answers that no caller should see. */
  readonly findings: readonly string[];
}

export interface LoadOptions {
  readonly db: Database;
  readonly apiUrl: string;
  readonly outside: Outside;
  readonly seed: number;
}

const CLOCK = '2027-01-01T12:00:00Z';
const LANES = 4;
/** Callers do not hammer; so many milliseconds pass before a call is sent again. */
const AGAIN_MS = 300;
/** Between two things that a lane does. */
const REST_MS_MAX = 400;
/** Nobody waits longer than a process that stands still, and its pool, take together. */
const UNANSWERED_MS = 120_000;
const events = [
  'customer.created',
  'order.created',
  'order.updated',
  'invoice.created',
  'invoice.paid',
  'payment.success',
  'payment.failed',
  'refund.success',
];

const taxed = { ...prepaid, taxCodes: ['STANDARD'] };
const plans = [recurring('P', 10, taxed), recurring('Q', 25, taxed)];
/** METERED is among them. */
const { plans: soldOnPages } = withPages.file as { readonly plans: readonly object[] };
const notifications = {
  from: 'billing@demo.example',
  enabled: ['newInvoice', 'newOrder', 'paymentReceived', 'paymentFailed'],
};

export async function openShops({
  db,
  outside,
}: Pick<LoadOptions, 'db' | 'outside'>): Promise<Shop[]> {
  const { street2: _none, ...address } = portland;
  const callbacks = [{ url: outside.receiver.url, secret: callbackSecret, events }];
  const shared = { callbacks, notifications, dunning: { retryDays: [1, 3], thresholds: [] } };
  const stripe = {
    type: 'stripe',
    secretKey: 'sk_test_1',
    publishableKey: 'pk_test_1',
    url: outside.stripeUrl,
  };
  const files = [
    {
      ...withPages.file,
      plans: [...plans, ...soldOnPages],
      gateway: { type: 'sandbox' },
    },
    {
      plans: [...plans, metered],
      address,
      tax: { type: 'avatax', ...avataxAccount, url: outside.taxes.url },
      gateway: stripe,
    },
  ];
  const shops: Shop[] = [];
  for (const file of files) {
    const label = `chaos-${suffix()}`;
    const own = { ...shared, ...file };
    const { id } = await makeTenant(
      { db, realNow: Date.now },
      { label, testClock: CLOCK, file: own },
    );
    shops.push({ id, label, hasStripe: file.gateway.type === 'stripe', customers: new Map() });
  }
  return shops;
}

interface Lane {
  readonly shop: Shop;
  readonly dice: Dice;
  /** Its name, which begins all of its references and keys. */
  readonly name: string;
  readonly insist: (what: string, request: Request) => Promise<Received>;
  readonly once: (request: Request) => Promise<Received | undefined>;
  readonly outside: Outside;
  /** Whether some of its cards are declined. */
  readonly declines: boolean;
  /** Its customers, in order. */
  readonly refs: string[];
  /** What its shop has still to do once; its lanes share it. */
  readonly owed: Deed[];
  nth: number;
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly isPlain?: boolean;
}

export function startLoad(options: LoadOptions, shops: readonly Shop[]): Load {
  const { apiUrl, outside, seed } = options;
  const port = Number(new URL(apiUrl).port);
  const done = new Map<string, number>();
  const findings: string[] = [];
  let again = 0;
  let isOver = false;
  let isGivenUp = false;
  const calling: Calling = {
    port,
    onAgain() {
      if (isGivenUp) throw new Error('nobody waits for the answer');
      again += 1;
    },
    onAnswer(what, { status, body }) {
      done.set(what, (done.get(what) ?? 0) + 1);
      if (status >= 500) findings.push(`${what}: ${status} ${body}`);
    },
  };
  const lanes = shops.flatMap((shop, of) => {
    const owed = [...deedsOf(shop)];
    return Array.from({ length: LANES }, async (_, index) => {
      const dice = createDice(seedOf(seed, of * LANES + index));
      const name = `${shop.hasStripe ? 'T' : 'S'}${index}`;
      const lane: Lane = {
        shop,
        dice,
        name,
        outside,
        refs: [],
        owed,
        declines: true,
        nth: 0,
        ...callerOf(shop, calling),
      };
      // A short run, too, has done each deed once before it ends.
      while (!isGivenUp && (!isOver || owed.length > 0)) {
        await one(lane, index === 0).catch((error: unknown) => findings.push(String(error)));
        await sleep(dice.below(REST_MS_MAX));
      }
    });
  });
  return {
    shops,
    done,
    findings,
    again: () => again,
    giveUp: () => void (isGivenUp = true),
    async end() {
      isOver = true;
      await Promise.all(lanes);
    },
  };
}

/** A customer with an order and a payment, by a lane that has done nothing before. */
export async function againBy(
  { apiUrl, outside, seed }: LoadOptions,
  shops: readonly Shop[],
): Promise<void> {
  const port = Number(new URL(apiUrl).port);
  for (const shop of shops) {
    const calling = { port, onAgain: () => undefined, onAnswer: () => undefined };
    const dice = createDice(seed);
    const own = { shop, dice, name: 'again', outside, refs: [], owed: [], nth: 1, declines: false };
    const lane: Lane = { ...own, ...callerOf(shop, calling) };
    await newCustomer(lane);
    await payment(lane);
  }
}

interface Calling {
  readonly port: number;
  readonly onAgain: () => unknown;
  readonly onAnswer: (what: string, answer: Received) => void;
}

function callerOf(shop: Shop, { port, onAgain, onAnswer }: Calling): Pick<Lane, 'once' | 'insist'> {
  const once = (request: Request): Promise<Received | undefined> => sent(port, shop, request);
  return {
    once,
    async insist(what, request) {
      for (;;) {
        const answer = await once(request);
        if (answer !== undefined && !isForLater(answer)) {
          onAnswer(what, answer);
          return answer;
        }
        onAgain();
        await sleep(AGAIN_MS);
      }
    },
  };
}

/** The service is not there, is busy, or still has the same call. */
const isForLater = (answer: Received): boolean =>
  answer.status === 503 || answer.status === 429 || errorsOf(answer)[0] === 'idempotency.inUse';

async function sent(port: number, shop: Shop, request: Request): Promise<Received | undefined> {
  const { method, path, body, key, headers, isPlain = false } = request;
  const call = send(port, {
    method,
    path,
    host: `${shop.label}.localhost`,
    auth: isPlain ? null : `api@test:${PASSWORD}`,
    headers: { ...headers, ...(key !== undefined && { 'idempotency-key': key }) },
    ...(body !== undefined && { body }),
  }).catch(() => undefined);
  const given = AbortSignal.timeout(UNANSWERED_MS);
  const never = new Promise<never>((_resolve, reject) => {
    given.addEventListener('abort', () => reject(new Error(`${method} ${path} is never answered`)));
  });
  return Promise.race([call, never]);
}

/* What a lane does next. */

type Deed = (lane: Lane) => Promise<void>;

/** The first lane of a shop also moves its clock. */
async function one(lane: Lane, movesClock: boolean): Promise<void> {
  lane.nth += 1;
  if (lane.refs.length < 2) return newCustomer(lane);
  const { dice, shop, owed } = lane;
  const next = owed.shift();
  if (next !== undefined) return next(lane);
  if (movesClock && dice.chance(25)) return advance(lane);
  await dice.pick(deedsOf(shop))(lane);
}

/** What is there twice happens twice as often. */
const deedsOf = ({ hasStripe }: Shop): readonly Deed[] => [
  payment,
  importing,
  usage,
  refund,
  change,
  cancellation,
  payment,
  newCustomer,
  ...(hasStripe ? [] : [signUp, signUp]),
];

const keyed = ({ name, nth }: Lane, what: string): string => `${name} ${nth} ${what}`;

const declined = '4000000000000341';
/** It approves at the third call under a key. */
const transient = '4000000000000119';

/** The gateway has it already, or the caller enters it. */
function methodOf({ dice, shop, outside, declines }: Lane): string {
  if (!shop.hasStripe && !declines) return card();
  if (!shop.hasStripe)
    return card({
      number: dice.pick(['4111111111111111', '4111111111111111', declined, transient]),
    });
  return token(outside.stripe.method({ type: 'card', number: '4242424242424242' }));
}

async function newCustomer(lane: Lane): Promise<void> {
  const { name, nth, insist, shop, dice } = lane;
  const ref = `${name}-${nth}`;
  const address =
    '<address><street1>350 5th Ave</street1><city>New York</city><state>NY</state>' +
    '<zip>10118</zip><countryCode>US</countryCode></address>';
  const body = `<customer><extCustomerRef>${ref}</extCustomerRef><billingContact>
    <firstName>Ada</firstName><emailPrimary>ada@example.com</emailPrimary>${address}
    </billingContact></customer>`;
  const made = await insist('customer', {
    method: 'POST',
    path: '/rest/customers',
    body,
    key: keyed(lane, 'customer'),
  });
  if (made.status !== 201) throw new Error(made.body);
  shop.customers.set(ref, { orders: 0, payments: 0 });
  lane.refs.push(ref);
  await insist('method on file', {
    method: 'PUT',
    path: `/rest/customer/autopay?extCustomerRef=${ref}`,
    body: autopay(methodOf(lane)),
    key: keyed(lane, 'file'),
  });
  const plan = dice.pick(['P', 'P', 'METERED']);
  const path = `/rest/orders?extCustomerRef=${ref}&generateInvoice=true`;
  await order(lane, { what: 'order', ref, path, plan });
}

interface Ordering {
  readonly what: 'order' | 'change';
  readonly ref: string;
  readonly path: string;
  readonly plan: string;
}

async function order(lane: Lane, { what, ref, path, plan }: Ordering): Promise<void> {
  const body = `<subscriptionOrder><contractCode>${plan}</contractCode><isAutoPay>true</isAutoPay>
    </subscriptionOrder>`;
  const answer = await lane.insist(what, {
    method: 'POST',
    path,
    body,
    key: keyed(lane, what),
  });
  const answered = lane.shop.customers.get(ref);
  const number = valueOf(answer.body, 'orderNumber');
  if (answer.status !== 201 || answered === undefined || number === undefined) return;
  answered.orders += 1;
  answered.orderNumber = number;
}

const someone = ({ dice, refs }: Lane): string => dice.pick(refs);

async function payment(lane: Lane): Promise<void> {
  const ref = someone(lane);
  const body = pay(amount(`${1 + lane.dice.below(20)}.00`) + methodOf(lane));
  const path = `/rest/payments?extCustomerRef=${ref}`;
  const { status } = await lane.insist('payment', {
    method: 'POST',
    path,
    body,
    key: keyed(lane, 'payment'),
  });
  const answered = lane.shop.customers.get(ref);
  if (answered !== undefined && (status === 201 || status === 202)) answered.payments += 1;
}

async function refund(lane: Lane): Promise<void> {
  const path = `/rest/refunds?extCustomerRef=${someone(lane)}`;
  const body = `<processRefund>${amount('1.00')}</processRefund>`;
  await lane.insist('refund', { method: 'POST', path, body, key: keyed(lane, 'refund') });
}

const usage: Deed = async (lane) => {
  const ref = someone(lane);
  const records = Array.from(
    { length: 1 + lane.dice.below(4) },
    (_, index) =>
      `<activity><extRefId>${lane.name}-${lane.nth}-${index}</extRefId>
       <extCustomerRef>${ref}</extCustomerRef><priceCode>MINUTES</priceCode>
       <quantity>${10 + lane.dice.below(90)}</quantity></activity>`,
  );
  const body = `<list>${records.join('')}</list>`;
  await lane.insist('usage', {
    method: 'POST',
    path: '/rest/activities',
    body,
    key: keyed(lane, 'usage'),
  });
};

/** Of an order to another plan. */
const change: Deed = async (lane) => {
  const ref = someone(lane);
  const number = lane.shop.customers.get(ref)?.orderNumber;
  if (number === undefined) return;
  const path = `/rest/changeOrder?currentOrderNumber=${number}&generateInvoice=true`;
  await order(lane, { what: 'change', ref, path, plan: lane.dice.pick(['P', 'Q']) });
};

const cancellation: Deed = async (lane) => {
  const number = lane.shop.customers.get(someone(lane))?.orderNumber;
  if (number === undefined) return;
  const path = `/rest/order?orderNumber=${number}&action=cancel`;
  await lane.insist('cancellation', { method: 'POST', path, key: keyed(lane, 'cancel') });
};

const importing: Deed = async (lane) => {
  const job = (inner: string): string => `<batchProcess>${inner}</batchProcess>`;
  const draft = await lane.insist('import', {
    method: 'POST',
    path: '/rest/batchProcess?mode=StorageFileUpload',
    body: job(
      '<inputType>API</inputType><operation>eBill-Import</operation><subOperation>Customer</subOperation>',
    ),
    key: keyed(lane, 'draft'),
  });
  const [id, url] = [valueOf(draft.body, 'id'), valueOf(draft.body, 'uploadUrl')];
  if (draft.status !== 201 || url === undefined) return;
  const { pathname, search } = new URL(url.replaceAll('&amp;', '&'));
  const rows = Array.from({ length: 12 }, (_, row) => [
    `${lane.name}I${lane.nth}-${row}`,
    'Ada',
    'Field',
  ]);
  const body = csv(['extCustomerRef', 'firstName', 'lastName'], rows);
  // An upload whose answer was lost may be there.
  await lane.insist('upload', { method: 'PUT', path: pathname + search, body, isPlain: true });
  await lane.insist('finalize', {
    method: 'PUT',
    path: '/rest/batchProcess?mode=BatchFinalize',
    body: job(`<id>${id}</id>`),
    key: keyed(lane, 'finalize'),
  });
};

/** A person who gives up where a page does not come. */
const signUp: Deed = async (lane) => {
  const hides = { hideCustomerFields: 'true', hideOrderFields: 'true' };
  const ref = `${lane.name}U${lane.nth}`;
  const more = {
    contractCode: 'GOLD',
    quantity: '1',
    extCustomerRef: ref,
    email: `${ref}@field.example`,
  };
  const path = `/rest${startPath({ format: 'xml', ...ada, ...more, ...hides })}`;
  const started = await lane.once({ method: 'GET', path });
  const found = /<url>http:\/\/[^/]+([^<]+)</.exec(started?.body ?? '');
  if (found === null) return;
  const page = await lane.once({ method: 'GET', path: found[1] ?? '', isPlain: true });
  const formKey = page === undefined ? '' : keyIn(page);
  if (formKey === '') return;
  await lane.once({
    method: 'POST',
    path: found[1] ?? '',
    isPlain: true,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ formKey, ...typedCard }).toString(),
  });
};

/** By some days; while it is on its way it takes no other call. */
const advance: Deed = async (lane) => {
  const now = await lane.insist('clock', { method: 'GET', path: '/rest/testClock' });
  const [, day] = /<now>(\d{4}-\d\d-\d\d)/.exec(now.body) ?? [];
  if (day === undefined) return;
  const to = new Date(Date.parse(day) + (1 + lane.dice.below(12)) * 86_400_000);
  const path = `/rest/testClock?advanceTo=${to.toISOString().slice(0, 10)}`;
  await lane.insist('advance', { method: 'POST', path, key: keyed(lane, 'advance') });
};
