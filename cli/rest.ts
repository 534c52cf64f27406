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
export async function call(
  target: RestTarget,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: string,
): Promise<RestAnswer> {
  const auth = `${target.username}:${target.password}`;
  const content = body === undefined ? {} : { body, type: 'application/xml' };
  const { status, body: answer } = await sent(target, { method, path, auth, ...content });
  return { status, body: answer };
}

/** The answer to a visit of a page. */
export interface Visited extends RestAnswer {
  /** Where it leads to. */
  readonly location: string | undefined;
}

/** Visits a page of the tenant as a browser does, or sends a form to it; nobody logs in. */
export function visit(
  target: RestTarget,
  path: string,
  form?: Readonly<Record<string, string>>,
): Promise<Visited> {
  if (form === undefined) return sent(target, { method: 'GET', path });
  const body = new URLSearchParams(form).toString();
  return sent(target, { method: 'POST', path, body, type: 'application/x-www-form-urlencoded' });
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly auth?: string;
  readonly body?: string;
  /** Of the body. */
  readonly type?: string;
}

function sent(target: RestTarget, { method, path, auth, body, type }: Sent): Promise<Visited> {
  const { promise, resolve, reject } = Promise.withResolvers<Visited>();
  const url = new URL(path, target.apiUrl);
  // This uses node:http because fetch cannot set the Host header, which chooses the tenant.
  const asked = request(
    url,
    {
      method,
      ...(auth === undefined ? {} : { auth }),
      headers: {
        host: `${target.hostName}:${url.port}`,
        ...(type === undefined ? {} : { 'content-type': type }),
      },
    },
    (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          body: Buffer.concat(chunks).toString(),
          location: answer.headers.location,
        }),
      );
    },
  );
  asked.on('error', reject);
  asked.end(body);
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
