/** A small client of Sundial's REST interface, for commands that call the running system. */
import { request } from 'node:http';
import { XMLParser } from 'fast-xml-parser';

export interface RestTarget {
  /** Where the API listens, for example `http://127.0.0.1:8080`. */
  readonly apiUrl: string;
  /** Chooses the tenant: its label below the base domain. */
  readonly hostName: string;
  readonly username: string;
  readonly password: string;
}

export interface RestAnswer {
  readonly status: number;
  readonly body: string;
}

/** A parsed element: its children by name, attributes under `@name`; a leaf is its text. */
export type Xml = string | { readonly [name: string]: Xml | readonly Xml[] | undefined };

/** Sends one call; the caller checks the status. */
export function call(
  target: RestTarget,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: string,
): Promise<RestAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RestAnswer>();
  const url = new URL(path, target.apiUrl);
  // This uses node:http because fetch cannot set the Host header, which chooses the tenant.
  const sent = request(
    url,
    {
      method,
      auth: `${target.username}:${target.password}`,
      headers: {
        host: `${target.hostName}:${url.port}`,
        ...(body === undefined ? {} : { 'content-type': 'application/xml' }),
      },
    },
    (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
      );
    },
  );
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

/** Like `call`, but throws with the errors that the answer names unless the call succeeds. */
export async function done(...parameters: Parameters<typeof call>): Promise<Xml> {
  const [, method, path] = parameters;
  const { status, body } = await call(...parameters);
  if (status >= 200 && status < 300) return parse(body);
  throw new Error(`${method} ${path} answered ${status}: ${body}`);
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
});

/** The document's root element. */
export function parse(xml: string): Xml {
  const document: Record<string, Xml> = parser.parse(xml, true);
  const [root] = Object.values(document);
  return root ?? '';
}

/** The text of a leaf, or of an attribute (`@id`); empty if it is missing. */
export function text(element: Xml, ...names: readonly string[]): string {
  let at: Xml | readonly Xml[] | undefined = element;
  for (const name of names) at = isParent(at) ? at[name] : undefined;
  return typeof at === 'string' ? at : '';
}

/** All children of a name below a path. */
export function all(element: Xml, ...names: readonly string[]): readonly Xml[] {
  let at: Xml | readonly Xml[] | undefined = element;
  for (const name of names) at = isParent(at) ? at[name] : undefined;
  if (at === undefined) return [];
  return Array.isArray(at) ? at : [at as Xml];
}

function isParent(
  element: Xml | readonly Xml[] | undefined,
): element is { readonly [name: string]: Xml | readonly Xml[] | undefined } {
  return typeof element === 'object' && !Array.isArray(element);
}
