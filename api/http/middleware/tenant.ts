/** Selects the tenant by the host name, before credentials are read. */
import type { TenantInfo } from '../../../operations/context/context.ts';
import type { ApiContext, Next } from '../context.ts';
import { RequestError } from '../../calls/errors.ts';

/** Finds the tenant of a label; undefined when there is none. */
export type FindTenant = (label: string) => Promise<TenantInfo | undefined>;

export function tenant(
  baseDomain: string,
  findTenant: FindTenant,
): (ctx: ApiContext, next: Next) => Promise<void> {
  return async (ctx, next) => {
    const label = labelOf(ctx.hostname, baseDomain);
    const found = label === undefined ? undefined : await findTenant(label);
    if (found === undefined) {
      throw new RequestError(401, {
        code: 'host.unknown',
        message: `The host name belongs to no tenant; use <tenant>.${baseDomain}`,
      });
    }
    ctx.state.tenant = found;
    await next();
  };
}

/** `demo.localhost` below `localhost` → `demo`; deeper names belong to no tenant. */
export function labelOf(hostname: string, baseDomain: string): string | undefined {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  const suffix = `.${baseDomain}`;
  const label = name.endsWith(suffix) ? name.slice(0, -suffix.length) : '';
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label) ? label : undefined;
}
