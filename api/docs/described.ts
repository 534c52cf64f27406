/** The published JSON Schema of a document, with the meaning of each element. */
import { z } from 'zod';
import { glossary } from './glossary/glossary.ts';
import type { SchemaNode } from '../xml/plan.ts';

/** Zod's JSON Schema without nulls, which mean empty elements. */
export interface DescribedNode extends Omit<SchemaNode, 'properties' | 'items' | 'anyOf' | 'type'> {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, DescribedNode>>;
  readonly items?: DescribedNode;
  readonly required?: readonly string[];
  readonly pattern?: string;
  readonly default?: unknown;
  /** The element may be empty. */
  readonly nullable?: boolean;
}

interface RawNode extends Omit<SchemaNode, 'properties' | 'items' | 'anyOf'> {
  readonly $schema?: string;
  readonly properties?: Readonly<Record<string, RawNode>>;
  readonly items?: RawNode;
  readonly anyOf?: readonly RawNode[];
}

/** `name` is the root element's; query parameters have none, and their texts begin with `?`. */
export function describe(schema: z.ZodType, name: string): DescribedNode {
  const raw = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return described(raw as unknown as RawNode, name);
}

function described(raw: RawNode, name: string): DescribedNode {
  const { $schema: _dialect, anyOf: _options, ...rest } = withoutNull(raw);
  const { properties, items, 'x-masksCards': _masks, ...node } = rest;
  return {
    ...node,
    ...(isNullable(raw) ? { nullable: true } : {}),
    ...(items === undefined ? {} : { items: described(items, items.xml?.name ?? 'item') }),
    ...(properties === undefined ? {} : { properties: fieldsOf(properties, name) }),
  } as DescribedNode;
}

function fieldsOf(
  properties: Readonly<Record<string, RawNode>>,
  parent: string,
): Record<string, DescribedNode> {
  const entries = Object.entries(properties).map(([key, raw]) => {
    const field = described(raw, key);
    const description = field.description ?? wordsFor(parent, key);
    return [key, description === undefined ? field : { ...field, description }] as const;
  });
  return Object.fromEntries(entries);
}

/** The glossary's text for an element of that parent, else for any element of that name. */
export function wordsFor(parent: string, key: string): string | undefined {
  const words: Readonly<Record<string, string>> = glossary;
  return words[`${parent}.${key}`] ?? (parent === '?' ? undefined : words[key]);
}

const isNullable = (raw: RawNode): boolean =>
  (Array.isArray(raw.type) && raw.type.includes('null')) ||
  raw.anyOf?.some(({ type }) => type === 'null') === true;

/** The other keywords of a nullable schema apply to both. */
function withoutNull(raw: RawNode): RawNode {
  if (Array.isArray(raw.type)) {
    return { ...raw, type: (raw.type as readonly string[]).find((type) => type !== 'null') };
  }
  const inner = raw.anyOf?.find(({ type }) => type !== 'null');
  return inner === undefined ? raw : { ...withoutNull(inner), ...raw };
}
