/** Tells the address of a contact that mails, or copies of them, go elsewhere from now on. */
import { queueMail } from '../../db/queries/mail/queue.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { OperationContext } from '../context/context.ts';
import { mailNudge } from '../context/nudge.ts';
import { enqueue } from '../outbox/enqueue.ts';

/** For a customer and hour: whoever plays with addresses sends no mails to strangers. */
const MAILED_PER_HOUR_MAX = 3;

interface ChangedContact {
  readonly customerId: number;
  readonly contactId: number;
  /** Who is told: the one of before. */
  readonly address: string | null;
}

export async function mailContactChange(
  context: OperationContext,
  { customerId, contactId, address }: ChangedContact,
): Promise<void> {
  const { tx } = context;
  if (address === null || !(await canMail(tx))) return;
  const mailed = await tx.query(
    `select from mail where tenant_id = $1 and customer_id = $2 and kind = 'contactChanged'
       and created_at > now() - interval '1 hour'`,
    [tx.tenantId, customerId],
    'count-contact-changes',
  );
  if (mailed.length >= MAILED_PER_HOUR_MAX) return;
  queueMail(tx, { kind: 'contactChanged', customerId, objectId: contactId, address });
  enqueue(context, [mailNudge]);
}

/** Without a sender the tenant has no mails. */
export async function canMail(tx: Tx): Promise<boolean> {
  const [tenant] = await tx.query<{ can: boolean }>(
    `select file->'notifications'->>'from' is not null as can from tenant where id = $1`,
    [tx.tenantId],
    'can-mail',
  );
  return tenant?.can === true;
}
