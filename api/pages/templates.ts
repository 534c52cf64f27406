/**
 * Compiles the templates of a folder beside those that all pages share. A template writes every
 * value escaped; only what another template rendered stands as it is.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Eta } from 'eta';

export type Render = (name: string, data: object) => string;

/** A template is known by the name of its file: `@details` is `details.eta`. */
export function templatesOf(folder?: string): Render {
  const eta = new Eta({ autoEscape: true, autoTrim: [false, 'nl'] });
  for (const each of [import.meta.dirname, ...(folder === undefined ? [] : [folder])]) {
    for (const file of globSync('*.eta', { cwd: each })) {
      eta.loadTemplate(`@${basename(file, '.eta')}`, readFileSync(join(each, file), 'utf8'));
    }
  }
  return (name, data) => eta.render(`@${name}`, data);
}
