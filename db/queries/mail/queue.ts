/** Queues mails: of events, of sign-ups that end, and those that a caller requests. */
import { noticeEvents, noticeKinds } from '../../../domain/events/notices.ts';
import type { MailKind } from '../../../domain/mail/kinds.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { insertingOne } from '../context/insertion.ts';
import { Mail } from '../../entities/events.ts';

/** The kind of mail that follows an event `e`; null for an event that is not mailed. */
export const kindOfEvent = `case e.type
    when 'invoice.created' then case when exists (select from invoice i
        where i.tenant_id = e.tenant_id and i.id = e.object_id and i.credit_note_of is not null)
      then 'newCreditNote' else 'newInvoice' end
    when 'invoice.cancelled' then case when exists (select from cancellation k
        where k.tenant_id = e.tenant_id and k.invoice_id = e.object_id)
      then 'newCreditNote' end
    when 'order.created' then
      case when e.detail->>'draft' = 'true' then null else 'newOrder' end
    when 'order.updated' then case when e.detail->>'leftDraft' = 'true' then 'newOrder' end
    when 'payment.success' then 'paymentReceived'
    when 'payment.failed' then case when e.detail->>'final' = 'true' then 'paymentFailed' end
    when 'payment.actionRequired' then
      case when e.detail->>'payer' = 'absent' then 'paymentAction' end
    when 'customer.transition' then
      case when e.detail->>'by' = 'ageing' and e.detail->>'mail' = 'true'
        then 'customerOverdue' end
    ${noticeKinds.map((kind) => `when '${noticeEvents[kind]}' then '${kind}'`).join('\n    ')}
  end`;

/** The notification of an event `e`, if the tenant has one that was in force by then. */
const joinNotification = `join notification n on n.tenant_id = e.tenant_id
       and n.kind = ${kindOfEvent}
       and n.enabled_at is not null and n.first_in_force_at <= e.created_at`;

/** Whether the object of an event `e` is what a sign-up `s` of its customer has made. */
const isMadeBySignup = `case split_part(e.type, '.', 1)
    when 'order' then s.order_id = e.object_id
    when 'invoice' then e.object_id = any(s.invoice_ids)
    when 'payment' then exists (select from signup_try t where t.tenant_id = s.tenant_id
      and t.signup_id = s.id and t.payment_id = e.object_id)
    else false end`;

/** A debit that is declined after the sign-up has ended is the customer's. */
const isOfTry = `not exists (select from signup_try t where t.tenant_id = s.tenant_id
    and t.signup_id = s.id and t.payment_id = e.object_id and t.status = 'paid')`;

/** The address of a customer that has paid is no stranger's whim. */
const hasPaid = `exists (select from payment p where p.tenant_id = e.tenant_id
    and p.customer_id = e.customer_id and p.payment_type = 'Payment' and p.status = 'Paid')`;

/**
 * Whether nobody is told of an event `e`, or not yet: the sign-up that made its object has not
 * ended, or has failed, or the event is of a try that was declined; or its address is a stranger's
 * word.
 */
export const isHeldBySignup = `exists (select from signup s
    where s.tenant_id = e.tenant_id and s.customer_id = e.customer_id
      and ((s.status in ('DRAFT', 'FAILED') or e.type = 'payment.failed' and ${isOfTry})
          and ${isMadeBySignup}
        or s.is_unproven and not ${hasPaid}))`;

/**
 * Queues the mails of a sign-up that was processed in this transaction, of events that are numbered
 * already or not: each event has one mail, whichever statement comes first. Returns their number.
 */
export async function queueMailsOfSignup(tx: Tx, signupId: number): Promise<number> {
  // Each part has its own index.
  const rows = await tx.query(
    `with s as (select * from signup where tenant_id = $1 and id = $2 and not is_unproven),
     events as (
       select e.* from s join event e
         on e.tenant_id = $1 and e.customer_id = s.customer_id and e.customer_sequence is not null
       union all
       select e.* from s join event e
         on e.tenant_id = $1 and e.customer_id = s.customer_id and e.sequence is null)
     insert into mail (tenant_id, kind, event_id, customer_id, object_id)
     select e.tenant_id, n.kind, e.id, e.customer_id, e.object_id
     from s
     join events e on e.type <> 'payment.failed' and ${isMadeBySignup}
     ${joinNotification}
     order by e.id
     on conflict do nothing
     returning id`,
    [tx.tenantId, signupId],
    'queue-signup-mails',
  );
  return rows.length;
}

/** Queues the mails of events, each once; returns their number. */
export async function queueMailsOf(tx: Tx, eventIds: readonly number[]): Promise<number> {
  const rows = await tx.query(
    `insert into mail (tenant_id, kind, event_id, customer_id, object_id)
     select e.tenant_id, n.kind, e.id, e.customer_id, e.object_id
     from event e
     ${joinNotification}
     where e.tenant_id = $1 and e.id = any ($2::bigint[]) and e.customer_id is not null
       and not ${isHeldBySignup}
       -- Asked first, and once: a tenant that mails nothing reads no event.
       and (select exists (select from notification m
         where m.tenant_id = $1 and m.enabled_at is not null))
     order by e.id
     on conflict do nothing
     returning id`,
    [tx.tenantId, eventIds],
    'queue-mails',
  );
  return rows.length;
}

export interface NewMail {
  readonly kind: MailKind;
  /** Null for a mail to an address that is no customer's yet. */
  readonly customerId: number | null;
  readonly objectId: number;
  /** Where it goes, if not to the address that the customer has when it is sent. */
  readonly address?: string;
}

const insertMail = insertingOne('queue-mail', {
  into: Mail,
  columns: ['kind', 'customerId', 'objectId', 'address'],
});

/** Queues a mail that a caller requested, or that follows no event. */
export function queueMail(tx: Tx, { kind, customerId, objectId, address }: NewMail): void {
  insertMail(tx, { kind, customerId, objectId, address: address ?? null });
}
