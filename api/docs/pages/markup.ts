/** Pieces of the documentation's pages: code, tables, Markdown, examples. */
import { Marked } from 'marked';
import { addressOf, hrefOf } from '../calls.ts';
import { type Example, EXAMPLE_LINE, formOf, referenceOn } from '../examples/examples.ts';
import { scriptOf } from '../examples/shell.ts';
import { entryIn, isErrorHead } from './remedies.ts';

export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

export const link = (href: string, text: string): string =>
  `<a href="${href}">${escapeHtml(text)}</a>`;

export const methodOf = (method: string): string =>
  `<span class="method ${method.toLowerCase()}">${method}</span>`;

/** An address that may break at its slashes. */
export const addressed = (address: string): string =>
  `<code>${escapeHtml(address).replaceAll(/(?<=.)(?=[/?])/g, '<wbr>')}</code>`;

/** XML with highlighted tags and attribute values. */
function colouredXml(xml: string): string {
  return escapeHtml(xml)
    .replaceAll(/&quot;[^&]*&quot;/g, '<span class="value">$&</span>')
    .replaceAll(/&lt;[/?]?[\w:.-]+|[/?]?&gt;/g, '<span class="tag">$&</span>');
}

/** Comments, names of programs, and the XML of bodies. */
function colouredShell(script: string): string {
  const isXml = (line: string): boolean => /^\s*<[\w/]/.test(line);
  return script
    .split('\n')
    .map((line) => {
      if (isXml(line)) return colouredXml(line);
      if (line.startsWith('#')) return `<span class="comment">${escapeHtml(line)}</span>`;
      return escapeHtml(line)
        .replaceAll(/&quot;.*?&quot;|'[^']*'/g, '<span class="value">$&</span>')
        .replace(/(?<=^|\()curl\b/, '<span class="tag">$&</span>');
    })
    .join('\n');
}

const colours: Readonly<Record<string, (text: string) => string>> = {
  xml: colouredXml,
  bash: colouredShell,
};

/** Code that scrolls by itself: `label` distinguishes it from the other areas of its page. */
export function code(text: string, options: { language: string; label: string }): string {
  const { language, label } = options;
  const inner = (colours[language] ?? escapeHtml)(text);
  return `<pre tabindex="0" role="region" aria-label="${escapeHtml(label)}"><code>${inner}</code></pre>`;
}

const ERROR_HEAD = '<tr><th>Code</th><th>Meaning, and what to do</th></tr>';

/**
 * A wide table scrolls by itself, not the page; one without a head lists facts by their names. On a phone
 * the facts, and what to do about errors, stand below each other.
 */
export const tableOf = (head: string, rows: string, label: string): string =>
  `<div class="wide${head === '' || head === ERROR_HEAD ? ' facts' : ''}" tabindex="0" role="region" aria-label="${escapeHtml(label)}"><table>` +
  `<thead>${head}</thead><tbody>${rows}</tbody></table></div>`;

/** A row of a guide's table of errors: status and meaning are those of the catalogue. */
function errorRow(cell: string, words: string): string {
  const entry = entryIn(cell);
  if (entry === undefined) throw new Error(`the catalogue of errors has no ${cell}`);
  const { code: name, statuses, meaning } = entry;
  const further = escapeHtml(cell.replace(/^`[\w.]+`/, '').replaceAll('`', ''));
  return (
    `<tr><td><a href="/docs/errors#${name}"><code>${name}</code></a>${further} <span class="type">${statuses.join(', ')}</span></td>` +
    `<td><span class="soft">${escapeHtml(meaning)}</span> ${words}</td></tr>`
  );
}

const plainMarkdown = new Marked();

/** Words with code and links. */
export const inlineMarkdown = (text: string): string =>
  plainMarkdown.parseInline(text, { async: false });

/** As GitHub makes them, where the same texts are read. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** Names for the areas of a page: the heading above, counted where it has several. */
function labels(): { heading: string; next: (kind: string) => string } {
  const used = new Map<string, number>();
  return {
    heading: '',
    next(kind) {
      const label = `${this.heading} (${kind})`;
      const count = (used.get(label) ?? 0) + 1;
      used.set(label, count);
      return count === 1 ? label : `${this.heading} (${kind} ${count})`;
    },
  };
}

interface MarkdownOptions {
  /** A line `{{example NAME}}` becomes the next of them. */
  readonly examples?: readonly Example[];
  /** Where a link leads; one that leads nowhere becomes its words. */
  readonly hrefOf?: (link: string) => string | undefined;
}

/** Converts our Markdown to HTML. */
export function markdown(
  text: string,
  { examples = [], hrefOf = (link) => link }: MarkdownOptions = {},
): string {
  const names = labels();
  const marked = new Marked({
    renderer: {
      code: ({ text: lines, lang }) =>
        code(lines, { language: lang ?? '', label: names.next('code') }),
      heading({ tokens, depth, text: words }) {
        names.heading = words.replaceAll('`', '');
        return `<h${depth} id="${anchorOf(words)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const to = hrefOf(href);
        return to === undefined ? words : `<a href="${escapeHtml(to)}">${words}</a>`;
      },
      image({ href, text: words }) {
        const to = hrefOf(href);
        if (to === undefined) throw new Error(`the page has no picture ${href}`);
        return `<img src="${escapeHtml(to)}" alt="${escapeHtml(words)}" loading="lazy">`;
      },
      table(token) {
        if (isErrorHead(token.header.map(({ text: words }) => words))) {
          const rows = token.rows.map(([cell, todo]) => {
            const words = this.parser.parseInline(todo?.tokens ?? []);
            return errorRow(cell?.text ?? '', words);
          });
          return tableOf(ERROR_HEAD, rows.join(''), names.next('table'));
        }
        // A heading without words, above a column of names, is none.
        const tagOf = (kind: string, words: string) => (words === '' ? 'td' : kind);
        const cells = (row: typeof token.header, kind: string) =>
          row
            .map(({ tokens, text: words }) => ({ tag: tagOf(kind, words), tokens }))
            .map(({ tag, tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`)
            .join('');
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
        const isBare = token.header.every(({ text: words }) => words === '');
        const head = isBare ? '' : `<tr>${cells(token.header, 'th')}</tr>`;
        return tableOf(head, rows, names.next('table'));
      },
    },
  });
  let shown = 0;
  const blocks: string[] = [];
  const withMarks = text.replaceAll(EXAMPLE_LINE, (_, name: string) => {
    const example = examples[shown];
    if (example?.step.name !== name) throw new Error(`the page has no example ${name} here`);
    shown += 1;
    return `<!--example ${blocks.push(exampleBlock(example)) - 1}-->`;
  });
  // Blank lines of an example would end the block of HTML.
  return marked
    .parse(withMarks, { async: false })
    .replaceAll(/<!--example (\d+)-->/g, (_, index: string) => blocks[Number(index)] ?? '');
}

