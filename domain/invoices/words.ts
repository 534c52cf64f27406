/** The words of an invoice's document in each supported language. */

const english = {
  invoice: 'Invoice',
  billTo: 'Bill to',
  invoiceNumber: 'Invoice number',
  invoiceDate: 'Invoice date',
  dueDate: 'Due date',
  period: 'Period',
  customerReference: 'Customer reference',
  order: 'Order',
  description: 'Description',
  quantity: 'Quantity',
  unitPrice: 'Unit price',
  amount: 'Amount',
  subtotal: 'Subtotal',
  tierUpTo: 'Units up to {to}',
  tierAbove: 'Units above {from}',
  tierBetween: 'Units above {from} up to {to}',
  percentOf: '{percent} of the other charges',
  charges: 'Charges',
  summary: 'Summary',
  previousBalance: 'Previous balance',
  paymentsAndAdjustments: 'Payments and adjustments',
  thisInvoice: 'This invoice',
  totalDue: 'Total due',
  paidSoFar: 'Paid of this invoice',
  stillOpen: 'Still open of this invoice',
  notes: 'Notes',
  paid: 'Paid',
  cancelled: 'Cancelled',
  carriedOver: 'Carried over',
  creditNote: 'Credit note',
  creditTo: 'Credit to',
  creditNoteNumber: 'Credit note number',
  creditNoteDate: 'Credit note date',
  thisCreditNote: 'This credit note',
  credited: 'Credited',
  taxId: 'Tax ID: {taxId}',
  paymentTerms: 'Payment terms',
  dueOnReceipt: 'Due on receipt',
  dueWithinOneDay: 'Due within one day',
  dueWithinDays: 'Due within {days} days',
  page: 'Page {page} of {pages}',
} as const satisfies Readonly<Record<string, string>>;

/** Placeholders stand in braces. */
export type Words = { readonly [Key in keyof typeof english]: string };

const german: Words = {
  invoice: 'Rechnung',
  billTo: 'Rechnung an',
  invoiceNumber: 'Rechnungsnummer',
  invoiceDate: 'Rechnungsdatum',
  dueDate: 'Fällig am',
  period: 'Zeitraum',
  customerReference: 'Kundenreferenz',
  order: 'Auftrag',
  description: 'Beschreibung',
  quantity: 'Menge',
  unitPrice: 'Einzelpreis',
  amount: 'Betrag',
  subtotal: 'Zwischensumme',
  tierUpTo: 'Einheiten bis {to}',
  tierAbove: 'Einheiten über {from}',
  tierBetween: 'Einheiten über {from} bis {to}',
  percentOf: '{percent} der übrigen Posten',
  charges: 'Posten',
  summary: 'Zusammenfassung',
  previousBalance: 'Bisheriger Saldo',
  paymentsAndAdjustments: 'Zahlungen und Korrekturen',
  thisInvoice: 'Diese Rechnung',
  totalDue: 'Zu zahlen',
  paidSoFar: 'Auf diese Rechnung bezahlt',
  stillOpen: 'Von dieser Rechnung noch offen',
  notes: 'Anmerkungen',
  paid: 'Bezahlt',
  cancelled: 'Storniert',
  carriedOver: 'Übertragen',
  creditNote: 'Gutschrift',
  creditTo: 'Gutschrift an',
  creditNoteNumber: 'Gutschriftsnummer',
  creditNoteDate: 'Gutschriftsdatum',
  thisCreditNote: 'Diese Gutschrift',
  credited: 'Gutgeschrieben',
  taxId: 'USt-IdNr.: {taxId}',
  paymentTerms: 'Zahlungsbedingungen',
  dueOnReceipt: 'Sofort fällig',
  dueWithinOneDay: 'Innerhalb eines Tages',
  dueWithinDays: 'Innerhalb von {days} Tagen',
  page: 'Seite {page} von {pages}',
};

