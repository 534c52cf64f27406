/** The index of the search: guides by section, calls, parameters, fields, codes of errors. */
import MiniSearch from 'minisearch';
import { holdReasons } from '../../../domain/billing/rate/by-answers.ts';
import type { XmlRoute } from '../../calls/route-types.ts';
import { options } from '../assets/ranking.js';
import { type Reference, noteOf, parameterFields } from './call-parts.ts';
import { addressOf, callsIn, hrefOf, titleOf } from '../calls.ts';
import type { DescribedNode } from '../described.ts';
import { errorCatalogue } from '../errors.ts';
import { EXAMPLE_LINE, stepNamed, stepsOf } from '../examples/examples.ts';
import { type ShownField, fieldsOf } from './fields.ts';
import { guideText, guideTitle, texts } from './guides.ts';
import { markdown } from './markup.ts';
import { typedWords } from './typed-words.ts';

interface Entry {
  readonly kind: 'Guide' | 'Call' | 'Parameter' | 'Field' | 'Error';
  readonly title: string;
  readonly text: string;
  readonly href: string;
  /** What people type for it. */
  readonly known?: string;
  readonly also?: string;
}

/** As JSON, for `MiniSearch.loadJSON` in the browser. */
export function searchIndex(reference: Reference): string {
  const index = new MiniSearch(options);
  const entries = [
    ...guideEntries(),
    ...callEntries(reference),
    ...fieldEntries(reference),
    ...errorEntries(),
  ];
  index.addAll(
    entries.map((entry, id) => ({
      ...entry,
      id,
      words: wordsOf(entry.title),
      known: entry.known ?? '',
      also: entry.also ?? '',
      excerpt: entry.text.slice(0, EXCERPT_LENGTH),
    })),
  );
  return JSON.stringify(index);
}

/** `extCustomerRef` is found by `customer`, `order.tooManyPeriods` by `periods`. */
const wordsOf = (title: string): string =>
  title.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').replaceAll(/[./@_-]/g, ' ');

/** More than a line of a result shows. */
const EXCERPT_LENGTH = 160;

/** One entry for each section of each text, with all of its words. */
function guideEntries(): Entry[] {
  return texts.flatMap(({ name, href }) => {
    const text = guideText(name).replaceAll(
      EXAMPLE_LINE,
      (_, step: string) => stepNamed(step).summary,
    );
    return markdown(text)
      .split(/(?=<h[1-3] id=)/)
      .filter((part) => part.startsWith('<h'))
      .map((part): Entry => {
        const [, level, id = '', heading = ''] =
          /^<h(\d) id="([^"]*)">(.*)<\/h\d>/.exec(part) ?? [];
        const words = plain(heading);
        const title = level === '1' ? words : `${guideTitle(name)}: ${words}`;
        const rest = plain(part.replace(/^<h.*?<\/h\d>/, ''));
        const ofPage = typedWords[href] ?? '';
        if (level === '1') return { kind: 'Guide', title, text: rest, href, known: ofPage };
        const section = `${href}#${id}`;
        const known = typedWords[section] ?? '';
        return { kind: 'Guide', title, text: rest, href: section, known, also: ofPage };
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

function callEntries({ routes }: Reference): Entry[] {
  const calls = callsIn(routes);
  return calls.map((call) => ({
    kind: 'Call',
    title: titleOf(call, calls),
    text: [
      ...call.forms.map((form) => `${form.method} ${addressOf(form)}`),
      plain(noteOf(call.forms[0])),
      ...call.forms.flatMap(stepsOf).map(({ summary }) => `${summary}.`),
    ].join(' '),
    href: call.href,
  }));
}

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
      add({ kind: 'Parameter', title: name, text: textOf(node), href });
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

/** The meaning, and the values to choose from. */
const textOf = ({ description = '', enum: values = [] }: DescribedNode): string =>
  [description, ...values].join(' ');

function addFields(
  fields: readonly ShownField[],
  { parent, href, add }: { parent: string; href: string; add: (entry: Entry) => void },
): void {
  for (const { name, node } of fields) {
    const here = `${href}.${name}`;
    add({ kind: 'Field', title: `${parent}.${name}`, text: textOf(node), href: here });
    const item = node.items?.xml?.name ?? name;
    addFields(fieldsOf(node), { parent: item, href: here, add });
  }
}

const errorEntries = (): Entry[] =>
  [
    ...errorCatalogue().map(({ code, meaning }) => ({ code, meaning, anchor: code })),
    ...Object.entries(holdReasons).map(([code, meaning]) => ({
      code,
      meaning,
      anchor: HOLDS_ANCHOR,
    })),
  ].map(({ code, meaning, anchor }) => ({
    kind: 'Error',
    title: code,
    text: meaning,
    href: `/docs/errors#${anchor}`,
  }));

const HOLDS_ANCHOR = 'customers-held-from-billing';
