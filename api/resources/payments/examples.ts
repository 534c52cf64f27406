/** Examples: payments, credits, refunds. */
import { byReference, card } from './examples-autopay.ts';
import type { Step } from '../../docs/examples/example-step.ts';

const payments: readonly Step[] = [
  {
    name: 'payment-create',
    summary: 'Bill all due charges, and pay them by card',
    method: 'POST',
    route: '/payments',
    path: `/payments${byReference}`,
    needs: ['order-create-unbilled'],
    request: `<processPayment>
  <amount>108.90</amount>
  <generateInvoice>true</generateInvoice>
  ${card('4111111111111111')}
</processPayment>`,
    status: 201,
    keeps: { payment: '<payment id="', paidInvoice: '<invoice id="' },
  },
  {
    name: 'payment-create-cash',
    summary: 'Cash without an open invoice: it stays in the balance',
    method: 'POST',
    route: '/payments',
    path: '/payments',
    request: `<processPayment>
  <customer id="{customer}"/>
  <amount>20.00</amount>
  <effectiveDate>2026-12-30</effectiveDate>
  <internalNotes>At the counter.</internalNotes>
  <paymentMethodDTO type="Cash">
    <cashPaymentMethod/>
  </paymentMethodDTO>
</processPayment>`,
    status: 201,
    keeps: { cash: '<payment id="' },
  },
  {
    name: 'payment-create-declined',
    summary: 'A card that is declined: the answer is still 201, with the reason',
    method: 'POST',
    route: '/payments',
    path: `/payments${byReference}`,
    request: `<processPayment>
  <amount>10.00</amount>
  ${card('4000000000009995')}
</processPayment>`,
    status: 201,
  },
  {
    name: 'payment-create-refused',
    summary: 'A container that does not match its type',
    method: 'POST',
    route: '/payments',
    path: `/payments${byReference}`,
    request: `<processPayment>
  <amount>10.00</amount>
  <paymentMethodDTO type="Cheque">
    <checkPaymentMethod/>
  </paymentMethodDTO>
</processPayment>`,
    status: 400,
  },
  {
    name: 'payment-create-autopay',
    summary: 'Pay with the methods on file, from the second on',
    method: 'POST',
    route: '/payments/autopay',
    path: `/payments/autopay${byReference}`,
    needs: ['autopay-put-by-reference'],
    request: `<processPaymentWithAutopay>
  <amount>30.00</amount>
  <autopayPreference>2</autopayPreference>
</processPaymentWithAutopay>`,
    status: 201,
  },
  {
    name: 'payment',
    summary: "A payment with the gateway's answer and its applications",
    method: 'GET',
    route: '/payment/:id',
    path: '/payment/{payment}',
  },
  {
    name: 'payments',
    summary: 'Declined payments',
    method: 'GET',
    route: '/payments',
    needs: ['payment-create-declined'],
    path: '/payments?status=Declined',
  },
];

const retries: readonly Step[] = [
  {
    name: 'invoice-retry',
    summary: 'Charge what is open by the card on file, at once',
    method: 'POST',
    route: '/invoice/:id',
    action: 'retry',
    needs: ['autopay-put'],
    path: '/invoice/{invoice}?action=retry',
  },
  {
    name: 'invoice-retry-paid',
    summary: 'An invoice of which nothing is open is not charged',
    method: 'POST',
    route: '/invoice/:id',
    action: 'retry',
    needs: ['invoice-retry'],
    path: '/invoice/{invoice}?action=retry',
    status: 400,
  },
  {
    name: 'invoice-retry-by-number',
    summary: 'The same by the number of the invoice',
    method: 'POST',
    route: '/invoice',
    action: 'retry',
    needs: ['autopay-put'],
    path: '/invoice?invoiceNumber={invoiceNumber}&action=retry',
  },
];

