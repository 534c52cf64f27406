/** The words of a payment's receipt, in the languages of documents. */

const english = {
  receipt: 'Receipt {number}',
  receivedFrom: 'Received from',
  number: 'Payment number',
  date: 'Payment date',
  method: 'Payment method',
  amount: 'Amount',
  ach: 'Bank account',
  token: 'Card or account on file',
  card: 'Card',
  usedFor: 'Used for',
  invoice: 'Invoice {number} of {date}',
  furtherInvoices: 'Further invoices',
  otherDebts: 'Other charges',
  surcharge: 'Card surcharge',
  unapplied: 'Kept as credit',
  goneBack: 'Paid back',
  total: 'Amount received',
} as const satisfies Readonly<Record<string, string>>;

/** Placeholders stand in braces. */
export type ReceiptWords = { readonly [Key in keyof typeof english]: string };

const german: ReceiptWords = {
  receipt: 'Quittung {number}',
  receivedFrom: 'Erhalten von',
  number: 'Zahlungsnummer',
  date: 'Zahlungsdatum',
  method: 'Zahlungsart',
  amount: 'Betrag',
  ach: 'Bankkonto',
  token: 'Hinterlegte Karte oder hinterlegtes Konto',
  card: 'Karte',
  usedFor: 'Verwendet für',
  invoice: 'Rechnung {number} vom {date}',
  furtherInvoices: 'Weitere Rechnungen',
  otherDebts: 'Andere Forderungen',
  surcharge: 'Kartenaufschlag',
  unapplied: 'Als Guthaben behalten',
  goneBack: 'Zurückgezahlt',
  total: 'Erhaltener Betrag',
};

const french: ReceiptWords = {
  receipt: 'Reçu {number}',
  receivedFrom: 'Reçu de',
  number: 'Numéro de paiement',
  date: 'Date du paiement',
  method: 'Moyen de paiement',
  amount: 'Montant',
  ach: 'Compte bancaire',
  token: 'Carte ou compte enregistré',
  card: 'Carte',
  usedFor: 'Utilisé pour',
  invoice: 'Facture {number} du {date}',
  furtherInvoices: 'Autres factures',
  otherDebts: 'Autres sommes dues',
  surcharge: 'Supplément carte',
  unapplied: 'Conservé en avoir',
  goneBack: 'Remboursé',
  total: 'Montant reçu',
};

const spanish: ReceiptWords = {
  receipt: 'Recibo {number}',
  receivedFrom: 'Recibido de',
  number: 'Número de pago',
  date: 'Fecha del pago',
  method: 'Medio de pago',
  amount: 'Importe',
  ach: 'Cuenta bancaria',
  token: 'Tarjeta o cuenta guardada',
  card: 'Tarjeta',
  usedFor: 'Utilizado para',
  invoice: 'Factura {number} del {date}',
  furtherInvoices: 'Otras facturas',
  otherDebts: 'Otros cargos',
  surcharge: 'Recargo por tarjeta',
  unapplied: 'Conservado como saldo a favor',
  goneBack: 'Devuelto',
  total: 'Importe recibido',
};

/** @example receiptWords['de'].total // 'Erhaltener Betrag' */
export const receiptWords: Readonly<Record<'en' | 'de' | 'fr' | 'es', ReceiptWords>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
};

/** @param language of the documents; English if it is not supported */
export const receiptWordsOf = (language: string): ReceiptWords =>
  new Map<string, ReceiptWords>(Object.entries(receiptWords)).get(language) ?? english;
