/** A receiver of callbacks: an HTTP server that records what comes, and answers as a test says. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const callbackSecret = 'whsec_YSBzZWNyZXQgb2YgdGhlIHRlc3RzLCAzMiBieXRlcw==';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The end of the webhook-id. */
  readonly event: number;
  /** `X-Customer-Sequence`; 0 without one. */
  readonly place: number;
}

/** The status, or what is done with the response. */
export type Behaviour = (received: Received, response: ServerResponse) => number | void;

export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** Everything that came, in order, whatever was answered. */
  readonly received: Received[];
  /** What was answered with 2xx. */
  readonly accepted: Received[];
  /** The most posts that were unanswered at one moment. */
  readonly atOnce: () => number;
  /** From now on. */
  readonly behave: (behaviour: Behaviour) => void;
  readonly close: () => Promise<void>;
  /** Listens again at the same address. */
  readonly open: () => Promise<void>;
}

export async function startReceiver(t: {
  readonly teardown: (end: () => unknown) => void;
}): Promise<Receiver> {
  const received: Received[] = [];
  const accepted: Received[] = [];
  let behaviour: Behaviour = () => 200;
  let open = 0;
  let most = 0;
  const server = createServer((request, response) => {
    open += 1;
    most = Math.max(most, open);
    response.once('close', () => (open -= 1));
    void text(request).then((body) => {
      const { method = '', url: path = '', headers } = request;
      const event = Number(String(headers['webhook-id']).split('_').at(-1));
      const place = Number(headers['x-customer-sequence'] ?? 0);
      const one = { method, path, headers, body, event, place };
      received.push(one);
      const status = behaviour(one, response);
      if (typeof status !== 'number') return;
      if (status >= 200 && status < 300) accepted.push(one);
      response.writeHead(status).end();
    });
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  await listen(0);
  t.teardown(close);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    accepted,
    atOnce: () => most,
    behave: (next) => (behaviour = next),
    close,
    open: () => listen(port),
  };
}
