/** The words of the self-service pages in German, French and Spanish. */
import type { SelfServiceWords } from './words-english.ts';

export const german: SelfServiceWords = {
  title: 'Ihr Konto',
  balance: 'Kontostand',
  balanceIn: 'Kontostand in {currency}',
  open: 'Offen',
  overdue: 'Davon überfällig',
  unapplied: 'Noch nicht verwendetes Guthaben',
  invoices: 'Neueste offene Rechnungen',
  invoice: 'Rechnung',
  openAmount: 'Offener Betrag',
  invoiceTitle: 'Rechnung {number} vom {date}',
  due: 'fällig am {date}',
  nothingOpen: 'Keine Rechnung ist offen.',
};

export const french: SelfServiceWords = {
  title: 'Votre compte',
  balance: 'Solde',
  balanceIn: 'Solde en {currency}',
  open: 'À payer',
  overdue: 'Dont en retard',
  unapplied: 'Avoir non utilisé',
  invoices: 'Dernières factures à payer',
  invoice: 'Facture',
  openAmount: 'Reste à payer',
  invoiceTitle: 'Facture {number} du {date}',
  due: 'échéance : {date}',
  nothingOpen: 'Aucune facture n’est à payer.',
};

export const spanish: SelfServiceWords = {
  title: 'Su cuenta',
  balance: 'Saldo',
  balanceIn: 'Saldo en {currency}',
  open: 'Pendiente',
  overdue: 'De esto vencido',
  unapplied: 'Crédito sin utilizar',
  invoices: 'Últimas facturas pendientes',
  invoice: 'Factura',
  openAmount: 'Importe pendiente',
  invoiceTitle: 'Factura {number} del {date}',
  due: 'vence el {date}',
  nothingOpen: 'No hay facturas pendientes.',
};
