/** Turns a checked file into its stored form, and names what is new in it. */
import { isSame, type Change } from './file/changes.ts';
import type { ClearSecrets, SecretVault } from './file/secrets.ts';
import { partKeys, parts } from './parts.ts';
import type { Part, PartKey, StoredFile, TenantFile } from './parts.ts';

export interface FileToStore {
  readonly file: TenantFile;
  readonly clear: ClearSecrets;
  readonly vault: SecretVault;
  /** The file as it is stored so far; undefined for a new tenant. */
  readonly previous: StoredFile | undefined;
}

export function storedFile(given: FileToStore): StoredFile {
  return Object.fromEntries(partKeys.map((key) => [key, storedPart(key, given)])) as StoredFile;
}

function storedPart<Key extends PartKey>(
  key: Key,
  { file, clear, vault, previous }: FileToStore,
): unknown {
  const part: Part<Key> = parts[key];
  const storing = { label: file.tenant, clear, vault, previous: previous?.[key] };
  return part.store ? part.store(file[key], storing) : file[key];
}

/** What applying the rows does not find by itself. */
export function fileChanges(before: StoredFile | undefined, after: StoredFile): Change[] {
  return partKeys.flatMap((key) => partChanges(key, before, after));
}

function partChanges<Key extends PartKey>(
  key: Key,
  before: StoredFile | undefined,
  after: StoredFile,
): Change[] {
  const part: Part<Key> = parts[key];
  if (part.changes) return part.changes(before?.[key], after[key]);
  if (!before || isSame(before[key], after[key])) return [];
  return [{ subject: key, change: 'changed' }];
}
