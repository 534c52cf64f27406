/**
 * The fields of the gateway's own (Stripe's Payment Element), and its challenge. The gateway's script
 * sends what is typed to the gateway alone; the form gets the id of what it made of it.
 */

import { chosenOf } from './cards.js';

const NEVER = 'never';

let loading;

/** The gateway's script, once for a page; a page that it did not reach can ask for it again. */
function loaded(address) {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    Object.assign(script, { src: address, async: true });
    script.addEventListener('load', () =>
      globalThis.Stripe ? resolve(globalThis.Stripe) : reject(new Error('no script')),
    );
    script.addEventListener('error', () => reject(new Error('no script')));
    document.head.append(script);
  });
  return loading;
}

/** A decimal in the gateway's smallest unit, exactly. @example unitsOf('44.1', 2) // 4410 */
export function unitsOf(text, digits) {
  const [whole = '', fraction = ''] = text.split('.');
  return Number(whole + fraction.padEnd(digits, '0').slice(0, digits));
}

/** Shows the fields; returns what makes a token of what was entered. */
export function showFields(form, part) {
  const settings = JSON.parse(part.dataset.gateway);
  const { words, mode, currency, types } = settings;
  const place = part.querySelector('.gateway-place');
  const token = form.elements.gatewayToken;
  place.textContent = words.loading;
  // A browser may have kept the token of a form that was sent.
  addEventListener('pageshow', () => (token.value = ''));
  const amount = () => {
    const { total } = form.elements;
    const typed = total?.value ? unitsOf(total.value, settings.digits) : settings.amount;
    return typed > 0 ? typed : (settings.amount ?? 1);
  };
  const options = () => {
    const common = { mode, currency, paymentMethodTypes: types, ...verifiedAtOnce(types) };
    if (mode === 'setup') return common;
    const isSaved = form.elements.savePaymentMethod?.checked === true || settings.isSaved;
    return { ...common, amount: amount(), setupFutureUsage: isSaved ? 'off_session' : null };
  };
  const shown = (async () => {
    const Stripe = await loaded(settings.script);
    const stripe = Stripe(settings.key, { locale: document.documentElement.lang });
    const elements = stripe.elements({ ...options(), loader: 'auto' });
    const element = elements.create('payment', {
      wallets: { applePay: NEVER, googlePay: NEVER, link: NEVER },
      terms: { card: NEVER, sepaDebit: NEVER, usBankAccount: NEVER },
    });
    const failed = new Promise((_, reject) => {
      element.on('loaderror', () => reject(new Error('not loaded')));
    });
    element.on('change', ({ value }) => showKind(form, kindOf[value?.type]));
    showKind(form, kindOf[types[0]]);
    element.mount(place);
    await Promise.race([new Promise((resolve) => void element.on('ready', resolve)), failed]);
    return { stripe, elements };
  })();
  shown.catch(() => (place.textContent = words.failed));
  return {
    control: place,
    /** Whether the form pays by what is entered here. */
    isNeeded() {
      const { method, savePaymentMethod } = form.elements;
      if (method !== undefined) return chosenOf(method) === 'new';
      return settings.isRequired || savePaymentMethod?.checked === true;
    },
    /** Puts a token into the form; returns what is wrong instead, as a text. */
    async enter() {
      try {
        const { stripe, elements } = await shown;
        elements.update(options());
        const checked = await elements.submit();
        if (checked.error) return checked.error.message ?? words.incomplete;
        const made = await stripe.createConfirmationToken({ elements });
        if (made.error) return made.error.message ?? words.incomplete;
        token.value = made.confirmationToken.id;
        return null;
      } catch {
        return words.failed;
      }
    },
  };
}

/** American accounts, as the server asks for them, too. */
const verifiedAtOnce = (types) =>
  types.includes('us_bank_account')
    ? { paymentMethodOptions: { us_bank_account: { verification_method: 'instant' } } }
    : {};

const kindOf = { card: 'card', sepa_debit: 'sepa', us_bank_account: 'usBankAccount' };

/** Of the mandates of several kinds of methods that of the chosen one. */
function showKind(form, kind) {
  for (const each of form.querySelectorAll('.of-kinds')) {
    each.hidden = !each.dataset.kinds.split(' ').includes(kind);
  }
}

/** Lets the payer authenticate, and then goes where the page says; there the server asks. */
export async function showChallenge(part) {
  const { script, key, clientSecret, to } = JSON.parse(part.dataset.challenge);
  try {
    const Stripe = await loaded(script);
    await Stripe(key, { locale: document.documentElement.lang }).handleNextAction({ clientSecret });
  } catch {
    // The link leads on: what waits still waits.
    return;
  }
  location.replace(to);
}
