/** Reads the parameters of a call: those of its route, and those of every call. */
import type { z } from 'zod';
import { compileQuery, type RequiredWith } from '../xml/query.ts';
import { boolean } from '../xml/types.ts';
import type { RawCall } from './call.ts';
import { badRequest } from './errors.ts';
import type { Selection } from './selection.ts';

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
