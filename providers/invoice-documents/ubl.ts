/** Writes an electronic invoice as XML. */
import { escapeText } from '../../domain/text/xml.ts';
import type { Branch, Leaf } from '../../domain/invoices/ubl-nodes.ts';

const ROOTS = 'urn:oasis:names:specification:ubl:schema:xsd';

/** @example ublXml(ublDocument(source)) // '<?xml version="1.0" encoding="UTF-8"?>\n<Invoice …' */
export function ublXml({ name, children }: Branch): string {
  const namespaces = [
    `xmlns="${ROOTS}:${name}-2"`,
    `xmlns:cac="${ROOTS}:CommonAggregateComponents-2"`,
    `xmlns:cbc="${ROOTS}:CommonBasicComponents-2"`,
  ].join(' ');
  const body = children.map((child) => elementXml(child, '  ')).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${name} ${namespaces}>\n${body}</${name}>\n`;
}

function elementXml(element: Branch | Leaf, indent: string): string {
  const { name } = element;
  if ('children' in element) {
    const inner = element.children.map((child) => elementXml(child, `${indent}  `)).join('');
    return `${indent}<${name}>\n${inner}${indent}</${name}>\n`;
  }
  const attributes = Object.entries(element.attributes)
    .map(([key, text]) => ` ${key}="${escapeText(text)}"`)
    .join('');
  return `${indent}<${name}${attributes}>${escapeText(element.text)}</${name}>\n`;
}
