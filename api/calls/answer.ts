/** The answer of a call, independent of HTTP. */

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export const XML_TYPE = 'application/xml; charset=utf-8';

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
