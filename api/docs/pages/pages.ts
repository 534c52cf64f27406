/** The pages of `/docs` and `/schema/`, rendered on the server. */
import { holdReasons } from '../../../domain/billing/rate/by-answers.ts';
import type { XmlRoute } from '../../calls/route-types.ts';
import { callGroups, callPage, callsBySubject, callsPage } from './call-pages.ts';
import { type Reference, remedyWords } from './call-parts.ts';
import { callsIn, titleOf } from '../calls.ts';
import { errorCatalogue } from '../errors.ts';
import { exampleOn, stepsIn, stepsOf } from '../examples/examples.ts';
import { framed, type Group, type Page } from './frame.ts';
import {
  chapters,
  errorsText,
  guideText,
  guideTitle,
  hrefIn,
  summaryOf,
  textNamed,
  type Text,
} from './guides.ts';
import { escapeHtml, markdown, tableOf } from './markup.ts';
import type { PublishedSchema } from '../schemas.ts';
import { SAMPLE_ADDRESS } from '../examples/shell.ts';

/** Every page by its address. */
export function pagesOf(reference: Reference): ReadonlyMap<string, () => string> {
  const { routes, schemas } = reference;
  const groups = navigation(routes);
  const pages: readonly (readonly [string, () => Page])[] = [
    ['/docs', () => ({ ...textPage(textNamed('index')), title: 'Documentation' })],
    ...chapters.flatMap(({ texts }) =>
      texts
        .filter(({ href }) => href !== '/docs')
        .map((text) => [text.href, () => textPage(text)] as const),
    ),
    ['/docs/calls', () => callsPage(reference)],
    ...callsIn(routes).map((call) => [call.href, () => callPage(call, reference)] as const),
    ['/docs/examples', () => examplesPage(routes)],
    ['/docs/errors', errorsPage],
    ['/docs/reference', swaggerPage],
    ['/schema', () => schemasPage(schemas)],
  ];
  return new Map(pages.map(([path, page]) => [path, () => framed(page(), groups)]));
}

/** `/docs/unknown`, and whatever else is refused to a browser. */
export const refusalPage = (title: string, lines: readonly string[]): string =>
  framed(
    {
      title,
      here: '',
      content: `<h1>${escapeHtml(title)}</h1>
${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}
<p>Continue with the <a href="/docs">documentation</a> or the <a href="/docs/calls">list of all calls</a>.</p>`,
    },
    (general ??= navigation([])),
  );

/** Without the calls, for pages that are rendered again and again. */
let general: readonly Group[] | undefined;

const navigation = (routes: readonly XmlRoute[]): readonly Group[] => [
  ...chapters.map(({ title, texts }) => ({
    title,
    links: texts.map(({ name, href }) => ({
      href,
      text: href === '/docs' ? 'Overview' : guideTitle(name),
    })),
  })),
  {
    title: 'Calls',
    links: [
      { href: '/docs/calls', text: 'All calls' },
      { href: '/docs/examples', text: 'Examples' },
    ],
    folded: callGroups(routes),
  },
  {
    title: 'Reference',
    links: [
      { href: '/docs/errors', text: 'Errors' },
      { href: '/docs/reference', text: 'Swagger UI' },
      { href: '/schema/', text: 'XML Schemas' },
      { href: '/openapi.json', text: 'OpenAPI (JSON)' },
      { href: '/llms.txt', text: 'llms.txt' },
    ],
  },
];

function textPage(of: Text): Page {
  const { name, href } = of;
  const text = guideText(name);
  const html = markdown(text.replace('{{guides}}', guideList), {
    examples: examplesIn(name, text),
    hrefOf: (to) => hrefIn(of, to),
  });
  return { title: guideTitle(name), here: href, layout: 'text', content: withContents(html) };
}

/** All guides by chapter, each with its first sentence. */
const guideList = (): string =>
  chapters
    .map(({ title, texts }) => {
      const items = texts
        .filter(({ href }) => href !== '/docs')
        .map(({ name, href }) => `- [${guideTitle(name)}](${href}). ${summaryOf(name)}`);
      return `### ${title}\n\n${items.join('\n')}\n`;
    })
    .join('\n');

/** So many sections are worth a list of them. */
const SECTIONS_MIN = 3;

/** With a list of its sections below the title; the style sheet moves it beside the text on a desk. */
function withContents(html: string): string {
  const sections = [...html.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g)];
  if (sections.length < SECTIONS_MIN) return html;
  const items = sections.map(
    ([, id = '', words = '']) =>
      `<li><a href="#${id}">${words.replaceAll(/<\/?(a|code)\b[^>]*>/g, '')}</a></li>`,
  );
  const contents = `<nav class="contents" aria-label="On this page">
<p>On this page</p>
<ul>\n${items.join('\n')}\n</ul>
</nav>`;
  return html.replace('</h1>', `</h1>\n${contents}`);
}

