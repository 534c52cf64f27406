/**
 * What Stripe serves to browsers, as far as our pages use it: its script, the frame with its fields,
 * the frame of a challenge, and what these ask for. All of it is of the double's own origin.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type World, answerChallenge } from './intents.ts';
import { type Entered, type KeptIntent, intentBody } from './objects.ts';

export interface BrowserRequest {
  readonly incoming: IncomingMessage;
  readonly pathname: string;
  readonly searchParams: URLSearchParams;
  readonly body: string;
}

/** How the script comes: at once, when the test says so, or never. */
export type ScriptDelivery = Promise<'comes' | 'never'>;

const files: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/stripe.js': ['stripe.js', 'text/javascript'],
  '/element': ['element.html', 'text/html'],
  '/challenge': ['challenge.html', 'text/html'],
};

export async function answerBrowser(
  world: World,
  { incoming, pathname, searchParams, body }: BrowserRequest,
  { response, delivery }: { readonly response: ServerResponse; readonly delivery: ScriptDelivery },
): Promise<void> {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('cache-control', 'no-store');
  const file = files[pathname];
  if (file !== undefined) {
    const [name, type] = file;
    if (name === 'stripe.js' && (await delivery) === 'never') {
      response.writeHead(503).end();
      return;
    }
    response.setHeader('content-type', `${type}; charset=utf-8`);
    response.end(readFileSync(join(import.meta.dirname, 'assets', name)));
    return;
  }
  const sent = incoming.method === 'POST' ? new URLSearchParams(body) : searchParams;
  const said = askedBy(world, pathname, sent);
  response.setHeader('content-type', 'application/json');
  response.writeHead(said === undefined ? 404 : 200).end(JSON.stringify(said ?? {}));
}

function askedBy(world: World, pathname: string, sent: URLSearchParams): object | undefined {
  if (pathname === '/js/tokens') return newToken(world, sent);
  const secret = sent.get('client_secret');
  const intent = [...world.intents.values()].find((each) => each.secret === secret);
  if (intent === undefined) return undefined;
  if (pathname === '/js/answers') answerChallenge(world, intent, sent.get('answer') === 'approve');
  return shown(world, intent);
}

const shown = ({ methods }: World, intent: KeptIntent): object =>
  intentBody(intent, methods.get(intent.method ?? ''), false);

/** A confirmation token of what was entered. */
function newToken(world: World, sent: URLSearchParams): object {
  const id = world.nextId('ctoken');
  const futureUsage = sent.get('setup_future_usage');
  world.tokens.set(id, { id, entered: enteredOf(sent), futureUsage, usedFor: null });
  return { id, object: 'confirmation_token' };
}

function enteredOf(sent: URLSearchParams): Entered {
  const text = (name: string): string => (sent.get(name) ?? '').replaceAll(' ', '');
  switch (sent.get('type')) {
    case 'sepa_debit':
      return { type: 'sepa_debit', iban: text('iban') };
    case 'us_bank_account':
      return { type: 'us_bank_account', account: text('account') };
    default: {
      const [month = 12, year = 34] = text('expiry').split('/').map(Number);
      return { type: 'card', number: text('number'), expiry: [month, 2000 + year] };
    }
  }
}
