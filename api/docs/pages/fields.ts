/** Elements and parameters as lists: name, type, whether required, meaning; nested ones unfold. */
import type { DescribedNode } from '../described.ts';
import { escapeHtml } from './markup.ts';

export interface ShownField {
  readonly name: string;
  readonly node: DescribedNode;
  readonly isRequired: boolean;
}

/** `anchor` begins the ids of the fields: `answer.billingContact.address`. */
export function fieldList(fields: readonly ShownField[], anchor: string): string {
  const items = fields.map((field) => fieldItem(field, `${anchor}.${field.name}`));
  return `<ul class="fields">\n${items.join('\n')}\n</ul>`;
}

/** The elements and attributes of a document; of a list those of its items. */
export function fieldsOf(
  node: DescribedNode,
  isShown: (field: ShownField) => boolean = () => true,
) {
  const { properties = {}, required = [] } = contentOf(node);
  return Object.entries(properties)
    .map(([name, inner]) => ({ name, node: inner, isRequired: required.includes(name) }))
    .filter(isShown);
}

const contentOf = (node: DescribedNode): DescribedNode =>
  node.items === undefined ? node : contentOf(node.items);

function fieldItem({ name, node, isRequired }: ShownField, anchor: string): string {
  const mark = node.xml?.attribute === true ? '@' : '';
  const words = [
    `<code>${mark}${escapeHtml(name)}</code>`,
    `<span class="type">${escapeHtml(typeOf(node))}</span>`,
    ...(isRequired ? ['<span class="required">required</span>'] : []),
  ].join(' ');
  const about = node.description === undefined ? '' : `<p>${escapeHtml(node.description)}</p>`;
  const inner = fieldsOf(node);
  const nested = inner.length === 0 ? '' : unfolding(inner, { anchor, name, node });
  return `<li id="${anchor}">${words}${about}${nested}</li>`;
}

function unfolding(
  inner: readonly ShownField[],
  { anchor, name, node }: { anchor: string; name: string; node: DescribedNode },
): string {
  const item = node.items?.xml?.name;
  const of = item === undefined ? `&lt;${name}&gt;` : `each &lt;${item}&gt;`;
  const count = inner.length === 1 ? '1 field' : `${inner.length} fields`;
  return `<details><summary>${count} of ${of}</summary>\n${fieldList(inner, anchor)}\n</details>`;
}

/** The type in words, with its limits. */
export function typeOf(node: DescribedNode): string {
  const { type, format, minimum, maximum, maxLength } = node;
  if (node.enum?.length === 1) return `"${node.enum[0]}"`;
  if (node.enum !== undefined) return `one of ${node.enum.join(', ')}`;
  if (node.items !== undefined) {
    const { items } = node;
    return `list of ${items.xml?.name === undefined ? typeOf(items) : `<${items.xml.name}>`}`;
  }
  if (node.properties !== undefined) return 'element';
  if (node['x-expected'] !== undefined) return node['x-expected'];
  if (format === 'date' || format === 'decimal') return format;
  if (type === 'boolean') return 'true or false';
  if (type === 'integer') return integerWords(minimum, maximum);
  return maxLength === undefined ? 'text' : `text of at most ${maxLength} characters`;
}

/** Limits beyond this are those of the type. */
const INTEGER_SHOWN_MAX = 1_000_000;

function integerWords(minimum = -Infinity, maximum = Infinity): string {
  if (maximum <= INTEGER_SHOWN_MAX) return `whole number from ${minimum} to ${maximum}`;
  return minimum >= 0 && minimum <= INTEGER_SHOWN_MAX
    ? `whole number from ${minimum} on`
    : 'whole number';
}
