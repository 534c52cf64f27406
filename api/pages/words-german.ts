/** The words that hosted pages share, in German. */
import type { PageWords } from './words-english.ts';

export const german: PageWords = {
  faultyTitle: 'Fehler: {title}',
  problemsTitle: 'Bitte prüfen Sie Folgendes',
  labelled: '{label}: {text}',
  requiredNote: 'Felder mit {mark} sind Pflichtfelder.',
  choose: 'Bitte wählen',
  newTab: 'öffnet in einem neuen Tab',
  pleaseWait: 'Bitte warten …',
  times: '{quantity} ×',
  subtotal: 'Zwischensumme',
  total: 'Gesamtbetrag',
  dueToday: 'Heute fällig',
  untaxed: 'Ohne Steuern',
  charge: 'Posten',
  amount: 'Betrag',
  per: {
    Daily: '{amount} pro Tag',
    Weekly: '{amount} pro Woche',
    Monthly: '{amount} pro Monat',
    Quarterly: '{amount} pro Quartal',
    SemiAnnual: '{amount} pro Halbjahr',
    Yearly: '{amount} pro Jahr',
  },
  lasting: {
    regular: 'Danach: {price}, vor Rabatten und Steuern und ohne Verbrauch.',
    couponOnce: 'Gutschein {code} gilt nur für die erste Rechnung.',
    couponUntil: 'Gutschein {code} gilt bis {date}.',
    couponAlways: 'Gutschein {code} gilt für alle Abrechnungszeiträume.',
    renews:
      'Es gibt keine feste Laufzeit: Das Abonnement verlängert sich nach jedem Abrechnungszeitraum, bis es gekündigt wird.',
    renewsAfter:
      'Die Laufzeit endet am {date} und verlängert sich dann, bis das Abonnement gekündigt wird.',
    ends: 'Das Abonnement endet am {date}.',
    cancelHere: 'Sie können es in Ihrem Konto unter „Abonnements“ kündigen.',
    cancel: 'Zum Kündigen wenden Sie sich an {sender}.',
  },
  card: {
    title: 'Karte',
    cardNumber: 'Kartennummer',
    expiryMonth: 'Gültig bis (Monat)',
    expiryYear: 'Gültig bis (Jahr)',
    month: 'Monat',
    year: 'Jahr',
    cvv: 'Prüfnummer',
    cvvHint: '3 Ziffern auf der Rückseite oder 4 Ziffern auf der Vorderseite',
    cardholderName: 'Name auf der Karte',
  },
  problem: {
    required: 'Bitte füllen Sie dieses Feld aus.',
    choose: 'Bitte treffen Sie eine Auswahl.',
    invalid: 'Bitte prüfen Sie diese Angabe.',
    tooLong: 'Dieser Text ist zu lang.',
    webAddress: 'Bitte geben Sie einen Namen ohne Internetadresse ein.',
    email: 'Bitte geben Sie eine E-Mail-Adresse wie name@example.com ein.',
    phone: 'Bitte geben Sie eine Telefonnummer wie +49 30 123456 ein.',
    country: 'Bitte wählen Sie ein Land aus der Liste.',
    state: 'Bitte wählen Sie ein Land oder eine Region aus der Liste.',
    address: 'Wir konnten diese Adresse nicht finden. Bitte prüfen Sie sie.',
    'login.tooShort': 'Bitte wählen Sie einen längeren Benutzernamen: mindestens 6 Zeichen.',
    'login.needsPassword':
      'Bitte wählen Sie ein Passwort zu Ihrem Benutzernamen, oder lassen Sie beides leer.',
    'login.refused':
      'Dieser Benutzername oder dieses Passwort stimmt nicht. Bitte prüfen Sie beides.',
    'password.guarded':
      'Es wurden zu viele falsche Passwörter eingegeben. Bitte melden Sie sich ab und wählen Sie ' +
      '„Passwort vergessen?“.',
    'password.wrong': 'Das ist nicht Ihr jetziges Passwort. Bitte prüfen Sie es.',
    'profile.changed':
      'Ihre Angaben wurden inzwischen anderswo geändert, und nichts wurde gespeichert. Bitte ' +
      'prüfen Sie sie, und speichern Sie noch einmal.',
    'passwd.weak':
      'Bitte wählen Sie ein stärkeres Passwort: mindestens 8 Zeichen, mit Groß- und ' +
      'Kleinbuchstaben und einer Ziffer.',
    'passwd.needsLogin':
      'Bitte wählen Sie einen Benutzernamen zu Ihrem Passwort, oder lassen Sie beides leer.',
    'plan.unknown': 'Diesen Tarif gibt es nicht. Bitte wählen Sie einen anderen.',
    'plan.retired': 'Dieser Tarif ist nicht mehr verfügbar. Bitte wählen Sie einen anderen.',
    'quantity.form': 'Bitte geben Sie eine ganze Zahl ab 1 ein.',
    'quantity.outOfRange': 'Dieser Tarif ist in dieser Menge nicht verfügbar.',
    'coupon.unknown': 'Wir kennen diesen Gutschein nicht. Bitte prüfen Sie den Code.',
    'coupon.notValid': 'Dieser Gutschein ist heute nicht gültig.',
    'coupon.plan': 'Dieser Gutschein gilt nicht für diesen Tarif.',
    'coupon.currency': 'Dieser Gutschein gilt nicht für Preise in dieser Währung.',
    'change.upgrade':
      'Das kostet pro Tag nicht mehr als Ihr jetziges Abonnement. Bitte wählen Sie einen anderen Tarif oder eine andere Menge.',
    'change.downgrade':
      'Das kostet pro Tag nicht weniger als Ihr jetziges Abonnement. Bitte wählen Sie einen anderen Tarif oder eine andere Menge.',
    'startDate.past': 'Das Startdatum ist vorbei. Bitte fordern Sie einen neuen Link an.',
    'date.form': 'Bitte geben Sie ein Datum ein, zum Beispiel 2027-01-31.',
    'date.order': 'Der erste Tag liegt nach dem letzten.',
    'card.required': 'Bitte geben Sie Ihre Kartendaten ein.',
    'card.number': 'Das ist keine Kartennummer. Bitte prüfen Sie die Ziffern.',
    'card.length': 'Diese Kartennummer hat zu wenige oder zu viele Ziffern.',
    'card.brand': 'Wir akzeptieren diese Art von Karte nicht. Bitte verwenden Sie eine andere.',
    'card.refused':
      'Diese Karte wurde nicht angenommen. Bitte prüfen Sie die Angaben, oder verwenden Sie ' +
      'eine andere Karte.',
    'expiry.past':
      'Diese Karte ist abgelaufen. Bitte prüfen Sie das Datum, oder verwenden Sie eine andere ' +
      'Karte.',
    'cvv.length': 'Bitte geben Sie die Prüfnummer ein: 3 Ziffern, bei American Express 4 Ziffern.',
    'tos.required': 'Bitte stimmen Sie den Bedingungen zu, um fortzufahren.',
    'price.moved':
      'Der Preis oder die Bedingungen haben sich geändert. Bitte prüfen Sie beides, und bestellen ' +
      'Sie erneut.',
    declined:
      'Ihre Karte wurde abgelehnt, und es wurde nichts abgebucht. Bitte verwenden Sie eine ' +
      'andere Karte, oder versuchen Sie es erneut.',
    'declined.last':
      'Ihre Karte wurde abgelehnt, und es wurde nichts abgebucht. Sie haben noch einen ' +
      'Versuch; bitte verwenden Sie eine andere Karte.',
    tryAgain:
      'Das hat gerade nicht geklappt, und es wurde nichts abgebucht. Bitte versuchen Sie es in ' +
      'Kürze erneut.',
    formExpired: 'Dieses Formular war zu lange geöffnet. Bitte senden Sie es erneut ab.',
    tooMany: 'Das waren zu viele Versuche. Bitte warten Sie etwas, und versuchen Sie es erneut.',
    'invoices.moved':
      'Die offenen Beträge haben sich geändert, und es wurde nichts abgebucht. Bitte prüfen ' +
      'Sie die neue Summe und zahlen Sie dann erneut.',
    'invoices.none': 'Bitte wählen Sie die Rechnungen, die Sie zahlen möchten.',
    'invoices.chosen':
      'Ihre Auswahl hat die Summe geändert, und es wurde nichts abgebucht. Bitte prüfen Sie die neue Summe und zahlen Sie dann.',
    'invoices.underWay':
      'Eine Zahlung für eine dieser Rechnungen läuft bereits. Es wurde nichts doppelt ' +
      'abgebucht.',
    'method.gone': 'Dieses Zahlungsmittel ist nicht mehr verfügbar. Bitte wählen Sie ein anderes.',
    'declines.session':
      'Drei Zahlungen wurden abgelehnt. Zu Ihrer Sicherheit wird keine weitere Karte ' +
      'angenommen, bis Sie sich neu anmelden.',
  },
  notice: {
    mailed: {
      title: 'Bitte sehen Sie in Ihr Postfach',
      text: 'Eine E-Mail an die angegebene Adresse ist unterwegs. Ihre Bestellung gilt erst, wenn Sie die Seite darin öffnen und dort auf den Knopf drücken. Sie haben 30 Minuten Zeit.',
      link: 'Jetzt nachsehen',
    },
    unknown: {
      title: 'Seite nicht gefunden',
      text:
        'Diese Adresse führt nirgendwohin. Bitte prüfen Sie den Link, oder fordern Sie einen ' +
        'neuen an.',
      link: 'Weiter',
    },
    gone: {
      title: 'Dieser Link ist abgelaufen',
      text: 'Zu Ihrer Sicherheit ist diese Seite nur für begrenzte Zeit geöffnet.',
      link: 'Weiter',
    },
    formExpired: {
      title: 'Dieses Formular ist nicht mehr gültig',
      text: 'Es war zu lange geöffnet oder stammt von anderswo. Es wurde nichts gespeichert.',
      link: 'Formular neu öffnen',
    },
    foreign: {
      title: 'Dieses Formular kam von einer anderen Seite',
      text:
        'Zu Ihrer Sicherheit nehmen wir nur Formulare unserer eigenen Seiten an. Es wurde ' +
        'nichts gespeichert.',
      link: 'Formular neu öffnen',
    },
    forbidden: {
      title: 'Nicht verfügbar',
      text: 'Diese Seite ist für Sie nicht verfügbar.',
      link: 'Weiter',
    },
    tooLong: {
      title: 'Zu viel Text',
      text: 'Ihre Eingaben sind zu lang. Bitte kürzen Sie sie. Es wurde nichts gespeichert.',
      link: 'Formular neu öffnen',
    },
    wrongType: {
      title: 'Dieses Formular ist nicht lesbar',
      text: 'Es kam in einem unbekannten Format. Bitte senden Sie es von unserer Seite aus ab.',
      link: 'Formular neu öffnen',
    },
    tooMany: {
      title: 'Zu viele Versuche',
      text:
        'Das waren zu viele Versuche in kurzer Zeit. Bitte warten Sie etwas, und versuchen Sie ' +
        'es erneut.',
      link: 'Erneut versuchen',
    },
    notAllowed: {
      title: 'Das geht hier nicht',
      text: 'Diese Adresse nimmt das Gesendete nicht an. Es wurde nichts gespeichert.',
      link: 'Seite öffnen',
    },
    unavailable: {
      title: 'Einen Moment bitte',
      text: 'Diese Seite ist gerade nicht verfügbar. Bitte versuchen Sie es in Kürze erneut.',
      link: 'Erneut versuchen',
    },
    failed: {
      title: 'Etwas ist schiefgegangen',
      text: 'Der Fehler liegt bei uns. Bitte versuchen Sie es in Kürze erneut.',
      link: 'Erneut versuchen',
    },
  },
};
