/** A visit of a page of self-service: the session that its token names, and whose account it is. */
import { localeOf } from '../../../../domain/invoices/formats.ts';
import type { IsoDate } from '../../../../domain/calendar/calendar.ts';
import { reloadSeconds } from '../../../../domain/self-service/session.ts';
import { inTenant } from '../../../../db/connection/tenancy.ts';
import { tenantTimeOf, type OperationContext } from '../../../../operations/context/context.ts';
import { pageTokenHash } from '../../../../operations/hosted-pages/tokens.ts';
import { readAccount, type Account } from '../../../../operations/self-service/account.ts';
import {
  clickSession,
  refuseEnded,
  type Session,
} from '../../../../operations/self-service/click.ts';
import type { LedElsewhere, ShownPage } from '../../../calls/answer.ts';
import { gonePage, tokenOf, unknownPage } from '../../../calls/page-route.ts';
import type { RouteDependencies } from '../../../calls/services.ts';
import { asciiAddress } from '../../../pages/redirect.ts';
import { senderOf } from '../../../pages/sender.ts';
import type { FormView } from '../../../pages/view.ts';
import {
  pageWrite,
  type AskedPage,
  type PageWriteOptions,
  pageForm,
  pageFormKey,
  type FormOptions,
} from '../../page-writes.ts';
import type { AccountView } from './account.ts';
import { RELOAD_MARK } from './reload-mark.ts';

export interface Visit {
  readonly dependencies: RouteDependencies;
  readonly call: AskedPage;
  readonly session: Session;
  readonly account: Account;
  /** The path of the first page; the parts are below it. */
  readonly home: string;
  /** The tenant's. */
  readonly today: IsoDate;
  /** In real time, as sessions are. */
  readonly now: Date;
}

const HOME = '/widget/customerHome/';

/**
 * Without an open session there is no visit: an ended one leads to the login for a day. Throws 404
 * `page.unknown` for any other, and 410 `page.gone` for that of an erased customer.
 */
export async function visitOf(
  dependencies: RouteDependencies,
  call: AskedPage,
): Promise<Visit | LedElsewhere> {
  const token = tokenOf(call);
  if (!/^[\w-]{43}$/.test(token)) throw unknownPage();
  const tokenHash = pageTokenHash(token);
  const now = new Date(dependencies.realNow());
  const isByPerson = call.parameters[RELOAD_MARK] === undefined;
  return inTenant(dependencies.db, call.tenant.id, async (tx) => {
    const clicked = await clickSession(tx, { tokenHash, now, isByPerson });
    if (clicked.is === 'gone') throw unknownPage();
    if (clicked.is === 'erased') throw gonePage();
    if (clicked.is === 'ended') return loginOf(clicked);
    const { session } = clicked;
    const [account, { today }] = await Promise.all([
      readAccount(tx, session.customerId),
      tenantTimeOf(dependencies, call.tenant, tx, 'none'),
    ]);
    if (account === undefined) throw unknownPage();
    return { dependencies, call, session, account, home: `${HOME}${token}`, today, now };
  });
}

export const loginOf = ({ loginUrl }: Pick<Session, 'loginUrl'>): LedElsewhere => ({
  to: asciiAddress(loginUrl),
});

/** What the pages of the visit have in common. */
export function accountView(visit: Visit): AccountView {
  const { dependencies, call, session, account, home, now } = visit;
  return {
    locale: localeOf(account.locale, account.countryCode),
    ...senderOf(call.tenant),
    cssUrl: session.cssUrl,
    home,
    name: account.name,
    switches: session,
    logOutKey: pageFormKey(dependencies, call, { form: 'logout' }),
    address: addressOf(call),
    reloadSeconds: reloadSeconds(session.expiresAt, now),
  };
}

/** The path with what selects the content of the page. */
function addressOf({ path, parameters }: AskedPage): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    name === RELOAD_MARK ? [] : [value ?? []].flat().map((each) => [name, each]),
  );
  if (given.length === 0) return path;
  return `${path}?${new URLSearchParams(given).toString()}`;
}

/** A parameter of the query; of several with the name the first. */
export const parameterOf = ({ call }: Pick<Visit, 'call'>, name: string): string | undefined =>
  [call.parameters[name]].flat()[0];

/** A page that is shown, whose form may lead to the login. */
export const shown = ({ session }: Visit, status: number, html: string): ShownPage => ({
  status,
  html,
  cssUrl: session.cssUrl,
  leadsTo: [session.loginUrl],
});

/** A form of the page, which is posted to the page's own path unless `action` names another. */
export const formView = ({ dependencies, call }: Visit, form: FormOptions): FormView =>
  pageForm(dependencies, call, form);

/** One transaction of a form, with its entry in the audit log; nothing of it after the session's end. */
export function storing<Result>(
  { dependencies, call, session }: Visit,
  operation: (context: OperationContext) => Promise<Result>,
  options: PageWriteOptions = {},
): Promise<Result> {
  return pageWrite(
    dependencies,
    call,
    async (context) => {
      await refuseEnded(context, session);
      return operation(context);
    },
    options,
  );
}
