/** Cards that were declined: what limits trying out cards. */
import { DomainError } from '../../domain/errors.ts';
import { pruneOldest } from '../../db/queries/context/prune.ts';
import type { OperationContext } from '../context/context.ts';
import { insertingOne } from '../../db/queries/context/insertion.ts';
import { CardDecline } from '../../db/entities/hosted-pages.ts';

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
  // A limit is reached if there are as many; then it ends with the last of these, the newest first.
  const [found] = await tx.query<{ ofNetwork: Date | null; ofCustomer: Date | null }>(
    `select (select declined_at from card_decline
             where tenant_id = $1 and network = $2 and declined_at > $3
             order by declined_at desc offset ${PER_NETWORK_AND_HOUR_MAX - 1} limit 1) as of_network,
            (select declined_at from card_decline
             where tenant_id = $1 and customer_id = $4 and declined_at > $5
             order by declined_at desc offset ${PER_CUSTOMER_AND_DAY_MAX - 1} limit 1)
               as of_customer`,
    [tx.tenantId, network, new Date(now - HOUR_MS), customerId, new Date(now - DAY_MS)],
    'count-declines',
  );
  const { ofNetwork = null, ofCustomer = null } = found ?? {};
  const waitMs = Math.max(
    ofNetwork === null ? 0 : ofNetwork.getTime() + HOUR_MS - now,
    ofCustomer === null ? 0 : ofCustomer.getTime() + DAY_MS - now,
  );
  if (waitMs > 0) throw new TooManyDeclines(Math.ceil(waitMs / 1_000));
}

export class TooManyDeclines extends DomainError {
  /** Until a card is taken again. */
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('card.tooManyDeclines', 'too many cards were declined; try again later');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Deletes some that no limit counts any more. */
const insertDecline = insertingOne('note-decline', {
  into: CardDecline,
  columns: ['network', 'customerId', 'declinedAt'],
});

export function noteDecline(
  { tx, realNow }: Pick<OperationContext, 'tx' | 'realNow'>,
  { network, customerId }: CardUser,
): void {
  const until = new Date(realNow.getTime() - DAY_MS);
  pruneOldest(tx, { table: 'card_decline', key: 'id', at: 'declined_at', until, max: PRUNED_MAX });
  insertDecline(tx, { network, customerId, declinedAt: realNow });
}
