/** The words that hosted pages share, in French. */
import type { PageWords } from './words-english.ts';

export const french: PageWords = {
  faultyTitle: 'Erreur\u00a0: {title}',
  problemsTitle: 'Veuillez vérifier les points suivants',
  labelled: '{label}\u00a0: {text}',
  requiredNote: 'Les champs marqués d’un {mark} sont obligatoires.',
  choose: 'Veuillez choisir',
  newTab: 's’ouvre dans un nouvel onglet',
  pleaseWait: 'Veuillez patienter…',
  times: '{quantity} ×',
  subtotal: 'Sous-total',
  total: 'Total',
  dueToday: 'À payer aujourd’hui',
  untaxed: 'Sans taxes',
  charge: 'Désignation',
  amount: 'Montant',
  per: {
    Daily: '{amount} par jour',
    Weekly: '{amount} par semaine',
    Monthly: '{amount} par mois',
    Quarterly: '{amount} par trimestre',
    SemiAnnual: '{amount} par semestre',
    Yearly: '{amount} par an',
  },
  lasting: {
    regular: 'Ensuite : {price}, hors remises, taxes et consommation.',
    couponOnce: 'Le code promo {code} ne vaut que pour la première facture.',
    couponUntil: 'Le code promo {code} est valable jusqu’au {date}.',
    couponAlways: 'Le code promo {code} vaut pour toutes les périodes de facturation.',
    renews:
      'Il n’y a pas de durée fixe : l’abonnement est renouvelé après chaque période de facturation, jusqu’à sa résiliation.',
    renewsAfter:
      'La durée se termine le {date}, puis elle est renouvelée jusqu’à la résiliation de l’abonnement.',
    ends: 'L’abonnement se termine le {date}.',
    cancelHere: 'Vous pouvez le résilier dans votre compte, sous « Abonnements ».',
    cancel: 'Pour le résilier, contactez {sender}.',
  },
  card: {
    title: 'Carte bancaire',
    cardNumber: 'Numéro de carte',
    expiryMonth: 'Mois d’expiration',
    expiryYear: 'Année d’expiration',
    month: 'Mois',
    year: 'Année',
    cvv: 'Code de sécurité',
    cvvHint: '3 chiffres au dos, ou 4 chiffres au recto',
    cardholderName: 'Nom figurant sur la carte',
  },
  problem: {
    required: 'Veuillez remplir ce champ.',
    choose: 'Veuillez faire un choix.',
    invalid: 'Veuillez vérifier cette saisie.',
    tooLong: 'Ce texte est trop long.',
    webAddress: 'Veuillez saisir un nom sans adresse web.',
    email: 'Veuillez saisir une adresse e-mail, par exemple nom@example.com.',
    phone: 'Veuillez saisir un numéro de téléphone, par exemple +33 1 23 45 67 89.',
    country: 'Veuillez choisir un pays dans la liste.',
    state: 'Veuillez choisir une région dans la liste.',
    address: 'Nous n’avons pas trouvé cette adresse. Veuillez la vérifier.',
    'login.tooShort': 'Veuillez choisir un identifiant plus long\u00a0: au moins 6 caractères.',
    'login.needsPassword':
      'Veuillez choisir un mot de passe pour votre identifiant, ou laissez les deux champs vides.',
    'login.refused':
      'Ce nom d’utilisateur ou ce mot de passe est incorrect. Veuillez vérifier les deux.',
    'password.guarded':
      'Trop de mots de passe erronés ont été saisis. Déconnectez-vous et choisissez «\u00a0Mot de ' +
      'passe oublié\u00a0?\u00a0».',
    'password.wrong': 'Ce n’est pas votre mot de passe actuel. Veuillez le vérifier.',
    'profile.changed':
      'Vos données ont été modifiées ailleurs entre-temps, et rien n’a été enregistré. Veuillez ' +
      'les vérifier, puis enregistrer de nouveau.',
    'passwd.weak':
      'Veuillez choisir un mot de passe plus sûr\u00a0: au moins 8 caractères, avec des ' +
      'majuscules, des minuscules et un chiffre.',
    'passwd.needsLogin':
      'Veuillez choisir un identifiant pour votre mot de passe, ou laissez les deux champs vides.',
    'plan.unknown': 'Cette formule n’existe pas. Veuillez en choisir une autre.',
    'plan.retired': 'Cette formule n’est plus disponible. Veuillez en choisir une autre.',
    'quantity.form': 'Veuillez saisir un nombre entier à partir de 1.',
    'quantity.outOfRange': 'Cette formule n’est pas disponible dans cette quantité.',
    'coupon.unknown': 'Nous ne connaissons pas ce code promo. Veuillez le vérifier.',
    'coupon.notValid': 'Ce code promo n’est pas valable aujourd’hui.',
    'coupon.plan': 'Ce code promo n’est pas valable pour cette formule.',
    'coupon.currency': 'Ce code promo n’est pas valable pour des prix dans cette devise.',
    'change.upgrade':
      'Cela ne coûte pas plus par jour que votre abonnement actuel. Veuillez choisir une autre formule ou quantité.',
    'change.downgrade':
      'Cela ne coûte pas moins par jour que votre abonnement actuel. Veuillez choisir une autre formule ou quantité.',
    'startDate.past': 'La date de début est passée. Veuillez demander un nouveau lien.',
    'date.form': 'Veuillez saisir une date, par exemple 2027-01-31.',
    'date.order': 'Le premier jour est après le dernier.',
    'card.required': 'Veuillez saisir les données de votre carte.',
    'card.number': 'Ce numéro de carte n’est pas valide. Veuillez vérifier les chiffres.',
    'card.length': 'Ce numéro de carte a trop ou trop peu de chiffres.',
    'card.brand': 'Nous n’acceptons pas ce type de carte. Veuillez en utiliser une autre.',
    'card.refused':
      'Cette carte n’a pas été acceptée. Veuillez vérifier votre saisie ou utiliser une autre ' +
      'carte.',
    'expiry.past': 'Cette carte a expiré. Veuillez vérifier la date ou utiliser une autre carte.',
    'cvv.length':
      'Veuillez saisir le code de sécurité\u00a0: 3 chiffres, ou 4 chiffres pour American Express.',
    'tos.required': 'Veuillez accepter les conditions pour continuer.',
    'price.moved':
      'Le prix ou les conditions ont changé. Veuillez les vérifier, puis commander à nouveau.',
    declined:
      'Votre carte a été refusée et rien n’a été débité. Veuillez utiliser une autre carte ou ' +
      'réessayer.',
    'declined.last':
      'Votre carte a été refusée et rien n’a été débité. Il vous reste un essai\u00a0; veuillez ' +
      'utiliser une autre carte.',
    tryAgain:
      'L’opération n’a pas abouti et rien n’a été débité. Veuillez réessayer dans quelques ' +
      'instants.',
    formExpired: 'Ce formulaire est resté ouvert trop longtemps. Veuillez l’envoyer à nouveau.',
    tooMany: 'Il y a eu trop de tentatives. Veuillez patienter un moment, puis réessayer.',
    'invoices.moved':
      'Les montants à payer ont changé et rien n’a été débité. Veuillez vérifier le nouveau ' +
      'total, puis payer de nouveau.',
    'invoices.none': 'Veuillez choisir les factures que vous souhaitez payer.',
    'invoices.chosen':
      'Votre choix a modifié le total, et rien n’a été débité. Veuillez vérifier le nouveau total, puis payer.',
    'invoices.underWay':
      'Un paiement de l’une de ces factures est déjà en cours. Rien n’a été débité deux ' + 'fois.',
    'method.gone': 'Ce moyen de paiement n’est plus disponible. Veuillez en choisir un autre.',
    'declines.session':
      'Trois paiements ont été refusés. Pour votre sécurité, aucune autre carte n’est ' +
      'acceptée avant votre prochaine connexion.',
  },
  notice: {
    mailed: {
      title: 'Veuillez consulter votre messagerie',
      text: 'Un e-mail est en route vers l’adresse indiquée. Votre commande est passée quand vous ouvrez la page qu’il contient et appuyez sur son bouton. Vous avez 30 minutes.',
      link: 'Vérifier maintenant',
    },
    unknown: {
      title: 'Page introuvable',
      text: 'Cette adresse ne mène nulle part. Veuillez vérifier le lien ou en demander un nouveau.',
      link: 'Continuer',
    },
    gone: {
      title: 'Ce lien a expiré',
      text: 'Pour votre sécurité, cette page n’est accessible que pendant un temps limité.',
      link: 'Continuer',
    },
    formExpired: {
      title: 'Ce formulaire n’est plus valable',
      text: 'Il est resté ouvert trop longtemps ou a été ouvert ailleurs. Rien n’a été enregistré.',
      link: 'Rouvrir le formulaire',
    },
    foreign: {
      title: 'Ce formulaire vient d’une autre page',
      text:
        'Pour votre sécurité, nous n’acceptons que les formulaires de nos propres pages. Rien ' +
        'n’a été enregistré.',
      link: 'Rouvrir le formulaire',
    },
    forbidden: {
      title: 'Page non disponible',
      text: 'Vous n’avez pas accès à cette page.',
      link: 'Continuer',
    },
    tooLong: {
      title: 'Texte trop long',
      text: 'Votre saisie est trop longue. Veuillez la raccourcir. Rien n’a été enregistré.',
      link: 'Rouvrir le formulaire',
    },
    wrongType: {
      title: 'Formulaire illisible',
      text: 'Il est arrivé dans un format inconnu. Veuillez l’envoyer depuis notre page.',
      link: 'Rouvrir le formulaire',
    },
    tooMany: {
      title: 'Trop de tentatives',
      text:
        'Il y a eu trop de tentatives en peu de temps. Veuillez patienter un moment, puis ' +
        'réessayer.',
      link: 'Réessayer',
    },
    notAllowed: {
      title: 'Opération impossible ici',
      text: 'Cette adresse n’accepte pas ce qui a été envoyé. Rien n’a été enregistré.',
      link: 'Ouvrir la page',
    },
    unavailable: {
      title: 'Un instant, s’il vous plaît',
      text:
        'Cette page n’est pas disponible pour le moment. Veuillez réessayer dans quelques ' +
        'instants.',
      link: 'Réessayer',
    },
    failed: {
      title: 'Une erreur s’est produite',
      text: 'L’erreur vient de chez nous. Veuillez réessayer dans quelques instants.',
      link: 'Réessayer',
    },
  },
};
