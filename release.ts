/** Which release this tree is: its version, and the build of its workflows. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** That of package.json: `1.0.0`. */
export const releaseVersion = versionOf(join(import.meta.dirname, 'package.json'));

const DIGEST_CHARACTERS = 8;

/**
 * `1.0.0-3fa2b1c9`: the version, and a digest of the workflows' code. Two trees of one version whose
 * workflows differ are two builds, and trees whose workflows are the same share their tasks.
 *
 * @param workflows the folder of their code
 */
export function buildIdOf(workflows: string = join(import.meta.dirname, 'workflows')): string {
  const digest = createHash('sha256');
  const files = readdirSync(workflows, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.ts')).toSorted()) {
    digest.update(`${file}\n`).update(readFileSync(join(workflows, file)));
  }
  return `${releaseVersion}-${digest.digest('hex').slice(0, DIGEST_CHARACTERS)}`;
}

function versionOf(file: string): string {
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}
