/** The commands of a README with the output that it shows for them. */
import { readFileSync } from 'node:fs';

export interface ReadmeStep {
  /** What a reader pastes: the block as it stands. */
  readonly commands: string;
  /** The block of another language right below it. */
  readonly shown: string | undefined;
}

export function stepsOf(file: string): readonly ReadmeStep[] {
  const text = readFileSync(file, 'utf8');
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)\n```(?=(\n```(?!sh)\w+\n(.*?)\n```)?)/gms)];
  return blocks
    .filter(([, language]) => language === 'sh')
    .map(([, , commands = '', , shown]) => ({ commands, shown }));
}

/** Matches an output that contains what is shown; `…` stands for anything. */
export const patternOf = (shown: string): RegExp =>
  new RegExp(
    shown
      .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll(/\n…(\n|$)/g, '\n[^]*')
      .replaceAll('…', '.*'),
  );
