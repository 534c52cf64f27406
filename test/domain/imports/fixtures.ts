/** Good rows of each kind of file, to be changed. */
import type { CustomerRow, InvoiceRow, LineRow } from '../../../domain/imports/rows.ts';

const noAddress = {
  street1: null,
  street2: null,
  city: null,
  state: null,
  zip: null,
  country: null,
  countryCode: null,
};

export const customer = (more: Partial<CustomerRow>): CustomerRow => ({
  updateMode: 'I',
  extCustomerRef: 'C-1',
  firstName: 'Ada',
  lastName: 'Byron',
  companyName: null,
  emailPrimary: 'ada@example.com',
  username: null,
  passwd: null,
  ...noAddress,
  workPhone: null,
  locale: null,
  currency: null,
  paymentTermsValue: null,
  paymentTermsUnits: null,
  outstandingBalance: null,
  ...more,
});

export const invoice = (more: Partial<InvoiceRow>): InvoiceRow => ({
  updateMode: 'I',
  invoiceNumber: 'OLD-1',
  customerId: null,
  extCustomerRef: 'C-1',
  invoiceDate: '2026-12-01',
  dueDate: '2026-12-31',
  status: 'Outstanding',
  currency: null,
  billingStartDate: null,
  billingEndDate: null,
  currentAmountDue: null,
  paymentsAndAdjustments: null,
  notes: null,
  ...more,
});

export const line = (more: Partial<LineRow>): LineRow => ({
  invoiceNumber: 'OLD-1',
  position: 1,
  invoiceText: null,
  priceCode: null,
  contractCode: null,
  orderNumber: null,
  accountingCode: null,
  unitPrice: null,
  quantity: null,
  amount: null,
  billingStartDate: null,
  billingEndDate: null,
  ...more,
});
