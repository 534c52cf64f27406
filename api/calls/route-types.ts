/**
 * What a route says of itself: a row of the one table behind the router, the access checks and the
 * documents. A route of another kind is another member of the union `Route`.
 */
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { NeededRight } from '../../domain/access/rights.ts';
import type { DomainErrorCode } from '../../domain/errors.ts';
import type { TenantInfo } from '../../operations/context/context.ts';
import type { Decoder, Encoder } from '../xml/codec.ts';
import type { Answer, PageAnswer, ShownPage, StreamedAnswer } from './answer.ts';
import type { Method, PathTexts, RawCall } from './call.ts';
import type { Deprecation } from './deprecation.ts';
import type { RequestError } from './errors.ts';
import { type Selection, unselected } from './parameters.ts';

export type Route = XmlRoute | PlainRoute | PageRoute;

/** `id`: the internal id of an object; anything else in its place is 404. `text`: any text. */
export type PathParameter = 'id' | 'text';

/**
 * `basic`: a user of the tenant with the role of the interface. `signature`: the route verifies that
 * the request, or its address, was signed; no user has a part in it. `token`: the path has a secret,
 * which the route looks up, so that no log may have the path.
 */
export type Credentials = 'basic' | 'signature' | 'token';

interface SharedProperties {
  readonly method: Method;
  /** Below both prefixes of the interface, or from the root of the tenant's host. */
  readonly under: 'rest' | 'host';
  /** From there: `/customer/:id`. */
  readonly path: string;
  readonly pathParameters: Readonly<Record<string, PathParameter>>;
  readonly selection: Selection;
  readonly credentials: Credentials;
  /** What a user needs to call it; null where no user has a part in it. */
  readonly right: NeededRight | null;
  /** It may change rows. A GET may; HEAD never does, and is refused with 405 then. */
  readonly isWrite: boolean;
  /** In any format it takes figures out of the books, which the audit log has; files as CSV always do. */
  readonly isExport?: boolean;
}

/** A call of the interface: it takes a document or nothing, and answers with a document. */
export interface XmlRoute extends SharedProperties {
  readonly credentials: 'basic';
  readonly right: NeededRight;
  readonly body: 'xml' | 'none';
  /** With other formats, an answer of these is a document for people. */
  readonly answer: 'xml';
  readonly summary: string;
  readonly deprecation: Deprecation | undefined;
  readonly parameterErrors: readonly DomainErrorCode[];
  readonly status: number;
  /** Another status of success: not finished yet, or finished after a wait. */
  readonly otherStatus: number | undefined;
  readonly query: z.ZodObject;
  readonly request: Pick<Decoder<unknown>, 'documents'> | undefined;
  readonly response: Pick<Encoder<unknown>, 'name' | 'schema' | 'others'>;
  /** It answers 200, or 201 with a status, if the tenant has addresses validated. */
  readonly validatesAddresses: boolean;
  /** The values of `format` that it supports. */
  readonly formats: readonly string[];
  /** Those of them that it answers with a stream. */
  readonly streamedFormats: readonly string[];
  /** Without a format it answers with text in place of the document. */
  readonly givesText: boolean;
  /** It accepts If-Match. */
  readonly isConditional: boolean;
  /** The call waits for a gateway or a workflow before it answers. */
  readonly waitsForOthers: boolean;
  /** The call computes for long: the thread for heavy calls performs it. */
  readonly isHeavy: boolean;
  /** It shows what would be billed, and stores nothing. */
  readonly isPreview: boolean;
  readonly respond: (call: RawCall) => Promise<Answer | StreamedAnswer>;
}

/** A call of another protocol: its body, if it has one, is bytes, and so is its answer. */
export type PlainRoute =
  | PlainWith<'none', undefined>
  | (PlainWith<'raw', () => Promise<Uint8Array>> & Limited)
  | (PlainWith<'stream', () => Readable> & Limited);

interface Limited {
  /** A longer body is refused with 413. */
  readonly bodyBytesMax: number;
}

interface PlainWith<BodyKind extends string, Body> extends SharedProperties {
  /** `basic`: a call of the interface that gives no document. */
  readonly credentials: 'signature' | 'basic';
  readonly body: BodyKind;
  /** `text`: refusals are text, too. `file`: it is sent as it is read; refusals are documents. */
  readonly answer: 'text' | 'file';
  readonly respond: (call: PlainCall<Body>) => Promise<Answer | StreamedAnswer>;
}

