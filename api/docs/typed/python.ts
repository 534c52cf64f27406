/** Writes what the client in Python has of the interface: classes, table of calls, methods. */
import { deprecationInWords } from '../../calls/deprecation.ts';
import type { DescribedNode } from '../described.ts';
import { errorCatalogue } from '../errors.ts';
import type { PublishedSchema } from '../schemas.ts';
import type { ClientCall } from './client-calls.ts';
import type { Content, Part, ScalarType, SharedType, SharedTypes } from './shared-types.ts';

interface Source {
  readonly published: readonly PublishedSchema[];
  readonly shared: SharedTypes;
  readonly calls: readonly ClientCall[];
}

const HEAD =
  '# Written by `npm run format` from the schemas of the interface; npm run check compares.\n';

/** The files by their names. */
export function pythonFiles({ shared, calls }: Source): Map<string, string> {
  return new Map([
    ['__init__.py', `${HEAD}"""What is written from the schemas of the interface."""\n`],
    ['types.py', typesFile(shared)],
    ['calls.py', callsFile(shared, calls)],
  ]);
}

function typesFile({ types, roots }: SharedTypes): string {
  const codes = errorCatalogue().map(({ code }) => `    "${code}",`);
  return [
    `${HEAD}"""The documents of the interface: requests and answers share a class, in which None is left out."""`,
    '',
    'from __future__ import annotations',
    '',
    'from dataclasses import dataclass',
    'from datetime import date, datetime',
    'from decimal import Decimal',
    'from typing import Final',
    '',
    'from ..core.parts import Form, part',
    '',
    '#: The codes of refusals; a later version may have others.',
    'ERROR_CODES: Final = (',
    ...codes,
    ')',
    ...[...types.values()].map(classOf),
    '',
    '',
    '#: The content of each root element.',
    'ROOTS: Final[dict[str, Form]] = {',
    ...[...roots].map(([root, content]) => `    "${root}": Form(${formOf(content).join(', ')}),`),
    '}',
    '',
  ].join('\n');
}

function classOf({ name, root, parts }: SharedType): string {
  const about = root === undefined ? `A part of documents.` : `The element ${root}.`;
  const fields = [...parts.values()].flatMap(fieldOf);
  return [
    '',
    '',
    '@dataclass(kw_only=True, slots=True)',
    `class ${name}:`,
    `    """${about}"""`,
    ...(fields.length === 0 ? [] : ['', ...fields]),
  ].join('\n');
}

function fieldOf(part: Part): string[] {
  const { key, place, isRepeated, content, isSecret, about } = part;
  const more = [
    ...(place === 'element' ? [] : [`place="${place}"`]),
    ...(isRepeated ? ['repeated=True'] : []),
    ...(isSecret ? ['secret=True'] : []),
  ];
  const type = typeOf(content);
  const shown = isRepeated ? `list[${type}]` : type;
  const form = [`"${key}"`, ...formOf(content), ...more].join(', ');
  return [
    `    ${snake(key)}: ${shown} | None = part(${form})`,
    ...(about === '' ? [] : [`    """${docstring(about)}"""`]),
  ];
}

const docstring = (about: string): string =>
  about.replaceAll('\\', '\\\\').replaceAll('"', "'").replaceAll(/\s+/g, ' ');

function formOf(content: Content): string[] {
  if (content.kind !== 'list') return [`"${content.type}"`];
  if (content.of.kind === 'list') throw new Error('a list of lists');
  return [`"${content.of.type}"`, `item="${content.item}"`];
}

const scalarTypes: Readonly<Record<ScalarType, string>> = {
  text: 'str',
  integer: 'int',
  boolean: 'bool',
  decimal: 'Decimal',
  date: 'date',
  instant: 'datetime',
};

function typeOf(content: Content, prefix = ''): string {
  switch (content.kind) {
    case 'scalar':
      return scalarTypes[content.type];
    case 'object':
      return prefix + content.type;
    case 'list':
      return `list[${typeOf(content.of, prefix)}]`;
  }
}

/** Of Python, among the names of the interface. */
const KEYWORDS = new Set(['from', 'class', 'global', 'import', 'is', 'in', 'pass', 'not']);

/** `successURL` → `success_url`, `from` → `from_`. */
export function snake(name: string): string {
  const words = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
  return KEYWORDS.has(words) ? `${words}_` : words;
}

function callsFile(shared: SharedTypes, calls: readonly ClientCall[]): string {
  return [
    `${HEAD}"""A method for each call of the interface."""`,
    '',
    'from __future__ import annotations',
    '',
    'from collections.abc import Iterator, Mapping, Sequence',
    'from datetime import date, datetime',
    'from decimal import Decimal',
    'from typing import Any, Final, Literal',
    '',
    'from ..core.options import CallOptions',
    'from ..core.parts import Call',
    'from . import types',
    '',
    '#: By the name that the documentation of clients uses.',
    'CALLS: Final[dict[str, Call]] = {',
    ...calls.map(
      (call) => `    "${call.name}": Call(\n        ${rowOf(call).join(',\n        ')},\n    ),`,
    ),
    '}',
    '',
    '',
    'class Calls:',
    '    """What a client can do."""',
    '',
    '    def _perform(self, call: Call, parameters: Mapping[str, Any], options: CallOptions | None) -> Any:',
    '        raise NotImplementedError',
    '',
    '    def _iterate(self, call: Call, parameters: Mapping[str, Any], options: CallOptions | None) -> Iterator[Any]:',
    '        raise NotImplementedError',
    ...calls.flatMap((call) => methodsOf(shared, call)),
    '',
  ].join('\n');
}

