/** A click in a session of hosted self-service: which session its token names, and its new end. */
import type { Tx } from '../../db/connection/tenancy.ts';
import type { SelfServiceSession } from '../../db/entities/hosted-pages.ts';
import type { RowOf } from '../../db/entities/rows.ts';
import { sessionEnd, sessionState, type SessionTimes } from '../../domain/self-service/session.ts';
import type { Switches } from '../../domain/self-service/switches.ts';
import type { OperationContext } from '../context/context.ts';

export interface Session
  extends
    Switches,
    SessionTimes,
    RowOf<typeof SelfServiceSession, 'id' | 'customerId' | 'loginUrl'> {
  /** An absolute address, or a path of this host. */
  readonly cssUrl: string;
}

export type Clicked =
  | { readonly is: 'open'; readonly session: Session }
  | { readonly is: 'ended'; readonly loginUrl: string }
  /** There is no such session, or it ended more than a day ago. */
  | { readonly is: 'gone' }
  /** Its customer is. */
  | { readonly is: 'erased' };

export interface Click {
  readonly tokenHash: Buffer;
  /** In real time. */
  readonly now: Date;
  /** A page that loads itself again is none: else idle pages would keep each other open. */
  readonly isByPerson: boolean;
}

export async function clickSession(
  tx: Tx,
  { tokenHash, now, isByPerson }: Click,
): Promise<Clicked> {
  const [found] = await tx.query<Session & { isErased: boolean } & Record<string, unknown>>(
    `select s.id, customer_id, css_url, login_url,
       ${switchColumns}, started_at, expires_at,
       ended_at, c.erased_on is not null as is_erased
     from self_service_session s
     join customer c on c.tenant_id = s.tenant_id and c.id = s.customer_id
     where s.tenant_id = $1 and token_hash = $2`,
    [tx.tenantId, tokenHash],
    'session-by-token',
  );
  if (found === undefined) return { is: 'gone' };
  const { isErased, ...session } = found;
  if (isErased) return { is: 'erased' };
  const { id, loginUrl, startedAt } = session;
  const is = sessionState(session, now);
  if (is !== 'open') return { is, loginUrl };
  if (!isByPerson) return { is, session };
  const expiresAt = sessionEnd(startedAt, now);
  // Of two clicks at once the later one counts.
  tx.send(
    `update self_service_session set expires_at = $3
     where tenant_id = $1 and id = $2 and expires_at < $3`,
    [tx.tenantId, id, expiresAt],
    'move-session-end',
  );
  return { is, session: { ...session, expiresAt } };
}

/** The session takes forms until its end, also one that a form meets amid its work. */
export async function refuseEnded(
  { tx, realNow }: Pick<OperationContext, 'tx' | 'realNow'>,
  { id, loginUrl }: Pick<Session, 'id' | 'loginUrl'>,
): Promise<void> {
  const [open] = await tx.query(
    `select from self_service_session
     where tenant_id = $1 and id = $2 and ended_at is null and expires_at > $3`,
    [tx.tenantId, id, realNow],
    'session-open',
  );
  if (open === undefined) throw new SessionEnded(loginUrl);
}

export class SessionEnded extends Error {
  readonly loginUrl: string;

  constructor(loginUrl: string) {
    super('the session of self-service has ended');
    this.loginUrl = loginUrl;
  }
}

/** Nothing is shown and no form is taken from now on. */
export function endSession(
  { tx, realNow }: Pick<OperationContext, 'tx' | 'realNow'>,
  { id }: Pick<Session, 'id'>,
): void {
  tx.send(
    `update self_service_session set ended_at = $3
     where tenant_id = $1 and id = $2 and ended_at is null`,
    [tx.tenantId, id, realNow],
    'end-session',
  );
}

/** The switches of a session or of a profile, as their tables have them. */
export const switchColumns = `show_navigation_bar,
  show_statements, show_payments,
  allow_payments, allow_profile_edit,
  edit_order_options, pdf_mode`;
