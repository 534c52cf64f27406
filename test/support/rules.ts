/** Reads the rules of docs/rules: a list item each, with the tests that hold it. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface HeldBy {
  /** From the root of the repository. */
  readonly file: string;
  /** A part of that file's text, mostly of the title of a test. */
  readonly words: string;
}

export interface Rule {
  readonly text: string;
  readonly heldBy: readonly HeldBy[];
}

const FOLDER = 'docs/rules';
/** `[usage](../../test/operations/billing/usage.test.ts): “with two days of grace”` */
const TEST = /\[[^\]]+\]\(([^)]+\.ts)\)\s*:\s*“([^”]+)”/g;
const LINK = /\]\(([^)#\s]+)(?:#[^)]*)?\)/g;

/** @param path of the page, from the root of the repository */
export function rulesIn(page: string, path: string): readonly Rule[] {
  const [, ...items] = page.split(/^- /m);
  return items.map((item) => {
    const [text = ''] = item.split(/\n(?=\n|#)/);
    const heldBy = [...text.matchAll(TEST)].map(([, file = '', words = '']) => ({
      file: join(dirname(path), file),
      words: words.replaceAll(/\s+/g, ' '),
    }));
    return { text, heldBy };
  });
}

/** Of all pages: rules without a test, tests that are not there, and links that lead nowhere. */
export function mistakesInRules(root: string): readonly string[] {
  return globSync(`${FOLDER}/*.md`, { cwd: root }).flatMap((path) => {
    const page = readFileSync(join(root, path), 'utf8');
    const dead = [...page.matchAll(LINK)]
      .map(([, target = '']) => target)
      .filter((target) => !target.includes(':') && !existsSync(join(root, dirname(path), target)))
      .map((target) => `links to ${target}, which is not there`);
    // The list of the pages has links, and no rules.
    const rules = path.endsWith('README.md') ? [] : rulesIn(page, path);
    return [...dead, ...rules.flatMap((rule) => mistakesIn(rule, root))].map(
      (mistake) => `${path}: ${mistake}`,
    );
  });
}

function mistakesIn({ text, heldBy }: Rule, root: string): readonly string[] {
  if (heldBy.length === 0) return [`no test holds “${text.split('\n')[0]}”`];
  return heldBy
    .filter(({ file, words }) => {
      const path = join(root, file);
      return existsSync(path) && !readFileSync(path, 'utf8').includes(words);
    })
    .map(({ file, words }) => `${file} does not have “${words}”`);
}
