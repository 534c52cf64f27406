/**
 * Decrypts payloads for the Temporal Web UI and CLI, which show them, and encrypts what people send
 * there: the protocol of Temporal's remote codecs.
 */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { listenAt } from '../listening.ts';
import { isSameSecret } from '../vault.ts';

export interface CodecServerOptions {
  readonly codec: PayloadCodec;
  readonly port: number;
  readonly host: string;
  /** The origins of Web UIs that may ask it. */
  readonly origins: readonly string[];
  /** Whoever asks has to give it; undefined: whoever reaches the port may ask. */
  readonly password: string | undefined;
  /** A certificate and its key; plain HTTP without them. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
}

export interface RunningCodecServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** The Web UI asks for a page of a history at a time. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;
const REQUEST_MS_MAX = 30_000;

export async function startCodecServer(options: CodecServerOptions): Promise<RunningCodecServer> {
  const { port, host, tls } = options;
  const listener = listenerOf(options);
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  server.requestTimeout = REQUEST_MS_MAX;
  const { port: own, stop } = await listenAt(server, { host, port });
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${name}:${own}`,
    stop,
  };
}

class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function listenerOf(options: CodecServerOptions): RequestListener {
  return (request, response) => {
    void answer(options, request, response).catch((error: unknown) => {
      const status = error instanceof Refusal ? error.status : 500;
      // The text of a failure may have parts of a payload.
      const text = error instanceof Refusal ? error.message : 'it cannot be decrypted';
      if (status === 401) response.setHeader('WWW-Authenticate', 'Basic realm="Sundial codec"');
      response.writeHead(status, { 'Content-Type': 'text/plain' }).end(`${text}\n`);
      request.resume();
    });
  };
}

async function answer(
  options: CodecServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { codec, password } = options;
  response.setHeader('Cache-Control', 'no-store');
  allowOrigin(options, request, response);
  refuseForeignHost(options, request);
  const { method, url = '/' } = request;
  if (method === 'OPTIONS') return void response.writeHead(204).end();
  if (password !== undefined) authenticate(password, request.headers.authorization);
  const { pathname } = new URL(url, 'http://codec');
  if (method === 'GET' && pathname === '/') {
    // Where a person gives the password, which the browser then sends for the Web UI.
    return void response.writeHead(200, { 'Content-Type': 'text/plain' }).end(WELCOME);
  }
  const isDecoding = pathname === '/decode';
  if (!isDecoding && pathname !== '/encode') {
    throw new Refusal(404, 'only /encode and /decode are here');
  }
  if (method !== 'POST') throw new Refusal(405, 'it takes POST');
  const given = payloadsOf(await bodyOf(request));
  const payloads = await (isDecoding ? codec.decode(given) : codec.encode(given));
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ payloads: payloads.map(jsonOf) }));
}

const WELCOME =
  'The codec server of Sundial: set its address in the settings of the Temporal Web UI.\n';

/** A page of another origin in the same browser must not read payloads. */
function allowOrigin(
  { origins }: CodecServerOptions,
  { headers: { origin } }: IncomingMessage,
  response: ServerResponse,
): void {
  response.setHeader('Vary', 'Origin');
  if (origin === undefined) return;
  if (!origins.includes(origin)) throw new Refusal(403, 'CODEC_ORIGINS does not have this origin');
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Allow-Credentials', 'true');
  response.setHeader('Access-Control-Allow-Methods', 'POST, GET, OPTIONS');
  response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type, X-Namespace');
  response.setHeader('Access-Control-Max-Age', '600');
}

/** Without a password only this machine may ask, and a name of another site may lead to it. */
function refuseForeignHost(
  { password, host: own }: CodecServerOptions,
  { headers: { host = '' } }: IncomingMessage,
): void {
  if (password !== undefined) return;
  const name = URL.parse(`http://${host}`)?.hostname ?? '';
  const names = ['localhost', '127.0.0.1', '[::1]', own];
  if (!names.includes(name)) throw new Refusal(421, 'it answers on its own names only');
}

/** `Bearer PASSWORD`, or the password of a user of any name. */
function authenticate(password: string, header = ''): void {
  const [scheme = '', value = ''] = header.split(' ');
  const given =
    scheme.toLowerCase() === 'basic'
      ? Buffer.from(value, 'base64').toString().split(':').slice(1).join(':')
      : scheme.toLowerCase() === 'bearer'
        ? value
        : '';
  if (!isSameSecret(given, password)) throw new Refusal(401, 'a password is needed');
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new Refusal(413, 'the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/* Payloads as JSON: bytes are base64, in metadata too. */

interface JsonPayload {
  readonly metadata?: Readonly<Record<string, string>>;
  readonly data?: string;
}

function payloadsOf(body: string): Payload[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw new Refusal(400, 'the body is no JSON');
  }
  // The CLI sends {} where there are none.
  const { payloads = [] } = (parsed ?? { payloads: null }) as { readonly payloads?: unknown };
  if (!Array.isArray(payloads) || !payloads.every(isPayload)) {
    throw new Refusal(400, 'the body must be { "payloads": [{ "metadata": {}, "data": "" }] }');
  }
  return payloads.map(({ metadata = {}, data }) => ({
    metadata: mapped(metadata, (text) => Buffer.from(text, 'base64')),
    ...(data === undefined ? {} : { data: Buffer.from(data, 'base64') }),
  }));
}

function isPayload(value: unknown): value is JsonPayload {
  if (typeof value !== 'object' || value === null) return false;
  const { metadata = {}, data = '' } = value as { metadata?: unknown; data?: unknown };
  const isMap = typeof metadata === 'object' && metadata !== null;
  return (
    isMap &&
    typeof data === 'string' &&
    Object.values(metadata).every((each) => typeof each === 'string')
  );
}

const jsonOf = ({ metadata, data }: Payload): JsonPayload => ({
  metadata: mapped(metadata ?? {}, base64),
  ...(data ? { data: base64(data) } : {}),
});

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

function mapped<From, To>(
  given: Readonly<Record<string, From>>,
  to: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, to(value)]));
}
