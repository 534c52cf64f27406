/** The Unicode bidirectional algorithm, and the brackets that it turns round. */
import bidiFactory, { type Bidi } from 'bidi-js';

// Its types describe an ES module, but Node loads a CommonJS module.
export const bidi = (bidiFactory as unknown as () => Bidi)();

/** Brackets become their counterparts; the text keeps its length. */
export function mirrored(text: string): string {
  return Array.from(text, (each) => bidi.getMirroredCharacter(each) ?? each).join('');
}
