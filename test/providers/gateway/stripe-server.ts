/**
 * A small HTTP server that answers as Stripe documents it, for cases that Stripe's own mock cannot
 * show.
 */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ExecutionContext } from 'ava';

export interface SeenRequest {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: URLSearchParams;
}

export type Answer =
  | { readonly status?: number; readonly body: object }
  /** Closes the connection without an answer. */
  | 'hangs up'
  /** Never answers. */
  | 'is silent';

export interface StripeServer {
  readonly url: string;
  readonly requests: SeenRequest[];
  /** The answers from now on, one after the other; the last one is repeated. */
  readonly answer: (method: string, path: string, ...answers: readonly Answer[]) => void;
  /** Resolves with the next request of that line; rejects after a while. */
  readonly seen: (line: string) => Promise<SeenRequest>;
}

/** A worker of a crash test starts meanwhile. */
const SEEN_WITHIN_MS = 120_000;

export async function stripeServer(t: Pick<ExecutionContext, 'teardown'>): Promise<StripeServer> {
  const answers = new Map<string, Answer[]>();
  const requests: SeenRequest[] = [];
  const waiting: { readonly line: string; readonly resolve: (request: SeenRequest) => void }[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { pathname, search } = new URL(request.url ?? '/', 'http://stripe');
      const line = `${request.method} ${pathname}`;
      const seen = {
        line,
        headers: request.headers,
        body: new URLSearchParams(request.method === 'GET' ? search : body),
      };
      requests.push(seen);
      for (const one of waiting.filter((each) => each.line === line)) one.resolve(seen);
      const queue = answers.get(line) ?? [];
      const answer = (queue.length > 1 ? queue.shift() : queue[0]) ?? missing;
      if (answer === 'is silent') return;
      if (answer === 'hangs up') {
        response.socket?.destroy();
        return;
      }
      const headers = { 'content-type': 'application/json', 'request-id': 'req_1' };
      response.writeHead(answer.status ?? 200, headers).end(JSON.stringify(answer.body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: (method, path, ...given) => answers.set(`${method} ${path}`, [...given]),
    seen: (line) => {
      const { promise, resolve, reject } = Promise.withResolvers<SeenRequest>();
      waiting.push({ line, resolve });
      const timer = setTimeout(() => reject(new Error(`no ${line} came`)), SEEN_WITHIN_MS);
      return promise.finally(() => clearTimeout(timer));
    },
  };
}

export function refusal(status: number, error: object): Answer {
  return { status, body: { error: { type: 'invalid_request_error', ...error } } };
}

const missing = refusal(404, { code: 'resource_missing', message: 'Nothing there' });

/**
 * A decline by the issuer, as Stripe writes it; its text names the card, which must not be
 * repeated.
 */
export function cardRefusal(code: string, declineCode?: string, more: object = {}): Answer {
  const message = 'Your card 4000000000000002 was declined.';
  const decline = declineCode === undefined ? {} : { decline_code: declineCode };
  const intent = { id: 'pi_declined', object: 'payment_intent', status: 'requires_payment_method' };
  const error = { type: 'card_error', code, ...decline, message, payment_intent: intent, ...more };
  return { status: 402, body: { error } };
}

export function intent(more: object = {}) {
  const checks = { address_postal_code_check: 'pass', cvc_check: 'pass' };
  return {
    id: 'pi_1',
    object: 'payment_intent',
    amount: 1250,
    currency: 'usd',
    status: 'succeeded',
    last_payment_error: null,
    payment_method_types: ['card'],
    metadata: {},
    latest_charge: {
      id: 'ch_1',
      object: 'charge',
      authorization_code: '123456',
      payment_method_details: { type: 'card', card: { checks } },
    },
    ...more,
  };
}
