/** The pages of `/docs` and `/schema/`, rendered on the server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { examples } from './examples.ts';
import { holdReasons } from '../../domain/errors.ts';
import { errorCatalogue } from './errors.ts';
import { escapeHtml, exampleBlock, framed, markdown, tableOf } from './markup.ts';
import type { Link, Page } from './markup.ts';
import { tagOf, tags } from './openapi-shared.ts';
import type { PublishedSchema } from './schemas.ts';

/** In reading order for a newcomer; each is a file of docs/guides. */
export const guides = [
  'first-order',
  'documents',
  'paging-and-windows',
  'idempotency',
  'payments',
  'sandbox',
  'test-clocks',
] as const;
type Guide = (typeof guides)[number];

const folder = join(import.meta.dirname, '../../docs/guides');
const textOf = (name: string): string => readFileSync(join(folder, `${name}.md`), 'utf8');
const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? '';

let links: readonly Link[] | undefined;

function navigation(): readonly Link[] {
  links ??= [
    { href: '/docs', text: 'Overview' },
    ...guides.map((name) => ({ href: `/docs/guides/${name}`, text: titleOf(textOf(name)) })),
    { href: '/docs/reference', text: 'All calls' },
    { href: '/docs/examples', text: 'Examples' },
    { href: '/docs/errors', text: 'Errors' },
    { href: '/schema/', text: 'XML Schemas' },
    { href: '/openapi.json', text: 'OpenAPI (JSON)' },
  ];
  return links;
}

const framedPage = (page: Page): string => framed(page, navigation());

export const indexPage = (): string =>
  framedPage({ title: 'Overview', here: '/docs', content: markdown(textOf('index')) });

export function guidePage(name: Guide): string {
  const text = textOf(name);
  const here = `/docs/guides/${name}`;
  return framedPage({ title: titleOf(text), here, content: markdown(text) });
}

export const referencePage = (): string =>
  framedPage({
    title: 'All calls',
    here: '/docs/reference',
    head:
      '<link rel="stylesheet" href="/docs/assets/swagger-ui.css">\n' +
      '<script src="/docs/assets/swagger-ui-bundle.js" defer></script>\n' +
      '<script src="/docs/assets/reference.js" defer></script>\n',
    content: '<div id="reference"><p>All calls: this page needs JavaScript.</p></div>',
  });

export function examplesPage(): string {
  const groups = tags.flatMap(({ name }) => {
    const here = examples().filter(({ route }) => tagOf(route) === name);
    if (here.length === 0) return [];
    const blocks = here.map((example) => {
      const heading = `<h3 id="${example.name}">${escapeHtml(example.summary)}</h3>`;
      return `${heading}\n${exampleBlock(example)}`;
    });
    return [`<h2>${name}</h2>\n${blocks.join('\n')}`];
  });
  return framedPage({
    title: 'Examples',
    here: '/docs/examples',
    content:
      '<h1>Examples</h1>\n<p>One story, told from the first customer to the test clock. Every call ' +
      'is sent to a real server whenever the tests run, and answered as it stands here.</p>\n' +
      groups.join('\n'),
  });
}

function holdReasonsTable(): string {
  const rows = Object.entries(holdReasons).map(
    ([code, meaning]) =>
      `<tr><td><code>${escapeHtml(code)}</code></td><td>${escapeHtml(meaning)}</td></tr>`,
  );
  const text =
    '## Customers held from billing\n\nA billing run takes a customer out at whom it fails, with the ' +
    'code above that says why, or one of these. `actionName=activate` releases the customer.';
  return `${markdown(text)}\n${tableOf('<tr><th>Code</th><th>Meaning</th></tr>', rows.join('\n'))}`;
}

export function errorsPage(): string {
  const rows = errorCatalogue()
    .map(
      ({ code, statuses, meaning }) =>
        `<tr id="${code}"><td><code>${code}</code></td><td>${statuses.join(', ')}</td>` +
        `<td>${escapeHtml(meaning)}</td></tr>`,
    )
    .join('\n');
  const head = '<tr><th>Code</th><th>Status</th><th>Meaning</th></tr>';
  return framedPage({
    title: 'Errors',
    here: '/docs/errors',
    content: `${markdown(textOf('errors'))}\n${tableOf(head, rows)}\n${holdReasonsTable()}`,
  });
}

export function schemasPage(schemas: readonly PublishedSchema[]): string {
  const rows = (direction: PublishedSchema['direction']): string =>
    schemas
      .filter((schema) => schema.direction === direction)
      .map(
        ({ name, root, about }) =>
          `<tr><td><a href="/schema/${name}.xsd">${name}.xsd</a></td>` +
          `<td><code>&lt;${root}&gt;</code></td><td>${escapeHtml(about)}</td></tr>`,
      )
      .join('\n');
  const head = '<tr><th>File</th><th>Root</th><th>For</th></tr>';
  return framedPage({
    title: 'XML Schemas',
    here: '/schema/',
    content:
      '<h1>XML Schemas</h1>\n<p>Made from the schemas that read and write the documents. That of a ' +
      'request accepts elements in any order, empty ones that clear, and read-only ones, which are ' +
      'ignored. That of an answer names the elements in the order in which they come.</p>\n' +
      `<h2>Requests</h2>\n${tableOf(head, rows('request'))}\n` +
      `<h2>Answers</h2>\n${tableOf(head, rows('response'))}`,
  });
}
