/** The words that hosted pages share, in English. */

export const english = {
  /** The title of a page whose form has problems. */
  faultyTitle: 'Error: {title}',
  problemsTitle: 'Please check the following',
  /** A problem in the list at the top. */
  labelled: '{label}: {text}',
  requiredNote: 'Fields marked with {mark} are required.',
  choose: 'Please choose',
  newTab: 'opens in a new tab',
  pleaseWait: 'Please wait …',
  times: '{quantity} ×',
  subtotal: 'Subtotal',
  total: 'Total',
  dueToday: 'Due today',
  untaxed: 'Without tax',
  charge: 'Charge',
  amount: 'Amount',
  per: {
    Daily: '{amount} a day',
    Weekly: '{amount} a week',
    Monthly: '{amount} a month',
    Quarterly: '{amount} a quarter',
    SemiAnnual: '{amount} every six months',
    Yearly: '{amount} a year',
  },
  lasting: {
    regular: 'From then on: {price}, before discounts and taxes, and without usage.',
    couponOnce: 'Coupon {code} is for the first invoice alone.',
    couponUntil: 'Coupon {code} holds until {date}.',
    couponAlways: 'Coupon {code} holds for all billing periods.',
    renews:
      'There is no fixed term: the subscription is renewed after each billing period, until it is cancelled.',
    renewsAfter:
      'The term ends on {date}, and is then renewed until the subscription is cancelled.',
    ends: 'The subscription ends on {date}.',
    cancelHere: 'You can cancel it in your account, under “Subscriptions”.',
    cancel: 'To cancel it, contact {sender}.',
  },
  card: {
    title: 'Card',
    cardNumber: 'Card number',
    expiryMonth: 'Expiry month',
    expiryYear: 'Expiry year',
    month: 'Month',
    year: 'Year',
    cvv: 'Security code',
    cvvHint: '3 digits on the back, or 4 digits on the front',
    cardholderName: 'Name on the card',
  },
  problem: {
    required: 'Please fill in this field.',
    choose: 'Please choose one.',
    invalid: 'Please check this entry.',
    tooLong: 'This text is too long.',
    webAddress: 'Please enter a name without a web address.',
    email: 'Please enter an e-mail address such as name@example.com.',
    phone: 'Please enter a phone number such as +1 212 555 0100.',
    country: 'Please choose a country from the list.',
    state: 'Please choose a state from the list.',
    address: 'We could not find this address. Please check it.',
    'login.tooShort': 'Please choose a longer user name: at least 6 characters.',
    'login.needsPassword': 'Please choose a password for your user name, or leave both empty.',
    'login.refused': 'This user name or password is not right. Please check both.',
    'password.guarded':
      'Too many wrong passwords were typed. Please log out and choose “Forgot your password?”.',
    'password.wrong': 'This is not your present password. Please check it.',
    'profile.changed':
      'Your details were changed elsewhere meanwhile, and nothing was saved. Please check them, ' +
      'then save again.',
    'passwd.weak':
      'Please choose a stronger password: at least 8 characters, with upper and lower case ' +
      'letters and a digit.',
    'passwd.needsLogin': 'Please choose a user name for your password, or leave both empty.',
    'plan.unknown': 'This plan does not exist. Please choose another one.',
    'plan.retired': 'This plan is no longer available. Please choose another one.',
    'quantity.form': 'Please enter a whole number from 1 on.',
    'quantity.outOfRange': 'This plan is not available in this quantity.',
    'coupon.unknown': 'We do not know this coupon. Please check the code.',
    'coupon.notValid': 'This coupon is not valid today.',
    'coupon.plan': 'This coupon is not valid for this plan.',
    'coupon.currency': 'This coupon is not valid for prices in this currency.',
    'change.upgrade':
      'This costs no more per day than what you have. Please choose another plan or quantity.',
    'change.downgrade':
      'This costs no less per day than what you have. Please choose another plan or quantity.',
    'startDate.past': 'The start date has passed. Please ask for a new link.',
    'date.form': 'Please enter a date such as 2027-01-31.',
    'date.order': 'The first day is after the last day.',
    'card.required': 'Please enter your card details.',
    'card.number': 'This is not a card number. Please check its digits.',
    'card.length': 'This card number has too few or too many digits.',
    'card.brand': 'We do not accept this kind of card. Please use another one.',
    'card.refused': 'This card was not accepted. Please check the details, or use another card.',
    'expiry.past': 'This card has expired. Please check the date, or use another card.',
    'cvv.length': 'Please enter the security code: 3 digits, or 4 digits on American Express.',
    'tos.required': 'Please accept the terms to continue.',
    'price.moved': 'The price or the terms have changed. Please check them, then order again.',
    declined:
      'Your card was declined, and nothing was charged. Please use another card, or try again.',
    'declined.last':
      'Your card was declined, and nothing was charged. You have one try left; please use ' +
      'another card.',
    tryAgain: 'This did not work just now, and nothing was charged. Please try again shortly.',
    formExpired: 'This form was open for too long. Please send it again.',
    tooMany: 'There were too many tries. Please wait a while, then try again.',
    'invoices.moved':
      'The open amounts have changed, and nothing was charged. Please check the new total, ' +
      'then pay again.',
    'invoices.none': 'Please choose the invoices that you want to pay.',
    'invoices.chosen':
      'Your choice has changed the total, and nothing was charged. Please check the new total, then pay.',
    'invoices.underWay':
      'A payment of one of these invoices is already under way. Nothing was charged twice.',
    'method.gone': 'This payment method is no longer available. Please choose another one.',
    'declines.session':
      'Three payments were declined. For your safety no further card is taken until you log ' +
      'in again.',
  },
  notice: {
    mailed: {
      title: 'Please check your mail',
      text: 'A mail is under way to the address that you entered. Your order is placed once you open its page and press the button there. You have 30 minutes.',
      link: 'Check now',
    },
    unknown: {
      title: 'Page not found',
      text: 'This address leads nowhere. Please check the link, or ask for a new one.',
      link: 'Continue',
    },
    gone: {
      title: 'This link has expired',
      text: 'For your safety this page is open for a limited time only.',
      link: 'Continue',
    },
    formExpired: {
      title: 'This form is no longer valid',
      text: 'It was open for too long, or was opened somewhere else. Nothing was saved.',
      link: 'Open the form again',
    },
    foreign: {
      title: 'This form came from another page',
      text: 'For your safety we take forms from our own pages only. Nothing was saved.',
      link: 'Open the form again',
    },
    forbidden: {
      title: 'Not available',
      text: 'This page is not available to you.',
      link: 'Continue',
    },
    tooLong: {
      title: 'Too much text',
      text: 'What you entered is too long. Please shorten it. Nothing was saved.',
      link: 'Open the form again',
    },
    wrongType: {
      title: 'This form cannot be read',
      text: 'It came in a form that we do not know. Please send it from our page.',
      link: 'Open the form again',
    },
    tooMany: {
      title: 'Too many tries',
      text: 'There were too many tries in a short time. Please wait a while, then try again.',
      link: 'Try again',
    },
    notAllowed: {
      title: 'This does not work here',
      text: 'This address does not take what was sent. Nothing was saved.',
      link: 'Open the page',
    },
    unavailable: {
      title: 'Just a moment',
      text: 'This page is not available right now. Please try again shortly.',
      link: 'Try again',
    },
    failed: {
      title: 'Something went wrong',
      text: 'This is our fault. Please try again shortly.',
      link: 'Try again',
    },
  },
} as const;

/** The same keys as the English words have, with texts of their own. */
export type Translated<Words> = {
  readonly [Key in keyof Words]: Words[Key] extends string ? string : Translated<Words[Key]>;
};

export type PageWords = Translated<typeof english>;
/** Why a field or a form was not taken. */
export type ProblemKey = keyof PageWords['problem'];
/** What a page says that shows nothing else. */
export type NoticeKey = keyof PageWords['notice'];
