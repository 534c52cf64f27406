/** Writes what the client in TypeScript has of the interface: types, table of calls, methods. */
import { deprecationInWords } from '../../calls/deprecation.ts';
import { errorCatalogue } from '../errors.ts';
import type { PublishedSchema } from '../schemas.ts';
import { type ClientCall, listedIn } from './client-calls.ts';
import type { Content, Part, SharedTypes } from './shared-types.ts';
import { type TypeScriptTypes, scalarType, typescriptTypes } from './typescript-types.ts';

interface Source {
  readonly published: readonly PublishedSchema[];
  readonly shared: SharedTypes;
  readonly calls: readonly ClientCall[];
}

const HEAD =
  '// Written by `npm run format` from the schemas of the interface; npm run check compares.\n';

/** The files by their names. */
export function typescriptFiles({ published, shared, calls }: Source): Map<string, string> {
  const types = typescriptTypes(published);
  return new Map([
    ['types.ts', typesFile(types, published)],
    ['tables.ts', tablesFile(shared, calls)],
    ['calls.ts', callsFile(types, calls)],
  ]);
}

function typesFile(
  { declarations, typeOf }: TypeScriptTypes,
  published: readonly PublishedSchema[],
): string {
  const answers = published.filter(
    ({ root, direction }) => direction === 'response' && root !== 'list',
  );
  const codes = errorCatalogue().map(({ code }) => `  | '${code}'`);
  return [
    `${HEAD}/** The documents of the interface. \`null\` is an empty element. */`,
    '',
    '/** A decimal as text, for example `49.00`: never a binary floating-point number. */',
    'export type DecimalText = string;',
    '/** A day: `2027-01-31`. */',
    'export type DateText = string;',
    '/** An instant: `2027-01-31T12:00:00Z`. */',
    'export type InstantText = string;',
    '/** What a later version may answer besides. */',
    'export type OtherText = string & {};',
    '',
    '/** The code of a refusal. */',
    `export type ErrorCode =\n${codes.join('\n')}\n  | OtherText;`,
    '',
    '/** The documents of answers by their root elements. */',
    'export interface AnswerDocuments {',
    ...answers.map((each) => `  readonly ${each.root}: ${typeOf(each)};`),
    '}',
    '',
    declarations.join('\n\n'),
    '',
  ].join('\n');
}

function tablesFile(shared: SharedTypes, calls: readonly ClientCall[]): string {
  const types = [...shared.types.values()].map(
    ({ name, parts }) =>
      `  ${name}: {\n${[...parts.values()].map((part) => `    ${part.key}: ${formOf(part)},\n`).join('')}  },`,
  );
  const roots = [...shared.roots].map(([root, content]) => `  ${root}: ${contentOf(content)},`);
  return [
    `${HEAD}/** How documents are read and written, and where calls go. */`,
    "import type { Call, Form, Shape } from '../core/tables.ts';",
    '',
    'export const shapes: Readonly<Record<string, Shape>> = {',
    ...types,
    '};',
    '',
    'export const roots: Readonly<Record<string, Form>> = {',
    ...roots,
    '};',
    '',
    'export const calls = {',
    ...calls.map((call) => `  ${call.name}: ${rowOf(call)},`),
    '} as const satisfies Readonly<Record<string, Call>>;',
    '',
  ].join('\n');
}

function formOf({ place, isRepeated, content }: Part): string {
  const more = [
    ...(place === 'element' ? [] : [`place: '${place}'`]),
    ...(isRepeated ? ['isRepeated: true'] : []),
  ];
  return contentOf(content, more);
}

function contentOf(content: Content, more: string[] = []): string {
  if (content.kind === 'scalar' && content.type === 'text' && content.isNullable) {
    more.push('isNullable: true');
  }
  if (content.kind !== 'list') return `{ ${[`type: '${content.type}'`, ...more].join(', ')} }`;
  if (content.of.kind === 'list') throw new Error('a list of lists');
  return `{ ${[`type: '${content.of.type}'`, `item: '${content.item}'`, ...more].join(', ')} }`;
}

function rowOf(call: ClientCall): string {
  const { route, path, pathById, selection, bodies, items, paging } = call;
  const formats = route.formats.filter((format) => format !== 'xml');
  const entries = [
    `name: '${call.name}'`,
    `method: '${route.method}'`,
    ...(path === undefined ? [] : [`path: '${path}'`]),
    ...(pathById === undefined ? [] : [`pathById: '${pathById}'`]),
    ...(selection === undefined ? [] : [`selection: ['${selection[0]}', '${selection[1]}']`]),
    ...(route.givesText ? ["selection: ['format', 'xml']"] : []),
    `isWrite: ${route.isWrite}`,
    ...(bodies.length === 0
      ? []
      : [
          `bodies: { ${bodies.map(({ key, published }) => `${key}: '${published.root}'`).join(', ')} }`,
        ]),
    ...(items === undefined ? [] : [`items: '${items}'`]),
    ...(paging === undefined ? [] : [`paging: ${pagingOf(paging)}`]),
    ...(formats.length === 0
      ? []
      : [`formats: [${formats.map((each) => `'${each}'`).join(', ')}]`]),
    `answers: [${[...new Set(call.answers.map(({ root }) => `'${root}'`))].join(', ')}]`,
  ];
  return `{\n    ${entries.join(',\n    ')},\n  }`;
}

const pagingOf = (paging: NonNullable<ClientCall['paging']>): string =>
  typeof paging === 'string' ? `'${paging}'` : `{ after: '${paging.after}' }`;

