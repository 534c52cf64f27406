/** Goes to every page of a session by its links, once for all that differ only in their ids. */
import type { Frame } from 'playwright-core';
import { click } from './acting.ts';
import type { Place } from './place.ts';

export interface Crawled {
  /** Paths below the first page, with `:id` for ids, in order. */
  readonly pages: readonly string[];
  /** Those that open a tab of their own. */
  readonly files: readonly CrawledFile[];
}

export interface CrawledFile {
  readonly pattern: string;
  readonly address: string;
  readonly target: string;
  readonly rel: string;
}

/** What a page shows of its links: a script of the browser's, so without types. */
const LINKS = `[...document.querySelectorAll('a[href]')].map(({ href, target, rel }) =>
  ({ address: href, target, rel }))`;

interface Link {
  readonly address: string;
  readonly target: string;
  readonly rel: string;
}

/** @param look at the page that the frame shows */
export async function crawl(
  frame: Frame,
  home: string,
  look: (pattern: string) => Promise<void>,
): Promise<Crawled> {
  const found = new Map<string, { readonly from: string; readonly to: string }>();
  const pages: string[] = [];
  const files = new Map<string, CrawledFile>();
  async function visited(from: string): Promise<void> {
    const pattern = patternOf(home, from);
    await look(pattern);
    pages.push(pattern);
    for (const { address, ...link } of await frame.evaluate<Link[]>(LINKS)) {
      const to = patternOf(home, address);
      if (to === '#' || found.has(to) || files.has(to)) continue;
      if (link.target === '') found.set(to, { from, to: address });
      else files.set(to, { pattern: to, address, ...link });
    }
  }
  found.set(patternOf(home, home), { from: home, to: home });
  await visited(home);
  // The map grows meanwhile, and gives what was added, too.
  for (const { from, to } of found.values()) {
    if (to === home) continue;
    if (frame.url() !== from) await frame.goto(from, { waitUntil: 'load' });
    // A phone opens the menu first.
    await frame.evaluate(
      "for (const each of document.querySelectorAll('details')) each.open = true",
    );
    await click(frame, frame.locator(`a[href="${pathOf(to)}"]`).first());
    await frame.waitForURL(to, { waitUntil: 'load' });
    await visited(to);
  }
  return { pages: pages.toSorted(), files: [...files.values()] };
}

/** The same without a browser, for pages and files alike. */
export async function crawlQuietly(
  { call }: Pick<Place, 'call'>,
  label: string,
  home: string,
): Promise<readonly string[]> {
  const found = new Map([['', home]]);
  for (const [pattern, address] of found) {
    // What a file is like is told elsewhere.
    if (pattern.endsWith('.pdf')) continue;
    const { status, body } = await call(label, pathOf(address));
    if (status !== 200) throw new Error(`${address} is linked, and answers with ${status}`);
    for (const [, href = ''] of body.matchAll(/<a [^>]*href="([^"]+)"/g)) {
      const to = new URL(href.replaceAll('&amp;', '&'), address).href;
      const linked = patternOf(home, to);
      if (linked !== '#' && !found.has(linked)) found.set(linked, to);
    }
  }
  return [...found.keys()].toSorted();
}

const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address);
  return pathname + search;
};

/** The path below the first page; `#` for a place in a page; another site's whole. */
function patternOf(home: string, address: string): string {
  const { origin, pathname, hash } = new URL(address);
  const top = new URL(home);
  if (hash !== '') return '#';
  if (origin !== top.origin || !pathname.startsWith(top.pathname)) return address;
  return pathname.slice(top.pathname.length).replaceAll(/\/\d+(?=\/|\.|$)/g, '/:id');
}
