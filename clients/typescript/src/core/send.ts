/**
 * Sends calls over HTTP, again where that is safe: reads change nothing, and each write has an
 * Idempotency-Key, so that the service makes it once however often it comes.
 */
import { Agent, request as requestHttp, type IncomingHttpHeaders } from 'node:http';
import { Agent as SecureAgent, request as requestHttps } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { NoAnswer } from './errors.ts';
import type { CallOptions, SundialOptions } from './options.ts';

export interface Sent {
  /** For errors: the method and the pattern of the path. */
  readonly call: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Sender {
  /** Throws NoAnswer if none of the attempts got one. */
  readonly send: (sent: Sent, options: CallOptions) => Promise<Received>;
  readonly close: () => void;
}

const RETRIES = 3;
const WAIT_MS_MAX = 30_000;
const TIMEOUT_MS = 60_000;
const FIRST_WAIT_MS = 200;

export function createSender(options: SundialOptions): Sender {
  const address = new URL(options.address);
  if (address.pathname !== '/' || address.search !== '' || address.username !== '') {
    throw new TypeError('address is the base of the tenant, as https://acme.billing.example.com');
  }
  const isSecure = address.protocol === 'https:';
  const agent = isSecure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  const request = isSecure ? requestHttps : requestHttp;
  const { retries = RETRIES, waitMsMax = WAIT_MS_MAX } = options;
  const own = {
    Host: options.host ?? address.host,
    Authorization: `Basic ${Buffer.from(`${options.user}:${options.password}`).toString('base64')}`,
  };

  async function attempt(sent: Sent, callOptions: CallOptions): Promise<Received> {
    const { signal, timeoutMs } = callOptions;
    const limit = AbortSignal.timeout(timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS);
    const both = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    const { promise, resolve, reject } = Promise.withResolvers<Received>();
    const asked = request(
      new URL(sent.path, address),
      { method: sent.method, headers: { ...sent.headers, ...own }, agent, signal: both },
      (answer) => {
        const { statusCode: status = 0, headers } = answer;
        buffer(answer).then((body) => resolve({ status, headers, body }), reject);
      },
    );
    asked.on('error', reject);
    asked.end(sent.body);
    try {
      return await promise;
    } catch (error) {
      // The service had ended the kept connection meanwhile, which says nothing of this call.
      if (asked.reusedSocket && isEnded(error)) return await attempt(sent, callOptions);
      throw error;
    }
  }

  async function send(sent: Sent, callOptions: CallOptions): Promise<Received> {
    const { signal } = callOptions;
    for (let left = retries; ; left -= 1) {
      signal?.throwIfAborted();
      let received: Received | undefined;
      try {
        received = await attempt(sent, callOptions);
      } catch (error) {
        signal?.throwIfAborted();
        if (left <= 0) throw new NoAnswer(sent.call, sent.headers['Idempotency-Key'], error);
      }
      const asked = received === undefined ? 0 : retryAfterMs(received);
      if (received !== undefined && (left <= 0 || asked === undefined || asked > waitMsMax)) {
        return received;
      }
      const backoff = FIRST_WAIT_MS * 2 ** (retries - left) * (0.5 + Math.random());
      await wait(Math.min(Math.max(asked ?? 0, backoff), waitMsMax), undefined, { signal });
    }
  }

  return { send, close: () => agent.destroy() };
}

const isEnded = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ECONNRESET', 'EPIPE'].includes(String(error.code));

/** Answers that say nothing of the request itself: the same request may get another one. */
const passing: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** How long to wait before the call is sent again; undefined if the answer is final. */
function retryAfterMs(received: Received): number | undefined {
  const isInUse = received.status === 409 && received.body.includes(' code="idempotency.inUse"');
  if (!isInUse && !passing.has(received.status)) return undefined;
  return (retryAfterSeconds(received) ?? 0) * 1_000;
}

export function retryAfterSeconds({ headers }: Received): number | undefined {
  const text = headers['retry-after'];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
