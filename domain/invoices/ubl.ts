/**
 * The electronic form of an invoice: UBL 2.1 by Peppol BIS Billing 3.0, which is EN 16931. The figures
 * are the invoice's, whatever was paid since.
 */
import assert from 'node:assert';
import type { IsoDate } from '../calendar/calendar.ts';
import {
  compare,
  formatAmount,
  negate,
  roundedAmount,
  signOf,
  sum,
  type Decimal,
} from '../money/money.ts';
import type { TaxCategory } from '../tax/rates.ts';
import type { InvoiceSource, NamedInvoice } from './page.ts';
import type { SourceCharge, SourceLine } from './page-lines.ts';
import { bankNodes, countryCodeOf, customerNode, senderNode } from './ubl-parties.ts';
import { subtotalsOf, taxOfLine, type Subtotal, type UblCharge, type UblTax } from './ubl-taxes.ts';
import { node, value, type Branch, type UblNode } from './ubl-nodes.ts';

export interface UblSourceLine extends SourceLine {
  readonly purchaseOrder: string | null;
}

export interface UblSource {
  readonly invoice: Omit<InvoiceSource['invoice'], 'status' | 'lines'> & {
    readonly lines: readonly UblSourceLine[];
  };
  readonly customer: InvoiceSource['customer'];
  readonly sender: InvoiceSource['sender'];
  /** What its charges are to a tax, by their ids. */
  readonly charges: ReadonlyMap<number, UblCharge>;
  /** The invoices of which it gives something back, the oldest first. */
  readonly credited: readonly NamedInvoice[];
  /** It cancels the invoice whose figures it has. */
  readonly isCancellation?: boolean;
}

/** A charge as a line of the document. */
interface UblLine {
  readonly id: string;
  readonly charge: SourceCharge;
  readonly line: UblSourceLine;
  readonly tax: UblTax;
  /** With the sign of the document. */
  readonly amount: Decimal;
}

const CUSTOMIZATION = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0';
const PROFILE = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';
const PIECE = 'C62';

/** Whether it is a CreditNote, whose figures say what is given back. */
export const isCreditNote = (source: Pick<UblSource, 'invoice' | 'isCancellation'>): boolean =>
  source.isCancellation === true || isReversed(source);

/** Whether the figures have the opposite sign of the invoice's, which gives back. */
const isReversed = ({
  invoice,
  isCancellation = false,
}: Pick<UblSource, 'invoice' | 'isCancellation'>): boolean =>
  !isCancellation && compare(invoice.currentAmountDue, '0') < 0;

/**
 * The document, of whose source nothing is missing.
 *
 * @example ublDocument(source).name // 'CreditNote' for a negative invoice
 */
export function ublDocument(source: UblSource): Branch {
  const { invoice } = source;
  const isCredit = isCreditNote(source);
  const lines = ublLines(source);
  return node(isCredit ? 'CreditNote' : 'Invoice', [
    value('cbc:CustomizationID', CUSTOMIZATION),
    value('cbc:ProfileID', PROFILE),
    value('cbc:ID', invoice.invoiceNumber),
    value('cbc:IssueDate', invoice.invoiceDate),
    isCredit ? null : value('cbc:DueDate', invoice.dueDate),
    isCredit ? value('cbc:CreditNoteTypeCode', '381') : value('cbc:InvoiceTypeCode', '380'),
    value('cbc:Note', invoice.notes),
    value('cbc:DocumentCurrencyCode', invoice.currency),
    value('cbc:BuyerReference', buyerReferenceOf(source)),
    periodNode(invoice),
    node('cac:OrderReference', [value('cbc:ID', invoice.purchaseOrder)]),
    ...source.credited.map(creditedNode),
    senderNode(source.sender, { namesVat: !isOutside(lines) }),
    customerNode(source.customer, { namesVat: !isOutside(lines) }),
    deliveryNode(source, lines),
    ...bankNodes(source.sender),
    taxTotalNode(source, subtotalsIn(source, lines)),
    totalNode(source, lines),
    ...lines.map((each) => lineNode(source, each)),
  ]);
}

/** @example buyerReferenceOf(source) // the extCustomerRef of a customer without a buyerReference */
export function buyerReferenceOf({ customer }: Pick<UblSource, 'customer'>): string | null {
  return present(customer.buyerReference) ?? present(customer.extCustomerRef);
}

