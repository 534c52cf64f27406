/** The frame of every page: the bar with the search, the navigation at the left, the content. */
import { addressed, escapeHtml, methodOf } from './markup.ts';

export interface Link {
  readonly href: string;
  readonly text: string;
  /** The method of a call, shown before its address. */
  readonly method?: string;
}

export interface Group {
  readonly title: string;
  readonly links: readonly Link[];
  /** Groups that open and close; that of the current page is open. */
  readonly folded?: readonly Group[];
}

export interface Page {
  readonly title: string;
  /** The address of the page itself. */
  readonly here: string;
  readonly content: string;
  readonly head?: string;
  /** A class of the content, for pages with a layout of their own. */
  readonly layout?: 'text' | 'call-page' | 'widget';
}

export function framed(page: Page, groups: readonly Group[]): string {
  const { title, here, content, head = '', layout } = page;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Sundial</title>
<link rel="icon" href="/docs/assets/icon.svg">
<link rel="stylesheet" href="/docs/assets/docs.css">
<script type="module" src="/docs/assets/docs.js"></script>
${head}</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<a class="brand" href="/docs"><img src="/docs/assets/icon.svg" alt="" width="26" height="26">Sundial</a>
${SEARCH}
<button class="menu" type="button" popovertarget="navigation">Menu</button>
</header>
<nav id="navigation" popover aria-label="Documentation">
<button class="menu" type="button" popovertarget="navigation" popovertargetaction="hide">Close</button>
${groups.map((group) => groupOf(group, here)).join('\n')}
</nav>
<main id="content"${layout === undefined ? '' : ` class="${layout}"`}>
${content}
</main>
</body>
</html>
`;
}

/** The script shows it: without JavaScript nothing could answer. */
const SEARCH = `<div class="search" role="search" hidden>
<input id="query" type="search" role="combobox" aria-label="Search the documentation" aria-expanded="false"
 aria-controls="hits" aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="Search">
<kbd aria-hidden="true">/</kbd>
<ul id="hits" role="listbox" aria-label="Search results" hidden></ul>
<p id="hit-count" class="unseen" role="status"></p>
</div>`;

function groupOf({ title, links, folded = [] }: Group, here: string): string {
  const folds = folded.map((each) => {
    const isOpen = each.links.some(({ href }) => href === here);
    const summary = `<summary>${escapeHtml(each.title)}</summary>`;
    return `<details${isOpen ? ' open' : ''}>${summary}\n${listOf(each.links, here)}\n</details>`;
  });
  return [`<p class="group">${escapeHtml(title)}</p>`, listOf(links, here), ...folds].join('\n');
}

const listOf = (links: readonly Link[], here: string): string =>
  `<ul>\n${links.map((link) => linkOf(link, here)).join('\n')}\n</ul>`;

function linkOf({ href, text, method }: Link, here: string): string {
  const current = href === here ? ' aria-current="page"' : '';
  const label = method === undefined ? escapeHtml(text) : `${methodOf(method)} ${addressed(text)}`;
  return `<li><a href="${href}"${current}>${label}</a></li>`;
}
