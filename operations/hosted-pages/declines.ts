/** Cards that were declined: what limits trying out cards. */
import { DomainError } from '../../domain/errors.ts';
import { pruneOldest } from '../../db/queries/context/prune.ts';
import type { OperationContext } from '../context/context.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PER_NETWORK_AND_HOUR_MAX = 20;
const PER_CUSTOMER_AND_DAY_MAX = 10;
/** For each new one. */
const PRUNED_MAX = 100;

/** Who tries a card. */
export interface CardUser {
  readonly network: string;
  /** Whose session it is; null for a sign-up, which may name a customer that it is not. */
  readonly customerId: number | null;
}

/** Throws card.tooManyDeclines; a third limit, of a session or a sign-up, is its own. */
export async function refuseTooManyDeclines(
  { tx, realNow }: Pick<OperationContext, 'tx' | 'realNow'>,
  { network, customerId }: CardUser,
): Promise<void> {
  const now = realNow.getTime();
  const [found] = await tx.query<{ ofNetwork: number; ofCustomer: number }>(
    `select (select count(*)::int from card_decline
             where tenant_id = $1 and network = $2 and declined_at > $3) as "ofNetwork",
            (select count(*)::int from card_decline
             where tenant_id = $1 and customer_id = $4 and declined_at > $5) as "ofCustomer"`,
    [tx.tenantId, network, new Date(now - HOUR_MS), customerId, new Date(now - DAY_MS)],
    'count-declines',
  );
  const { ofNetwork = 0, ofCustomer = 0 } = found ?? {};
  if (ofNetwork < PER_NETWORK_AND_HOUR_MAX && ofCustomer < PER_CUSTOMER_AND_DAY_MAX) return;
  throw new DomainError('card.tooManyDeclines', 'too many cards were declined; try again later');
}

/** Deletes some that no limit counts any more. */
export function noteDecline(
  { tx, realNow }: Pick<OperationContext, 'tx' | 'realNow'>,
  { network, customerId }: CardUser,
): void {
  const until = new Date(realNow.getTime() - DAY_MS);
  pruneOldest(tx, { table: 'card_decline', key: 'id', at: 'declined_at', until, max: PRUNED_MAX });
  tx.send(
    `insert into card_decline (tenant_id, network, customer_id, declined_at)
     values ($1, $2, $3, $4)`,
    [tx.tenantId, network, customerId, realNow],
    'note-decline',
  );
}