const present = (text: string | null | undefined): string | null =>
  text === null || text === undefined || text.trim() === '' ? null : text.trim();

/** The charges that are lines: not what repeats others, and no taxes by rate or their credits. */
export function ublLines(source: UblSource): readonly UblLine[] {
  const shown = source.invoice.lines.flatMap((line) =>
    line.charges.flatMap((charge) => {
      const { isTax } = ofCharge(source, charge);
      return charge.isUsageChargeSubTotal || isTax ? [] : [{ line, charge }];
    }),
  );
  const { sender } = source;
  const isTaxed = source.charges.values().some(({ isTax }) => isTax);
  return shown.map(({ line, charge }, index) => ({
    id: String(index + 1),
    line,
    charge,
    tax: taxOfLine(ofCharge(source, charge), { sender, isTaxed }),
    amount: signed(source, charge.amount),
  }));
}

function ofCharge({ charges }: UblSource, { id }: SourceCharge): UblCharge {
  return charges.get(id) ?? { isTax: false, rates: [] };
}

/** Outside of the scope of tax, where no VAT number may be named. */
const isOutside = (lines: readonly UblLine[]): boolean =>
  lines.every(({ tax }) => tax.category === 'O');

function signed(source: UblSource, amount: Decimal): Decimal {
  const { currency } = source.invoice;
  return formatAmount(currency, isReversed(source) ? negate(amount) : amount);
}

interface Days {
  readonly billingStartDate: IsoDate | null;
  readonly billingEndDate: IsoDate | null;
}

function periodNode({ billingStartDate: from, billingEndDate: to }: Days): UblNode {
  if (from === null || to === null || to < from) return null;
  return node('cac:InvoicePeriod', [value('cbc:StartDate', from), value('cbc:EndDate', to)]);
}

/** Only days of the document's period may be those of a line. */
function isWithin(line: Days, { billingStartDate: from, billingEndDate: to }: Days): boolean {
  if (from === null || to === null) return false;
  return (line.billingStartDate ?? from) >= from && (line.billingEndDate ?? to) <= to;
}

const creditedNode = ({ invoiceNumber, invoiceDate }: UblSource['credited'][number]): UblNode =>
  node('cac:BillingReference', [
    node('cac:InvoiceDocumentReference', [
      value('cbc:ID', invoiceNumber),
      value('cbc:IssueDate', invoiceDate),
    ]),
  ]);

/** What goes to another country of the Union names the day and the country. */
function deliveryNode({ invoice, customer }: UblSource, lines: readonly UblLine[]): UblNode {
  if (!lines.some(({ tax }) => tax.category === 'K')) return null;
  return node('cac:Delivery', [
    value('cbc:ActualDeliveryDate', invoice.billingEndDate ?? invoice.invoiceDate),
    node('cac:DeliveryLocation', [
      node('cac:Address', [
        node('cac:Country', [
          value('cbc:IdentificationCode', countryCodeOf(customer.billingContact?.address)),
        ]),
      ]),
    ]),
  ]);
}

/* Sums. */

function taxTotalNode(source: UblSource, subtotals: readonly Subtotal[]): UblNode {
  const amount = amountIn(source);
  return node('cac:TaxTotal', [
    amount('cbc:TaxAmount', sum(subtotals.map((subtotal) => subtotal.amount))),
    ...subtotals.map(({ tax, base, amount: part }) =>
      node('cac:TaxSubtotal', [
        amount('cbc:TaxableAmount', base),
        amount('cbc:TaxAmount', part),
        categoryNode('cac:TaxCategory', tax, { namesReason: true }),
      ]),
    ),
  ]);
}

/** Lines and taxes by category, which come to the invoice's amount. */
function subtotalsIn(source: UblSource, lines: readonly UblLine[]): readonly Subtotal[] {
  const taxes = source.invoice.lines.flatMap(({ charges }) =>
    charges.flatMap((charge) => {
      const { isTax, rates } = ofCharge(source, charge);
      const [tax] = rates;
      return isTax && tax !== undefined ? [{ tax, amount: signed(source, charge.amount) }] : [];
    }),
  );
  const subtotals = subtotalsOf(lines, taxes);
  const whole = sum(subtotals.flatMap(({ base, amount }) => [base, amount]));
  assert(compare(whole, totalOf(source)) === 0, 'lines and taxes add up to the invoice');
  return subtotals;
}

