/** Pieces of the documentation's pages: the frame, code, Markdown, examples. */
import { Marked } from 'marked';
import { examples } from './examples.ts';
import type { Example } from './examples.ts';

export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

export interface Link {
  readonly href: string;
  readonly text: string;
}

export interface Page {
  readonly title: string;
  /** The address of the page itself. */
  readonly here: string;
  readonly content: string;
  readonly head?: string;
}

/** The frame of every page: the navigation at the left, the content beside it. */
export function framed(page: Page, navigation: readonly Link[]): string {
  const links = navigation
    .map(({ href, text }) => {
      const current = href === page.here ? ' aria-current="page"' : '';
      return `<li><a href="${href}"${current}>${escapeHtml(text)}</a></li>`;
    })
    .join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · Sundial</title>
<link rel="icon" href="/docs/assets/icon.svg">
<link rel="stylesheet" href="/docs/assets/docs.css">
${page.head ?? ''}</head>
<body>
<nav aria-label="Documentation">
<a class="brand" href="/docs"><img src="/docs/assets/icon.svg" alt="" width="28" height="28">Sundial</a>
<ul>
${links}
</ul>
</nav>
<main>
${page.content}
</main>
</body>
</html>
`;
}

/** XML with highlighted tags and attribute values. */
function colouredXml(xml: string): string {
  return escapeHtml(xml)
    .replaceAll(/&quot;[^&]*&quot;/g, '<span class="value">$&</span>')
    .replaceAll(/&lt;[/?]?[\w:.-]+|[/?]?&gt;/g, '<span class="tag">$&</span>');
}

export function code(text: string, language: string): string {
  const inner = language === 'xml' ? colouredXml(text) : escapeHtml(text);
  return `<pre tabindex="0"><code>${inner}</code></pre>`;
}

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

const marked = new Marked({
  renderer: {
    code: ({ text, lang }) => code(text, lang ?? ''),
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    table(token) {
      const cells = (row: typeof token.header, tag: string) =>
        row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
      const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
      return tableOf(`<tr>${cells(token.header, 'th')}</tr>`, rows);
    },
  },
});

/** A wide table scrolls by itself, not the page. */
export const tableOf = (head: string, rows: string): string =>
  `<div class="wide"><table><thead>${head}</thead><tbody>${rows}</tbody></table></div>`;

/** Converts our Markdown to HTML; a line `{{example NAME}}` becomes that call with its answer. */
export function markdown(text: string): string {
  const withExamples = text.replaceAll(/^\{\{example ([\w-]+)\}\}$/gm, (_, name: string) => {
    const example = examples().find((each) => each.name === name);
    if (example === undefined) throw new Error(`there is no example ${name}`);
    // Blank lines would end the block of HTML.
    return exampleBlock(example).replaceAll(/\n\s*\n/g, '\n');
  });
  return marked.parse(withExamples, { async: false });
}

export function exampleBlock(example: Example): string {
  const { method, path, headers = {}, request, status, answer } = example;
  const sent = Object.entries(headers).map(
    ([name, value]) => `<p class="call"><code>${name}: ${escapeHtml(value)}</code></p>`,
  );
  const asked = request === undefined ? '' : `\n${code(request, 'xml')}`;
  return `<div class="example">
<p class="call"><b>${method}</b> <code>/rest${escapeHtml(path)}</code></p>${sent.join('')}${asked}
<details${status >= 300 ? ' open' : ''}><summary>${status} ${reasons[status] ?? ''}</summary>
${code(answer, 'xml')}
</details>
</div>
`;
}

const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  400: 'Bad Request',
  404: 'Not Found',
  409: 'Conflict',
  412: 'Precondition Failed',
};
