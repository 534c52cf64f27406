/** What the middleware learns of a request, step by step. */
import type { ParameterizedContext } from 'koa';
import type { TenantInfo } from '../../operations/context/context.ts';
import type { MissedId } from '../calls/errors.ts';

export interface User {
  readonly id: number;
  readonly username: string;
  readonly roles: readonly string[];
}

export interface ApiState {
  requestId: string;
  /** Ids that named nothing, though the call went well. */
  missed: MissedId[];
  tenant?: TenantInfo;
  /** The name that the caller gave, before it is known to be right. */
  login?: string;
  user?: User;
}

export type ApiContext = ParameterizedContext<ApiState>;
export type Next = () => Promise<unknown>;
