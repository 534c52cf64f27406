/** A visit of the page of a pay link: the invoice that its token names. */
import type { Tx } from '../../../db/connection/tenancy.ts';
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import { DEFAULT_STYLESHEET } from '../../../domain/hosted-pages/address.ts';
import { localeOf } from '../../../domain/invoices/formats.ts';
import type { Switches } from '../../../domain/self-service/switches.ts';
import { tenantTimeOf } from '../../../operations/context/context.ts';
import { findPayLink, type LinkedInvoice } from '../../../operations/pay-links/links.ts';
import { switchesOfLinks } from '../../../operations/pay-links/page.ts';
import { readAccount } from '../../../operations/self-service/account.ts';
import type { LinkPayer } from '../../../operations/self-service/card-limits.ts';
import { networkOf } from '../../access/login-limits.ts';
import type { ShownPage } from '../../calls/answer.ts';
import { tokenOf, unknownPage } from '../../calls/page-route.ts';
import { readingMore, type RouteDependencies } from '../../calls/services.ts';
import { renderNotice } from '../../pages/notice.ts';
import { senderOf } from '../../pages/sender.ts';
import type { PageView } from '../../pages/view.ts';
import type { AskedPage } from '../page-writes.ts';
import { doorPage, doorView, LOGIN_PATH } from '../self-service/login/door.ts';

export interface LinkVisit {
  readonly dependencies: RouteDependencies;
  readonly call: AskedPage;
  readonly linked: LinkedInvoice;
  readonly payer: LinkPayer;
  /** Those of the profile DEFAULT. */
  readonly switches: Switches;
  /** As the customer has it. */
  readonly locale: string;
  /** The tenant's. */
  readonly today: IsoDate;
  /** In real time, as links are. */
  readonly now: Date;
}

/** A link that is over has a page of its own: 410. Throws 404 `page.unknown` for any other. */
export async function linkVisitOf(
  dependencies: RouteDependencies,
  call: AskedPage,
): Promise<LinkVisit | ShownPage> {
  const token = tokenOf(call);
  if (!/^[\w-]{43}$/.test(token)) throw unknownPage();
  const now = new Date(dependencies.realNow());
  const read = await readingMore(dependencies, call.tenant, async (tx) => {
    const linked = await findPayLink(tx, { token, now });
    if (linked === undefined) throw unknownPage();
    return linked === null ? null : readOwner({ dependencies, call }, tx, linked);
  });
  if (read === null) return overPage(call);
  const { invoiceId } = read.linked;
  const payer = { network: networkOf(call.address), customerId: null, invoiceId };
  return { dependencies, call, payer, now, ...read };
}

async function readOwner(
  { dependencies, call }: Pick<LinkVisit, 'dependencies' | 'call'>,
  tx: Tx,
  linked: LinkedInvoice,
): Promise<Pick<LinkVisit, 'linked' | 'switches' | 'locale' | 'today'>> {
  const [account, switches, { today }] = await Promise.all([
    readAccount(tx, linked.customerId),
    switchesOfLinks(tx),
    tenantTimeOf(dependencies, call.tenant, tx, 'none'),
  ]);
  if (account === undefined) throw unknownPage();
  return { linked, switches, locale: localeOf(account.locale, account.countryCode), today };
}

/** In the language of the browser: it says nothing of the customer. */
function overPage(call: AskedPage): ShownPage {
  const html = renderNotice({ ...doorView(call), key: 'payLinkOver', link: LOGIN_PATH });
  return doorPage(410, html);
}

export const linkView = ({ call, locale }: LinkVisit): PageView => ({
  locale,
  ...senderOf(call.tenant),
  cssUrl: DEFAULT_STYLESHEET,
});
