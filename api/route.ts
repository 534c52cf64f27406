/** What a route is: one row of the table that the router, and later the documents, are made from. */
import { z } from 'zod';
import type { TenantInfo } from '../operations/services.ts';
import type { User } from './context.ts';
import { compileQuery } from './xml/codec.ts';
import type { Decoder, Encoder } from './xml/codec.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What a handler is called with: everything checked, nothing of HTTP. */
export interface Call<Query, Body> {
  readonly tenant: TenantInfo;
  readonly user: User;
  readonly requestId: string;
  /** The id in the path; 0 where the path has none. */
  readonly id: number;
  readonly query: Query;
  readonly body: Body;
}

export interface RouteSpec<QuerySchema extends z.ZodObject, Body, Result> {
  readonly method: Method;
  /** Below the prefix: `/customer/:id`. */
  readonly path: string;
  /** One line for the documentation. */
  readonly summary: string;
  /**
   * The values of the parameter `action` (or `actionName`) that choose this route among those of
   * its method and path; undefined stands for no action, which is what a route without this takes.
   */
  readonly actions: readonly (string | undefined)[];
  readonly query: QuerySchema;
  readonly request: Decoder<Body>;
  readonly response: Encoder<Result>;
  /** The status of success; 200 when not given. */
  readonly status: number;
  readonly handler: (call: Call<z.output<QuerySchema>, Body>) => Promise<Result>;
}

/** The parts of a call that come from HTTP as they are. */
export interface RawCall extends Omit<Call<unknown, unknown>, 'query' | 'body'> {
  readonly parameters: Readonly<Record<string, string | string[] | undefined>>;
  readonly readBody: () => Promise<Uint8Array>;
}

/** A route whose types are settled: all routes of the table are of this one type. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly actions: readonly (string | undefined)[];
  readonly status: number;
  readonly query: z.ZodObject;
  readonly request: Pick<Decoder<unknown>, 'name' | 'schema'> | undefined;
  readonly response: { readonly name: string; readonly schema: z.ZodType };
  /** Runs the call and returns the answer's document. */
  readonly respond: (call: RawCall) => Promise<string>;
}

type Optional = 'actions' | 'query' | 'request' | 'status';

const noQuery = z.object({});

export function route<Result, QuerySchema extends z.ZodObject = typeof noQuery, Body = undefined>(
  spec: Omit<RouteSpec<QuerySchema, Body, Result>, Optional> &
    Partial<Pick<RouteSpec<QuerySchema, Body, Result>, Optional>>,
): Route {
  const querySchema = (spec.query ?? noQuery) as QuerySchema;
  const { decode } = compileQuery(querySchema);
  const { request, response, handler } = spec;
  return {
    method: spec.method,
    path: spec.path,
    summary: spec.summary,
    actions: spec.actions ?? [undefined],
    status: spec.status ?? 200,
    query: querySchema,
    request,
    response,
    async respond({ parameters, readBody, ...call }) {
      const query = decode(parameters);
      const body = (request === undefined ? undefined : request.decode(await readBody())) as Body;
      return response.encode(await handler({ ...call, query, body }));
    },
  };
}
