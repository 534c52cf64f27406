/** Examples: invoices, and the test clock. */
import type { Step } from '../../docs/example-step.ts';

export const invoiceSteps: readonly Step[] = [
  {
    name: 'invoice-by-number',
    summary: 'An invoice by number',
    method: 'GET',
    route: '/invoice',
    path: '/invoice?invoiceNumber=1001',
    keeps: 'invoice',
  },
  {
    name: 'invoice',
    summary: 'An invoice by id',
    method: 'GET',
    route: '/invoice/:id',
    path: '/invoice/{invoice}',
  },
  {
    name: 'invoices',
    summary: "A customer's Outstanding invoices that were made in January 2027",
    method: 'GET',
    route: '/invoices',
    path:
      '/invoices?extCustomerRef=C-1001&status=Outstanding' +
      '&createStartTime=202701010000&createEndTime=202701312359',
  },
  {
    name: 'invoice-create',
    summary: 'An invoice by hand',
    method: 'POST',
    route: '/invoices',
    path: '/invoices?extCustomerRef=C-1001',
    request: `<invoice>
  <dueDate>2027-01-15</dueDate>
  <notes>Thank you.</notes>
  <invoiceLineItems>
    <invoiceLineItem>
      <invoiceLineItemCharges>
        <invoiceLineItemCharge>
          <position>1</position>
          <priceCode>VISIT</priceCode>
          <invoiceText>Visit of a technician</invoiceText>
          <unitPrice>60.00</unitPrice>
          <quantity>1.5</quantity>
        </invoiceLineItemCharge>
      </invoiceLineItemCharges>
    </invoiceLineItem>
  </invoiceLineItems>
</invoice>`,
    status: 201,
    keeps: 'manual',
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
    path: '/invoice?invoiceNumber=1002',
  },
  {
    name: 'invoice-cancel-refused',
    summary: 'An invoice that is already cancelled',
    method: 'DELETE',
    route: '/invoice',
    path: '/invoice?invoiceNumber=1002',
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
  },
  {
    name: 'test-clock-advance',
    summary: 'Advance by a month; poll until the clock is Ready',
    method: 'POST',
    route: '/testClock',
    path: '/testClock?advanceTo=2027-02-01',
    status: 202,
  },
];
