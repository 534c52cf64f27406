/** A charge as it is read from a stored invoice; a test changes the fields that it needs. */
import type { InvoicedCharge } from '../../../domain/billing/credit/dependents.ts';

/** 31.00 for the 31 days from 2027-01-15 on, a dollar a day. */
export function storedCharge(changes: Partial<InvoicedCharge> = {}): InvoicedCharge {
  return {
    id: 11,
    position: 1,
    kind: 'period',
    isPercent: false,
    isRecurring: true,
    isProrated: true,
    couponId: null,
    priceCode: 'FEE',
    accountingCode: '4020',
    invoiceText: 'Fee',
    taxCode: null,
    orderLineId: 1,
    windowId: null,
    credited: '0',
    noted: '0',
    basePositions: null,
    unitPrice: '31.00',
    quantity: '1',
    amount: '31.00',
    billed: { from: '2027-01-15', to: '2027-02-14', periodId: 1, periodIndex: 0 },
    before: null,
    ...changes,
  };
}
