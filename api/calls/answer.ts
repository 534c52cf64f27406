/** What a call answers with, before HTTP wraps it. */

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export const XML_TYPE = 'application/xml; charset=utf-8';

/** @param result told by its version, where it carries one, as ETag */
export function xmlAnswer(status: number, body: string, result: unknown): Answer {
  return { status, type: XML_TYPE, headers: etagOf(result), body };
}

export function etagOf(result: unknown): Record<string, string> {
  const { version } = (result ?? {}) as { readonly version?: unknown };
  return typeof version === 'number' ? { ETag: `"${version}"` } : {};
}

/**
 * The versions that an If-Match header accepts; undefined where it accepts any. What is no ETag of
 * ours, a weak one included, matches nothing.
 */
export function acceptedVersions(ifMatch: string | undefined): readonly number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  return ifMatch.split(',').flatMap((tag) => {
    const [, digits] = /^\s*"(\d{1,9})"\s*$/.exec(tag) ?? [];
    return digits === undefined ? [] : [Number(digits)];
  });
}
