/** How Stripe's test cards behave (docs.stripe.com/testing, docs.stripe.com/testing#three-ds-cards). */

export interface TestCard {
  /** Whether it wants its holder to authenticate. */
  readonly asks: 'never' | 'unless set up' | 'always';
  /** The code of the issuer's decline; null if it approves. */
  readonly declines: string | null;
}

const plain: TestCard = { asks: 'never', declines: null };

const cards: Readonly<Record<string, TestCard>> = {
  '4242424242424242': plain,
  '5555555555554444': plain,
  '4000002500003155': { asks: 'unless set up', declines: null },
  '4000002760003184': { asks: 'always', declines: null },
  '4000008260003178': { asks: 'always', declines: 'insufficient_funds' },
  '4000000000000002': { asks: 'never', declines: 'generic_decline' },
  '4000000000009995': { asks: 'never', declines: 'insufficient_funds' },
};

export const cardOf = (number: string): TestCard => cards[number] ?? plain;

export const brandOf = (number: string): string => (number.startsWith('5') ? 'mastercard' : 'visa');