export interface PlainCall<Body> {
  readonly tenant: TenantInfo;
  readonly requestId: string;
  /** The id in the path; 0 if the path has none. */
  readonly id: number;
  readonly pathTexts: PathTexts;
  /** As they came; nothing has checked them. */
  readonly parameters: RawCall['parameters'];
  /** The request line with its query. */
  readonly url: string;
  /** @param name in lower case */
  readonly header: (name: string) => string | undefined;
  /**
   * Nothing of the body is read before this is called, so that a route can verify a signature
   * first. Raw bytes are in memory. A stream, opened at most once, holds some chunks; it fails with
   * a RequestError: 413 `document.tooLarge`, or 400 `request.aborted` if the sender disconnects, or
   * sends nothing for a minute.
   */
  readonly body: Body;
}

/** A page for people, in a browser, perhaps in a frame of the tenant's site. */
export type PageRoute = PageWith<'none', undefined> | PageWith<'form', () => Promise<FormFields>>;

/** What a form was sent with, by the names of its fields; the first value counts. */
export type FormFields = ReadonlyMap<string, string>;

interface PageWith<BodyKind extends string, Body> extends SharedProperties {
  readonly under: 'host';
  readonly credentials: 'token';
  readonly body: BodyKind;
  /** Its refusals are pages, too. */
  readonly answer: 'page';
  /** It waits for a gateway or a workflow before it answers. */
  readonly waitsForOthers: boolean;
  /** A form without an Origin is refused, too: the browser of a login must say whose page it is. */
  readonly needsOrigin: boolean;
  readonly respond: (call: PageCall<Body>) => Promise<PageAnswer>;
  /** What shows a refusal, also one of before `respond`; undefined for the page that all share. */
  readonly showRefusal: ShowRefusal | undefined;
}

export type ShowRefusal = (
  call: Omit<PageCall<undefined>, 'body'>,
  refusal: RequestError,
) => Promise<ShownPage | undefined>;

export interface PageCall<Body> {
  readonly tenant: TenantInfo;
  readonly requestId: string;
  /** The id in the path; 0 if the path has none. */
  readonly id: number;
  readonly pathTexts: PathTexts;
  readonly parameters: RawCall['parameters'];
  /** The path as it came, to which a form of the page is posted. */
  readonly path: string;
  /** The pattern of the path, for what is logged. */
  readonly pattern: string;
  /** Of the caller. */
  readonly address: string;
  /** What of the languages of pages the browser prefers: `de_AT`, or `de`. */
  readonly locale: string;
  /**
   * Waits for the one turn of the tenant's calls that compute for long. A form that waits for others
   * takes none: it would keep the turn meanwhile, and posts are limited.
   */
  readonly takeHeavyTurn: () => Promise<void>;
  /** Leaves the place among the tenant's calls while the work waits for its turn at hashing. */
  readonly stepOut: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Reads a form of up to 64 KiB; the router has checked where it comes from. */
  readonly body: Body;
}

/** Names a route among all. */
export function routeKey({ method, path, selection }: Route): string {
  return `${method} ${path} ${selection.values.join(' ')}`;
}

/** The routes that the documents describe. */
export const xmlRoutesOf = (routes: readonly Route[]): XmlRoute[] =>
  routes.filter((route) => route.answer === 'xml');

/** `/customer/:id` → `{ id: 'id' }`: a parameter of that name is an id, and any other is text. */
export function pathParametersOf(path: string): Readonly<Record<string, PathParameter>> {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name) => [name, name === 'id' ? 'id' : 'text']));
}

/* Makes a route whose body and answer are not documents. */

type Without<Kind, Key extends PropertyKey> = Kind extends unknown ? Omit<Kind, Key> : never;

type PlainSpec = Without<PlainRoute, 'pathParameters' | 'selection'>;

export function plainRoute(spec: PlainSpec): PlainRoute {
  return { ...spec, pathParameters: pathParametersOf(spec.path), selection: unselected };
}

/* A call that shows only while it runs that it computes for long. */

/**
 * Thrown by the handler of a read before it computes for long: the call then begins again as a heavy
 * one, beside the light calls.
 */
export class HeavyCall extends Error {
  override readonly name = 'HeavyCall';

  constructor() {
    super('the call is heavy, and begins again as such');
  }
}
