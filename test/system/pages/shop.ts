/** The site of a shop that shows hosted pages in a frame, and one that must not. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { registerCompletionHandler } from 'ava';

export interface Shop {
  /** Allowed by the tenant. */
  readonly origin: string;
  /** Not allowed. */
  readonly foreign: string;
  /** What was asked for, with the Referer if there was one: `/ok?tracking=Zk3Pq` */
  readonly asked: string[];
}

/** The name of the frame in a page of the shop. */
export const FRAME = 'hosted';

/** As the guide writes it. */
const SANDBOX =
  'allow-same-origin allow-forms allow-scripts allow-popups allow-popups-to-escape-sandbox';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

const framing = (address: string): string => `
<iframe name="${FRAME}" title="Shop" sandbox="${SANDBOX}" src="${escaped(address)}"></iframe>
<script>
  addEventListener('message', ({ origin, data }) => {
    if (origin === location.origin && data.tracking) document.title = data.tracking;
  });
</script>`;

/** A form of this site, which leads into its frame. */
const posting = (address: string, key: string): string => `
<iframe name="${FRAME}" title="Shop"></iframe>
<form method="post" target="${FRAME}" action="${escaped(address)}">
<input type="hidden" name="formKey" value="${escaped(key)}">
<button>Win a prize</button>
</form>`;

/** The end, within the frame: it tells the page around it. */
const ended = `<h1>Thank you</h1>
<script>
  const tracking = new URLSearchParams(location.search).get('tracking');
  parent.postMessage({ tracking }, location.origin);
</script>`;

/** Where a session of self-service leads when it is over. */
const login = '<h1>Log in to the shop</h1>';

function bodyOf(url: URL): string {
  const address = url.searchParams.get('address') ?? '';
  if (url.pathname === '/frame') return framing(address);
  if (url.pathname === '/form') return posting(address, url.searchParams.get('key') ?? '');
  return url.pathname === '/login' ? login : ended;
}

const style = '<style>body{margin:0}iframe{display:block;width:100%;height:90vh;border:0}</style>';

/** The browser finds both hosts on this machine: see `openBrowser`. */
export async function openShop(): Promise<Shop> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://shop.test');
    const { referer } = request.headers;
    asked.push(url.pathname + url.search + (referer === undefined ? '' : ` from ${referer}`));
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Cache-Control', 'no-store');
    response.end(`<!doctype html><html lang="en"><title>Shop</title>${style}${bodyOf(url)}`);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  registerCompletionHandler(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { origin: `http://shop.test:${port}`, foreign: `http://other.test:${port}`, asked };
}
