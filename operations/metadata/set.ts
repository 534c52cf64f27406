/** Replaces the metadata of an object, whatever else of it can no longer change. */
import type { EventType } from '../../domain/events/events.ts';
import type { PaymentType } from '../../domain/payments/allocation.ts';
import type { Metadata, MetadataKind } from '../../domain/text/metadata.ts';
import { noteChanges } from '../../db/connection/audited.ts';
import type { OperationContext } from '../context/context.ts';
import { kinds } from '../context/kinds.ts';
import {
  type CustomerAddress,
  type InvoiceAddress,
  type NumberedAddress,
  lockCustomer,
  lockInvoice,
  lockOrder,
  lockPayment,
} from '../context/locks.ts';
import { raiseFrom } from '../events/raise.ts';
import { enqueue } from '../outbox/enqueue.ts';

interface Setting {
  readonly kind: MetadataKind;
  /** It is locked by its customer. */
  readonly id: number;
  readonly metadata: Metadata | null;
}

export async function setMetadataOfCustomer(
  context: OperationContext,
  address: CustomerAddress,
  metadata: Metadata | null,
): Promise<void> {
  const { id } = await lockCustomer(context.tx, address);
  write(context, { kind: 'customer', id, metadata });
}

export async function setMetadataOfOrder(
  context: OperationContext,
  address: NumberedAddress,
  metadata: Metadata | null,
): Promise<void> {
  const { id } = await lockOrder(context.tx, address);
  write(context, { kind: 'order', id, metadata });
  // A test clock waits until the workflow has read the newest version.
  enqueue(context, [{ kind: 'order', objectId: id }]);
}

export async function setMetadataOfInvoice(
  context: OperationContext,
  address: InvoiceAddress,
  metadata: Metadata | null,
): Promise<void> {
  const { id } = await lockInvoice(context.tx, address);
  write(context, { kind: 'invoice', id, metadata });
}

export interface PaymentOfType {
  readonly id: number;
  readonly type: PaymentType;
}

export async function setMetadataOfPayment(
  context: OperationContext,
  { id, type }: PaymentOfType,
  metadata: Metadata | null,
): Promise<void> {
  await lockPayment(context.tx, id, type);
  write(context, { kind: 'payment', id, metadata });
}

/** What the kinds that have one raise; nobody subscribes to changes of the others. */
const events: Readonly<Partial<Record<MetadataKind, EventType>>> = {
  customer: 'customer.updated',
  order: 'order.updated',
};

/** What tells the audit that the copies of before need not agree. */
const marks: Readonly<Partial<Record<MetadataKind, string>>> = {
  order: 'has_new_metadata = true,',
  invoice: 'has_own_metadata = true,',
};

const textOf = (kind: MetadataKind): string =>
  `update ${kinds[kind].table} set metadata = $4::jsonb, ${marks[kind] ?? ''}
     version = version + 1, updated_at = $2
   where tenant_id = $1 and id = $3`;

const texts = {
  customer: textOf('customer'),
  order: textOf('order'),
  invoice: textOf('invoice'),
  payment: textOf('payment'),
} as const satisfies Readonly<Record<MetadataKind, string>>;

function write(context: OperationContext, { kind, id, metadata }: Setting): void {
  const { tx, time } = context;
  const type = kind === 'order' ? 'subscriptionOrder' : kind;
  noteChanges(tx, { type, id }, [{ field: 'metadata' }]);
  const name = `metadata-of-${kind}`;
  const values = [id, metadata === null ? null : JSON.stringify(metadata)];
  const event = events[kind];
  if (event === undefined) {
    tx.send(texts[kind], [tx.tenantId, time.now, ...values], name);
    return;
  }
  const owner = kind === 'customer' ? 'id as customer_id' : 'customer_id';
  const change = `${texts[kind]} returning id, ${owner}, version`;
  raiseFrom(context, { name, type: event, change, values });
}