const examplesIn = (name: string, text: string) =>
  stepsIn(text).map((step) => exampleOn(`guides/${name}`, step));

/** Sent from the reader's own tenant, or from the sample tenant if the page is read elsewhere. */
const AT_TENANT = `${SAMPLE_ADDRESS}/docs/reference`;

const swaggerPage = (): Page => ({
  title: 'Swagger UI',
  here: '/docs/reference',
  layout: 'widget',
  head:
    '<link rel="stylesheet" href="/docs/assets/swagger-ui.css">\n' +
    '<script src="/docs/assets/swagger-ui-bundle.js" defer></script>\n' +
    '<script src="/docs/assets/reference.js" defer></script>\n',
  content: `<p id="elsewhere" hidden>Calls go to a tenant, and this address is no tenant's: none can be sent
from here. Open this page at a tenant's address instead:
<a href="${AT_TENANT}">${AT_TENANT}</a></p>
<div id="reference"><p>Swagger UI needs JavaScript; the <a href="/docs/calls">pages of all calls</a> do not.</p></div>`,
});

/** A list: each example is on the page of its call. */
function examplesPage(routes: readonly XmlRoute[]): Page {
  const all = callsIn(routes);
  const groups = callsBySubject(routes).map(({ name, id, calls }) => {
    const items = calls.flatMap((call) =>
      call.forms
        .flatMap(stepsOf)
        .map(
          (step) =>
            `<li><a href="${call.href}#${step.name}">${escapeHtml(step.summary)}</a> ` +
            `<span>${escapeHtml(titleOf(call, all))}</span></li>`,
        ),
    );
    return `<h2 id="${id}">${name}</h2>\n<ul class="calls">\n${items.join('\n')}\n</ul>`;
  });
  return {
    title: 'Examples',
    here: '/docs/examples',
    content: `<h1>Examples</h1>
<p>Each example is on the page of its call: a curl with its preparation, and the answer. The tests
paste every page into a shell against a new tenant, and compare the answers.</p>
${groups.join('\n')}`,
  };
}

function holdReasonsTable(): string {
  const rows = Object.entries(holdReasons).map(
    ([code, meaning]) =>
      `<tr><td><code>${escapeHtml(code)}</code></td><td>${escapeHtml(meaning)}</td></tr>`,
  );
  const text =
    '## Customers held from billing\n\nA billing run takes a customer out at whom it fails, with the ' +
    'code above that says why, or one of these. `actionName=activate` releases the customer.';
  const head = '<tr><th>Code</th><th>Meaning</th></tr>';
  return `${markdown(text)}\n${tableOf(head, rows.join('\n'), 'Reasons of a hold')}`;
}

function errorsPage(): Page {
  const rows = errorCatalogue()
    .map(
      ({ code, statuses, meaning }) =>
        `<tr id="${code}"><td><code>${code}</code></td><td>${statuses.join(', ')}</td>` +
        `<td>${escapeHtml(meaning)}${remedyWords(code)}</td></tr>`,
    )
    .join('\n');
  const head = '<tr><th>Code</th><th>Status</th><th>Meaning, and what to do</th></tr>';
  const { content, ...page } = textPage(errorsText);
  const codes = tableOf(head, rows, 'All codes');
  return { ...page, content: `${content}\n${codes}\n${holdReasonsTable()}` };
}

function schemasPage(schemas: readonly PublishedSchema[]): Page {
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
  return {
    title: 'XML Schemas',
    here: '/schema/',
    content:
      '<h1>XML Schemas</h1>\n<p>Made from the schemas that read and write the documents. That of a ' +
      'request accepts elements in any order, empty ones that clear, and read-only ones, which are ' +
      'ignored. That of an answer names the elements in the order in which they come.</p>\n' +
      '<p>For <a href="/docs/guides/clients">typed clients</a> <a href="/schema/sundial.xsd">sundial.xsd</a> has all documents with shared ' +
      'types, in which everything is optional. <a href="/schema/sundial.zip">sundial.zip</a> has all files.</p>\n' +
      `<h2>Requests</h2>\n${tableOf(head, rows('request'), 'Schemas of requests')}\n` +
      `<h2>Answers</h2>\n${tableOf(head, rows('response'), 'Schemas of answers')}`,
  };
}
