/** The guides: Markdown files of docs/guides. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** In reading order for a newcomer; each is a file of docs/guides. */
export const guides = [
  'first-order',
  'prices',
  'changes',
  'usage',
  'documents',
  'paging-and-windows',
  'idempotency',
  'payments',
  'events',
  'callbacks',
  'notifications',
  'dunning',
  'payment-plans',
  'commissions',
  'signups',
  'self-service',
  'imports',
  'sandbox',
  'test-clocks',
] as const;
export type Guide = (typeof guides)[number];

const folder = join(import.meta.dirname, '../../docs/guides');
const examples = join(import.meta.dirname, '../../examples');

/**
 * Also of `index` and `errors`, whose pages have more than their text. A line `{{program NAME}}`
 * becomes that file of examples/.
 */
export const guideText = (name: string): string =>
  readFileSync(join(folder, `${name}.md`), 'utf8').replaceAll(
    /^\{\{program (\w[\w.-]*)\}\}$/gm,
    (_, program: string) => `\`\`\`\n${programText(program)}\`\`\``,
  );

const programText = (name: string): string => readFileSync(join(examples, name), 'utf8');

export const guideTitle = (name: string): string => /^# (.+)$/m.exec(guideText(name))?.[1] ?? name;