const exemptionCodes: Partial<Readonly<Record<TaxCategory, string>>> = {
  AE: 'VATEX-EU-AE',
  K: 'VATEX-EU-IC',
  G: 'VATEX-EU-G',
  O: 'VATEX-EU-O',
};

function categoryNode(
  name: string,
  { category, percent, reason }: UblTax,
  { namesReason }: { readonly namesReason: boolean },
): UblNode {
  return node(name, [
    value('cbc:ID', category),
    value('cbc:Percent', percent),
    namesReason ? value('cbc:TaxExemptionReasonCode', exemptionCodes[category]) : null,
    namesReason ? value('cbc:TaxExemptionReason', reason) : null,
    node('cac:TaxScheme', [value('cbc:ID', 'VAT')]),
  ]);
}

const netOf = (lines: readonly UblLine[]): Decimal => sum(lines.map(({ amount }) => amount));

const totalOf = (source: UblSource): Decimal => signed(source, source.invoice.currentAmountDue);

function totalNode(source: UblSource, lines: readonly UblLine[]): UblNode {
  const amount = amountIn(source);
  const net = netOf(lines);
  const total = totalOf(source);
  return node('cac:LegalMonetaryTotal', [
    amount('cbc:LineExtensionAmount', net),
    amount('cbc:TaxExclusiveAmount', net),
    amount('cbc:TaxInclusiveAmount', total),
    amount('cbc:PayableAmount', total),
  ]);
}

function amountIn({ invoice: { currency } }: UblSource) {
  return (name: string, amount: Decimal): UblNode =>
    value(name, formatAmount(currency, amount), { currencyID: currency });
}

/* Lines. */

function lineNode(source: UblSource, { id, charge, line, tax, amount }: UblLine): UblNode {
  const isCredit = isCreditNote(source);
  const { currency, purchaseOrder } = source.invoice;
  const { quantity, price } = pricedOf(charge, { amount, currency });
  const ownOrder = purchaseOrder === null ? line.purchaseOrder : null;
  return node(isCredit ? 'cac:CreditNoteLine' : 'cac:InvoiceLine', [
    value('cbc:ID', id),
    value(isCredit ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity', quantity, {
      unitCode: PIECE,
    }),
    value('cbc:LineExtensionAmount', amount, { currencyID: currency }),
    isWithin(charge, source.invoice) ? periodNode(charge) : null,
    node('cac:Item', [
      value('cbc:Name', nameOf(charge, line)),
      categoryNode('cac:ClassifiedTaxCategory', tax, { namesReason: false }),
      present(ownOrder) === null
        ? null
        : node('cac:AdditionalItemProperty', [
            value('cbc:Name', 'Purchase order'),
            value('cbc:Value', ownOrder),
          ]),
    ]),
    node('cac:Price', [value('cbc:PriceAmount', price, { currencyID: currency })]),
  ]);
}

function nameOf({ invoiceText, priceCode, id }: SourceCharge, line: SourceLine): string {
  return present(invoiceText) ?? present(line.invoiceText) ?? present(priceCode) ?? String(id);
}

/** The charge's own quantity and price where their product is its amount; a price is not negative. */
function pricedOf(
  { isPercent, quantity, unitPrice }: SourceCharge,
  { amount, currency }: { readonly amount: Decimal; readonly currency: string },
): { readonly quantity: Decimal; readonly price: Decimal } {
  const sign = signOf(amount) < 0 ? -1 : 1;
  const withSign = (decimal: Decimal): Decimal =>
    sign < 0 && signOf(decimal) !== 0 ? `-${decimal}` : decimal;
  if (!isPercent && quantity !== null && unitPrice !== null) {
    const own = { price: absolute(unitPrice), quantity: absolute(quantity) };
    const product = roundedAmount({ ...own, numerator: 1, denominator: 1, currency });
    if (compare(product, absolute(amount)) === 0) {
      return { quantity: withSign(own.quantity), price: own.price };
    }
  }
  return { quantity: withSign('1'), price: absolute(amount) };
}

const absolute = (decimal: Decimal): Decimal => decimal.replace(/^-/, '');
