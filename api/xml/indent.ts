/** Indents documents that our own encoder has written: no element of them mixes text and elements. */
import { startSlices } from './slices.ts';

const STEP = '  ';
const TOKENS_AT_ONCE = 1_000;
const token = /<(?:"[^"]*"|'[^']*'|[^>"'])*>|[^<]+/g;

/** One element a line, an element with text on one line; ends with a line break. */
export async function indentXml(document: string): Promise<string> {
  const slices = startSlices();
  const parts: string[] = [];
  let depth = 0;
  let count = 0;
  /** Whether the token before opened an element, or was the text in one. */
  let isOpen = false;
  for (const [text] of document.matchAll(token)) {
    count += 1;
    if (count % TOKENS_AT_ONCE === 0) await slices.pause();
    if (!text.startsWith('<')) {
      if (isOpen) parts.push(text);
      continue;
    }
    const isClosing = text.startsWith('</');
    const opens = !isClosing && !text.endsWith('/>') && !text.startsWith('<?');
    if (isClosing) depth -= 1;
    if (parts.length > 0 && !(isClosing && isOpen)) parts.push('\n', STEP.repeat(depth));
    parts.push(text);
    if (opens) depth += 1;
    isOpen = opens;
  }
  parts.push('\n');
  return parts.join('');
}