function rowOf(call: ClientCall): string[] {
  const { route, path, pathById, selection, bodies, items, paging } = call;
  const formats = route.formats.filter((format) => format !== 'xml');
  const quoted = (texts: readonly string[]): string =>
    `(${texts.map((each) => `"${each}"`).join(', ')}${texts.length === 1 ? ',' : ''})`;
  return [
    `name="${call.name}"`,
    `method="${route.method}"`,
    ...(path === undefined ? [] : [`path="${path}"`]),
    ...(pathById === undefined ? [] : [`path_by_id="${pathById}"`]),
    ...(selection === undefined ? [] : [`selection=${quoted(selection)}`]),
    ...(route.givesText ? ['selection=("format", "xml")'] : []),
    `is_write=${route.isWrite ? 'True' : 'False'}`,
    ...(bodies.length === 0
      ? []
      : [
          `bodies={${bodies.map(({ key, published }) => `"${key}": "${published.root}"`).join(', ')}}`,
        ]),
    ...(items === undefined ? [] : [`items="${items}"`]),
    ...(paging === undefined
      ? []
      : [`paging="${typeof paging === 'string' ? paging : paging.after}"`]),
    ...(formats.length === 0 ? [] : [`formats=${quoted(formats)}`]),
    `answers=${quoted([...new Set(call.answers.map(({ root }) => root))])}`,
  ];
}

interface Argument {
  readonly key: string;
  readonly type: string;
  readonly isRequired: boolean;
}

function methodsOf(shared: SharedTypes, call: ClientCall): string[] {
  const { name, route, items, paging } = call;
  const given = argumentsOf(shared, call);
  const inOrder = given.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
  const lines = [
    'self',
    '*',
    ...inOrder.map(({ key, type, isRequired }) =>
      isRequired ? `${snake(key)}: ${type}` : `${snake(key)}: ${type} | None = None`,
    ),
    'options: CallOptions | None = None',
  ];
  const mapping = `{${given.map(({ key }) => `"${key}": ${snake(key)}`).join(', ')}}`;
  const method = (own: string, verb: string, answer: string, about: string): string[] => [
    '',
    `    def ${own}(`,
    ...lines.map((line) => `        ${line},`),
    `    ) -> ${answer}:`,
    `        """${about}"""`,
    `        return self.${verb}(CALLS["${name}"], ${mapping}, options)`,
  ];
  const where = `${route.method} ${call.pathById ?? call.path ?? ''}`;
  const deprecated = route.deprecation
    ? ` Deprecated ${docstring(deprecationInWords(route.deprecation))}`
    : '';
  const about = `${docstring(route.summary)}. \`${where}\`${deprecated}`;
  const answer = answerOf(shared, call);
  const own = method(snake(name), '_perform', answer, about);
  if (items === undefined || paging === undefined) return own;
  const all = snake(name.replace(/^list/, 'iterate'));
  const item = answer.replace(/^list\[(.*)\]$/, '$1');
  const words = `All of \`${snake(name)}\`, page by page.`;
  return [...own, ...method(all, '_iterate', `Iterator[${item}]`, words)];
}

function answerOf({ roots }: SharedTypes, { answers, items }: ClientCall): string {
  if (items !== undefined) return `list[types.${itemType(roots, items)}]`;
  const each = answers.map(({ root }) => {
    const content = roots.get(root);
    if (content === undefined) throw new Error(`${root} is no root`);
    return typeOf(content, 'types.');
  });
  return [...new Set(each)].join(' | ');
}

/** The items of the shared type of lists. */
function itemType(roots: SharedTypes['roots'], item: string): string {
  const own = roots.get(item);
  if (own?.kind === 'object') return own.type;
  const special: Readonly<Record<string, string>> = { entry: 'TimelineEntry' };
  return special[item] ?? item.slice(0, 1).toUpperCase() + item.slice(1);
}

function argumentsOf({ roots }: SharedTypes, call: ClientCall): Argument[] {
  const { path, pathById, address, inPath, query, required, bodies } = call;
  const isOnlyById = path === undefined || (pathById !== undefined && address.length === 0);
  return [
    ...(pathById === undefined ? [] : [{ key: 'id', type: 'int', isRequired: isOnlyById }]),
    ...address.map((key) => ({ key, type: 'str', isRequired: false })),
    ...inPath.map((key) => ({ key, type: 'str', isRequired: true })),
    ...bodies.map(({ key, published }) => {
      const content = roots.get(published.root);
      const item = published.node.items?.xml?.name ?? '';
      const type =
        published.root === 'list'
          ? `Sequence[types.${itemType(roots, item)}]`
          : typeOf(content ?? { kind: 'object', type: '' }, 'types.');
      return { key, type, isRequired: bodies.length === 1 };
    }),
    ...Object.entries(query).map(([key, node]) =>
      key === 'metadata.KEY'
        ? { key: 'metadata', type: 'Mapping[str, str]', isRequired: false }
        : { key, type: queryType(node), isRequired: required.has(key) },
    ),
  ];
}

function queryType({ enum: choices, type, format }: DescribedNode): string {
  if (choices !== undefined) return `Literal[${choices.map((each) => `"${each}"`).join(', ')}]`;
  if (type === 'integer') return 'int';
  if (type === 'boolean') return 'bool';
  if (format === 'decimal') return 'Decimal';
  return format === 'date' ? 'date' : 'str';
}