/**
 * An example as one can paste it: what prepares it, the call, the answer. The script of the pages
 * copies the first two as one.
 */
export function exampleBlock({ step, page, status, answer }: Example, level = 'p'): string {
  const { prepared, preparation, call } = scriptOf(step, referenceOn(page));
  const { name, summary } = step;
  const method = methodOf(step.method);
  const form = addressOf(formOf(step));
  const address = addressed(form);
  // A page may have the same example of several forms.
  const title = `${summary}: ${step.method} ${form}`;
  const words = prepared.length === 0 ? 'host and user' : prepared.map(lowered).join('; ');
  const shell = (text: string, label: string) =>
    code(text, { language: 'bash', label: `${label}: ${title}` });
  return `<section class="example" id="${name}" data-page="${page}" aria-label="${escapeHtml(`Example: ${title}`)}">
<${level} class="caption">${escapeHtml(summary)}</${level}>
<details class="preparation"><summary><b>Preparation:</b> ${escapeHtml(words)}</summary>
${shell(preparation, 'Preparation')}
</details>
<div class="request">
<div class="request-bar"><a href="${hrefOf(formOf(step))}">${method} ${address}</a>
<button class="copy" type="button" hidden>Copy<span class="unseen"> with its preparation: ${escapeHtml(title)}</span></button></div>
${shell(call, 'Call')}
</div>
<details class="answer" open data-status="${status}"><summary><b>${status}</b> ${reasons[status] ?? ''}</summary>
${code(answer, { language: 'xml', label: `Answer: ${title}` })}
</details>
</section>
`;
}

/** `By id`. */
export const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);

const lowered = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  400: 'Bad Request',
  404: 'Not Found',
  409: 'Conflict',
  412: 'Precondition Failed',
};