const french: Words = {
  invoice: 'Facture',
  billTo: 'Facturé à',
  invoiceNumber: 'Numéro de facture',
  invoiceDate: 'Date de facture',
  dueDate: 'Échéance',
  period: 'Période',
  customerReference: 'Référence client',
  order: 'Commande',
  description: 'Description',
  quantity: 'Quantité',
  unitPrice: 'Prix unitaire',
  amount: 'Montant',
  subtotal: 'Sous-total',
  tierUpTo: 'Unités jusqu’à {to}',
  tierAbove: 'Unités au-delà de {from}',
  tierBetween: 'Unités au-delà de {from} et jusqu’à {to}',
  percentOf: '{percent} des autres postes',
  charges: 'Postes',
  summary: 'Récapitulatif',
  previousBalance: 'Solde précédent',
  paymentsAndAdjustments: 'Paiements et ajustements',
  thisInvoice: 'Cette facture',
  totalDue: 'Total à payer',
  paidSoFar: 'Payé sur cette facture',
  stillOpen: 'Reste à payer sur cette facture',
  notes: 'Remarques',
  paid: 'Payée',
  cancelled: 'Annulée',
  carriedOver: 'Reportée',
  creditNote: 'Avoir',
  creditTo: 'Crédité à',
  creditNoteNumber: 'Numéro d’avoir',
  creditNoteDate: 'Date de l’avoir',
  thisCreditNote: 'Cet avoir',
  credited: 'Crédité',
  taxId: 'N° de TVA\u00a0: {taxId}',
  paymentTerms: 'Conditions de paiement',
  dueOnReceipt: 'À réception de la facture',
  dueWithinOneDay: 'Sous un jour',
  dueWithinDays: 'Sous {days} jours',
  page: 'Page {page} sur {pages}',
};

const spanish: Words = {
  invoice: 'Factura',
  billTo: 'Facturar a',
  invoiceNumber: 'Número de factura',
  invoiceDate: 'Fecha de factura',
  dueDate: 'Vencimiento',
  period: 'Período',
  customerReference: 'Referencia del cliente',
  order: 'Pedido',
  description: 'Descripción',
  quantity: 'Cantidad',
  unitPrice: 'Precio unitario',
  amount: 'Importe',
  subtotal: 'Subtotal',
  tierUpTo: 'Unidades hasta {to}',
  tierAbove: 'Unidades por encima de {from}',
  tierBetween: 'Unidades por encima de {from} hasta {to}',
  percentOf: '{percent} de los demás cargos',
  charges: 'Cargos',
  summary: 'Resumen',
  previousBalance: 'Saldo anterior',
  paymentsAndAdjustments: 'Pagos y ajustes',
  thisInvoice: 'Esta factura',
  totalDue: 'Total a pagar',
  paidSoFar: 'Pagado de esta factura',
  stillOpen: 'Pendiente de esta factura',
  notes: 'Notas',
  paid: 'Pagada',
  cancelled: 'Anulada',
  carriedOver: 'Traspasada',
  creditNote: 'Nota de crédito',
  creditTo: 'Acreditar a',
  creditNoteNumber: 'Número de nota de crédito',
  creditNoteDate: 'Fecha de la nota de crédito',
  thisCreditNote: 'Esta nota de crédito',
  credited: 'Acreditada',
  taxId: 'NIF-IVA: {taxId}',
  paymentTerms: 'Condiciones de pago',
  dueOnReceipt: 'Al recibir la factura',
  dueWithinOneDay: 'En el plazo de un día',
  dueWithinDays: 'En el plazo de {days} días',
  page: 'Página {page} de {pages}',
};

const languages: ReadonlyMap<string, Words> = new Map([
  ['en', english],
  ['de', german],
  ['fr', french],
  ['es', spanish],
]);

export interface Language {
  /** For the `lang` of a document. */
  readonly code: string;
  readonly words: Words;
}

/**
 * The words for a locale: English if its language is not supported.
 *
 * @example languageOf('de-AT').words.dueDate // 'Fällig am'
 */
export function languageOf(locale: string): Language {
  const { language } = new Intl.Locale(locale);
  const words = languages.get(language);
  return words === undefined ? { code: 'en', words: english } : { code: language, words };
}

/**
 * Puts values into the placeholders of a text.
 *
 * @example fill('Page {page} of {pages}', { page: '2', pages: '5' }) // 'Page 2 of 5'
 */
export function fill(pattern: string, values: Readonly<Record<string, string>>): string {
  return pattern.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
