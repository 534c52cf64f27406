/** The reasons why our reader and libxml2 may differ about a document, by its content. */
import { DEPTH_MAX } from '../../../api/xml/parse.ts';
import { isRead, type Element, type Ours, type Theirs } from './readers.ts';

export interface Differing {
  readonly document: string;
  readonly bytes: Uint8Array;
  readonly ours: Ours;
  readonly theirs: Theirs;
}

const REFERENCES_MAX = 10_000;
const ATTRIBUTES_MAX = 32;

const refusedAs = ({ ours }: Differing, code: string): boolean =>
  !isRead(ours) && ours.refusedBy === code;

const depthOf = ({ children }: Element): number =>
  1 + Math.max(0, ...[...children.values()].flat().map(depthOf));
const attributesOf = ({ attributes, children }: Element): number =>
  Math.max(attributes.size, ...[...children.values()].flat().map(attributesOf));

export const reasons: Readonly<Record<string, (differing: Differing) => boolean>> = {
  'a DOCTYPE is refused wherever it stands, also in a comment': (it) =>
    refusedAs(it, 'document.doctype') && /<!DOCTYPE/i.test(it.document),
  'documents are UTF-8: other encodings are refused': ({ bytes, ours, theirs }) =>
    !isRead(ours) &&
    ['document.encoding', 'document.character'].includes(ours.refusedBy) &&
    isRead(theirs) &&
    (bytes.includes(0) || !/^utf-?8$/i.test(theirs.encoding ?? 'UTF-8')),
  'elements nest as deep as resources do': (it) =>
    refusedAs(it, 'document.depth') && isRead(it.theirs) && depthOf(it.theirs.element) > DEPTH_MAX,
  'a tag has few attributes': (it) =>
    refusedAs(it, 'document.elements') &&
    isRead(it.theirs) &&
    attributesOf(it.theirs.element) > ATTRIBUTES_MAX,
  'a text has few references': (it) =>
    refusedAs(it, 'document.elements') && it.document.split('&').length > REFERENCES_MAX,
  'a name is short': (it) =>
    refusedAs(it, 'document.malformed') && /[^ \t\r\n<>?/=]{99}/u.test(it.document),
  'a reference is short': (it) => refusedAs(it, 'document.entity') && /&#x?0{90}/.test(it.document),
  'prefixes are read as they are written, declared or not': ({ ours, theirs }) =>
    isRead(ours) && !isRead(theirs) && theirs.refusedBy === 'namespaces',
  'libxml2 takes a version without its second number, which XML 1.0 does not': (it) =>
    refusedAs(it, 'document.malformed') && /version\s*=\s*["']1\.["']/.test(it.document),
};
