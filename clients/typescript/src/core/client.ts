/** A client of one tenant: its calls are methods, which return documents and throw errors of types. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Calls } from '../generated/calls.ts';
import { calls } from '../generated/tables.ts';
import type { DateText, Status, TestClock } from '../generated/types.ts';
import { SavedWithFaults, UnexpectedAnswer, mistakesOf, refusalOf } from './errors.ts';
import type { Answer, CallOptions, SundialOptions } from './options.ts';
import { type Received, type Sender, createSender, retryAfterSeconds } from './send.ts';
import type { Call } from './tables.ts';
import { readDocument, writeDocument } from './xml.ts';

export type CallName = keyof typeof calls;
type ParametersOf<Name extends CallName> = Parameters<Calls[Name]>[0] & object;
type ValueOf<Name extends CallName> = Awaited<ReturnType<Calls[Name]>>;
type FormatOf<Name extends CallName> = (typeof calls)[Name] extends {
  readonly formats: readonly (infer Format)[];
}
  ? Format
  : never;

export interface DownloadedFile {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** Pages of this size do not wait for heavy calls. */
const PAGE_SIZE = 100;
const CLOCK_LOOK_MS = 500;

export class Sundial extends Calls {
  readonly #sender: Sender;

  constructor(options: SundialOptions) {
    super();
    this.#sender = createSender(options);
  }

  /** The answer of a call with what its headers say: its version, whether it is an earlier one. */
  async answerOf<Name extends CallName>(
    name: Name,
    parameters: ParametersOf<Name>,
    options: CallOptions = {},
  ): Promise<Answer<ValueOf<Name>>> {
    return await this.#answer(calls[name], urlOf(calls[name], parameters), parameters, options);
  }

  /** An answer in another format: an invoice as `pdf`, a list as `csv`. */
  async download<Name extends CallName>(
    name: Name,
    parameters: ParametersOf<Name>,
    format: FormatOf<Name>,
    options: CallOptions = {},
  ): Promise<DownloadedFile> {
    const call: Call = calls[name];
    const path = urlOf(call, { ...parameters, format });
    const { headers, body } = await this.#send(call, path, undefined, options);
    return { contentType: headers['content-type'] ?? '', bytes: body };
  }

  /** Advances the tenant's test clock to 00:00 of a day, and waits until everything due is done. */
  async advanceClock(advanceTo: DateText, options: CallOptions = {}): Promise<TestClock> {
    let clock = await this.advanceTestClock({ advanceTo, wait: true }, options);
    while (clock.status !== 'Ready') {
      await wait(CLOCK_LOOK_MS, undefined, { signal: options.signal });
      clock = await this.getTestClock({}, options);
    }
    return clock;
  }

  /** Ends the kept connections. */
  close(): void {
    this.#sender.close();
  }

  protected override async perform<Value>(
    call: Call,
    parameters: object,
    options: CallOptions = {},
  ): Promise<Value> {
    return (await this.#answer<Value>(call, urlOf(call, parameters), parameters, options)).value;
  }

  protected override async *iterate<Item>(
    call: Call,
    parameters: object,
    options: CallOptions = {},
  ): AsyncGenerator<Item, void, undefined> {
    const given = { max: PAGE_SIZE, ...parameters };
    let path: string | undefined = urlOf(call, given);
    let count = 0;
    while (path !== undefined) {
      const page: PageOf<Item> = await this.#page(call, path, options);
      yield* page.items;
      count += page.items.length;
      path = nextOf(call, given, page, count);
    }
  }

  async #page<Item>(call: Call, path: string, options: CallOptions): Promise<PageOf<Item>> {
    const received = await this.#send(call, path, undefined, options);
    const items = valueIn(call, received) as readonly Item[];
    return { items, link: received.headers['link'] };
  }

  async #answer<Value>(
    call: Call,
    path: string,
    parameters: object,
    options: CallOptions,
  ): Promise<Answer<Value>> {
    const received = await this.#send(call, path, bodyOf(call, parameters), options);
    const { status, headers } = received;
    return {
      value: valueIn(call, received) as Value,
      status,
      etag: headers['etag'],
      isReplayed: headers['idempotency-replayed'] === 'true',
      requestId: textIn(headers['x-request-id']),
    };
  }

  /** Throws a refusal unless the call succeeds. */
  async #send(
    call: Call,
    path: string,
    body: string | undefined,
    options: CallOptions,
  ): Promise<Received> {
    const headers = {
      ...(body === undefined ? {} : { 'Content-Type': 'application/xml; charset=utf-8' }),
      ...(call.isWrite ? { 'Idempotency-Key': options.idempotencyKey ?? randomUUID() } : {}),
      ...(options.ifMatch === undefined ? {} : { 'If-Match': options.ifMatch }),
    };
    const sent = { call: shown(call), method: call.method, path, headers };
    const received = await this.#sender.send(
      body === undefined ? sent : { ...sent, body },
      options,
    );
    if (received.status < 200 || received.status >= 300) throw refusalIn(call, received);
    return received;
  }
}