const creditsAndRefunds: readonly Step[] = [
  {
    name: 'credit-create',
    summary: 'A credit reduces the debt',
    method: 'POST',
    route: '/credits',
    path: `/credits${byReference}`,
    request: `<processCredit>
  <amount>5.00</amount>
  <internalNotes>Line was down on 30 December.</internalNotes>
</processCredit>`,
    status: 201,
    keeps: { credit: '<payment id="' },
  },
  {
    name: 'credit',
    summary: 'A credit by id',
    method: 'GET',
    route: '/credit/:id',
    path: '/credit/{credit}',
  },
  {
    name: 'credits',
    summary: 'Credits of a customer',
    needs: ['credit-create'],
    method: 'GET',
    route: '/credits',
    path: `/credits${byReference}`,
  },
  {
    name: 'refund-create',
    summary: 'Refund money that was paid by this card',
    needs: ['payment-create'],
    method: 'POST',
    route: '/refunds',
    path: `/refunds${byReference}`,
    request: `<processRefund>
  <amount>8.90</amount>
  ${card('4111111111111111')}
</processRefund>`,
    status: 201,
    keeps: { refund: '<payment id="' },
  },
  {
    name: 'refund-create-invoice',
    summary: 'Refund money that was paid on an invoice, which is open again',
    method: 'POST',
    route: '/refunds',
    path: `/refunds${byReference}`,
    request: `<processRefund>
  <amount>10.00</amount>
  <invoices>
    <invoice id="{paidInvoice}"/>
  </invoices>
</processRefund>`,
    status: 201,
  },
  {
    name: 'refund-create-note',
    summary: 'Refund money that was paid on an invoice, which gets a credit note of as much',
    method: 'POST',
    route: '/refunds',
    path: `/refunds${byReference}`,
    request: `<processRefund>
  <amount>20.00</amount>
  <invoiceText>The line was down</invoiceText>
  <invoices>
    <invoice id="{paidInvoice}"/>
  </invoices>
  <creditNote>true</creditNote>
</processRefund>`,
    status: 201,
  },
  {
    name: 'refund-create-too-high',
    summary: 'More than was paid and not refunded',
    method: 'POST',
    route: '/refunds',
    path: `/refunds${byReference}`,
    request: `<processRefund>
  <amount>5000.00</amount>
</processRefund>`,
    status: 400,
  },
  {
    name: 'refund-create-autopay',
    summary: 'Refund money that was paid by the second method on file',
    needs: ['payment-create-autopay'],
    method: 'POST',
    route: '/refunds/autopay',
    path: `/refunds/autopay${byReference}`,
    request: `<processPaymentWithAutopay>
  <amount>30.00</amount>
  <autopayPreference>2</autopayPreference>
</processPaymentWithAutopay>`,
    status: 201,
  },
  {
    name: 'refund',
    summary: 'A refund by id',
    method: 'GET',
    route: '/refund/:id',
    path: '/refund/{refund}',
  },
  {
    name: 'refunds',
    summary: 'Refunds, the latest first',
    method: 'GET',
    route: '/refunds',
    needs: ['refund-create'],
    path: '/refunds?max=1',
  },
  {
    name: 'payment-cancel',
    summary: 'Cancel a payment that failed after the fact',
    method: 'DELETE',
    route: '/payment/:id',
    path: '/payment/{cash}',
  },
  {
    name: 'payment-cancel-again',
    summary: 'A payment that is already cancelled',
    needs: ['payment-cancel'],
    method: 'DELETE',
    route: '/payment/:id',
    path: '/payment/{cash}',
    status: 400,
  },
  {
    name: 'payment-create-pending',
    summary: 'A gateway that does not answer: the payment is accepted, and finished later',
    method: 'POST',
    route: '/payments',
    path: `/payments${byReference}`,
    request: `<processPayment>
  <amount>10.00</amount>
  ${card('4000000000000044')}
</processPayment>`,
    status: 202,
  },
  {
    name: 'payment-create-asks',
    summary: 'A card whose payer has to confirm the payment, who gets a mail with a link',
    method: 'POST',
    route: '/payments',
    path: `/payments${byReference}`,
    request: `<processPayment>
  <amount>10.00</amount>
  ${card('4000002760003184')}
</processPayment>`,
    status: 202,
    keeps: { asked: '<payment id="' },
  },
  {
    name: 'payment-action-link',
    summary: 'Another link to confirm it, to be sent in another way',
    method: 'GET',
    route: '/payment/:id/actionLink',
    path: '/payment/{asked}/actionLink',
  },
];

export const paymentSteps: readonly Step[] = [...payments, ...retries, ...creditsAndRefunds];
