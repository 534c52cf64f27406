/** Verifies callbacks: the signature, the age, and whether one came before. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AnswerDocuments, CustomerTransition } from '../generated/types.ts';
import { SundialError } from './errors.ts';
import { readDocument } from './xml.ts';

const TOLERANCE_SECONDS = 300;

export interface CallbackOptions {
  /** `whsec_...`, or several while one is replaced. */
  readonly secret: string | readonly string[];
  /** How old a callback may be, or ahead of this clock; 300. */
  readonly toleranceSeconds?: number;
  /** In milliseconds since 1970; the real time by default. */
  readonly now?: number;
}

type Documents = AnswerDocuments & {
  readonly list: { readonly customerTransition: readonly CustomerTransition[] };
};

/** The root element of a document says what it is. */
export type CallbackDocument = {
  readonly [Root in keyof Documents]: { readonly root: Root; readonly value: Documents[Root] };
}[keyof Documents];

export type Callback = CallbackDocument & {
  /** The same in each post of the event: process each once. */
  readonly id: string;
  /** `invoice.created` */
  readonly type: string;
  /** Counts the events of the customer; undefined for events without one. */
  readonly customerSequence: number | undefined;
  readonly objectVersion: string | undefined;
  /** The document of the event is no longer stored: this is the object as it is now. */
  readonly isOfToday: boolean;
};

/** Headers as Node and fetch have them; names in lower case. */
export type CallbackHeaders =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The callback did not come from Sundial, or not now: answer 401. */
export class ForgedCallback extends SundialError {
  override readonly name = 'ForgedCallback';
  readonly reason: 'headers' | 'age' | 'signature' | 'document';

  constructor(reason: ForgedCallback['reason']) {
    super(`the callback is refused for its ${reason}`);
    this.reason = reason;
  }
}

/**
 * Throws ForgedCallback unless the callback is genuine.
 *
 * @param body the bytes as they came, before any parsing
 */
export function verifyCallback(
  headers: CallbackHeaders,
  body: Uint8Array | string,
  { secret, toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() }: CallbackOptions,
): Callback {
  const header = headerIn(headers);
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp');
  const given = header('webhook-signature');
  if (id === undefined || given === undefined || !/^\d+$/.test(timestamp ?? '')) {
    throw new ForgedCallback('headers');
  }
  if (Math.abs(now / 1_000 - Number(timestamp)) > toleranceSeconds) {
    throw new ForgedCallback('age');
  }
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const signatures = given
    .split(' ')
    .map((each) => Buffer.from(each.replace(/^v1,/, ''), 'base64'));
  const isGenuine = secrets.some((each) => {
    const expected = signatureOf(each, `${id}.${timestamp}.`, body);
    return signatures.some(
      (one) => one.length === expected.length && timingSafeEqual(one, expected),
    );
  });
  if (!isGenuine) throw new ForgedCallback('signature');
  const document = readDocument(typeof body === 'string' ? body : Buffer.from(body).toString());
  if (document === undefined) throw new ForgedCallback('document');
  const sequence = header('x-customer-sequence');
  return {
    ...(document as CallbackDocument),
    id,
    type: header('x-event') ?? '',
    customerSequence: sequence === undefined ? undefined : Number(sequence),
    objectVersion: header('x-object-version'),
    isOfToday: header('x-document') === 'today',
  };
}

function signatureOf(secret: string, head: string, body: Uint8Array | string): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return createHmac('sha256', key).update(head).update(body).digest();
}

function headerIn(headers: CallbackHeaders): (name: string) => string | undefined {
  const isFetch = (
    each: CallbackHeaders,
  ): each is { readonly get: (name: string) => string | null } => typeof each['get'] === 'function';
  if (isFetch(headers)) return (name) => headers.get(name) ?? undefined;
  return (name) => {
    const value = headers[name];
    return typeof value === 'string' ? value : value?.[0];
  };
}

/**
 * Remembers the ids of the callbacks that a process has seen. A program that must not process an
 * event twice keeps them in its database instead, written together with what the event causes.
 */
export class SeenCallbacks {
  readonly #ids = new Set<string>();
  readonly #sizeMax: number;

  constructor(sizeMax = 10_000) {
    this.#sizeMax = sizeMax;
  }

  /** Whether the callback is new; from now on it is not. */
  isNew({ id }: Pick<Callback, 'id'>): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > this.#sizeMax && oldest !== undefined) this.#ids.delete(oldest);
    return true;
  }

  /** After the processing of a callback has failed, so that its next post is processed. */
  forget({ id }: Pick<Callback, 'id'>): void {
    this.#ids.delete(id);
  }
}
