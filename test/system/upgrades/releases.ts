/** Trees of releases beside this one: the one before, from git, and one whose workflows are changed. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildIdOf } from '../../../release.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * The commit of the release before, beside whose processes this one has to run. Whoever makes a release
 * names it here, and its newest migration in migrations.test.ts.
 */
export const PREVIOUS_COMMIT = '52595631bc92fe70652e6d21a879252c95e62107';

export interface Release {
  readonly root: string;
  /** Null of a release before there were builds. */
  readonly buildId: string | null;
}

export const thisRelease: Release = { root, buildId: buildIdOf() };

/** @param folder an empty one, which gets the tree */
export function previousRelease(folder: string): Release {
  unpack(git('archive', '--format=tar', fetched(PREVIOUS_COMMIT)), folder);
  link(folder);
  return { root: folder, buildId: null };
}

/** A shallow clone lacks the commit: it is fetched. A release that nobody can run is a failure. */
function fetched(commit: string): string {
  try {
    git('cat-file', '-e', `${commit}^{commit}`);
  } catch {
    try {
      git('fetch', '--depth=1', 'origin', commit);
    } catch (error) {
      throw new Error(
        `The release before, commit ${commit}, is not in this clone: git fetch --unshallow`,
        { cause: error },
      );
    }
  }
  return commit;
}

const options = { cwd: root, maxBuffer: 2 ** 30 };

const git = (...args: readonly string[]): Buffer =>
  execFileSync('git', args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });

function unpack(archive: Buffer, folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
}

/** What it needs to run is that of this tree, if both ask for the same; else it is installed. */
function link(folder: string): void {
  const lock = (tree: string): string => readFileSync(join(tree, 'package-lock.json'), 'utf8');
  if (lock(folder) === lock(root)) {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  } else {
    execFileSync('npm', ['ci', '--omit=dev'], { cwd: folder, stdio: 'ignore' });
  }
}

export interface Change {
  /** From the root of the tree. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** This release, but with changes. */
export function changedRelease(folder: string, changes: readonly Change[]): Release {
  const files = git(
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '--deduplicate',
  );
  const archive = execFileSync('tar', ['-c', '--null', '--ignore-failed-read', '-T', '-'], {
    ...options,
    input: files,
  });
  unpack(archive, folder);
  link(folder);
  for (const { file, from, to } of changes) {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    if (text.split(from).length !== 2) throw new Error(`${file} does not have once: ${from}`);
    writeFileSync(
      path,
      text.replace(from, () => to),
    );
  }
  return { root: folder, buildId: buildIdOf(join(folder, 'workflows')) };
}
