/** Posts callbacks to one endpoint, over connections to the one address that was checked. */
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import {
  type CallbackLine,
  type CallbackPost,
  type LineOptions,
  type PostOutcome,
  addressesOf,
  hostOf,
  isPublicAddress,
} from './line.ts';
import { Resolver } from 'node:dns/promises';

export const TIME_LIMIT_MS_DEFAULT = 10_000;
/** The body of an answer means nothing; a short one is read so that the connection can be kept. */
const ANSWER_BYTES_MAX = 65_536;

interface Target {
  readonly isTls: boolean;
  readonly request: http.RequestOptions;
  /** Of the URL, with its own parameters as they are written. */
  readonly path: string;
  readonly timeLimitMs: number;
}

/**
 * Resolves the name once and connects to that very address, so a name that later resolves to another
 * address changes nothing. TLS checks the certificate by the name.
 */
export async function openLine(url: string, options: LineOptions): Promise<CallbackLine> {
  const { allowPrivate, connectionsMax, resolve = resolveByDns } = options;
  const { timeLimitMs = TIME_LIMIT_MS_DEFAULT } = options;
  const parsed = new URL(url);
  const addresses = await addressesOf(hostOf(parsed), resolve);
  const [address] = addresses;
  if (address === undefined) return closedLine('unknown_host');
  if (!allowPrivate && !addresses.every(isPublicAddress)) return closedLine('private_address');
  const isTls = parsed.protocol === 'https:';
  const { Agent } = isTls ? https : http;
  const agent = new Agent({
    keepAlive: true,
    maxSockets: connectionsMax,
    lookup: lookupOf(address),
  });
  const path = `${parsed.pathname}${parsed.search === '' ? '?' : `${parsed.search}&`}`;
  const request = { ...urlToHttpOptions(parsed), method: 'POST', agent };
  const target = { isTls, request, path, timeLimitMs };
  return { post: (post) => attempt(target, post), close: () => agent.destroy() };
}

function closedLine(code: string): CallbackLine {
  return { post: () => Promise.resolve({ kind: 'unreachable', code }), close: () => undefined };
}

function lookupOf(address: string): LookupFunction {
  const family = isIP(address);
  return (_host, { all }, answer) => {
    if (all) answer(null, [{ address, family }]);
    else answer(null, address, family);
  };
}

async function attempt(target: Target, post: CallbackPost): Promise<PostOutcome> {
  const signal = AbortSignal.timeout(target.timeLimitMs);
  const first = await send(target, post, signal);
  // The endpoint had closed a kept connection before it read the post.
  return first === 'closed' ? refusedIfClosed(await send(target, post, signal)) : first;
}

function refusedIfClosed(outcome: PostOutcome | 'closed'): PostOutcome {
  return outcome === 'closed' ? { kind: 'refused', code: 'connection_closed' } : outcome;
}

function send(
  { isTls, request: ofAll, path }: Target,
  { type, headers, body }: CallbackPost,
  signal: AbortSignal,
): Promise<PostOutcome | 'closed'> {
  const { promise, resolve } = Promise.withResolvers<PostOutcome | 'closed'>();
  let isConnected = false;
  const { request: start } = isTls ? https : http;
  const request = start({
    ...ofAll,
    path: `${path}type=${encodeURIComponent(type)}`,
    signal,
    headers: {
      ...headers,
      'content-type': 'text/xml; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Sundial',
    },
  });
  request.once('socket', (socket) => {
    const ready = isTls ? 'secureConnect' : 'connect';
    if (request.reusedSocket) isConnected = true;
    else socket.once(ready, () => (isConnected = true));
  });
  request.once('response', (response) => {
    resolve(outcomeOf(response.statusCode ?? 0));
    discard(response);
  });
  request.on('error', (error) => {
    const isStale = request.reusedSocket && codeOf(error) === 'ECONNRESET';
    const kind = isConnected ? 'refused' : 'unreachable';
    resolve(isStale ? 'closed' : { kind, code: signal.aborted ? 'timeout' : codeOf(error) });
  });
  request.end(body);
  return promise;
}

/** A redirect is not followed: it would lead to an address that nobody checked. */
function outcomeOf(status: number): PostOutcome {
  return status >= 200 && status < 300
    ? { kind: 'delivered' }
    : { kind: 'refused', code: `http_${status}` };
}

function discard(response: http.IncomingMessage): void {
  let bytes = 0;
  response.on('error', () => undefined);
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) response.destroy();
  });
}

/** A code such as `ECONNREFUSED`; the text of an error may quote what the endpoint sent. */
function codeOf(error: Error): string {
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'failed';
}

/* Resolves the names of hosts. */

const RESOLVE_TIMEOUT_MS = 2_000;
const RESOLVE_TRIES = 2;

/**
 * Asks DNS. The system's own resolver blocks one of the process's few threads for each look-up, so
 * one tenant's slow name server would delay everything else that needs a thread.
 */
async function resolveByDns(name: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: RESOLVE_TIMEOUT_MS, tries: RESOLVE_TRIES });
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}
