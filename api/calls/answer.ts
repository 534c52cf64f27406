/** The answer of a call, independent of HTTP. */
import type { Readable } from 'node:stream';

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** An answer whose body is sent as it is read, and destroyed if its reader disconnects. */
export interface StreamedAnswer extends Omit<Answer, 'body'> {
  readonly body: Readable;
  /** The length of the body; undefined if it is not known beforehand. */
  readonly bytes: number | undefined;
}

/** The router adds the headers that every page has. */
export type PageAnswer = ShownPage | ShownFile | LedElsewhere;

export interface ShownPage {
  readonly status: number;
  readonly html: string;
  /** The address of its stylesheet, whose origin may style it: absolute, or a path of this host. */
  readonly cssUrl: string;
  /** Where the answers to its forms may lead, besides this host: browsers check that, too. */
  readonly leadsTo: readonly string[];
  /** It has fields or a challenge of the gateway's own, by its script; null: from its own address. */
  readonly gatewayScript?: { readonly url: string | null } | undefined;
}

/** A document that the browser shows by itself, such as a PDF. */
export interface ShownFile {
  readonly file: Buffer;
  readonly type: string;
  /** For whoever saves it; letters, digits, `-` and `.` only. */
  readonly name: string;
  /** Browsers may keep it so long; not at all without it. */
  readonly cachedSeconds?: number;
}

/** A redirect that is read by GET. */
export interface LedElsewhere {
  readonly to: string;
  /**
   * What is worth a wait before the browser is led there, such as a payment. The call has left its
   * place by then; where many wait already, nobody does. May say where it leads instead. Never fails.
   */
  readonly awaits?: () => Promise<string | void>;
}

export const XML_TYPE = 'application/xml; charset=utf-8';

/** As the specification writes it. */
export const TEXT_TYPE = 'text/text; charset=utf-8';

/** A text alone, in place of a document. */
export function plainAnswer(status: number, text: string): Answer {
  return { status, type: TEXT_TYPE, headers: {}, body: text };
}

/** Of a GET that writes, or with a secret: nobody on the way may keep it. */
export function uncached(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, 'Cache-Control': 'no-store' } };
}

/** A line of text. */
export function textAnswer(status: number, text: string): Answer {
  return { status, type: 'text/plain; charset=utf-8', headers: {}, body: `${text}\n` };
}

/** @param result if it has a version, that becomes the ETag */
export function xmlAnswer(status: number, body: string, result: unknown): Answer {
  return { status, type: XML_TYPE, headers: etagOf(result), body };
}

export function etagOf(result: unknown): Record<string, string> {
  const { version } = (result ?? {}) as { readonly version?: unknown };
  return typeof version === 'number' ? { ETag: `"${version}"` } : {};
}

/**
 * The versions that an If-Match header accepts; undefined if it accepts any. A foreign or weak ETag
 * matches nothing.
 */
export function acceptedVersions(ifMatch: string | undefined): readonly number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  return ifMatch.split(',').flatMap((tag) => {
    const [, digits] = /^\s*"(\d{1,9})"\s*$/.exec(tag) ?? [];
    return digits === undefined ? [] : [Number(digits)];
  });
}
