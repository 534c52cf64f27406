/** The words of mails in each supported language. */
import { accountWords } from './account-words.ts';

/** Texts of a kind of mail; placeholders stand in braces. */
interface KindWords {
  readonly subject: string;
  readonly lead: string;
}

const english = {
  greeting: 'Dear {name},',
  closing: 'Kind regards,',
  plan: 'Plan',
  startDate: 'Starts on',
  endDate: 'Ends on',
  nextBillDate: 'Next invoice on',
  paymentDate: 'Payment date',
  paymentMethod: 'Payment method',
  openAmount: 'Open amount',
  newInvoice: {
    subject: 'Invoice {number} from {sender}',
    lead: 'Your invoice {number} of {date} is attached.',
  },
  creditNote: {
    subject: 'Credit note {number} from {sender}',
    lead: 'Your credit note {number} of {date} is attached.',
  },
  payBy: 'Please pay {amount} by {dueDate}.',
  paidByUs: 'We will charge {amount} to your payment method on file on {day}.',
  paidByPlan: 'The installments of your payment plan pay {amount}.',
  nothingToPay: 'Nothing is left to pay of it.',
  newOrder: {
    subject: 'Your order {number}',
    lead: 'Thank you for your order {number}: {plan}.',
  },
  paymentReceived: {
    subject: 'Your payment of {amount}',
    lead: 'Thank you. We have received your payment of {amount}.',
  },
  appliedTo: 'It was applied to these invoices:',
  paymentFailed: {
    subject: 'Your payment of {amount} failed',
    lead: 'We could not collect {amount} with your payment method on file.',
  },
  checkMethod: 'Please check the payment method, or pay in another way.',
  customerOverdue: {
    subject: 'Payment reminder: {amount} overdue',
    lead: 'These invoices are overdue. Please pay them now:',
  },
  suspended: 'Your service is suspended until they are paid.',
  inactive: 'Your account takes no new orders until they are paid.',
  crossed: 'If you have paid in the meantime, please ignore this reminder.',
  passwordReset: {
    subject: 'Your password at {sender}',
    lead: 'Somebody asked for a new password for your account at {sender}.',
  },
  resetHow: 'To choose one, open this page within 30 minutes. It works once.',
  username: 'User name',
  resetAddress: 'Page',
  resetIgnored: 'If it was not you, please ignore this mail: your password stays as it is.',
  ...accountWords.en,
} as const satisfies Readonly<Record<string, string | KindWords>>;

export type MailWords = {
  readonly [Key in keyof typeof english]: (typeof english)[Key] extends string ? string : KindWords;
};

const german: MailWords = {
  greeting: 'Guten Tag {name},',
  closing: 'Mit freundlichen Grüßen',
  plan: 'Tarif',
  startDate: 'Beginn',
  endDate: 'Ende',
  nextBillDate: 'Nächste Rechnung am',
  paymentDate: 'Zahlungsdatum',
  paymentMethod: 'Zahlungsart',
  openAmount: 'Offener Betrag',
  newInvoice: {
    subject: 'Rechnung {number} von {sender}',
    lead: 'anbei erhalten Sie Ihre Rechnung {number} vom {date}.',
  },
  creditNote: {
    subject: 'Gutschrift {number} von {sender}',
    lead: 'anbei erhalten Sie Ihre Gutschrift {number} vom {date}.',
  },
  payBy: 'Bitte zahlen Sie {amount} bis zum {dueDate}.',
  paidByUs: 'Wir buchen {amount} am {day} über Ihre hinterlegte Zahlungsart ab.',
  paidByPlan: 'Die Raten Ihres Zahlungsplans begleichen {amount}.',
  nothingToPay: 'Davon ist nichts mehr zu zahlen.',
  newOrder: {
    subject: 'Ihr Auftrag {number}',
    lead: 'vielen Dank für Ihren Auftrag {number}: {plan}.',
  },
  paymentReceived: {
    subject: 'Ihre Zahlung über {amount}',
    lead: 'vielen Dank. Wir haben Ihre Zahlung über {amount} erhalten.',
  },
  appliedTo: 'Sie wurde auf diese Rechnungen angerechnet:',
  paymentFailed: {
    subject: 'Ihre Zahlung über {amount} ist fehlgeschlagen',
    lead: 'wir konnten {amount} nicht über Ihre hinterlegte Zahlungsart einziehen.',
  },
  checkMethod: 'Bitte prüfen Sie die Zahlungsart, oder zahlen Sie auf anderem Weg.',
  customerOverdue: {
    subject: 'Zahlungserinnerung: {amount} überfällig',
    lead: 'diese Rechnungen sind überfällig. Bitte zahlen Sie sie jetzt:',
  },
  suspended: 'Ihr Dienst ist gesperrt, bis sie bezahlt sind.',
  inactive: 'Bis sie bezahlt sind, nimmt Ihr Konto keine neuen Aufträge an.',
  crossed: 'Falls Sie inzwischen gezahlt haben, ist diese Erinnerung gegenstandslos.',
  passwordReset: {
    subject: 'Ihr Passwort bei {sender}',
    lead: 'für Ihr Konto bei {sender} wurde ein neues Passwort angefordert.',
  },
  resetHow: 'Um es zu wählen, öffnen Sie innerhalb von 30 Minuten diese Seite. Sie gilt einmal.',
  username: 'Benutzername',
  resetAddress: 'Seite',
  resetIgnored: 'Falls Sie das nicht waren, ignorieren Sie diese Mail: Ihr Passwort bleibt gültig.',
  ...accountWords.de,
};

