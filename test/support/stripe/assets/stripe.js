/**
 * A double of Stripe.js: the part that our pages use, of the same form. It refuses what the real one
 * refuses: an Elements group without a mode, a token before `submit`, a payment of nothing.
 */
(() => {
  const origin = new URL(document.currentScript.src).origin;
  const frames = [];

  function fail(text) {
    throw new Error(`IntegrationError: ${text}`);
  }

  async function asked(path, parameters, options = {}) {
    const query = new URLSearchParams(parameters);
    const isPost = options.method === 'POST';
    const address = `${origin}${path}${isPost ? '' : `?${query}`}`;
    const answer = await fetch(address, isPost ? { ...options, body: query } : options);
    return answer.json();
  }

  /** Sends a message to a frame, and waits for its answer. */
  function tell(frame, message) {
    return new Promise((resolve) => {
      const id = Math.random().toString(36).slice(2);
      const hear = ({ source, data }) => {
        if (source !== frame.contentWindow || data?.id !== id) return;
        removeEventListener('message', hear);
        resolve(data);
      };
      addEventListener('message', hear);
      frame.contentWindow.postMessage({ ...message, id }, origin);
    });
  }

  function elementsOf(options) {
    const state = { ...options, element: null, isSubmitted: false };
    if (!['payment', 'setup'].includes(options?.mode)) fail('mode must be payment or setup');
    const check = () => {
      if (state.mode === 'payment' && !(Number.isInteger(state.amount) && state.amount > 0)) {
        fail('amount must be a whole number above 0');
      }
      if (!/^[a-z]{3}$/.test(state.currency ?? '')) fail('currency must be in lower case');
      if (!(state.paymentMethodTypes?.length > 0)) fail('paymentMethodTypes must name some');
      const { us_bank_account: account } = state.paymentMethodOptions ?? {};
      if (
        account &&
        !['automatic', 'instant', 'microdeposits'].includes(account.verification_method)
      ) {
        fail('verification_method must be one of automatic, instant, microdeposits');
      }
    };
    check();
    return {
      state,
      create(type, its = {}) {
        if (type !== 'payment') fail('only the payment element is known');
        if (its.wallets?.applePay !== 'never' || its.wallets?.googlePay !== 'never') {
          fail('this account wants no wallets');
        }
        state.element = elementOf(state);
        return state.element;
      },
      update(more) {
        Object.assign(state, more, { isSubmitted: false });
        check();
      },
      async submit() {
        if (!state.element?.frame) return { error: { type: 'validation_error' } };
        const { isComplete } = await tell(state.element.frame, { what: 'check' });
        state.isSubmitted = isComplete;
        if (isComplete) return { selectedPaymentMethod: 'card' };
        return { error: { type: 'validation_error', message: 'Your card number is incomplete.' } };
      },
    };
  }

  function elementOf(state) {
    const listeners = new Map();
    const element = {
      frame: null,
      on(what, run) {
        listeners.set(what, [...(listeners.get(what) ?? []), run]);
        return element;
      },
      mount(place) {
        const target = typeof place === 'string' ? document.querySelector(place) : place;
        const frame = document.createElement('iframe');
        frame.title = 'Secure payment input frame';
        frame.src = `${origin}/element?types=${state.paymentMethodTypes.join()}`;
        Object.assign(frame.style, { border: '0', width: '100%', height: '190px' });
        frame.addEventListener('load', () => {
          for (const run of listeners.get('ready') ?? []) run({ elementType: 'payment' });
        });
        addEventListener('message', ({ source, data }) => {
          if (source !== frame.contentWindow || data?.what !== 'change') return;
          for (const run of listeners.get('change') ?? []) run({ value: { type: data.type } });
        });
        target.replaceChildren(frame);
        element.frame = frame;
        frames.push(frame);
      },
    };
    return element;
  }

  /** A window over the page, in which the payer answers. */
  function challenged(secret) {
    return new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.title = 'Authentication';
      frame.src = `${origin}/challenge?client_secret=${encodeURIComponent(secret)}`;
      Object.assign(frame.style, { position: 'fixed', inset: '0', width: '100%', height: '100%' });
      frame.style.zIndex = '2147483647';
      const hear = ({ source, data }) => {
        if (source !== frame.contentWindow || data?.what !== 'answered') return;
        removeEventListener('message', hear);
        frame.remove();
        resolve();
      };
      addEventListener('message', hear);
      document.body.append(frame);
    });
  }

  globalThis.Stripe = (key) => {
    if (!key?.startsWith('pk_')) fail('a publishable key is needed');
    return {
      elements: elementsOf,
      async createConfirmationToken({ elements }) {
        const { state } = elements;
        if (!state.isSubmitted) fail('elements.submit() must be called before');
        const usage = state.mode === 'setup' ? 'off_session' : (state.setupFutureUsage ?? '');
        const { token, error } = await tell(state.element.frame, { what: 'token', usage });
        return error ? { error } : { confirmationToken: { id: token } };
      },
      async handleNextAction({ clientSecret }) {
        const before = await asked('/js/intents', { client_secret: clientSecret });
        if (before.status !== 'requires_action') fail('the intent requires no action');
        await challenged(clientSecret);
        const intent = await asked('/js/intents', { client_secret: clientSecret });
        const error = intent.last_payment_error ?? intent.last_setup_error;
        if (error) return { error: { ...error, message: 'We are unable to authenticate.' } };
        return intent.object === 'setup_intent'
          ? { setupIntent: intent }
          : { paymentIntent: intent };
      },
    };
  };
})();
