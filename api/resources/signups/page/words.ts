/** The words of a hosted sign-up's own pages in the language of a page. */
import type { PageLanguage } from '../../../pages/words.ts';
import type { Translated } from '../../../pages/words-english.ts';
import { french, german, spanish } from './words-translated.ts';

const english = {
  step: 'Step {step} of {steps}',
  details: 'Your details',
  contactGroup: 'Contact',
  addressGroup: 'Address',
  loginGroup: 'Login',
  loginNote: 'Choose a user name and a password to log in later, or leave both empty.',
  orderGroup: 'Your order',
  companyName: 'Company',
  firstName: 'First name',
  lastName: 'Last name',
  email: 'E-mail',
  phone: 'Phone',
  street: 'Street and number',
  city: 'City',
  state: 'State or province',
  zipcode: 'Postal code',
  country: 'Country',
  login: 'User name',
  loginHint: 'At least 6 characters',
  passwd: 'Password',
  passwdHint: 'At least 8 characters, with upper and lower case letters and a digit',
  contractCode: 'Plan',
  quantity: 'Quantity',
  couponCode: 'Coupon code',
  continue: 'Continue',
  review: 'Review and pay',
  reviewFree: 'Review your order',
  startDate: 'Starts on',
  billingPeriod: 'Billed',
  periods: {
    Daily: 'Daily',
    Weekly: 'Weekly',
    Monthly: 'Monthly',
    Quarterly: 'Every 3 months',
    SemiAnnual: 'Every 6 months',
    Yearly: 'Yearly',
  },
  change: 'Change order or details',
  initialCharges: 'One-time charges',
  recurringCharges: 'First billing period',
  nothingDue: 'Nothing is due today.',
  cardOptional: 'You can save a card for later invoices.',
  cardCharged: 'What is due today is charged to your card when you order.',
  savePaymentMethod: 'Save this card, and charge later invoices to it',
  tosAccepted: 'I accept the {link}.',
  tos: 'terms and conditions',
  triesLeft: 'You have {count} tries left.',
  oneTryLeft: 'You have one try left.',
  orderAndPay: 'Order and pay',
  order: 'Place order',
  working: 'We are processing your order',
  workingText: 'This takes a few seconds. Please keep this page open.',
  workingLink: 'Check now',
} as const;

export type SignupWords = Translated<typeof english>;

export const signupWords: Readonly<Record<PageLanguage, SignupWords>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
};
