/** Random documents: well-formed ones, and ones changed by one or two edits. */
import { fc } from '../../support/random.ts';

const names = fc.constantFrom(
  'a',
  'b',
  'a',
  'Long.Name-1',
  '_',
  '\u00E9t\u00E9',
  '\u4E2D',
  'x:y',
  '__proto__',
);
const characters = Array.from(
  'ax09 \t\n\r.,;:#%!?*+-=()[]{}|~"\'>\u007F\u0085\u00A0\u0301\u2028\uD7FF\uE000\uFFFD\u{1F600}\u{10FFFF}',
);
const references = [
  '&lt;',
  '&gt;',
  '&amp;',
  '&quot;',
  '&apos;',
  '&#65;',
  '&#x1F600;',
  '&#13;',
  '&#9;',
  '&#0010;',
  '&#x00A0;',
];

const joined = (pieces: readonly string[], maxLength = 8) =>
  fc.array(fc.constantFrom(...pieces), { maxLength }).map((each) => each.join(''));
const words = joined([...characters, ...references]).map((text) =>
  text.replaceAll(']]>', ']]&gt;'),
);
const blanks = joined([' ', '\t', '\n', '\r', '\r\n'], 3);
const someBlanks = blanks.map((each) => ` ${each}`);

const comments = joined([...characters, '<b>', '&', ']]>'])
  .map((text) => text.replaceAll(/--+/g, '-').replace(/-$/, ''))
  .map((text) => `<!--${text}-->`);
const sections = joined([...characters, '<b>', '&lol;', ']]']).map(
  (text) => `<![CDATA[${text.replaceAll(']]>', ']] >')}]]>`,
);
const instructions = fc
  .tuple(fc.constantFrom('p', 'xml-p', 'xmlp'), someBlanks, joined(['a', '?', '<b>', '&', '"']))
  .map(([name, blank, text]) => `<?${name}${blank}${text.replaceAll('?>', '? >')}?>`)
  .map((text) => text.replace(/\?\?>$/, ' ?>'));

const attributes = fc
  .uniqueArray(
    fc.tuple(names, joined([...characters, ...references]), blanks, blanks, fc.boolean()),
    {
      selector: ([name]) => name,
      maxLength: 4,
    },
  )
  .map((each) =>
    each.map(([name, value, before, after, isSingle]) =>
      isSingle
        ? ` ${name}${before}=${after}'${value.replaceAll("'", '&apos;')}'`
        : ` ${name}${before}=${after}"${value.replaceAll('"', '&quot;')}"`,
    ),
  )
  .map((each) => each.join(''));

const { element } = fc.letrec<{ element: string; content: string }>((tie) => ({
  element: fc
    .tuple(names, attributes, blanks, fc.array(tie('content'), { maxLength: 4 }), fc.boolean())
    .map(([name, inner, blank, content, isShort]) =>
      content.length === 0 && isShort
        ? `<${name}${inner}${blank}/>`
        : `<${name}${inner}${blank}>${content.join('')}</${name}${blank}>`,
    ),
  content: fc.oneof(
    { depthSize: 'medium', maxDepth: 5 },
    words,
    comments,
    sections,
    instructions,
    tie('element'),
  ),
}));

const declarations = fc.constantFrom(
  '',
  '<?xml version="1.0"?>',
  `<?xml version='1.0' encoding='UTF-8'?>\n`,
  '\uFEFF<?xml\tversion = "1.0" standalone="yes" ?>\r\n',
);
const around = fc
  .array(fc.oneof(blanks, comments, instructions), { maxLength: 2 })
  .map((each) => each.join(''));

export const wellFormed = fc
  .tuple(declarations, around, element, around)
  .map((parts) => parts.join(''))
  // Both may be joined to three: a text and the next, as `]]` and `>`.
  .filter(
    (document) =>
      !document.replaceAll(/<!\[CDATA\[.*?\]\]>|<!--.*?-->|<\?.*?\?>/gsu, '').includes(']]>'),
  );

const scraps = fc.constantFrom(
  ...Array.from(
    '<>/&;"\'=?![]-:# \t\r\n\u00A0\u0085\u2028\uFEFF\u0001\u0301\u037E\u00B7\u{1F600}ax1._',
  ),

  '<!--',
  '-->',
  '--',
  '<![CDATA[',
  ']]>',
  '<?',
  '?>',
  '<?xml ',
  '&#',
  '&#x41;',
  '&lt;',
  '&amp',
  'xmlns:x="u"',
  ' b="1"',
  '<b/>',
  '<a>',
  '</a>',
  'x:',
  'version="1.0"',
  'encoding="UTF-8"',
);
/** Replaces some characters at a position, or removes them. */
const edit = fc.record({
  at: fc.nat(),
  length: fc.nat({ max: 2 }),
  scrap: fc.oneof(scraps, fc.constant('')),
});

export const edited = (documents: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(documents, edit).map(([document, { at, length, scrap }]) => {
    const all = Array.from(document);
    all.splice(at % (all.length + 1), length, scrap);
    return all.join('');
  });
