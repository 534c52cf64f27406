/** Writes an electronic invoice as XML. */
import { XMLBuilder } from 'fast-xml-parser';
import type { Branch, Leaf } from '../../domain/invoices/ubl-nodes.ts';

const ROOTS = 'urn:oasis:names:specification:ubl:schema:xsd';

const builder = new XMLBuilder({
  preserveOrder: true,
  format: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  // An attribute may be `true`.
  suppressBooleanAttributes: false,
});

/** @example ublXml(ublDocument(source)) // '<?xml version="1.0" encoding="UTF-8"?>\n<Invoice …' */
export function ublXml({ name, children }: Branch): string {
  const namespaces = {
    xmlns: `${ROOTS}:${name}-2`,
    'xmlns:cac': `${ROOTS}:CommonAggregateComponents-2`,
    'xmlns:cbc': `${ROOTS}:CommonBasicComponents-2`,
  };
  const root = { [name]: children.map(elementOf), ':@': namespaces };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build([root]).trimStart()}`;
}

function elementOf(element: Branch | Leaf): object {
  const { name } = element;
  return 'children' in element
    ? { [name]: element.children.map(elementOf) }
    : { [name]: [{ '#text': element.text }], ':@': element.attributes };
}