const french: MailWords = {
  greeting: 'Bonjour {name},',
  closing: 'Cordialement,',
  plan: 'Formule',
  startDate: 'Début',
  endDate: 'Fin',
  nextBillDate: 'Prochaine facture le',
  paymentDate: 'Date de paiement',
  paymentMethod: 'Moyen de paiement',
  openAmount: 'Reste à payer',
  newInvoice: {
    subject: 'Facture {number} de {sender}',
    lead: 'Vous trouverez ci-joint votre facture {number} du {date}.',
  },
  creditNote: {
    subject: 'Avoir {number} de {sender}',
    lead: 'Vous trouverez ci-joint votre avoir {number} du {date}.',
  },
  payBy: 'Merci de régler {amount} au plus tard le {dueDate}.',
  paidByUs: 'Nous prélèverons {amount} le {day} avec votre moyen de paiement enregistré.',
  paidByPlan: 'Les échéances de votre plan de paiement règlent {amount}.',
  nothingToPay: 'Il ne reste rien à payer.',
  newOrder: {
    subject: 'Votre commande {number}',
    lead: 'Merci pour votre commande {number}\u00a0: {plan}.',
  },
  paymentReceived: {
    subject: 'Votre paiement de {amount}',
    lead: 'Merci. Nous avons reçu votre paiement de {amount}.',
  },
  appliedTo: 'Il a été affecté à ces factures\u00a0:',
  paymentFailed: {
    subject: 'Votre paiement de {amount} a échoué',
    lead: 'Nous n’avons pas pu encaisser {amount} avec votre moyen de paiement enregistré.',
  },
  checkMethod: 'Merci de vérifier ce moyen de paiement ou de régler autrement.',
  customerOverdue: {
    subject: 'Rappel de paiement\u00a0: {amount} en retard',
    lead: 'Ces factures sont en retard de paiement. Merci de les régler dès maintenant\u00a0:',
  },
  suspended: 'Votre service est suspendu jusqu’à leur paiement.',
  inactive: 'Votre compte n’accepte plus de nouvelle commande jusqu’à leur paiement.',
  crossed: 'Si vous avez payé entre-temps, merci de ne pas tenir compte de ce rappel.',
  passwordReset: {
    subject: 'Votre mot de passe chez {sender}',
    lead: 'Un nouveau mot de passe a été demandé pour votre compte chez {sender}.',
  },
  resetHow: 'Pour le choisir, ouvrez cette page dans les 30 minutes. Elle ne sert qu’une fois.',
  username: 'Nom d’utilisateur',
  resetAddress: 'Page',
  resetIgnored:
    'Si cette demande ne vient pas de vous, ignorez ce message\u00a0: votre mot de passe reste ' +
    'inchangé.',
  ...accountWords.fr,
};

const spanish: MailWords = {
  greeting: 'Hola, {name}:',
  closing: 'Un cordial saludo,',
  plan: 'Plan',
  startDate: 'Inicio',
  endDate: 'Fin',
  nextBillDate: 'Próxima factura el',
  paymentDate: 'Fecha de pago',
  paymentMethod: 'Forma de pago',
  openAmount: 'Importe pendiente',
  newInvoice: {
    subject: 'Factura {number} de {sender}',
    lead: 'Adjuntamos su factura {number} del {date}.',
  },
  creditNote: {
    subject: 'Nota de crédito {number} de {sender}',
    lead: 'Adjuntamos su nota de crédito {number} del {date}.',
  },
  payBy: 'Le rogamos que pague {amount} antes del {dueDate}, inclusive.',
  paidByUs: 'Cobraremos {amount} el {day} con su forma de pago registrada.',
  paidByPlan: 'Las cuotas de su plan de pagos cubren {amount}.',
  nothingToPay: 'No queda nada por pagar.',
  newOrder: {
    subject: 'Su pedido {number}',
    lead: 'Gracias por su pedido {number}: {plan}.',
  },
  paymentReceived: {
    subject: 'Su pago de {amount}',
    lead: 'Gracias. Hemos recibido su pago de {amount}.',
  },
  appliedTo: 'Se ha aplicado a estas facturas:',
  paymentFailed: {
    subject: 'Su pago de {amount} ha fallado',
    lead: 'No hemos podido cobrar {amount} con su forma de pago registrada.',
  },
  checkMethod: 'Le rogamos que revise la forma de pago o que pague de otra manera.',
  customerOverdue: {
    subject: 'Recordatorio de pago: {amount} vencidos',
    lead: 'Estas facturas han vencido. Le rogamos que las pague ahora:',
  },
  suspended: 'Su servicio queda suspendido hasta que se paguen.',
  inactive: 'Su cuenta no admite pedidos nuevos hasta que se paguen.',
  crossed: 'Si ya ha pagado, no tenga en cuenta este recordatorio.',
  passwordReset: {
    subject: 'Su contraseña de {sender}',
    lead: 'Alguien ha solicitado una contraseña nueva para su cuenta de {sender}.',
  },
  resetHow: 'Para elegirla, abra esta página en un plazo de 30 minutos. Solo sirve una vez.',
  username: 'Nombre de usuario',
  resetAddress: 'Página',
  resetIgnored: 'Si no ha sido usted, ignore este mensaje: su contraseña no cambia.',
  ...accountWords.es,
};

const languages: ReadonlyMap<string, MailWords> = new Map([
  ['en', english],
  ['de', german],
  ['fr', french],
  ['es', spanish],
]);

/**
 * The words of mails for a language: English if it is not supported.
 *
 * @example mailWordsOf('de').closing // 'Mit freundlichen Grüßen'
 */
export function mailWordsOf(language: string): MailWords {
  return languages.get(language) ?? english;
}
