/** The source files of the product, for tests that read them. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** The TypeScript files below these folders, by their full paths. */
export const sourcesOf = (...folders: readonly string[]): string[] =>
  folders.flatMap((folder) => filesOf(join(root, folder)));

function filesOf(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return filesOf(path);
    return path.endsWith('.ts') ? [path] : [];
  });
}
