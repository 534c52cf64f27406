/** Bytes or text of a request → the tree of its one root element; text stays text. */
import { EntityDecoder } from '@nodable/entities';
import { XMLParser } from 'fast-xml-parser';
import { badRequest } from '../errors.ts';
import { scan } from './scan.ts';

/** What fast-xml-parser makes of an element: `@name` for attributes, `#text` beside them. */
export type XmlNode = string | { readonly [name: string]: XmlNode | readonly XmlNode[] };

export interface XmlDocument {
  readonly name: string;
  readonly node: XmlNode;
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  // The schema decides: a password keeps its blanks.
  trimValues: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  entityDecoder: new EntityDecoder(),
});

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Invalid UTF-8 is refused, not replaced: a name that was garbled once stays garbled for ever. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw badRequest('document.encoding', 'The request is not valid UTF-8');
  }
}

function refuseOtherEncodings(xml: string): void {
  const declared = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([^"']*)["']/.exec(xml)?.[1];
  if (declared !== undefined && !/^utf-?8$/i.test(declared)) {
    throw badRequest(
      'document.encoding',
      `Documents are UTF-8, but the declaration says "${declared.slice(0, 40)}"`,
    );
  }
}

/** fast-xml-parser says `reason:line:column`. */
function parserError(error: unknown): Error {
  const said = error instanceof Error ? error.message : String(error);
  const [, reason, line, column] = /^([\s\S]*?):(\d+):(\d+|undefined)$/.exec(said) ?? [];
  if (reason === undefined || line === undefined) {
    return badRequest('document.malformed', said.replace('[SECURITY] ', ''));
  }
  const at = column === 'undefined' ? `line ${line}` : `line ${line}, column ${column}`;
  return badRequest('document.malformed', `${reason} (${at})`);
}

export function parseXml(xml: string): XmlDocument {
  refuseOtherEncodings(xml);
  scan(xml);
  let tree: Record<string, XmlNode | readonly XmlNode[]>;
  try {
    tree = parser.parse(xml, true) as typeof tree;
  } catch (error) {
    throw parserError(error);
  }
  const [name] = Object.keys(tree);
  const node = name === undefined ? undefined : tree[name];
  if (name === undefined || node === undefined || Array.isArray(node)) {
    throw badRequest('document.malformed', 'A document has one root element');
  }
  return { name, node: node as XmlNode };
}
