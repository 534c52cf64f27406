/** Finds who looks at the operator's page: by the cookie of a session, or by the proxy's header. */
import { isWithin } from '../../operations/access/networks.ts';
import { isSessionEnded } from '../../operations/operator/logins.ts';
import type { TenantInfo } from '../../operations/context/context.ts';
import { neededRights } from '../../domain/access/rights.ts';
import { API_ROLE } from '../access/authentication.ts';
import type { StoredUser } from '../access/credentials.ts';
import { RequestError } from '../calls/errors.ts';
import { type ApiContext, headerOf } from '../http/context.ts';
import type { OperatorPlace, Visitor } from './place.ts';
import { hashOf, INSTALLATION, type Session } from './sessions.ts';

/** Browsers give a name that begins so back to this host alone, and over TLS alone (RFC 6265bis). */
const cookieName = (ctx: ApiContext): string => (ctx.secure ? '__Host-sundial-ops' : 'sundial-ops');

const cookieOf = (ctx: ApiContext) =>
  // Lax: a link from elsewhere opens a page, which changes nothing; a form from elsewhere has no cookie.
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: ctx.secure, overwrite: true }) as const;

export function keepSession(place: OperatorPlace, ctx: ApiContext, session: Session): void {
  ctx.cookies.set(cookieName(ctx), place.sessions.write(session), cookieOf(ctx));
}

export const dropSession = (ctx: ApiContext): void =>
  void ctx.cookies.set(cookieName(ctx), null, cookieOf(ctx));

/** @param tenant that of the host; null: the page is of all tenants. Undefined: nobody has logged in. */
export async function visitorOf(
  place: OperatorPlace,
  ctx: ApiContext,
  tenant: TenantInfo | null,
): Promise<Visitor | undefined> {
  if (tenant === null && place.header !== undefined) return namedByProxy(ctx, place.header);
  const session = place.sessions.read(ctx.cookies.get(cookieName(ctx)) ?? '');
  if (session === undefined || session.tenantId !== (tenant?.id ?? INSTALLATION)) return undefined;
  const [isEnded, visitor] = await Promise.all([
    isSessionEnded(place.dependencies.db, hashOf(session)),
    tenant === null ? operatorOf(place, session) : adminOf(place, ctx, session),
  ]);
  return isEnded ? undefined : visitor;
}

const NAME_LENGTH_MAX = 100;

export const isName = (name: string): boolean =>
  name.length <= NAME_LENGTH_MAX && /^[^\p{Cc}\p{Cs}]+$/u.test(name) && name.trim() === name;

function namedByProxy(ctx: ApiContext, header: string): Visitor {
  const name = headerOf(ctx, header)?.trim() ?? '';
  if (isName(name)) return { ...theOperator(name), token: `proxy ${name}`, session: null };
  const message = 'The proxy did not say who has logged in there';
  throw new RequestError(401, { code: 'auth.required', message });
}

function operatorOf({ password, sessions }: OperatorPlace, session: Session): Visitor | undefined {
  if (password === undefined || session.mark !== sessions.markOf(password)) return undefined;
  return { ...theOperator(session.name), token: session.id, session };
}

const theOperator = (name: string) => ({
  name,
  by: `operator ${name}`,
  isOperator: true,
  granted: neededRights,
  tenantId: INSTALLATION,
});

/** The user as it is now: a right that was taken, or a suspension, ends the session. */
async function adminOf(
  { credentials, sessions }: OperatorPlace,
  ctx: ApiContext,
  session: Session,
): Promise<Visitor | undefined> {
  const { tenantId, name } = session;
  const user = await credentials.findUser(tenantId, name);
  if (user === undefined || !isAdmin(user) || user.isBarred) return undefined;
  if (session.mark !== sessions.markOf(user.passwordHash)) return undefined;
  const networks = user.allowedNetworks ?? null;
  if (networks !== null && !isWithin(networks, ctx.ip)) return undefined;
  const { granted } = user;
  return { name, by: name, isOperator: false, granted, tenantId, token: session.id, session };
}

export const isAdmin = ({ roles, granted }: Pick<StoredUser, 'roles' | 'granted'>): boolean =>
  roles.includes(API_ROLE) && granted.includes('admin');
