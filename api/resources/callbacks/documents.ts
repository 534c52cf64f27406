/** The body of a callback: the XML that a GET of the event's object answers. */
import type { EventObject } from '../../../domain/events/events.ts';
import type { Encoder } from '../../xml/codec.ts';
import { batchDocument } from '../imports/mapping.ts';
import { batchCodec } from '../imports/schema.ts';
import { customerDocument } from '../customers/mapping.ts';
import { customerCodec, transitionList } from '../customers/schema.ts';
import { invoiceDocument } from '../invoices/mapping.ts';
import { invoiceCodec } from '../invoices/schema.ts';
import { orderDocument } from '../orders/mapping.ts';
import { orderCodec } from '../orders/schema.ts';
import { paymentDocument } from '../payments/mapping.ts';
import { paymentCodec } from '../payments/schema.ts';
import { paymentPlanCodec } from '../payment-plans/schema.ts';
import { signupDocument } from '../signups/mapping.ts';
import { signupCodec } from '../signups/schema.ts';
import type { BatchView } from '../../../operations/imports/read.ts';
import type { PaymentPlanView } from '../../../operations/payment-plans/read.ts';
import type { TransitionView } from '../../../operations/standing/transitions.ts';

type Encode = (view: unknown) => string;

/** An event's view is plain JSON of the type that its reader returned. */
function encoded<View, Document>(
  map: (view: View) => Document,
  { encode }: Encoder<Document>,
): Encode {
  return (view) => encode(map(view as View));
}

/** Kinds without events have none. */
const encoders: Readonly<Partial<Record<EventObject, Encode>>> = {
  customer: encoded(customerDocument, customerCodec),
  // A list of one, because REST knows transitions as a list only.
  customerTransition: encoded((view: TransitionView) => [view], transitionList),
  subscriptionOrder: encoded(orderDocument, orderCodec),
  invoice: encoded(invoiceDocument, invoiceCodec),
  payment: encoded(paymentDocument, paymentCodec),
  // Without addresses of files: they would end before the document is read again.
  batchProcess: encoded((view: BatchView) => batchDocument(view), batchCodec),
  signup: encoded(signupDocument, signupCodec),
  // The plan of the installment.
  installment: encoded((view: PaymentPlanView) => view, paymentPlanCodec),
};

export function eventXml(kind: EventObject, view: unknown): string {
  const encode = encoders[kind];
  if (encode === undefined) throw new Error(`a ${kind} has no document`);
  return encode(view);
}