/** In errors: the pattern of the path, whose parameters may be secret. */
const shown = ({ method, path, pathById }: Call): string => `${method} ${path ?? pathById ?? ''}`;

const textIn = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.[0];

function refusalIn(call: Call, received: Received): Error {
  const { status, headers, body } = received;
  const document = readDocument(body.toString());
  if (document?.root !== 'status') return new UnexpectedAnswer(shown(call), status);
  return refusalOf({
    call: shown(call),
    status,
    mistakes: mistakesOf((document.value as Status).errors),
    requestId: textIn(headers['x-request-id']),
    retryAfterSeconds: retryAfterSeconds(received),
  });
}

function valueIn(call: Call, { status, body }: Received): unknown {
  const document = readDocument(body.toString());
  if (document === undefined) throw new UnexpectedAnswer(shown(call), status);
  const { root, value } = document;
  if (root === 'status' && !call.answers.includes('status')) {
    const { customer, errors } = value as Status;
    throw new SavedWithFaults(shown(call), customer?.id, mistakesOf(errors));
  }
  const { items } = call;
  if (items === undefined) return value;
  // A list call that names one object answers that object alone.
  return root === 'list' ? ((value as Readonly<Record<string, unknown>>)[items] ?? []) : [value];
}

/* Addresses. */

type Given = Readonly<Record<string, unknown>>;

function urlOf(call: Call, parameters: object): string {
  const given = parameters as Given;
  const { path, pathById, selection, bodies = {} } = call;
  const isById = pathById !== undefined && given['id'] !== undefined;
  const pattern = isById ? pathById : (path ?? pathById ?? '');
  const inPath = new Set<string>();
  const filled = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    inPath.add(name);
    const value = given[name];
    if (value === undefined) throw new TypeError(`${call.name} needs ${name}`);
    return encodeURIComponent(textOf(name, value));
  });
  const query = new URLSearchParams(selection === undefined ? [] : [[...selection]]);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || inPath.has(name) || name in bodies) continue;
    for (const [key, text] of entriesOf(name, value)) query.append(key, text);
  }
  return `/rest${filled}${query.size === 0 ? '' : `?${query.toString()}`}`;
}

function entriesOf(name: string, value: unknown): [string, string][] {
  if (name !== 'metadata') return [[name, textOf(name, value)]];
  return Object.entries(value as Given).map(([key, text]) => [
    `metadata.${key}`,
    textOf(`metadata.${key}`, text),
  ]);
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value);
  throw new TypeError(`${name} must be text, a whole number, or true or false`);
}

function bodyOf({ name, bodies }: Call, parameters: object): string | undefined {
  if (bodies === undefined) return undefined;
  const [entry, ...others] = Object.entries(bodies).filter(([key]) => key in parameters);
  if (entry === undefined || others.length > 0) {
    throw new TypeError(`${name} needs ${Object.keys(bodies).join(' or ')}`);
  }
  const [key, root] = entry;
  const content = (parameters as Given)[key];
  return writeDocument(root, root === 'list' ? { [itemOf(key)]: content } : content);
}

/** `activities` → `activity` */
const itemOf = (key: string): string => key.replace(/ies$/, 'y').replace(/s$/, '');

/* Pages. */

interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly link: string | readonly string[] | undefined;
}

function nextOf<Item>(
  call: Call,
  given: Given & { readonly max: number },
  { items, link }: PageOf<Item>,
  count: number,
): string | undefined {
  const { paging } = call;
  if (paging === 'link') return /<([^>]+)>;\s*rel="next"/.exec(textIn(link) ?? '')?.[1];
  if (items.length === 0 || items.length < given.max) return undefined;
  if (paging === undefined || paging === 'offset') {
    return urlOf(call, { ...given, offset: Number(given['offset'] ?? 0) + count });
  }
  const last = (items.at(-1) ?? {}) as Given;
  return urlOf(call, { ...given, after: last[paging.after] });
}
