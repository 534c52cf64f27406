/** Signs customers up by the hosted pages as a browser without script does, from many addresses. */
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

export interface Link {
  /** The path of the page. */
  readonly path: string;
  readonly tracking: string;
}

/** Allowed by the tenant's file. */
const SITE = 'https://shop.example.com';

let count = 0;

/** Each visitor has an address of its own: the API limits posts of a network. */
const addressOf = (number: number): string =>
  `127.1.${Math.floor(number / 250) % 250}.${(number % 250) + 1}`;

export async function start(target: PagesTarget): Promise<PageAnswer & { readonly link: Link }> {
  count += 1;
  const parameters = new URLSearchParams({
    successURL: `${SITE}/ok`,
    failURL: `${SITE}/no`,
    cssURL: '/css/signup.css',
    hideCustomerFields: 'true',
    extCustomerRef: `S${process.pid}-${count}`,
    firstName: 'Ada',
    lastName: `Field ${count}`,
    email: `ada.${process.pid}.${count}@example.com`,
    street: '1 Main St',
    city: 'Albany',
    state: 'NY',
    zipcode: '12207',
    country: 'US',
    hideOrderFields: 'true',
    contractCode: 'MONTHLY',
    quantity: '1',
    format: 'xml',
  });
  const path = `/rest/signup/start?${parameters.toString()}`;
  const { authorization } = target;
  const answer = await ask(target, {
    method: 'GET',
    path,
    headers: { authorization },
    from: SERVER,
  });
  const { pathname } = new URL(/<url>([^<]+)<\/url>/.exec(answer.body)?.[1] ?? 'none:');
  const tracking = /<tracking>([^<]+)<\/tracking>/.exec(answer.body)?.[1] ?? '';
  return { ...answer, link: { path: pathname, tracking } };
}

export function page(target: PagesTarget, { path }: Link): Promise<PageAnswer> {
  return ask(target, { method: 'GET', path, headers: {} });
}

/** Submits the form of a page with a card that is approved. */
export function submit(target: PagesTarget, { path }: Link, shown: string): Promise<PageAnswer> {
  const fields = new URLSearchParams({
    ...hiddenFields(shown),
    cardNumber: '4111111111111111',
    expiryMonth: '12',
    expiryYear: '2035',
    cvv: '123',
    cardholderName: 'Ada Field',
  });
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    origin: `http://${target.host}:${target.port}`,
    'sec-fetch-site': 'same-origin',
  };
  return ask(target, {
    method: 'POST',
    path: actionOf(shown, path),
    headers,
    body: fields.toString(),
  });
}

function hiddenFields(shown: string): Record<string, string> {
  const inputs = shown.match(/<input[^>]+type="hidden"[^>]*>/g) ?? [];
  return Object.fromEntries(
    inputs.map((input) => [attributeOf(input, 'name'), attributeOf(input, 'value')]),
  );
}

const attributeOf = (element: string, name: string): string =>
  new RegExp(` ${name}="([^"]*)"`).exec(element)?.[1] ?? '';

const actionOf = (shown: string, path: string): string =>
  attributeOf(/<form[^>]*>/.exec(shown)?.[0] ?? '', 'action') || path;

/** The tenant's server has one. */
const SERVER = '127.0.0.1';

interface Asked {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly from?: string;
}

function ask({ port, host }: PagesTarget, asked: Asked): Promise<PageAnswer> {
  const { method, path, headers, body, from = addressOf(count) } = asked;
  const { promise, resolve, reject } = Promise.withResolvers<PageAnswer>();
  const began = performance.now();
  const sent = request(
    {
      host: '127.0.0.1',
      localAddress: from,
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