function callsFile(types: TypeScriptTypes, calls: readonly ClientCall[]): string {
  const methods = calls.map((call) => methodsOf(types, call).join('\n'));
  const text = methods.join('\n\n');
  const used = [...text.matchAll(/\btypes\.(\w+)/g)].length;
  if (used === 0) throw new Error('no call has a type');
  return [
    `${HEAD}/** A method for each call of the interface. */`,
    "import type { CallOptions } from '../core/options.ts';",
    "import type { Call } from '../core/tables.ts';",
    "import { calls } from './tables.ts';",
    "import type * as types from './types.ts';",
    '',
    'export abstract class Calls {',
    '  protected abstract perform<Answer>(',
    '    call: Call,',
    '    parameters: object,',
    '    options: CallOptions | undefined,',
    '  ): Promise<Answer>;',
    '',
    '  protected abstract iterate<Item>(',
    '    call: Call,',
    '    parameters: object,',
    '    options: CallOptions | undefined,',
    '  ): AsyncGenerator<Item, void, undefined>;',
    '',
    text,
    '}',
    '',
  ].join('\n');
}

function methodsOf(types: TypeScriptTypes, call: ClientCall): string[] {
  const { name, route, items, paging } = call;
  const parameters = parametersOf(types, call);
  const given = `parameters: ${parameters.type}${parameters.isOptional ? ' = {}' : ''}`;
  const own = answerOf(types, call);
  const about = [
    '  /**',
    `   * ${route.summary}.`,
    '   *',
    `   * \`${call.route.method} ${call.pathById ?? call.path ?? ''}\``,
    ...(route.deprecation ? [`   * @deprecated ${deprecationInWords(route.deprecation)}`] : []),
    '   */',
  ];
  const method = [
    ...about,
    `  ${name}(${given}, options?: CallOptions): Promise<${own}> {`,
    `    return this.perform(calls.${name}, parameters, options);`,
    '  }',
  ];
  if (items === undefined || paging === undefined) return method;
  return [
    ...method,
    '',
    `  /** All of \`${name}\`, page by page. */`,
    `  ${name.replace(/^list/, 'iterate')}(${given}, options?: CallOptions): AsyncGenerator<${itemOf(types, call)}, void, undefined> {`,
    `    return this.iterate(calls.${name}, parameters, options);`,
    '  }',
  ];
}

function answerOf(types: TypeScriptTypes, call: ClientCall): string {
  if (call.items !== undefined) return `readonly ${itemOf(types, call)}[]`;
  const all = call.answers.map((each) => named(types.typeOf(each)));
  return [...new Set(all)].join(' | ');
}

function itemOf(types: TypeScriptTypes, { answers, items }: ClientCall): string {
  const [first] = answers;
  if (first === undefined) throw new Error('a call has an answer');
  const type = listedIn(first) === undefined ? pascalOf(items ?? '') : types.typeOf(first);
  return named(type);
}

const pascalOf = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

const BUILT_IN = new Set(['string', 'number', 'boolean']);

/** Types are imported as a whole: some are called as those of the language. */
const named = (type: string): string => {
  if (BUILT_IN.has(type)) return type;
  return type.replace(/^(readonly )?(\w+)/, '$1types.$2');
};

interface Parameters {
  readonly type: string;
  readonly isOptional: boolean;
}

function parametersOf(types: TypeScriptTypes, call: ClientCall): Parameters {
  const fields = [
    ...call.inPath.map((name) => `readonly ${name}: string`),
    ...Object.entries(call.query).map(([name, node]) => {
      if (name === 'metadata.KEY') return 'readonly metadata?: Readonly<Record<string, string>>';
      const mark = call.required.has(name) ? '' : '?';
      return `readonly ${name}${mark}: ${qualified(scalarType(node, 'request'))}`;
    }),
  ];
  const forms = bodyForms(types, call).map((body) => `{ ${[body, ...fields].join('; ')} }`);
  const plain = fields.length === 0 ? [] : [`{ ${fields.join('; ')} }`];
  const content = forms.length > 0 ? forms : plain;
  const addresses = addressesOf(call);
  const parts = [
    ...(addresses.length === 0 ? [] : [union(addresses)]),
    ...(content.length === 0 ? [] : [union(content)]),
  ];
  const isOptional =
    addresses.length === 0 &&
    call.bodies.length === 0 &&
    call.inPath.length === 0 &&
    call.required.size === 0;
  return { type: parts.length === 0 ? '{}' : parts.join(' & '), isOptional };
}

const qualified = (type: string): string => type.replace(/^(\w+Text)$/, 'types.$1');

const union = (forms: readonly string[]): string =>
  forms.length === 1 ? (forms[0] ?? '') : `(${forms.join(' | ')})`;

function bodyForms(types: TypeScriptTypes, { bodies }: ClientCall): string[] {
  return bodies.map(({ key, published }) => {
    const type = named(types.typeOf(published));
    const isList = listedIn(published) !== undefined;
    return `readonly ${key}: ${isList ? `readonly ${type}[]` : type}`;
  });
}

/** An object is addressed by its id, or by its own name. */
function addressesOf({ path, pathById, address }: ClientCall): string[] {
  return [
    ...(pathById === undefined ? [] : ['{ readonly id: number }']),
    ...(path === undefined || address.length === 0
      ? []
      : [`{ ${address.map((name) => `readonly ${name}: string`).join('; ')} }`]),
  ];
}
