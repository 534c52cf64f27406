/**
 * Entry: reads documents of 8 MiB that were made to cost time or memory, each of them many times,
 * and prints how each was refused. Whoever starts it gives it little memory.
 */
import { RequestError } from '../../api/errors.ts';
import { customerCreate } from '../../api/xml/schemas/customer.ts';

const BYTES = 8 * 1024 * 1024;
const ROUNDS = 5;

const filled = (start: string, unit: string, end = ''): string =>
  start + unit.repeat(Math.floor((BYTES - start.length - end.length) / unit.length)) + end;
const numbered = (start: string, unit: (n: number) => string, end: string): string =>
  start + Array.from({ length: 300_000 }, (_, n) => unit(n)).join('') + end;

const documents: Readonly<Record<string, () => string>> = {
  elements: () => filled('<customer>', '<a/>', '</customer>'),
  names: () => numbered('<customer>', (n) => `<a${n}/>`, '</customer>'),
  repeated: () => filled('<customer>', '<name>x</name>', '</customer>'),
  spaced: () => filled('<customer>', `<name/>${' '.repeat(170)}`, '</customer>'),
  deep: () => filled('', '<a>'),
  closing: () => filled('<a>', '</b>'),
  attributes: () => numbered('<customer ', (n) => ` a${n}=""`, '/>'),
  attribute: () => filled('<customer a="', 'a', '"/>'),
  blanks: () => filled('<customer', ' ', '/>'),
  equals: () => filled('<customer ', '='),
  quotes: () => filled('<customer ', '"" '),
  name: () => filled('<', 'a', '/>'),
  text: () => filled('<customer><name>', 'a', '</name></customer>'),
  lines: () => filled('', '\n', '<a'),
  entities: () => filled('<customer><name>', '&amp;', '</name></customer>'),
  ampersands: () => filled('<customer><name>', '&', '</name></customer>'),
  references: () => filled('<customer><name>', '&#65;', '</name></customer>'),
  sections: () => filled('<customer><name>', '<![CDATA[x]]>', '</name></customer>'),
  comments: () => filled('<customer>', '<!---->', '</customer>'),
  openComments: () => filled('<customer>', '<!-'),
  instructions: () => filled('<customer>', '<?a?>', '</customer>'),
  declaration: () => filled('<?xml ', 'encoding=', '?><customer/>'),
};

for (const [name, make] of Object.entries(documents)) {
  const document = Buffer.from(make());
  for (let round = 0; round < ROUNDS; round += 1) {
    try {
      customerCreate.decode(document);
      console.log(name, 'read');
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (round === 0) console.log(name, error.status, error.errors[0]?.code);
    }
  }
}
