/** The state of a request that the middleware fills in step by step. */
import type { ParameterizedContext } from 'koa';
import type { TenantInfo } from '../../operations/context/context.ts';
import type { User } from '../access/credentials.ts';
import type { MissedId, RequestError } from '../calls/errors.ts';
import type { Credentials, Route } from '../calls/route-types.ts';

/** The routes of the path of a request, of all methods. */
export interface Address {
  /** Empty below the prefixes of the interface if the path is unknown. */
  readonly routes: readonly Route[];
  /** That of an unknown path. */
  readonly refusal?: RequestError;
  /** The parameters of the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  /** All routes of an address ask for the same. */
  readonly credentials: Credentials;
}

export interface ApiState {
  requestId: string;
  /** What logs show of the path. */
  shownPath: string;
  /** Unknown ids in a call that succeeded. */
  missed: MissedId[];
  address?: Address;
  tenant?: TenantInfo;
  /** The codes of the errors of a refused call. */
  codes?: readonly string[];
  /** What the audit log says of a refusal, if that is more than its caller is told. */
  auditCode?: string;
  /** The user name that the caller sent, before it is verified. */
  login?: string;
  user?: User;
  /** How long a heavy call waited for its turn. */
  waitedMs?: number;
  /** What was full, if the call was refused because too much is in progress. */
  busy?: string;
  /** What the call was refused with. */
  refusal?: RequestError;
  /** A page outside of the table of routes shows its refusals by this, and is never compressed. */
  ownRefusal?: (refusal: RequestError) => void;
  /** Who looks at the operator's page, as the audit log names it. */
  operator?: string;
  /** The refused body may still be on its way. */
  leavesBody?: boolean;
}

export type ApiContext = ParameterizedContext<ApiState>;
export type Next = () => Promise<unknown>;

/* Headers of a request. */

/** @param name in lower case; undefined where the request has none */
export function headerOf({ req }: Pick<ApiContext, 'req'>, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
