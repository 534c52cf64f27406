/** Odd documents, grouped by what is odd. libxml2 decides whether they are XML. */
import { oddContent } from './odd-content.ts';
import { oddElements } from './odd-elements.ts';
import { oddMarkup } from './odd-markup.ts';

export interface Odd {
  readonly what: string;
  readonly bytes: Uint8Array;
}

const texts = { ...oddMarkup, ...oddContent, ...oddElements };

const bytes: Readonly<Record<string, readonly (readonly number[])[]>> = {
  'bytes that are no UTF-8': [
    [0x80],
    [0xc3],
    [0xc0, 0x80],
    [0xc1, 0xbf],
    [0xe0, 0x80, 0x80],
    [0xed, 0xa0, 0x80],
    [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
    [0xf0, 0x80, 0x80, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
    [0xf8, 0x88, 0x80, 0x80, 0x80],
    [0xff],
    [0xfe],
    [0xe2, 0x82],
  ],
  'bytes of UTF-8': [
    [0xc3, 0xa9],
    [0xe2, 0x82, 0xac],
    [0xf0, 0x9f, 0x98, 0x80],
    [0xef, 0xbb, 0xbf],
    [0xed, 0x9f, 0xbf],
    [0xee, 0x80, 0x80],
    [0xf4, 0x8f, 0xbf, 0xbf],
    [0xc2, 0x80],
  ],
};

const utf16 = ['<a/>', '\uFEFF<a/>', '<?xml version="1.0" encoding="UTF-16"?><a/>'];

export const corpus: readonly Odd[] = [
  ...Object.entries(texts).flatMap(([what, documents]) =>
    documents.map((document) => ({ what, bytes: Buffer.from(document) })),
  ),
  ...Object.entries(bytes).flatMap(([what, sequences]) =>
    sequences.flatMap((sequence) => [
      { what, bytes: around('<a>', sequence, '</a>') },
      { what, bytes: around('<a b="', sequence, '"/>') },
      { what, bytes: around('<a><!--', sequence, '--></a>') },
      { what, bytes: around('<a/>', sequence, '') },
    ]),
  ),
  ...utf16.map((document) => ({ what: 'UTF-16', bytes: Buffer.from(document, 'utf16le') })),
  { what: 'UTF-16', bytes: Buffer.from('\uFEFF<a/>', 'utf16le').swap16() },
  {
    what: 'UTF-32',
    bytes: Buffer.from([0x3c, 0, 0, 0, 0x61, 0, 0, 0, 0x2f, 0, 0, 0, 0x3e, 0, 0, 0]),
  },
];

function around(before: string, inner: readonly number[], after: string): Uint8Array {
  return Buffer.concat([Buffer.from(before), Buffer.from(inner), Buffer.from(after)]);
}
