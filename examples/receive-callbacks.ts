/** Receives callbacks: verifies the signature, answers, and prints each event once. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';

const [port, secret] = process.argv.slice(2);
if (port === undefined || secret === undefined) {
  console.error('usage: node receive-callbacks.ts PORT SECRET');
  console.error('for example: node receive-callbacks.ts 9090 whsec_YSBzZWNyZXQ=');
  process.exit(2);
}

const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
const TOLERANCE_SECONDS = 300;
/** In production: a table with the id as its key, written together with what the event causes. */
const seen = new Set<string>();

/** The body must be the bytes that came, before any parsing. */
function isGenuine(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const id = String(headers['webhook-id']);
  const timestamp = String(headers['webhook-timestamp']);
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!(age <= TOLERANCE_SECONDS)) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  // There may be several signatures, separated by blanks.
  return String(headers['webhook-signature'])
    .split(' ')
    .map((each) => Buffer.from(each.replace(/^v1,/, ''), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  if (!isGenuine(request.headers, body)) {
    response.writeHead(401).end();
    return;
  }
  const id = String(request.headers['webhook-id']);
  // A callback may come more than once, with the same id.
  if (!seen.has(id))
    console.log(`${id} ${String(request.headers['x-event'])} ${body.length} bytes`);
  seen.add(id);
  response.writeHead(204).end();
}

const server = createServer((request, response) => void receive(request, response));
server.listen(Number(port), '127.0.0.1', () => console.log('ready'));
