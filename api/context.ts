/** What the middleware learns of a request, step by step. */
import type { ParameterizedContext } from 'koa';
import type { TenantInfo } from '../operations/services.ts';

export interface User {
  readonly id: number;
  readonly username: string;
  readonly roles: readonly string[];
}

export interface ApiState {
  requestId: string;
  tenant?: TenantInfo;
  user?: User;
}

export type ApiContext = ParameterizedContext<ApiState>;
export type Next = () => Promise<unknown>;
