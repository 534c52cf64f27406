/**
 * A double of Stripe's interface: it checks every request against Stripe's published description,
 * keeps what it is told, and answers as Stripe does, under keys as well. What Stripe.js does in the
 * browser reaches it by `browser.ts`.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type ScriptDelivery, answerBrowser } from './browser.ts';
import { type World, answerChallenge, settleDebit } from './intents.ts';
import { type Entered, type KeptIntent, StripeRefusal, methodBody, newMethod } from './objects.ts';
import { type Parameter, callOf, faultsOf, nested } from './openapi.ts';
import { answersOf } from './answers.ts';

export interface DoubleRequest {
  /** `POST /v1/payment_intents` */
  readonly line: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly key: string | null;
}

export interface StripeDouble {
  /** Of its interface and of its script: `URL/stripe.js`. */
  readonly url: string;
  readonly requests: readonly DoubleRequest[];
  /** What Stripe would not have taken; a test that does not look at them fails by them. */
  readonly faults: readonly string[];
  readonly world: World;
  /** As Stripe's own fields would: returns a confirmation token. */
  readonly token: (entered: Entered, more?: { readonly saves?: boolean }) => string;
  /** The same, an older way: returns a payment method. */
  readonly method: (entered: Entered) => string;
  /** What the payer does in the challenge of an intent. */
  readonly act: (intentId: string, does: 'approve' | 'refuse') => void;
  readonly settle: (intentId: string, declineCode: string | null) => void;
  /** The next request of that line reaches Stripe, and its answer nobody. */
  readonly loseAnswer: (line: string) => void;
  /** Its script comes when the test says so, or not at all; at once again with 'comes'. */
  readonly deliver: (when: ScriptDelivery) => void;
  readonly intents: () => readonly KeptIntent[];
  readonly stop: () => Promise<void>;
}

/** An answer that was given under a key. */
interface Given {
  readonly request: string;
  readonly status: number;
  readonly body: string;
}

export async function startStripeDouble(): Promise<StripeDouble> {
  const world = newWorld();
  const requests: DoubleRequest[] = [];
  const faults: string[] = [];
  const given = new Map<string, Given>();
  const lost = new Set<string>();
  let delivery: ScriptDelivery = Promise.resolve('comes');

  function answered(request: DoubleRequest, body: string): Given {
    const { key, line } = request;
    const hash = createHash('sha256').update(`${line}\n${body}`).digest('hex');
    const before = key === null ? undefined : given.get(key);
    if (before !== undefined) {
      return before.request === hash ? before : refusalOf(hash, mismatch);
    }
    const answer = answerOf(world, request, { faults, hash });
    if (key !== null) given.set(key, answer);
    return answer;
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://stripe');
    const body = await text(incoming);
    if (!pathname.startsWith('/v1/')) {
      const asked = { incoming, pathname, searchParams, body };
      await answerBrowser(world, asked, { response, delivery });
      return;
    }
    const line = `${incoming.method} ${pathname}`;
    const sent = new URLSearchParams(incoming.method === 'GET' ? searchParams : body);
    const key = incoming.headers['idempotency-key'];
    const request = { line, parameters: nested(sent), key: typeof key === 'string' ? key : null };
    requests.push(request);
    const { status, body: said } = answered(request, body);
    if (lost.delete(line)) {
      response.socket?.destroy();
      return;
    }
    const headers = { 'content-type': 'application/json', 'request-id': 'req_1' };
    response.writeHead(status, headers).end(said);
  }

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => {
      faults.push(String(error));
      response.writeHead(500).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    faults,
    world,
    token: (entered, { saves = false } = {}) => {
      const id = world.nextId('ctoken');
      const futureUsage = saves ? 'off_session' : null;
      world.tokens.set(id, { id, entered, futureUsage, usedFor: null });
      return id;
    },
    method(entered) {
      const method = newMethod(world.nextId('pm'), entered);
      world.methods.set(method.id, method);
      return methodBody(method).id;
    },
    act: (id, does) => answerChallenge(world, intentOf(world, id), does === 'approve'),
    settle: (id, code) => settleDebit(intentOf(world, id), code),
    loseAnswer: (line) => void lost.add(line),
    deliver: (when) => void (delivery = when),
    intents: () => [...world.intents.values()],
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function newWorld(): World {
  const counts = new Map<string, number>();
  return {
    methods: new Map(),
    tokens: new Map(),
    intents: new Map(),
    refunds: new Map(),
    customers: new Set(),
    mandates: new Map(),
    nextId(prefix) {
      const count = (counts.get(prefix) ?? 0) + 1;
      counts.set(prefix, count);
      return `${prefix}_${count}`;
    },
  };
}

function intentOf({ intents }: World, id: string): KeptIntent {
  const intent = intents.get(id);
  if (intent === undefined) throw new Error(`no intent ${id}`);
  return intent;
}

const mismatch = new StripeRefusal(400, {
  type: 'idempotency_error',
  message: 'Keys for idempotent requests can only be used with the same parameters.',
});

const refusalOf = (request: string, { status, error }: StripeRefusal): Given => ({
  request,
  status,
  body: JSON.stringify({ error }),
});

interface Noting {
  readonly faults: string[];
  readonly hash: string;
}

function answerOf(world: World, request: DoubleRequest, { faults, hash }: Noting): Given {
  const [method = '', path = ''] = request.line.split(' ');
  try {
    const call = callOf(method, path);
    if (call === undefined) throw new StripeRefusal(404, { type: 'invalid_request_error' });
    const wrong = faultsOf(call.described, request.parameters);
    if (wrong.length > 0) {
      const message = wrong.join('; ');
      throw new StripeRefusal(400, { type: 'invalid_request_error', message, isOfForm: true });
    }
    const answer = answersOf[call.call];
    if (answer === undefined) throw new Error(`the double has no answer to ${call.call}`);
    const body = answer(world, request.parameters, call.ids[0] ?? '');
    return { request: hash, status: 200, body: JSON.stringify(body) };
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    // A decline is no fault of ours, and neither is asking for what is not there.
    if (error.status === 400) faults.push(`${request.line}: ${String(error.error['message'])}`);
    return refusalOf(hash, error);
  }
}
