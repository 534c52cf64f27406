/** The content of the mail by which a visitor confirms an order that charges nothing today. */
import { fill } from '../invoices/words.ts';
import type { MailSubject } from './source.ts';

type SignupConfirm = Extract<MailSubject, { readonly kind: 'signupConfirm' }>;

const english = {
  subject: 'Please confirm your order at {sender}',
  lead: 'Somebody has entered this e-mail address for an order at {sender}. Nothing is ordered yet.',
  how: 'To order, open this page within 30 minutes, check the terms, and press its button.',
  address: 'Page',
  ignored: 'If it was not you, please ignore this mail: nothing will be ordered.',
} as const;

type ConfirmWords = Readonly<Record<keyof typeof english, string>>;

const german: ConfirmWords = {
  subject: 'Bitte bestätigen Sie Ihre Bestellung bei {sender}',
  lead: 'diese E-Mail-Adresse wurde für eine Bestellung bei {sender} angegeben. Noch ist nichts bestellt.',
  how: 'Um zu bestellen, öffnen Sie innerhalb von 30 Minuten diese Seite, prüfen Sie die Bedingungen und drücken Sie auf ihren Knopf.',
  address: 'Seite',
  ignored: 'Falls Sie das nicht waren, ignorieren Sie diese Mail: Es wird nichts bestellt.',
};

const french: ConfirmWords = {
  subject: 'Veuillez confirmer votre commande chez {sender}',
  lead: 'Cette adresse e-mail a été saisie pour une commande chez {sender}. Rien n’est encore commandé.',
  how: 'Pour commander, ouvrez cette page dans les 30 minutes, vérifiez les conditions et appuyez sur son bouton.',
  address: 'Page',
  ignored:
    'Si cette demande ne vient pas de vous, ignorez ce message\u00a0: rien ne sera commandé.',
};

const spanish: ConfirmWords = {
  subject: 'Confirme su pedido a {sender}',
  lead: 'Se ha indicado esta dirección de correo para un pedido a {sender}. Todavía no se ha pedido nada.',
  how: 'Para hacer el pedido, abra esta página en un plazo de 30 minutos, compruebe las condiciones y pulse su botón.',
  address: 'Página',
  ignored: 'Si no ha sido usted, ignore este mensaje: no se pedirá nada.',
};

const languages: ReadonlyMap<string, ConfirmWords> = new Map([
  ['en', english],
  ['de', german],
  ['fr', french],
  ['es', spanish],
]);

/**
 * The address of the page whose button makes the order.
 *
 * @param sender the tenant's name
 * @example confirmContent(subject, { language: 'en', sender: 'Demo' }).subject
 *   // 'Please confirm your order at Demo'
 */
export function confirmContent(
  { confirmAddress }: SignupConfirm,
  { language, sender }: { readonly language: string; readonly sender: string },
) {
  const own = languages.get(language) ?? english;
  return {
    subject: fill(own.subject, { sender }),
    paragraphs: [fill(own.lead, { sender }), own.how],
    facts: [{ name: 'confirmAddress', label: own.address, value: confirmAddress }],
    table: null,
    remarks: [own.ignored],
  };
}
