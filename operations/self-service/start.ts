/** Starts a session of hosted self-service: its row, and the secret of its pages. */
import { goneBefore, sessionEnd } from '../../domain/self-service/session.ts';
import type { Switches } from '../../domain/self-service/switches.ts';
import { pruneOldest } from '../../db/queries/context/prune.ts';
import type { OperationContext } from '../context/context.ts';
import { findCustomer, type CustomerAddress } from '../context/locks.ts';
import { newPageToken } from '../hosted-pages/tokens.ts';

export interface SessionInput {
  readonly customer: CustomerAddress;
  readonly cssUrl: string;
  readonly loginUrl: string;
  readonly switches: Switches;
}

/** For each session that is started. */
const PRUNED_MAX = 10;

/**
 * Returns the last part of the pages' addresses, of which only the hash is stored. Throws
 * customer.unknown.
 */
export async function startSession(
  { tx, realNow }: Pick<OperationContext, 'tx' | 'realNow'>,
  { customer, cssUrl, loginUrl, switches }: SessionInput,
): Promise<string> {
  const until = goneBefore(realNow);
  pruneOldest(tx, {
    table: 'self_service_session',
    key: 'id',
    at: 'expires_at',
    until,
    max: PRUNED_MAX,
  });
  const { token, hash } = newPageToken();
  const { id } = await findCustomer(tx, customer);
  // The insert waits for a deletion of the customer that is under way, and for nothing else.
  const inserted = await tx.query(
    `insert into self_service_session (tenant_id, token_hash, customer_id, css_url, login_url,
       show_navigation_bar, show_statements, show_payments, allow_payments, allow_profile_edit,
       edit_order_options, pdf_mode, started_at, expires_at)
     select tenant_id, $3, id, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14
     from customer where tenant_id = $1 and id = $2 for key share
     returning 1`,
    [
      tx.tenantId,
      id,
      hash,
      cssUrl,
      loginUrl,
      switches.showNavigationBar,
      switches.showStatements,
      switches.showPayments,
      switches.allowPayments,
      switches.allowProfileEdit,
      switches.editOrderOptions,
      switches.pdfMode,
      realNow,
      sessionEnd(realNow, realNow),
    ],
    'start-session',
  );
  if (inserted.length > 0) return token;
  await findCustomer(tx, customer);
  throw new Error('a session was not inserted');
}
