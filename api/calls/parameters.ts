/** Reads the parameters of a call: those of its route, and those of every call. */
import type { z } from 'zod';
import { type RequiredWith, compileQuery } from '../xml/query.ts';
import { boolean } from '../xml/types.ts';
import type { Method, RawCall } from './call.ts';
import { badRequest } from './errors.ts';
import { didYouMean } from '../../operations/context/nearest.ts';

/** Parameters of every call, which `formatOf` reads. */
const SHARED_PARAMETERS = ['format'];

/**
 * Refuses all wrong parameters at once. `indent` is one of every call, and acted on elsewhere, as are
 * the names of what selects the route.
 */
export function queryDecoder<QuerySchema extends z.ZodObject>(
  query: QuerySchema,
  { names }: Selection,
  requires?: RequiredWith,
): (parameters: RawCall['parameters']) => z.output<QuerySchema> {
  const shared = [...SHARED_PARAMETERS, ...names];
  const all = query.extend({ indent: boolean().optional() });
  const { decode } = compileQuery(all, { shared, requires });
  return (parameters) => {
    const { indent: _elsewhere, ...own } = decode(parameters);
    return own as z.output<QuerySchema>;
  };
}

export function isWithoutFormat({ format }: RawCall['parameters']): boolean {
  return format === undefined || format === '';
}

export function formatOf(parameters: RawCall['parameters'], known: readonly string[]): string {
  const { format } = parameters;
  if (format === undefined || isWithoutFormat(parameters)) return 'xml';
  // The check of repeated parameters refuses a repeated format.
  if (Array.isArray(format) || known.includes(format)) return String(format);
  const expected = known.length === 1 ? 'xml' : `one of ${known.join(', ')}`;
  throw badRequest('query.format', `format must be ${expected} here`, 'format', format);
}

/* Decides which of the routes of one method and path a call means: by a query parameter. */

type Value = string | undefined;

export interface Selection {
  /** The names of the parameter; empty if the routes of this method and path have none. */
  readonly names: readonly string[];
  /** The values that select the route; undefined means no value, or an empty one. */
  readonly values: readonly Value[];
}

/** How the specification of a route names what selects it: by `mode`, or by `action`. */
export interface Selecting {
  /**
   * The values of the parameter `action` (or `actionName`) of a POST that select this route among
   * those of its method and path; undefined means no action, which is the default.
   */
  readonly actions?: readonly Value[];
  /** The same of the parameter `mode`, for any method. */
  readonly modes?: readonly Value[];
}

/** The route is the only one of its method and path. */
export const unselected: Selection = { names: [], values: [undefined] };

export function selectionOf(method: Method, { actions, modes }: Selecting): Selection {
  if (modes !== undefined) return { names: ['mode'], values: modes };
  if (method !== 'POST') return unselected;
  return { names: ['action', 'actionName'], values: actions ?? [undefined] };
}

interface Selected {
  readonly selection: Selection;
}

/**
 * Returns the one of the routes of a method and path, of which there is at least one, that the
 * parameters select. Throws 400 `query.repeated`, `query.required` or `query.invalid`.
 */
export function selectedBy<Route extends Selected>(
  parameters: RawCall['parameters'],
  routes: readonly Route[],
): Route {
  const names = routes[0]?.selection.names ?? [];
  const name = names.find((each) => parameters[each] !== undefined);
  const given = name === undefined ? undefined : parameters[name];
  if (Array.isArray(given)) {
    throw badRequest('query.repeated', `${name} is given more than once`, name);
  }
  const value = given === '' ? undefined : given;
  const route = routes.find(({ selection }) => selection.values.includes(value));
  if (route !== undefined) return route;
  if (value === undefined) throw badRequest('query.required', `${names[0]} is required`, names[0]);
  const all = routes.flatMap(({ selection }) => selection.values);
  const known = all.filter((each) => each !== undefined);
  const expected = known.length === 0 ? 'absent' : `one of ${known.join(', ')}`;
  const message = `${name} must be ${expected} here${didYouMean(value, known)}`;
  throw badRequest('query.invalid', message, name, value);
}
