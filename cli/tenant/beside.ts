/**
 * Reads files and folders that a tenant file names, relative to its folder. No symbolic link leads
 * out of the folder that it is in: whoever may write templates could read any file by a mail.
 */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import type { Beside } from '../../operations/tenants/parts/templates.ts';

export interface FilesBeside {
  readonly readBeside: NonNullable<Beside['readBeside']>;
  readonly listBeside: NonNullable<Beside['listBeside']>;
}

export function filesBeside(file: string): FilesBeside {
  const folder = dirname(resolve(file));
  return {
    listBeside: (path) => orNothing(() => readdirSync(realIn(folder, path))),
    readBeside: (path) =>
      orNothing(() => {
        const real = realIn(folder, path);
        // A pipe would be waited for.
        return statSync(real).isFile() ? readFileSync(real) : undefined;
      }),
  };
}

/** Throws if a link leads out of its folder, or out of the tenant file's if the name does not. */
function realIn(folder: string, path: string): string {
  const named = resolve(folder, path);
  const real = realpathSync(named);
  const bounds = isOutside(folder, named) ? [dirname(named)] : [dirname(named), folder];
  if (bounds.some((bound) => isOutside(realpathSync(bound), real))) {
    throw new Error('a link leads out of its folder');
  }
  return real;
}

function isOutside(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below === '..' || below.startsWith(`..${sep}`);
}

function orNothing<Result>(read: () => Result | undefined): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
