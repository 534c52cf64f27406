/** The state of a request that the middleware fills in step by step. */
import type { ParameterizedContext } from 'koa';
import type { TenantInfo } from '../../operations/context/context.ts';
import type { MissedId, RequestError } from '../calls/errors.ts';

export interface User {
  readonly id: number;
  readonly username: string;
  readonly roles: readonly string[];
}

export interface ApiState {
  requestId: string;
  /** Unknown ids in a call that succeeded. */
  missed: MissedId[];
  tenant?: TenantInfo;
  /** The codes of the errors of a refused call. */
  codes?: readonly string[];
  /** The user name that the caller sent, before it is verified. */
  login?: string;
  user?: User;
  /** How long a heavy call waited for its turn. */
  waitedMs?: number;
  /** What the call was refused with. */
  refusal?: RequestError;
}

export type ApiContext = ParameterizedContext<ApiState>;
export type Next = () => Promise<unknown>;
