/** A plan from a zod schema: what the decoder and the encoder do at each element. */
import { z } from 'zod';
import type { XmlMeta } from './types.ts';

export type ScalarType = 'text' | 'integer' | 'decimal' | 'date' | 'boolean';

export interface ScalarPlan {
  readonly kind: 'scalar';
  readonly type: ScalarType;
  /** Describes a valid value, for error texts. */
  readonly expected: string;
  /** The values to choose from; none if it takes others, too. */
  readonly choices: readonly string[];
  /** Blanks at both ends are part of the value. */
  readonly verbatim: boolean;
  /** Errors never repeat the value. */
  readonly secret: boolean;
  /** The decoder masks card numbers in it. */
  readonly masksCards: boolean;
}

export interface Field {
  /** The property of the JavaScript value; also the element's or attribute's name. */
  readonly key: string;
  readonly plan: Plan;
  /** Accepted and ignored on input. */
  readonly readOnly: boolean;
  /** Never written on output. */
  readonly writeOnly: boolean;
}

export interface ObjectPlan {
  readonly kind: 'object';
  readonly attributes: ReadonlyMap<string, Field>;
  readonly elements: ReadonlyMap<string, Field>;
  /** The property for the element's own text, if it has one. */
  readonly text: Field | undefined;
}

export interface ListPlan {
  readonly kind: 'list';
  readonly itemName: string;
  readonly item: Plan;
  /** The list has its own element; otherwise its items repeat the list's name. */
  readonly wrapped: boolean;
}

export type Plan = ScalarPlan | ObjectPlan | ListPlan;

/** The part of JSON Schema that resource schemas use. */
export interface SchemaNode {
  readonly type?: string | readonly string[] | undefined;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[] | undefined;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly description?: string;
  readonly 'x-expected'?: string;
  readonly 'x-masksCards'?: boolean;
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly xml?: XmlMeta;
}

export const schemaOf = (schema: z.ZodType): SchemaNode =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as unknown as SchemaNode;

/** A nullable schema may be empty; its other keywords apply to both. */
function unwrapNull(node: SchemaNode): SchemaNode {
  if (Array.isArray(node.type)) {
    return { ...node, type: (node.type as readonly string[]).find((type) => type !== 'null') };
  }
  const inner = node.anyOf?.find((option) => option.type !== 'null');
  return inner === undefined ? node : { ...unwrapNull(inner), ...node, anyOf: undefined };
}

function scalarType(node: SchemaNode): ScalarType {
  if (node.type === 'integer') return 'integer';
  if (node.type === 'boolean') return 'boolean';
  if (node.format === 'decimal' || node.format === 'date') return node.format;
  return 'text';
}

/** The bounds of a plain integer, which error texts omit. */
const INTEGER_MAX = 2_147_483_647;

function expectedInteger(min = -INTEGER_MAX, max = INTEGER_MAX): string {
  if (max !== INTEGER_MAX) return `a whole number from ${min} to ${max}`;
  return min === -INTEGER_MAX ? 'a whole number' : `a whole number from ${min} on`;
}

function expectedOf(node: SchemaNode): string {
  if (node.enum !== undefined) return `one of ${node.enum.join(', ')}`;
  switch (scalarType(node)) {
    case 'integer':
      return expectedInteger(node.minimum, node.maximum);
    case 'boolean':
      return 'true or false';
    case 'date':
      return 'a date that exists, as YYYY-MM-DD';
    case 'decimal':
      return 'a decimal of at most 12 digits before the point and 6 after it';
    default:
      if (node['x-expected'] !== undefined) return node['x-expected'];
      return node.maxLength === undefined ? 'text' : `at most ${node.maxLength} characters`;
  }
}

function compileObject(properties: Readonly<Record<string, SchemaNode>>): ObjectPlan {
  const attributes = new Map<string, Field>();
  const elements = new Map<string, Field>();
  let text: Field | undefined;
  for (const [key, property] of Object.entries(properties)) {
    const node = unwrapNull(property);
    const field: Field = {
      key,
      plan: compileNode(node),
      readOnly: node.readOnly === true,
      writeOnly: node.writeOnly === true,
    };
    if (node.xml?.nodeType === 'text') text = field;
    else if (node.xml?.attribute === true) attributes.set(key, field);
    else elements.set(key, field);
  }
  return { kind: 'object', attributes, elements, text };
}

export function compileNode(schema: SchemaNode): Plan {
  const node = unwrapNull(schema);
  if (node.properties !== undefined) return compileObject(node.properties);
  if (node.items !== undefined) {
    const item = unwrapNull(node.items);
    const wrapped = node.xml?.wrapped !== false;
    return { kind: 'list', itemName: item.xml?.name ?? 'item', item: compileNode(item), wrapped };
  }
  return {
    kind: 'scalar',
    type: scalarType(node),
    expected: expectedOf(node),
    choices: node.enum ?? [],
    verbatim: node.format === 'password',
    secret: node.writeOnly === true,
    masksCards: node['x-masksCards'] === true,
  };
}
