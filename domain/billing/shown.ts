/** What an invoice shows of a charge, by its kind. */
import type { DueCharge, UsageWindow } from './due/due-charges.ts';
import type { IsoDate } from '../calendar/calendar.ts';
import type { Decimal } from '../money/money.ts';
import type { InvoiceCharge } from './charges.ts';

/** The fields of a charge that invoices, quotes and previews show. */
export interface ShownCharge {
  readonly priceCode: string | null;
  readonly accountingCode: string | null;
  readonly invoiceText: string | null;
  readonly unitOfMeasure: string | null;
  /** `unitPrice` is a percentage. */
  readonly isPercent: boolean;
  readonly unitPrice: Decimal | null;
  readonly quantity: Decimal | null;
  /** The days that it bills, discounts or credits; null if it is of no days. */
  readonly billingStartDate: IsoDate | null;
  readonly billingEndDate: IsoDate | null;
  readonly amount: Decimal;
}

/** @example shownCharge(fee) // { priceCode: 'GOLD-FEE', unitPrice: '29.95', ... } */
export function shownCharge(charge: InvoiceCharge): ShownCharge {
  switch (charge.kind) {
    case 'period':
    case 'oneTime':
    case 'penalty':
    case 'percent':
    case 'tax':
      return 'rate' in charge ? ofRate(charge) : ofDue(charge);
    case 'usage': {
      const { isPercent, quantity, unitPrice, amount } = charge;
      return { ...ofLine(charge.window), isPercent, quantity, unitPrice, amount };
    }
    case 'usageSubTotal': {
      const { quantity, amount } = charge;
      return { ...ofLine(charge.window), isPercent: false, quantity, unitPrice: null, amount };
    }
    case 'discount': {
      const { coupon, discounts, amount } = charge;
      const named = { priceCode: 'DISCOUNT', invoiceText: coupon.code, unitOfMeasure: null };
      const { percent: unitPrice } = coupon;
      const price = { isPercent: unitPrice !== null, unitPrice, quantity: null };
      return { ...ofLine(discounts), ...named, ...price, amount };
    }
    case 'credit': {
      const { priceCode, accountingCode, invoiceText } = charge.credits;
      const named = { priceCode, accountingCode, invoiceText };
      const days = { billingStartDate: charge.from, billingEndDate: charge.to };
      return { ...nothingShown, ...charge.note, ...named, ...days, amount: charge.amount };
    }
    case 'manual': {
      const { priceCode, invoiceText, isPercent, unitPrice, quantity, amount } = charge;
      const price = { isPercent, unitPrice, quantity, amount };
      return { ...nothingShown, priceCode, invoiceText, ...price };
    }
  }
}

const nothingShown = {
  priceCode: null,
  accountingCode: null,
  invoiceText: null,
  unitOfMeasure: null,
  isPercent: false,
  unitPrice: null,
  quantity: null,
  billingStartDate: null,
  billingEndDate: null,
} as const;

type OfDue = Extract<InvoiceCharge, { readonly due: DueCharge }>;

function ofDue(charge: OfDue): ShownCharge {
  const { quantity, amount } = charge;
  const price =
    'percent' in charge
      ? { isPercent: true, unitPrice: charge.percent }
      : { isPercent: false, unitPrice: charge.unitPrice };
  return { ...ofLine(charge.due), ...price, quantity, amount };
}

function ofLine({ line, from, to }: DueCharge | UsageWindow) {
  const { priceCode, accountingCode, unitOfMeasure } = line.charge;
  return {
    priceCode,
    accountingCode,
    invoiceText: line.invoiceText ?? line.charge.invoiceText,
    unitOfMeasure,
    billingStartDate: from,
    billingEndDate: to,
  };
}

function ofRate({ rate, amount }: Extract<InvoiceCharge, { readonly rate: object }>): ShownCharge {
  const { name: invoiceText, percent: unitPrice } = rate;
  return { ...nothingShown, priceCode: 'TAX', invoiceText, isPercent: true, unitPrice, amount };
}
