/** Examples: invoices, and the test clock. */
import type { Step } from '../../docs/examples/example-step.ts';

export const invoiceSteps: readonly Step[] = [
  {
    name: 'invoice-by-number',
    summary: 'An invoice by number',
    method: 'GET',
    route: '/invoice',
    path: '/invoice?invoiceNumber={invoiceNumber}',
  },
  {
    name: 'invoice',
    summary: 'An invoice by id',
    method: 'GET',
    route: '/invoice/:id',
    path: '/invoice/{invoice}',
    keeps: { invoiceNumber: '<invoiceNumber>', charge: '<invoiceLineItemCharge id="' },
  },
  {
    name: 'invoice-pay-link',
    summary: 'A link to the page that pays an invoice',
    method: 'GET',
    route: '/invoice/:id/payLink',
    path: '/invoice/{invoice}/payLink',
  },
  {
    name: 'invoice-pay-link-by-number',
    summary: 'By number',
    method: 'GET',
    route: '/invoice/payLink',
    needs: ['invoice'],
    path: '/invoice/payLink?invoiceNumber={invoiceNumber}',
  },
  {
    name: 'invoices',
    summary: "A customer's Outstanding invoices that were made this year",
    method: 'GET',
    route: '/invoices',
    needs: ['order-create'],
    path:
      '/invoices?extCustomerRef={ref}&status=Outstanding' +
      '&createStartTime={year}01010000&createEndTime={year}12312359',
  },
  {
    name: 'invoices-next',
    summary: "A customer's coming invoices up to its next bill",
    method: 'GET',
    route: '/customer/:id/nextInvoice',
    needs: ['order-create'],
    path: '/customer/{customer}/nextInvoice',
  },
  {
    name: 'invoices-next-quoted',
    summary: 'The first invoice of a discounted and taxed order, before it is made',
    method: 'GET',
    route: '/customer/:id/nextInvoice',
    needs: ['order-create-quoted'],
    path: '/customer/{customer}/nextInvoice',
  },
  {
    name: 'invoices-next-by-reference',
    summary: 'Those up to a day',
    method: 'GET',
    route: '/customer/nextInvoice',
    needs: ['order-create'],
    path: '/customer/nextInvoice?extCustomerRef={ref}&asOf={year}-12-31',
  },
  {
    name: 'invoice-create',
    summary: 'An invoice by hand',
    method: 'POST',
    route: '/invoices',
    path: '/invoices?extCustomerRef={ref}',
    request: `<invoice>
  <dueDate>{comingYear}-01-15</dueDate>
  <notes>Thank you.</notes>
  <purchaseOrder>PO-4712</purchaseOrder>
  <invoiceLineItems>
    <invoiceLineItem>
      <invoiceLineItemCharges>
        <invoiceLineItemCharge>
          <position>1</position>
          <priceCode>VISIT</priceCode>
          <invoiceText>Visit of a technician</invoiceText>
          <unitPrice>60.00</unitPrice>
          <quantity>1.5</quantity>
          <taxCodes>
            <taxCode>STANDARD</taxCode>
          </taxCodes>
        </invoiceLineItemCharge>
      </invoiceLineItemCharges>
    </invoiceLineItem>
  </invoiceLineItems>
</invoice>`,
    status: 201,
    keeps: { manualNumber: '<invoiceNumber>' },
  },
  {
    name: 'credit-note',
    summary: 'Give a part of one charge back, with what its taxes and discounts lose',
    method: 'POST',
    route: '/invoice/:id/creditNote',
    path: '/invoice/{invoice}/creditNote',
    request: `<creditNote>
  <reason>The line was down</reason>
  <invoiceLineItemCharges>
    <invoiceLineItemCharge id="{charge}">
      <amount>10.00</amount>
    </invoiceLineItemCharge>
  </invoiceLineItemCharges>
</creditNote>`,
    status: 201,
  },
  {
    name: 'credit-note-by-number',
    summary: 'Give an amount of the invoice back, shared out among its charges',
    method: 'POST',
    route: '/invoice/creditNote',
    path: '/invoice/creditNote?invoiceNumber={invoiceNumber}',
    request: `<creditNote>
  <reason>As a courtesy</reason>
  <amount>20.00</amount>
</creditNote>`,
    status: 201,
  },
  {
    name: 'credit-note-refund',
    summary: 'Give an amount of a paid invoice back, and refund what was paid',
    method: 'POST',
    route: '/invoice/:id/creditNote',
    path: '/invoice/{paidInvoice}/creditNote?refund=true',
    request: `<creditNote>
  <reason>As a courtesy</reason>
  <amount>16.50</amount>
</creditNote>`,
    status: 201,
    keeps: { noteRefund: '<refund id="' },
  },
  {
    name: 'credit-note-refused',
    summary: 'More than stands of the invoice',
    method: 'POST',
    route: '/invoice/creditNote',
    path: '/invoice/creditNote?invoiceNumber={invoiceNumber}',
    request: `<creditNote>
  <reason>As a courtesy</reason>
  <amount>1000.00</amount>
</creditNote>`,
    status: 400,
  },
  {
    name: 'invoice-cancel',
    summary: 'Cancel an invoice and bill its period again at the next 00:00',
    method: 'DELETE',
    route: '/invoice/:id',
    path: '/invoice/{invoice}?rollbackBillingPeriod=true',
  },
  {
    name: 'invoice-cancel-by-number',
    summary: 'Cancel only the invoice',
    method: 'DELETE',
    route: '/invoice',
    path: '/invoice?invoiceNumber={manualNumber}',
  },
  {
    name: 'invoice-cancel-refused',
    summary: 'An invoice that is already cancelled',
    method: 'DELETE',
    route: '/invoice',
    path: '/invoice?invoiceNumber={manualNumber}',
    needs: ['invoice-cancel-by-number'],
    status: 400,
  },
];

export const testClockSteps: readonly Step[] = [
  {
    name: 'test-clock',
    summary: 'The time of the test clock',
    method: 'GET',
    route: '/testClock',
    path: '/testClock',
    keeps: { now: '<now>' },
  },
  {
    name: 'test-clock-advance',
    summary: 'Advance to the first day of the next month, and wait until everything due is done',
    method: 'POST',
    route: '/testClock',
    needs: ['test-clock'],
    prepares: `month=$((10#\${now:5:2}))
next=$(printf '%04d-%02d-01' $((\${now:0:4} + month / 12)) $((month % 12 + 1)))`,
    path: '/testClock?advanceTo={next}&wait=true',
  },
];
