/** Schemas of documents as OpenAPI's components. */
import type { DescribedNode } from './described.ts';
import type { PublishedSchema } from './schemas.ts';

export type Json = Readonly<Record<string, unknown>>;

export function componentOf(published: PublishedSchema, all: readonly PublishedSchema[]): Json {
  const { node, direction, root, about, name } = published;
  const schema = jsonOf(node, direction, (item) => referenceTo(item, all));
  const description = `${about} XML Schema: /schema/${name}.xsd`;
  const xml = { ...(schema['xml'] as Json | undefined), name: root };
  return { title: name, ...schema, description, xml };
}

/** The items of a list are often a published document. */
function referenceTo(item: DescribedNode, all: readonly PublishedSchema[]): Json | undefined {
  const content = JSON.stringify(item.properties);
  const found = all.find(
    ({ node, direction, root }) =>
      direction === 'response' &&
      root === item.xml?.name &&
      JSON.stringify(node.properties) === content,
  );
  return found === undefined ? undefined : { $ref: `#/components/schemas/${found.name}` };
}

function jsonOf(
  node: DescribedNode,
  direction: PublishedSchema['direction'],
  reference: (item: DescribedNode) => Json | undefined,
): Json {
  const { nullable, properties, items, required, xml, 'x-expected': expected, ...rest } = node;
  const inner = (each: DescribedNode) => jsonOf(each, direction, reference);
  const fields = Object.entries(properties ?? {});
  // A request may omit empty elements; in an answer an empty element is null.
  const type = nullable === true && direction === 'response' ? [node.type, 'null'] : node.type;
  const isOpen = nullable === true && direction === 'response' && node.enum !== undefined;
  return {
    ...rest,
    ...(type === undefined ? {} : { type }),
    ...(isOpen ? { enum: [...(node.enum ?? []), null] } : {}),
    ...(expected === undefined ? {} : { 'x-expected': expected }),
    ...(xml === undefined ? {} : { xml: hintsOf(xml) }),
    ...(items === undefined ? {} : { items: reference(items) ?? inner(items) }),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(fields.map(([key, field]) => [key, inner(field)])) }),
    ...(mustHoldSomething(node, direction) ? { minProperties: 1 } : {}),
    ...(required === undefined || required.length === 0 ? {} : { required }),
  };
}

/** An empty element of a request means none, which is not an object. */
const mustHoldSomething = (
  { properties, nullable, required }: DescribedNode,
  direction: PublishedSchema['direction'],
): boolean =>
  direction === 'request' &&
  properties !== undefined &&
  nullable !== true &&
  (required === undefined || required.length === 0);

/** `nodeType` comes from OpenAPI 3.2; 3.1 accepts it as an extension. */
function hintsOf({ nodeType, ...hints }: NonNullable<DescribedNode['xml']>): Json {
  return nodeType === undefined ? hints : { ...hints, 'x-nodeType': nodeType };
}
