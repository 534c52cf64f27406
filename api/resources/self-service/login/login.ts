/** The login of customers: a user name and a password of a contact begin a session. */
import { hashInTurn } from '../../../../operations/access/hash-turns.ts';
import { writeAudit } from '../../../../operations/access/audit-log.ts';
import { DEFAULT_STYLESHEET } from '../../../../domain/hosted-pages/address.ts';
import { inTenant } from '../../../../db/connection/tenancy.ts';
import {
  findContactLogin,
  findPayableInvoice,
  logIn,
  passwordMark,
} from '../../../../operations/self-service/login.ts';
import { useForm } from '../../../../operations/hosted-pages/forms.ts';
import { hasResets, requestResets } from '../../../../operations/self-service/password-reset.ts';
import { type ContactLogins, LinkNeeded } from '../../../access/contact-logins.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import { formRoute, pageRoute } from '../../../calls/page-route.ts';
import type { Route } from '../../../calls/route-types.ts';
import { type RouteDependencies, readingMore } from '../../../calls/services.ts';
import { tenantOrigin } from '../../../calls/tenant-address.ts';
import { noting, readFields } from '../../../pages/form.ts';
import { shownAgain } from '../../../pages/typed-text.ts';
import { type PageProblem, formProblem } from '../../../pages/view.ts';
import { type AskedPage, pageForm, pageWrite } from '../../page-writes.ts';
import { doorPage, doorView, LOGIN_PATH, loginFields, RESET_REQUEST_PATH } from './door.ts';
import { renderLogin, renderResetRequested } from './render.ts';

const FORM = 'login';

export function loginRoutes(dependencies: RouteDependencies, logins: ContactLogins): Route[] {
  return [
    pageRoute({
      path: LOGIN_PATH,
      handler: (call) => showLogin(dependencies, call),
    }),
    formRoute(dependencies.formKeys, {
      path: LOGIN_PATH,
      forms: [FORM],
      needsOrigin: true,
      async handler(call) {
        const { id, fields } = await call.form();
        const { problems, refuse } = noting();
        const { username, password } = readFields(loginFields, fields, { refuse });
        const typed = { username: username ?? '', password: password ?? '' };
        if (problems.length > 0) return showLogin(dependencies, call, { problems, ...typed });
        let token: string | undefined;
        try {
          token = await tokenFor({ dependencies, logins, call }, typed);
        } catch (error) {
          if (!(error instanceof LinkNeeded)) throw error;
          await noteRefused(dependencies, call, 403);
          return mailLink(dependencies, call, { formKey: id, username: typed.username });
        }
        if (token !== undefined) return { to: await firstPageOf(dependencies, call, token) };
        await noteRefused(dependencies, call, 400);
        const refused = [formProblem('login.refused')];
        return showLogin(dependencies, call, { problems: refused, ...typed });
      },
    }),
  ];
}

/** The invoice whose page led to the login; null without one. */
function invoiceOf({ parameters }: AskedPage): number | null {
  const text = [parameters['invoice']].flat()[0] ?? '';
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

/** An invoice of the customer who logs in is paid; that of anybody else leads home, as no invoice does. */
async function firstPageOf(
  dependencies: RouteDependencies,
  call: AskedPage,
  token: string,
): Promise<string> {
  const home = `/widget/customerHome/${token}`;
  const invoiceId = invoiceOf(call);
  if (invoiceId === null) return home;
  const payable = await readingMore(dependencies, call.tenant, (tx) =>
    findPayableInvoice(tx, { token, invoiceId }),
  );
  if (payable === undefined) return home;
  return `${home}/pay?currency=${payable.currency}&invoice=${invoiceId}`;
}

interface Refused {
  readonly problems: readonly PageProblem[];
  readonly username: string;
}

async function showLogin(
  dependencies: RouteDependencies,
  call: AskedPage,
  { problems, username }: Refused = { problems: [], username: '' },
): Promise<PageAnswer> {
  const resets = await readingMore(dependencies, call.tenant, hasResets);
  const html = renderLogin({
    ...doorView(call),
    form: pageForm(dependencies, call, { form: FORM, problems, action: loginPath(call) }),
    username: shownAgain(username),
    wasReset: problems.length === 0 && call.parameters['reset'] === 'done',
    resetAddress: resets ? RESET_REQUEST_PATH : null,
  });
  return doorPage(problems.length === 0 ? 200 : 400, html);
}

function loginPath(call: AskedPage): string {
  const invoiceId = invoiceOf(call);
  return invoiceId === null ? LOGIN_PATH : `${LOGIN_PATH}?invoice=${invoiceId}`;
}

interface Attempt {
  readonly dependencies: RouteDependencies;
  readonly logins: ContactLogins;
  readonly call: AskedPage;
}

interface Typed {
  readonly username: string;
  readonly password: string;
}

/** A waiting password may be hashed while it is verified, which changes how it is stored. */
const TRIES_MAX = 2;

/** The password was changed, or stored in another way, since it was verified. */
const CHANGED = Symbol('changed');

/** Undefined for whatever is wrong: nobody learns which user names there are. */
async function tokenFor(attempt: Attempt, typed: Typed): Promise<string | undefined> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const token = await tryLogin(attempt, typed);
    if (token !== CHANGED) return token;
  }
  return undefined;
}

async function tryLogin(
  { dependencies, logins, call }: Attempt,
  { username: login, password }: Typed,
): Promise<string | typeof CHANGED | undefined> {
  const { tenant, address, stepOut } = call;
  const credentials = { tenantId: tenant.id, username: login, password };
  const user = await stepOut(() => logins.login(credentials, address));
  if (user?.mark === undefined) return undefined;
  const { mark } = user;
  const stored = await readingMore(dependencies, tenant, (tx) => findContactLogin(tx, login));
  if (stored === undefined || passwordMark(stored) !== mark) return CHANGED;
  const { contactId, sealed } = stored;
  const { hashCost } = dependencies;
  const hashed =
    sealed === null
      ? null
      : {
          contactId,
          sealed,
          hash: await stepOut(() => hashInTurn(password, { hashCost, tenant })),
        };
  const loginUrl = `${tenantOrigin(dependencies, tenant.label)}${LOGIN_PATH}`;
  const verified = { login, mark, hashed, loginUrl, cssUrl: DEFAULT_STYLESHEET };
  const token = await pageWrite(dependencies, call, (context) => logIn(context, verified), {
    username: login,
  });
  return token ?? CHANGED;
}

/** The same whether there is such a user: a link for a new password, which is known to work from here. */
async function mailLink(
  dependencies: RouteDependencies,
  call: AskedPage,
  { formKey, username }: { readonly formKey: string; readonly username: string },
): Promise<PageAnswer> {
  await pageWrite(dependencies, call, async (context) => {
    if (await useForm(context, formKey)) await requestResets(context, username, 'name');
  });
  const view = { ...doorView(call), loginAddress: LOGIN_PATH, isGuarded: true };
  return doorPage(403, renderResetRequested(view));
}

/** Without what was typed as the user name, which may be a password. */
async function noteRefused(
  { db }: RouteDependencies,
  { tenant, pattern, address, requestId }: AskedPage,
  status: 400 | 403,
): Promise<void> {
  await inTenant(db, tenant.id, async (tx) =>
    writeAudit(tx, {
      action: 'refused',
      method: 'POST',
      path: pattern,
      status,
      code: 'auth.invalid',
      address,
      requestId,
    }),
  );
}
