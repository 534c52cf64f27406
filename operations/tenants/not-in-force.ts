/**
 * The parts of a tenant file that nothing acts on yet. Applying a file stores them and names them;
 * whoever builds a part takes the entry out of its module.
 */
import type { Path } from './file/mistakes.ts';
import type { UnbuiltPart } from './file/part.ts';
import { partKeys, parts } from './parts.ts';

export const notInForce: readonly UnbuiltPart[] = partKeys.flatMap(
  (key) => parts[key].notInForce ?? [],
);

/** Values that ask for nothing. */
const inert = ['false', '0'];

export interface FoundPart {
  readonly path: Path;
  readonly message: string;
}

/** @param file its maps, lists and values, without defaults where only what it says is to be named */
export function unbuiltIn(
  file: unknown,
  unbuilt: readonly UnbuiltPart[] = notInForce,
): readonly FoundPart[] {
  return unbuilt.flatMap(({ key, value, missing }) => {
    const [first, ...others] = placesOf(file, key.split('.'), []).filter(({ found }) =>
      value === undefined ? asksFor(found) : String(found) === value,
    );
    if (!first) return [];
    const more = others.length === 0 ? '' : ` (and in ${others.length} more places)`;
    return [{ path: first.path, message: `${missing}${more}` }];
  });
}

function asksFor(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(asksFor);
  return !inert.includes(String(value));
}

interface Place {
  readonly path: Path;
  readonly found: unknown;
}

/** Everything at a key, once for each item of the lists on the way. */
function placesOf(value: unknown, [step, ...rest]: readonly string[], path: Path): Place[] {
  if (value === undefined) return [];
  if (step === undefined) return [{ path, found: value }];
  const name = step.replace('[]', '');
  const inner = (value as Readonly<Record<string, unknown>>)[name];
  const here = [...path, name];
  if (name === step) return placesOf(inner, rest, here);
  return Array.isArray(inner)
    ? inner.flatMap((item: unknown, index) => placesOf(item, rest, [...here, index]))
    : [];
}
