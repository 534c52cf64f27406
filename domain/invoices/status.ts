/** The statuses of invoices. */

export const invoiceStatuses = ['Outstanding', 'Paid', 'Cancelled', 'CarriedOver'] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];
