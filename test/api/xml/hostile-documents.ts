/** Documents that try to cost time or memory, by their length, and the expected refusal of each. */
import { RequestError } from '../../../api/calls/errors.ts';
import { customerCreate } from '../../../api/resources/customers/schema.ts';

type Make = (bytes: number) => string;

const filled =
  (start: string, unit: string, end = ''): Make =>
  (bytes) =>
    start + unit.repeat(Math.floor((bytes - start.length - end.length) / unit.length)) + end;
/** As many units as reach the length, or slightly more. */
const numbered =
  (start: string, unit: (n: number) => string, end: string): Make =>
  (bytes) => {
    const units: string[] = [];
    for (let length = 0; length < bytes; length += units.at(-1)?.length ?? 0) {
      units.push(unit(units.length));
    }
    return start + units.join('') + end;
  };

export const documents: Readonly<Record<string, Make>> = {
  elements: filled('<customer>', '<a/>', '</customer>'),
  names: numbered('<customer>', (n) => `<a${n}/>`, '</customer>'),
  repeated: filled('<customer>', '<name>x</name>', '</customer>'),
  spaced: filled('<customer>', `<name/>${' '.repeat(170)}`, '</customer>'),
  deep: filled('', '<a>'),
  closing: filled('<a>', '</b>'),
  attributes: numbered('<customer ', (n) => ` a${n}=""`, '/>'),
  attribute: filled('<customer a="', 'a', '"/>'),
  blanks: filled('<customer', ' ', '/>'),
  equals: filled('<customer ', '='),
  quotes: filled('<customer ', '"" '),
  name: filled('<', 'a', '/>'),
  text: filled('<customer><name>', 'a', '</name></customer>'),
  lines: filled('', '\n', '<a'),
  entities: filled('<customer><name>', '&amp;', '</name></customer>'),
  ampersands: filled('<customer><name>', '&', '</name></customer>'),
  references: filled('<customer><name>', '&#65;', '</name></customer>'),
  sections: filled('<customer><name>', '<![CDATA[x]]>', '</name></customer>'),
  comments: filled('<customer>', '<!---->', '</customer>'),
  openComments: filled('<customer>', '<!-'),
  instructions: filled('<customer>', '<?a?>', '</customer>'),
  declaration: filled('<?xml ', 'encoding=', '?><customer/>'),
};

/** `400 document.depth`, or `read`. */
export function readingOf(document: Uint8Array): string {
  try {
    customerCreate.decode(document);
    return 'read';
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return `${error.status} ${error.errors[0]?.code}`;
  }
}
