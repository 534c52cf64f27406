/** Headers of a request. */
import type { ApiContext } from './context.ts';

/** @param name in lower case; undefined where the request has none */
export function headerOf({ req }: Pick<ApiContext, 'req'>, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
