/** Makes a route whose body and answer are not documents. */
import { pathParametersOf } from './route-types.ts';
import type { PlainRoute } from './route-types.ts';
import { unselected } from './selection.ts';

type Without<Kind, Key extends PropertyKey> = Kind extends unknown ? Omit<Kind, Key> : never;

export type PlainSpec = Without<PlainRoute, 'pathParameters' | 'selection'>;

export function plainRoute(spec: PlainSpec): PlainRoute {
  return { ...spec, pathParameters: pathParametersOf(spec.path), selection: unselected };
}
