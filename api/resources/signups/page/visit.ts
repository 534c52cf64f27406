/** A visit of a sign-up's page: the signup that its token names, and what the browser says. */
import { localeOf } from '../../../../domain/invoices/formats.ts';
import type { IsoDate } from '../../../../domain/calendar/calendar.ts';
import { tenantTimeOf, type OperationContext } from '../../../../operations/context/context.ts';
import { pageTokenHash } from '../../../../operations/hosted-pages/tokens.ts';
import { readSignup, type SignupRow } from '../../../../operations/signups/signup-row.ts';
import { gonePage, tokenOf, unknownPage } from '../../../calls/page-route.ts';
import { readingMore, type RouteDependencies } from '../../../calls/services.ts';
import { keptLocale } from '../../../pages/language.ts';
import { senderOf } from '../../../pages/sender.ts';
import type { PageView } from '../../../pages/view.ts';
import { pageWrite, type AskedPage, type PageWriteOptions } from '../../page-writes.ts';

export interface Visit {
  readonly dependencies: RouteDependencies;
  readonly call: AskedPage;
  readonly row: SignupRow;
  readonly tokenHash: Buffer;
  /** The tenant's. */
  readonly today: IsoDate;
  /** In real time, as links and their ends are. */
  readonly now: Date;
}

/** Throws 404 `page.unknown`, 410 `page.gone`. */
export function visitOf(dependencies: RouteDependencies, call: AskedPage): Promise<Visit> {
  const token = tokenOf(call);
  if (!/^[\w-]{43}$/.test(token)) throw unknownPage();
  const tokenHash = pageTokenHash(token);
  return readingMore(dependencies, call.tenant, async (tx) => {
    const [row, { today }] = await Promise.all([
      readSignup(tx, { tokenHash }),
      tenantTimeOf(dependencies, call.tenant, tx, 'none'),
    ]);
    if (row === undefined) throw unknownPage();
    // Its addresses were emptied with its customer.
    if (row.successUrl === '') throw gonePage();
    return { dependencies, call, row, tokenHash, today, now: new Date(dependencies.realNow()) };
  });
}

export function pageView({ call, row }: Visit): PageView {
  const locale = localeOf(localeToKeep(call, row), null);
  return { locale, ...senderOf(call.tenant), cssUrl: row.cssUrl };
}

export function localeToKeep(
  { locale }: AskedPage,
  { country }: Pick<SignupRow, 'country'>,
): string {
  return keptLocale(locale, country?.toUpperCase() ?? null);
}

/** What the framework has to know of every page of a sign-up. */
export const addressesOf = ({ cssUrl, successUrl, failUrl }: SignupRow) => ({
  cssUrl,
  leadsTo: [successUrl, failUrl],
});

/** One transaction of a form, with its entry in the audit log. */
export const storing = <Result>(
  { dependencies, call }: Visit,
  operation: (context: OperationContext) => Promise<Result>,
  options: PageWriteOptions = {},
): Promise<Result> => pageWrite(dependencies, call, operation, options);
