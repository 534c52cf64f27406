/** The words of mails to addresses that are no longer those of an account, or not yet. */

export const accountWords = {
  en: {
    greetingOfNobody: 'Hello,',
    contactChanged: {
      subject: 'Your e-mail address at {sender}',
      lead: 'The e-mail address of your account at {sender} was changed on a page.',
    },
    changedNow: 'From now on our mails go to the new address.',
    changedByOther: 'If it was not you, please tell us at once.',
    signupConfirm: {
      subject: 'Please confirm your order at {sender}',
      lead: 'Somebody has entered this e-mail address for an order at {sender}. Nothing is ordered yet.',
    },
    confirmHow:
      'To order, open this page within 30 minutes, check the terms, and press its button.',
    confirmIgnored: 'If it was not you, please ignore this mail: nothing will be ordered.',
  },
  de: {
    greetingOfNobody: 'Guten Tag,',
    contactChanged: {
      subject: 'Ihre E-Mail-Adresse bei {sender}',
      lead: 'die E-Mail-Adresse Ihres Kontos bei {sender} wurde auf einer Seite geändert.',
    },
    changedNow: 'Ab jetzt gehen unsere E-Mails an die neue Adresse.',
    changedByOther: 'Falls Sie das nicht waren, sagen Sie es uns bitte sofort.',
    signupConfirm: {
      subject: 'Bitte bestätigen Sie Ihre Bestellung bei {sender}',
      lead: 'diese E-Mail-Adresse wurde für eine Bestellung bei {sender} angegeben. Noch ist nichts bestellt.',
    },
    confirmHow:
      'Um zu bestellen, öffnen Sie innerhalb von 30 Minuten diese Seite, prüfen Sie die Bedingungen und drücken Sie auf ihren Knopf.',
    confirmIgnored:
      'Falls Sie das nicht waren, ignorieren Sie diese Mail: Es wird nichts bestellt.',
  },
  fr: {
    greetingOfNobody: 'Bonjour,',
    contactChanged: {
      subject: 'Votre adresse e-mail chez {sender}',
      lead: 'L’adresse e-mail de votre compte chez {sender} a été modifiée sur une page.',
    },
    changedNow: 'Nos messages sont désormais envoyés à la nouvelle adresse.',
    changedByOther: 'Si ce n’était pas vous, prévenez-nous immédiatement.',
    signupConfirm: {
      subject: 'Veuillez confirmer votre commande chez {sender}',
      lead: 'Cette adresse e-mail a été saisie pour une commande chez {sender}. Rien n’est encore commandé.',
    },
    confirmHow:
      'Pour commander, ouvrez cette page dans les 30 minutes, vérifiez les conditions et appuyez sur son bouton.',
    confirmIgnored:
      'Si cette demande ne vient pas de vous, ignorez ce message\u00a0: rien ne sera commandé.',
  },
  es: {
    greetingOfNobody: 'Hola:',
    contactChanged: {
      subject: 'Su correo electrónico en {sender}',
      lead: 'El correo electrónico de su cuenta de {sender} se ha cambiado en una página.',
    },
    changedNow: 'A partir de ahora enviaremos nuestros mensajes a la nueva dirección.',
    changedByOther: 'Si no ha sido usted, avísenos de inmediato.',
    signupConfirm: {
      subject: 'Confirme su pedido a {sender}',
      lead: 'Se ha indicado esta dirección de correo para un pedido a {sender}. Todavía no se ha pedido nada.',
    },
    confirmHow:
      'Para hacer el pedido, abra esta página en un plazo de 30 minutos, compruebe las condiciones y pulse su botón.',
    confirmIgnored: 'Si no ha sido usted, ignore este mensaje: no se pedirá nada.',
  },
} as const;
