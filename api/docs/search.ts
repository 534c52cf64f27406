/** The index of the search: guides by section, calls, parameters, fields, codes of errors. */
import MiniSearch from 'minisearch';
import type { XmlRoute } from '../calls/route-types.ts';
import { parameterFields } from './call-pages.ts';
import type { Reference } from './call-pages.ts';
import { addressOf, hrefOf, titleOf } from './calls.ts';
import { errorCatalogue } from './errors.ts';
import { fieldsOf } from './fields.ts';
import type { ShownField } from './fields.ts';
import { guideText, guideTitle, guides } from './guides.ts';
import { markdown } from './markup.ts';

interface Entry {
  readonly kind: 'Guide' | 'Call' | 'Parameter' | 'Field' | 'Error';
  readonly title: string;
  readonly text: string;
  readonly href: string;
}

/** Shared with `assets/search.js`, which loads the index with the same options. */
const options = {
  fields: ['title', 'words', 'text'],
  storeFields: ['kind', 'title', 'text', 'href'],
};

/** As JSON, for `MiniSearch.loadJSON` in the browser. */
export function searchIndex(reference: Reference): string {
  const index = new MiniSearch(options);
  const entries = [
    ...guideEntries(),
    ...callEntries(reference),
    ...fieldEntries(reference),
    ...errorEntries(),
  ];
  index.addAll(entries.map((entry, id) => ({ ...entry, id, words: wordsOf(entry.title) })));
  return JSON.stringify(index);
}

/** `extCustomerRef` is found by `customer`, `order.tooManyPeriods` by `periods`. */
const wordsOf = (title: string): string =>
  title.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').replaceAll(/[./@_-]/g, ' ');

const TEXT_LENGTH_MAX = 400;

/** One entry for each section, with its text. */
function guideEntries(): Entry[] {
  return ['index', ...guides, 'errors'].flatMap((name) => {
    const page = { index: '/docs', errors: '/docs/errors' }[name] ?? `/docs/guides/${name}`;
    const text = guideText(name).replaceAll(/^\{\{.*\}\}$/gm, '');
    return markdown(text)
      .split(/(?=<h[1-3] id=)/)
      .filter((part) => part.startsWith('<h'))
      .map((part): Entry => {
        const [, level, id = '', heading = ''] =
          /^<h(\d) id="([^"]*)">(.*)<\/h\d>/.exec(part) ?? [];
        const section = plain(heading);
        const title = level === '1' ? section : `${guideTitle(name)}: ${section}`;
        const rest = plain(part.replace(/^<h.*?<\/h\d>/, '')).slice(0, TEXT_LENGTH_MAX);
        return { kind: 'Guide', title, text: rest, href: level === '1' ? page : `${page}#${id}` };
      });
  });
}

/** Text without markup. */
const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();

const callEntries = ({ routes }: Reference): Entry[] =>
  routes.map((route) => ({
    kind: 'Call',
    title: titleOf(route, routes),
    text: `${route.method} ${addressOf(route)}`,
    href: hrefOf(route),
  }));

/** Each parameter once, each field of each element once: on the first call that has it. */
function fieldEntries({ routes, schemas }: Reference): Entry[] {
  const found = new Map<string, Entry>();
  const add = (entry: Entry): void => {
    const key = `${entry.kind} ${entry.title}`;
    if (!found.has(key)) found.set(key, entry);
  };
  for (const route of routes) {
    for (const { name, place, node } of parameterFields(route)) {
      const href = `${hrefOf(route)}#${place}.${name}`;
      add({ kind: 'Parameter', title: name, text: node.description ?? '', href });
    }
  }
  const documentsOf = ({ request, response }: XmlRoute) => [
    { anchor: 'answer', name: response.name, schema: response.schema },
    ...(request?.documents ?? []).map(({ name, schema }, _index, all) => ({
      anchor: all.length === 1 ? 'request' : `request.${name}`,
      name,
      schema,
    })),
  ];
  for (const route of routes) {
    for (const { anchor, name, schema } of documentsOf(route)) {
      const node = schemas.find((each) => each.schema === schema)?.node;
      if (node === undefined) continue;
      const root = node.items?.xml?.name ?? name;
      const isShown = ({ node: field }: ShownField) =>
        anchor === 'answer' || field.readOnly !== true;
      addFields(fieldsOf(node, isShown), { parent: root, href: `${hrefOf(route)}#${anchor}`, add });
    }
  }
  return [...found.values()];
}

function addFields(
  fields: readonly ShownField[],
  { parent, href, add }: { parent: string; href: string; add: (entry: Entry) => void },
): void {
  for (const { name, node } of fields) {
    const here = `${href}.${name}`;
    add({ kind: 'Field', title: `${parent}.${name}`, text: node.description ?? '', href: here });
    const item = node.items?.xml?.name ?? name;
    addFields(fieldsOf(node), { parent: item, href: here, add });
  }
}

const errorEntries = (): Entry[] =>
  errorCatalogue().map(({ code, meaning }) => ({
    kind: 'Error',
    title: code,
    text: meaning,
    href: `/docs/errors#${code}`,
  }));
