/** Examples: mails to customers. */
import type { Step } from '../../docs/examples/example-step.ts';

const shared = {
  method: 'POST',
  route: '/customers/notification',
  path: '/customers/notification',
} as const;

export const notificationSteps: readonly Step[] = [
  {
    ...shared,
    name: 'notification-invoice',
    summary: 'Send an invoice to its customer',
    request: `<sendEmail>
  <eventType>newInvoice</eventType>
  <objectId>{invoice}</objectId>
  <customerRef>{ref}</customerRef>
</sendEmail>`,
  },
  {
    ...shared,
    name: 'notification-order',
    summary: 'Confirm an order by its number',
    request: `<sendEmail>
  <eventType>newOrder</eventType>
  <objectRef>{orderNumber}</objectRef>
  <customerId>{customer}</customerId>
</sendEmail>`,
  },
  {
    ...shared,
    name: 'notification-refused',
    summary: 'An eventType in another case, and no object',
    request: `<sendEmail>
  <eventType>NewInvoice</eventType>
  <customerRef>{ref}</customerRef>
</sendEmail>`,
    status: 400,
  },
];
