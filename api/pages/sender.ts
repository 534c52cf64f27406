/** Whose pages these are: the tenant's name, and its logo. */
import type { TenantInfo } from '../../operations/context/context.ts';

export interface Sender {
  /** The name of the tenant. */
  readonly sender: string;
  /** A path of this host; null without one. */
  readonly logo: string | null;
}

export const LOGO_PATH = '/logo';

/** @example senderOf(demo).logo // '/logo?v=1795734000123' */
export const senderOf = ({ name, logoVersion }: TenantInfo): Sender => ({
  sender: name,
  logo: logoVersion === null ? null : `${LOGO_PATH}?v=${logoVersion}`,
});
