/**
 * Writes the documents as types of TypeScript, of one direction each: what an answer always has is
 * there, and a request takes what it acts on. Equal types are declared once.
 */
import type { DescribedNode } from '../described.ts';
import type { PublishedSchema } from '../schemas.ts';
import { listedIn } from './client-calls.ts';
import { REFERENCE, capital, ownNames } from './shared-types.ts';

type Direction = PublishedSchema['direction'];

export interface TypeScriptTypes {
  /** The declarations, one after the other. */
  readonly declarations: readonly string[];
  /** The type of a document by its published name, and of the items of a list. */
  readonly typeOf: (published: PublishedSchema) => string;
}

interface Made {
  /** Names by what a type is without its descriptions. */
  readonly names: Map<string, string>;
  readonly declarations: Map<string, string>;
  /** Names that parts of other documents do not take. */
  readonly kept: ReadonlySet<string>;
}

export function typescriptTypes(published: readonly PublishedSchema[]): TypeScriptTypes {
  const kept = new Set(published.map(wishOf));
  const made: Made = { names: new Map(), declarations: new Map(), kept };
  const types = new Map<string, string>();
  // Answers give types their names, and a document that another contains does.
  const inOrder = published.toSorted((a, b) => rankOf(a) - rankOf(b) || sizeOf(a) - sizeOf(b));
  for (const each of inOrder) types.set(each.name, documentType(made, each));
  return {
    declarations: [...made.declarations].toSorted(byName).map(([, text]) => text),
    typeOf: ({ name }) => types.get(name) ?? fail(`${name} has no type`),
  };
}

const rankOf = ({ root, direction }: PublishedSchema): number =>
  (direction === 'request' ? 2 : 0) + (root === 'list' ? 1 : 0);
const sizeOf = ({ node }: PublishedSchema): number => JSON.stringify(node).length;
const byName = ([one]: readonly [string, string], [other]: readonly [string, string]): number =>
  one < other ? -1 : 1;

function documentType(made: Made, published: PublishedSchema): string {
  const { root, node, direction } = published;
  const item = listedIn(published);
  const isList = item !== undefined && node.items !== undefined;
  const name = wishOf(published);
  const place = { element: item ?? root, name, parent: '', document: name, direction };
  const type = typeOf(made, isList ? node.items : node, place);
  if (type === name || type.includes(' ') || made.declarations.has(name)) return type;
  made.declarations.set(name, `export type ${name} = ${type};`);
  return name;
}

/** The name of a document's type, or of the items of a list. */
function wishOf(published: PublishedSchema): string {
  const item = listedIn(published);
  if (item === undefined) return pascal(published.name.replaceAll('-', ' '));
  const own = published.name.replace(/-list(-request)?$/, '').replaceAll('-', ' ');
  const isRequest = published.direction === 'request';
  return ownNames[`list/${item}`] ?? pascal(isRequest ? `${own} request` : own);
}

const pascal = (words: string): string => words.split(' ').map(capital).join('');

interface Place {
  readonly element: string;
  /** A wish. */
  readonly name: string;
  readonly parent: string;
  /** The type of the whole. */
  readonly document: string;
  readonly direction: Direction;
}

function typeOf(made: Made, node: DescribedNode, place: Place): string {
  if (node.properties !== undefined) return objectType(made, node, place);
  if (node.items === undefined) return scalarType(node, place.direction);
  const element = node.items.xml?.name ?? 'item';
  const name = ownNames[`${place.element}/${element}`] ?? capital(element);
  const item = typeOf(made, node.items, { ...place, element, name });
  return item.includes(' ') ? `readonly (${item})[]` : `readonly ${item}[]`;
}

function objectType(made: Made, node: DescribedNode, place: Place): string {
  const { element, name, parent, document, direction } = place;
  const required = new Set(node.required);
  const fields = Object.entries(node.properties ?? {}).filter(([, field]) =>
    direction === 'request' ? field.readOnly !== true : field.writeOnly !== true,
  );
  const isReference =
    fields.length === 1 && fields[0]?.[0] === 'id' && fields[0][1].type === 'integer';
  const own = isReference ? REFERENCE : name;
  const lines = fields.map(([key, field]) => {
    const wish = ownNames[`${element}/${key}`] ?? capital(key);
    const type = typeOf(made, field, { ...place, element: key, name: wish, parent: own });
    // Of items that stand in place, none leave nothing behind.
    const isThere = required.has(key) && field.xml?.wrapped !== false;
    const mark = isThere ? '' : '?';
    const orEmpty = field.nullable === true ? ' | null' : '';
    return { text: `  readonly ${key}${mark}: ${type}${orEmpty};`, about: field.description ?? '' };
  });
  const content = lines.map(({ text }) => text).join('\n');
  const known = made.names.get(content);
  if (known !== undefined) return known;
  const suffix = direction === 'request' ? 'Request' : '';
  const wishes = [own, own + suffix, parent + own, parent + own + suffix, document + own];
  const isFree = (each: string): boolean =>
    !made.declarations.has(each) && (parent === '' || !made.kept.has(each));
  const chosen = wishes.find(isFree);
  if (chosen === undefined) fail(`no name is left for ${parent}.${name}`);
  made.names.set(content, chosen);
  const described = lines.map(({ text, about }) => `${commentOf(about)}${text}`).join('\n');
  const body = content === '' ? ' {}' : ` {\n${described}\n}`;
  made.declarations.set(chosen, `export interface ${chosen}${body}`);
  return chosen;
}

/** A star would end the comment before a slash. */
const commentOf = (about: string): string =>
  about === '' ? '' : `  /** ${about.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */\n`;

/** An answer of a later version may have a choice more; a request takes those of today. */
export function scalarType(node: DescribedNode, direction: Direction): string {
  if (node.enum !== undefined) {
    const choices = node.enum.map((value) => `'${value}'`).join(' | ');
    return direction === 'request' ? choices : `${choices} | OtherText`;
  }
  if (node.type === 'integer') return 'number';
  if (node.type === 'boolean') return 'boolean';
  switch (node.format) {
    case 'decimal':
      return 'DecimalText';
    case 'date':
      return 'DateText';
    case 'date-time':
      return 'InstantText';
    default:
      return 'string';
  }
}

function fail(message: string): never {
  throw new Error(message);
}
