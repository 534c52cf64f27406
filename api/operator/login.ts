/** Logs people in to the operator's page, and out. */
import { inTenant } from '../../db/connection/tenancy.ts';
import { writeAudit, type AuditEntry } from '../../operations/access/audit-log.ts';
import type { TenantInfo } from '../../operations/context/context.ts';
import { noteOperatorLogin } from '../../operations/operator/logins.ts';
import { isSameSecret } from '../../providers/vault.ts';
import { tooManyAttempts, type User } from '../access/credentials.ts';
import { traceOf } from '../access/guard.ts';
import { type FieldName, formHtml, readForm, type ReadForm } from './forms.ts';
import { OPS, type OperatorPlace } from './place.ts';
import {
  answerPage,
  anybody,
  keyOf,
  leadTo,
  type OperatorRequest,
  takenForm,
  type VisitedRequest,
} from './request.ts';
import { hashOf, INSTALLATION, type Session } from './sessions.ts';
import { dropSession, isAdmin, isName, keepSession } from './who.ts';

export const LOGIN_PATH = `${OPS}/login`;
export const LOGOUT_PATH = `${OPS}/logout`;

const FORM = { form: 'login', shown: '' } as const;

const fieldsOf = ({ host }: OperatorRequest): readonly FieldName[] =>
  host.tenant === null ? ['name', 'password'] : ['username', 'password'];

interface Refused {
  readonly read: ReadForm;
  readonly refusal?: { readonly title: string; readonly text: string };
}

export function showLogin(request: OperatorRequest, refused?: Refused): void {
  const { place, ctx, host } = request;
  const html = formHtml({
    names: fieldsOf(request),
    action: LOGIN_PATH,
    key: keyOf(place, anybody(request), FORM),
    submit: 'Log in',
    lead:
      host.tenant === null
        ? 'For the operators of this installation.'
        : `For admins of ${host.tenant.label}: the user name and the password of calls.`,
    ...refused,
  });
  const status = refused === undefined ? 200 : 400;
  answerPage(ctx, status, { title: 'Log in', trail: [], visitor: null, body: html });
}

const REFUSED = {
  title: 'Nobody was logged in',
  // The same for whatever is wrong: nobody learns which users there are, and who is an admin.
  text: 'This name or password is not right, or may not log in here.',
};

export async function takeLogin(request: OperatorRequest): Promise<void> {
  const { place, ctx, host } = request;
  const { fields } = await takenForm(request, anybody(request), FORM);
  const read = readForm(fieldsOf(request), fields);
  const { typed, problems } = read;
  if (problems.length > 0) return showLogin(request, { read });
  const { name, username, password } = typed;
  const session =
    host.tenant === null
      ? await operatorSession(request, name ?? '', password ?? '')
      : await adminSession(request, host.tenant, {
          username: username ?? '',
          password: password ?? '',
        });
  if (session === undefined) return showLogin(request, { read, refusal: REFUSED });
  keepSession(place, ctx, session);
  leadTo(ctx, OPS);
}

/** All names share the limits: each is a guess at the one password. */
const NOBODY = { tenantId: INSTALLATION, username: '' };

async function operatorSession(
  { place, ctx }: OperatorRequest,
  name: string,
  given: string,
): Promise<Session | undefined> {
  const { password, limits, sessions, dependencies } = place;
  const reserved = await limits.reserve({ ...NOBODY, address: ctx.ip });
  if ('waitSeconds' in reserved) throw tooManyAttempts(reserved.waitSeconds);
  const isRight = password !== undefined && isSameSecret(given, password) && isName(name);
  await reserved.end(!isRight);
  const noted = { address: ctx.ip, requestId: ctx.state.requestId, session: null };
  if (password === undefined || !isRight) {
    // Without what was typed as the name, which may be a password.
    await noteOperatorLogin(dependencies.db, { ...noted, outcome: 'refused', name: null });
    return undefined;
  }
  await noteOperatorLogin(dependencies.db, { ...noted, outcome: 'in', name });
  return sessions.begin({ tenantId: INSTALLATION, name, mark: sessions.markOf(password) });
}

interface Typed {
  readonly username: string;
  readonly password: string;
}

async function adminSession(
  { place, ctx }: OperatorRequest,
  tenant: TenantInfo,
  typed: Typed,
): Promise<Session | undefined> {
  const { logins, guard, credentials, sessions } = place;
  const asked = { tenantId: tenant.id, ...typed };
  const user = await logins.login(asked, ctx.ip);
  if (user === undefined || user === 'elsewhere') {
    guard.loginRefused(asked, traceOf(ctx));
    const code = user === 'elsewhere' ? 'auth.network' : 'auth.invalid';
    await guard.refused(tenant.id, { action: 'refused', ...traceOf(ctx), status: 400, code });
    return undefined;
  }
  const by = { userId: user.id, username: user.username };
  if (!isAdmin(user)) {
    const refusal = { ...by, ...traceOf(ctx), status: 400, code: 'auth.role' };
    await guard.refused(tenant.id, { action: 'refused', ...refusal });
    return undefined;
  }
  const stored = await credentials.findUser(tenant.id, user.username);
  if (stored === undefined) return undefined;
  await noteWrite(place, ctx, tenant.id, user);
  const mark = sessions.markOf(stored.passwordHash);
  return sessions.begin({ tenantId: tenant.id, name: user.username, mark });
}

export async function takeLogout(request: VisitedRequest): Promise<void> {
  const { place, ctx, visitor } = request;
  await takenForm(request, visitor, { form: 'logout', shown: '' });
  const { session, tenantId, name, isOperator } = visitor;
  if (session !== null) {
    const noted = { address: isOperator ? ctx.ip : null, requestId: ctx.state.requestId };
    const ended = { ...noted, outcome: 'out', session: hashOf(session) } as const;
    await noteOperatorLogin(place.dependencies.db, { ...ended, name: isOperator ? name : null });
    if (!isOperator) await noteWrite(place, ctx, tenantId, { username: name });
  }
  dropSession(ctx);
  leadTo(ctx, LOGIN_PATH);
}

async function noteWrite(
  { dependencies }: OperatorPlace,
  ctx: OperatorRequest['ctx'],
  tenantId: number,
  { id: userId, username }: Partial<Pick<User, 'id'>> & Pick<User, 'username'>,
): Promise<void> {
  const entry: AuditEntry = { action: 'write', userId, username, ...traceOf(ctx), status: 303 };
  await inTenant(dependencies.db, tenantId, async (tx) => writeAudit(tx, entry));
}
