/** Sources of mails for tests. */
import type { MailNotice, MailSource, MailSubject } from '../../../domain/mail/source.ts';

export const invoice = {
  invoiceNumber: '1001',
  invoiceDate: '2027-01-01',
  dueDate: '2027-01-31',
  currency: 'EUR',
  currentAmountDue: '1234.5',
  outstandingBalance: '1234.5',
  payAddress: null,
} as const;

export const newInvoice: MailSubject = {
  kind: 'newInvoice',
  invoice: { ...invoice, autopayOn: null, isPaidByPlan: false, creditLeft: null },
};

export const overdue: MailSubject = {
  kind: 'customerOverdue',
  status: 'Suspended1',
  invoices: [invoice, { ...invoice, invoiceNumber: '1002', outstandingBalance: '0.5' }],
};

export const payment = {
  amount: '100',
  currency: 'EUR',
  effectiveDate: '2027-01-15',
  method: 'Visa - *****1111',
  invoices: [{ invoiceNumber: '1001', amount: '100' }],
  payAddress: null,
} as const;

export const order = {
  orderNumber: '1007',
  planName: 'Gold internet',
  startDate: '2027-01-31',
  endDate: null,
  nextBillableDate: '2027-02-28',
} as const;

export const notice: MailNotice = {
  orderNumber: '1007',
  planName: 'Gold internet',
  date: '2028-01-31',
  nextInvoice: { invoiceDate: '2028-01-31', amount: '29.95', currency: 'EUR' },
  isAutoPay: true,
  method: 'Visa - *****1111',
};

export function sourceOf(
  subject: MailSubject,
  more: {
    readonly locale?: string | null;
    readonly customer?: Partial<MailSource['customer']>;
  } = {},
): MailSource {
  const { locale = null, customer } = more;
  return {
    subject,
    customer: {
      name: 'Analytical Engines Ltd',
      extCustomerRef: 'ADA-1',
      locale,
      billingContact: {
        firstName: 'Ada',
        lastName: 'Lovelace',
        companyName: null,
        address: {},
      },
      ...customer,
    },
    sender: {
      name: 'Demo & Co',
      address: { street1: 'Am Markt 1', zip: '10115', city: 'Berlin', countryCode: 'DE' },
      taxId: 'DE123456789',
      logo: null,
    },
  };
}
