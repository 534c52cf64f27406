/** Sends a mail because a caller asks for it: checks its object, and queues it. */
import { DomainError } from '../../domain/errors.ts';
import { isMailAddress, type RequestableMailKind } from '../../domain/mail/kinds.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { queueMail } from '../../db/queries/mail/queue.ts';
import { enqueue } from '../outbox/enqueue.ts';
import type { OperationContext } from '../context/context.ts';
import { type KindName, kinds } from '../context/kinds.ts';
import { mailNudge } from '../context/nudge.ts';
import { firstOf } from '../context/listing.ts';
import { lockCustomer, type CustomerAddress } from '../context/locks.ts';

export interface MailRequest {
  readonly kind: RequestableMailKind;
  readonly customer: CustomerAddress;
  /** The id, or the number of an invoice or order, or the gateway's transactionId of a payment. */
  readonly object: { readonly id: number } | { readonly ref: string };
}

export interface MailAnswer {
  readonly success: boolean;
  readonly message: string;
}

interface Search {
  readonly where: string;
  /** From $2 on. */
  readonly values: readonly unknown[];
}

interface MailedKind {
  readonly kind: KindName;
  readonly refName: string;
  readonly byRef: (ref: string, customerId: number) => Search;
  /** Which objects of that kind are mailed so, by the tenant, $1; all without it. */
  readonly which?: string;
}

const invoiceWhich = (which: string): MailedKind => ({
  kind: 'invoice',
  refName: 'invoiceNumber',
  byRef: (ref) => ({ where: 'invoice_number = $2', values: [ref] }),
  which,
});

/** Where the object of a kind of mail is found. */
const objects: Readonly<Record<RequestableMailKind, MailedKind>> = {
  newInvoice: invoiceWhich('credit_note_of is null'),
  newCreditNote: invoiceWhich(`(credit_note_of is not null
    or id in (select invoice_id from cancellation where tenant_id = $1))`),
  newOrder: {
    kind: 'order',
    refName: 'orderNumber',
    byRef: (ref) => ({ where: 'order_number::text = $2', values: [ref] }),
  },
  paymentReceived: {
    kind: 'payment',
    which: `payment_type = 'Payment'`,
    refName: 'transactionId',
    // It is only searched among the customer's own payments.
    byRef: (ref, customerId) => {
      return { where: 'transaction_id = $2 and customer_id = $3', values: [ref, customerId] };
    },
  },
};

/** Answers without success, and queues nothing, where the tenant or the data do not allow a mail. */
export async function requestMail(
  context: OperationContext,
  request: MailRequest,
): Promise<MailAnswer> {
  const { tx } = context;
  const { kind } = request;
  const customer = await lockCustomer(tx, request.customer);
  const object = await findObject(tx, request, customer.id);
  if (!(await isEnabled(tx, kind))) {
    return refusal(`the tenant has not enabled the notification ${kind}`);
  }
  if (kind === 'paymentReceived' && object.status !== 'Paid') {
    return refusal(`the payment is ${object.status}, so it was not received`);
  }
  const address = await addressOf(tx, customer.id);
  if (address === null) return refusal('the billing contact has no emailPrimary');
  if (!isMailAddress(address)) {
    return refusal('the emailPrimary of the billing contact is not a valid address');
  }
  queueMail(tx, { kind, customerId: customer.id, objectId: object.id });
  enqueue(context, [mailNudge]);
  return { success: true, message: `The mail ${kind} will be sent to the billing contact` };
}

function refusal(reason: string): MailAnswer {
  return { success: false, message: `No mail was sent: ${reason}` };
}

interface FoundObject {
  readonly id: number;
  readonly status: string;
}

/** Throws unless the object exists and belongs to the customer. */
async function findObject(
  tx: Tx,
  { kind, object }: MailRequest,
  customerId: number,
): Promise<FoundObject> {
  const { kind: name, refName, byRef, which = 'true' } = objects[kind];
  const isById = 'id' in object;
  const { where, values } = isById
    ? { where: 'id = $2', values: [object.id] }
    : byRef(object.ref, customerId);
  const row = await firstOf(
    tx.query<{ id: number; status: string; customerId: number }>(
      `select id, status, customer_id from ${kinds[name].table}
       where tenant_id = $1 and ${where} and ${which}
       order by id desc limit 1`,
      [tx.tenantId, ...values],
      `mail-${kind}-by-${isById ? 'id' : 'ref'}`,
    ),
  );
  const value = String(isById ? object.id : object.ref);
  const path = `sendEmail/${isById ? 'objectId' : 'objectRef'}`;
  if (row === undefined) {
    const named = isById ? `id ${value}` : `${refName} ${value}`;
    throw new DomainError(kinds[name].unknown, `there is no ${name} with ${named}`, {
      path,
      value,
      id: isById ? object.id : null,
    });
  }
  if (row.customerId !== customerId) {
    const message = `the ${name} does not belong to the customer`;
    throw new DomainError('notification.otherCustomer', message, { path, value });
  }
  return row;
}

async function isEnabled(tx: Tx, kind: RequestableMailKind): Promise<boolean> {
  const rows = await tx.query(
    `select from notification where tenant_id = $1 and kind = $2 and enabled_at is not null`,
    [tx.tenantId, kind],
    'notification-enabled',
  );
  return rows.length > 0;
}

async function addressOf(tx: Tx, customerId: number): Promise<string | null> {
  const row = await firstOf(
    tx.query<{ address: string | null }>(
      `select email_primary as address from contact
       where tenant_id = $1 and customer_id = $2 and kind = 'billing'`,
      [tx.tenantId, customerId],
      'mail-address',
    ),
  );
  return row?.address ?? null;
}
