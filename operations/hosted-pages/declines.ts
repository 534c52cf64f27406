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
const PER_INVOICE_AND_HOUR_MAX = 3;
const PER_INVOICE_AND_DAY_MAX = 10;
/** For each new one. */
const PRUNED_MAX = 100;

/** Who tries a card. */
export interface CardUser {
  readonly network: string;
  /**
   * Whose session it is; null for a sign-up, which may name a customer that it is not, and for a pay
   * link, which anybody may have.
   */
  readonly customerId: number | null;
  /** Whose pay link it is; over all its links. */
  readonly invoiceId?: number | null;
}

/** Throws card.tooManyDeclines; a third limit, of a session or a sign-up, is its own. */
export async function refuseTooManyDeclines(
  { tx, realNow }: Pick<OperationContext, 'tx' | 'realNow'>,
  { network, customerId, invoiceId = null }: CardUser,
): Promise<void> {
  const now = realNow.getTime();
  // A limit is reached if there are as many; then it ends with the last of these, the newest first.
  const [found] = await tx.query<Reached & Record<string, unknown>>(
    `select ${reached('network = $2', 'hour', PER_NETWORK_AND_HOUR_MAX)} as of_network,
       ${reached('customer_id = $4', 'day', PER_CUSTOMER_AND_DAY_MAX)} as of_customer,
       ${reached('invoice_id = $6', 'hour', PER_INVOICE_AND_HOUR_MAX)} as of_invoice_hour,
       ${reached('invoice_id = $6', 'day', PER_INVOICE_AND_DAY_MAX)} as of_invoice_day`,
    [tx.tenantId, network, new Date(now - HOUR_MS), customerId, new Date(now - DAY_MS), invoiceId],
    'count-declines',
  );
  const { ofNetwork = null, ofCustomer = null, ofInvoiceHour = null } = found ?? {};
  const left = (since: Date | null | undefined, lastsMs: number): number =>
    since == null ? 0 : since.getTime() + lastsMs - now;
  const waitMs = Math.max(
    left(ofNetwork, HOUR_MS),
    left(ofCustomer, DAY_MS),
    left(ofInvoiceHour, HOUR_MS),
    left(found?.ofInvoiceDay, DAY_MS),
  );
  if (waitMs > 0) throw new TooManyDeclines(Math.ceil(waitMs / 1_000));
}

interface Reached {
  readonly ofNetwork: Date | null;
  readonly ofCustomer: Date | null;
  readonly ofInvoiceHour: Date | null;
  readonly ofInvoiceDay: Date | null;
}

/** The decline with which the limit ends; null while there are fewer. */
const reached = (whose: string, lasts: 'hour' | 'day', max: number): string =>
  `(select declined_at from card_decline
    where tenant_id = $1 and ${whose} and declined_at > ${lasts === 'hour' ? '$3' : '$5'}
    order by declined_at desc offset ${max - 1} limit 1)`;

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
  columns: ['network', 'customerId', 'declinedAt', 'invoiceId'],
});

export function noteDecline(
  { tx, realNow }: Pick<OperationContext, 'tx' | 'realNow'>,
  { network, customerId, invoiceId = null }: CardUser,
): void {
  const until = new Date(realNow.getTime() - DAY_MS);
  pruneOldest(tx, { table: 'card_decline', key: 'id', at: 'declined_at', until, max: PRUNED_MAX });
  insertDecline(tx, { network, customerId, declinedAt: realNow, invoiceId });
}
