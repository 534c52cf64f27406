/** A browser without script, as a benchmark needs it: pages, forms, and the times of the answers. */
import { request, type IncomingHttpHeaders } from 'node:http';

export interface PagesTarget {
  readonly port: number;
  /** `bench.localhost` */
  readonly host: string;
  readonly authorization: string;
}

export interface PageAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly ms: number;
}

/** Allowed by the tenant's file. */
export const SITE = 'https://shop.example.com';

/** The tenant's server, which calls the interface. */
export const SERVER = -1;

const addressOf = (visitor: number): string =>
  visitor === SERVER
    ? '127.0.0.1'
    : `127.1.${Math.floor(visitor / 250) % 250}.${(visitor % 250) + 1}`;

interface Asked {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Each has an address of its own: the API limits posts of a network. */
  readonly visitor: number;
}

export function ask({ port, host }: PagesTarget, asked: Asked): Promise<PageAnswer> {
  const { method, path, headers, body, visitor } = asked;
  const { promise, resolve, reject } = Promise.withResolvers<PageAnswer>();
  const began = performance.now();
  const sent = request(
    {
      host: '127.0.0.1',
      localAddress: addressOf(visitor),
      port,
      method,
      path,
      headers: { host: `${host}:${port}`, ...headers },
    },
    (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const { statusCode: status = 0 } = answer;
        const ms = performance.now() - began;
        resolve({ status, headers: answer.headers, body: Buffer.concat(chunks).toString(), ms });
      });
    },
  );
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

/** A form as the page's own browser sends it. */
export function postOf(
  { host, port }: PagesTarget,
  path: string,
  fields: URLSearchParams,
): Omit<Asked, 'visitor'> {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    origin: `http://${host}:${port}`,
    'sec-fetch-site': 'same-origin',
  };
  return { method: 'POST', path, headers, body: fields.toString() };
}

/** @param shown a page, or the form of one */
export function hiddenFields(shown: string): Record<string, string> {
  const inputs = shown.match(/<input[^>]+type="hidden"[^>]*>/g) ?? [];
  return Object.fromEntries(
    inputs.map((input) => [attributeOf(input, 'name'), attributeOf(input, 'value')]),
  );
}

const attributeOf = (element: string, name: string): string =>
  new RegExp(` ${name}="([^"]*)"`).exec(element)?.[1] ?? '';

export const actionOf = (shown: string, path: string): string =>
  attributeOf(/<form[^>]*>/.exec(shown)?.[0] ?? '', 'action') || path;
