/** The words of mails to addresses that are no longer those of an account. */

export const accountWords = {
  en: {
    greetingOfNobody: 'Hello,',
    contactChanged: {
      subject: 'Your e-mail address at {sender}',
      lead: 'The e-mail address of your account at {sender} was changed on a page.',
    },
    changedNow: 'From now on our mails go to the new address.',
    changedByOther: 'If it was not you, please tell us at once.',
  },
  de: {
    greetingOfNobody: 'Guten Tag,',
    contactChanged: {
      subject: 'Ihre E-Mail-Adresse bei {sender}',
      lead: 'die E-Mail-Adresse Ihres Kontos bei {sender} wurde auf einer Seite geändert.',
    },
    changedNow: 'Ab jetzt gehen unsere E-Mails an die neue Adresse.',
    changedByOther: 'Falls Sie das nicht waren, sagen Sie es uns bitte sofort.',
  },
  fr: {
    greetingOfNobody: 'Bonjour,',
    contactChanged: {
      subject: 'Votre adresse e-mail chez {sender}',
      lead: 'L’adresse e-mail de votre compte chez {sender} a été modifiée sur une page.',
    },
    changedNow: 'Nos messages sont désormais envoyés à la nouvelle adresse.',
    changedByOther: 'Si ce n’était pas vous, prévenez-nous immédiatement.',
  },
  es: {
    greetingOfNobody: 'Hola:',
    contactChanged: {
      subject: 'Su correo electrónico en {sender}',
      lead: 'El correo electrónico de su cuenta de {sender} se ha cambiado en una página.',
    },
    changedNow: 'A partir de ahora enviaremos nuestros mensajes a la nueva dirección.',
    changedByOther: 'Si no ha sido usted, avísenos de inmediato.',
  },
} as const;
