/** The commands of the README, and of a guide, with the answers that they show for them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

export interface Step {
  /** What a reader pastes: the block as it stands. */
  readonly commands: string;
  /** The `xml` block right below it; undefined if no answer is shown. */
  readonly shown: string | undefined;
}

/** Blocks that start the system or run the tests, which a test of the README cannot paste. */
const besides = /^npm ci && npm (?:start|test)$/;

export interface Block {
  readonly language: string;
  readonly text: string;
}

/** The blocks of a document, below the root. */
export const blocksOf = (file: string): Block[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^```(\w*)\n(.*?)\n```$/gms)].map(
    ([, language = '', text = '']) => ({ language, text }),
  );

export const readmeSteps = (): readonly Step[] => stepsOf(blocksOf('README.md'));

export function stepsOf(blocks: readonly Block[]): readonly Step[] {
  const steps: Step[] = [];
  for (const [index, { language, text: commands }] of blocks.entries()) {
    const next = blocks[index + 1];
    if (language !== 'sh') {
      const isAnswer = language === 'xml' && blocks[index - 1]?.language === 'sh';
      if (!isAnswer)
        throw new Error(`this block is neither a command nor its answer:\n${commands}`);
    } else if (!besides.test(commands)) {
      steps.push({ commands, shown: next?.language === 'xml' ? next.text : undefined });
    }
  }
  return steps;
}

/** The year that the README shows; a later walk lives in a later one. */
const YEAR_SHOWN = 2027;

/**
 * Matches an answer that has all that is shown, in its order. `…` stands for anything; ids and
 * numbers of orders and invoices are other ones, and dates those of the walk's own year.
 */
export function patternOf(shown: string, year: number): RegExp {
  const pattern = compact(shown)
    .replaceAll(/\b20\d\d(?=[-<])/g, (date) => String(Number(date) - YEAR_SHOWN + year))
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/ id="\d+"/g, String.raw` id="\d+"`)
    .replaceAll(/<(orderNumber|invoiceNumber)>\d+/g, String.raw`<$1>\d+`)
    .replaceAll(/\s*…\s*/g, '.*');
  return new RegExp(`^${pattern}$`, 's');
}

/** Without declarations, and without the blanks by which a document is laid out. */
export function compact(xml: string): string {
  return xml
    .replaceAll(/<\?xml[^>]*\?>/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/> (?=[<…])|(?<=…) (?=<)/g, (blanks) => blanks.trim())
    .trim();
}
