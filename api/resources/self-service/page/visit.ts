/** A visit of a self-service page: the session that its token names, whose end each click moves. */
import { inTenant } from '../../../../db/connection/tenancy.ts';
import type { Tx } from '../../../../db/connection/tenancy.ts';
import { pageTokenHash } from '../../../../operations/hosted-pages/tokens.ts';
import { clickSession } from '../../../../operations/self-service/click.ts';
import type { Session } from '../../../../operations/self-service/click.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import { tokenOf, unknownPage } from '../../../calls/page-route.ts';
import type { PageCall } from '../../../calls/route-types.ts';
import type { RouteDependencies } from '../../../calls/services.ts';
import { asciiAddress } from '../../../pages/redirect.ts';

type AskedPage = Omit<PageCall<unknown>, 'body'>;

/**
 * Shows a page in the transaction of the click. Without an open session nothing is shown: an ended
 * one leads to the login for a day, and any other is 404 `page.unknown`.
 */
export async function inSession(
  { db, realNow }: RouteDependencies,
  call: AskedPage,
  show: (tx: Tx, session: Session) => Promise<PageAnswer>,
): Promise<PageAnswer> {
  const token = tokenOf(call);
  if (!/^[\w-]{43}$/.test(token)) throw unknownPage();
  const tokenHash = pageTokenHash(token);
  return inTenant(db, call.tenant.id, async (tx) => {
    const clicked = await clickSession(tx, tokenHash, new Date(realNow()));
    if (clicked.is === 'gone') throw unknownPage();
    if (clicked.is === 'ended') return { to: asciiAddress(clicked.loginUrl) };
    return show(tx, clicked.session);
  });
}
