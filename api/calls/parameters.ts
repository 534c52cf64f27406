/** Reads the parameters of a call: those of its route, and those of every call. */
import type { z } from 'zod';
import { compileQuery } from '../xml/codec.ts';
import { boolean } from '../xml/types.ts';
import type { Method, RawCall } from './call.ts';
import { badRequest } from './errors.ts';

/** Parameters of every call, which other code reads: the router, and `formatOf`. */
const SHARED_PARAMETERS = ['format'];
const POST_PARAMETERS = [...SHARED_PARAMETERS, 'action', 'actionName'];

/** Refuses all wrong parameters at once; `indent` is one of every call, and acted on elsewhere. */
export function queryDecoder<QuerySchema extends z.ZodObject>(
  query: QuerySchema,
  method: Method,
): (parameters: RawCall['parameters']) => z.output<QuerySchema> {
  const readElsewhere = method === 'POST' ? POST_PARAMETERS : SHARED_PARAMETERS;
  const { decode } = compileQuery(query.extend({ indent: boolean().optional() }), readElsewhere);
  return (parameters) => {
    const { indent: _elsewhere, ...own } = decode(parameters);
    return own as z.output<QuerySchema>;
  };
}

export function formatOf({ format }: RawCall['parameters'], known: readonly string[]): string {
  if (format === undefined || format === '') return 'xml';
  // The check of repeated parameters refuses a repeated format.
  if (Array.isArray(format) || known.includes(format)) return String(format);
  const expected = known.length === 1 ? 'xml' : `one of ${known.join(', ')}`;
  throw badRequest('query.format', `format must be ${expected} here`, 'format', format);
}
