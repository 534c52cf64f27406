/** Hosted sign-ups: how their cards and forms fare, and one that a person ends. */
import { newYork, openAvatax } from '../../../support/avatax.ts';
import { avataxFile, gold } from '../../../operations/support/avatax-tenant.ts';
import type { SharedDatabase } from '../../../operations/support/books.ts';
import { openSignupBooks, type SignupBooks } from '../../../operations/support/signups.ts';
import { type Scene, type World, unlessFar } from '../world.ts';
import { paying } from './paying.ts';

async function opened(db: SharedDatabase) {
  const books = await openSignupBooks(db);
  const signupId = await books.link({ billerCode: 'AGENT-1' });
  return { books, signupId };
}

function following(
  books: SignupBooks,
  { signupId, ...scene }: { readonly signupId: number } & Partial<Scene>,
): Scene {
  const input = { tenantId: String(books.tenantId), signupId: String(signupId) };
  return paying(books, {
    ports: { gateways: books.gateways },
    async step({ followSignup }) {
      const { ended, phase, waitMs } = await followSignup(input);
      if (ended) return null;
      // The end of its payment nudges it.
      return phase === 'Charging' ? 0 : unlessFar(waitMs);
    },
    ...scene,
  });
}

const approved: World = {
  name: 'a sign-up whose card is approved',
  of: ['followSignup'],
  async open({ db }) {
    const { books, signupId } = await opened(db);
    await books.submit(signupId, { savePaymentMethod: true });
    return following(books, { signupId });
  },
};

const confirmed: World = {
  name: 'a sign-up that costs nothing today, from its form to its mailed page',
  of: ['followSignup'],
  async open({ db }) {
    const books = await openSignupBooks(db);
    const signupId = await books.link({ startDate: '2027-02-01' });
    await books.submit(signupId, {
      hasCard: false,
      shownAmount: '0.00',
      ...(await books.terms(signupId)),
    });
    const scene = following(books, { signupId });
    const input = { tenantId: String(books.tenantId), signupId: String(signupId) };
    return {
      ...scene,
      async step({ followSignup }) {
        const { ended, phase } = await followSignup(input);
        if (phase === 'Confirming') await books.confirm(signupId);
        return ended ? null : 0;
      },
    };
  },
};

const declined: World = {
  name: 'a sign-up whose card is declined three times',
  of: ['followSignup'],
  async open({ db }) {
    const { books, signupId } = await opened(db);
    books.gateway.onCharge('bad', 'decline', 'decline', 'decline');
    await books.submit(signupId, { token: 'bad' });
    const scene = following(books, { signupId });
    const input = { tenantId: String(books.tenantId), signupId: String(signupId) };
    return {
      ...scene,
      async step({ followSignup }) {
        const { ended, phase } = await followSignup(input);
        if (phase === 'Open') await books.submit(signupId, { token: 'bad' });
        return ended ? null : 0;
      },
    };
  },
};

const taxed: World = {
  name: 'a sign-up whose taxes a provider knows, and whose form is shown again if it does not answer',
  of: ['followSignup'],
  except: ['signup_try returned', 'used_form'],
  async open({ db, teardown }) {
    const { provider: taxProvider } = await openAvatax({ teardown });
    const file = { ...avataxFile(), coupons: [], commissionPlans: [], salesAgents: [] };
    const books = await openSignupBooks(db, { file, plans: [gold], taxProvider });
    const { street1: street, city, state, zip: zipcode } = newYork;
    const signupId = await books.link({ street, city, state, zipcode, couponCode: null });
    const submit = () => books.submit(signupId, { shownAmount: '39.20' });
    await submit();
    const input = { tenantId: String(books.tenantId), signupId: String(signupId) };
    return following(books, {
      signupId,
      ports: { gateways: books.gateways, taxProvider },
      async step({ followSignup }) {
        const { ended, phase } = await followSignup(input);
        if (phase === 'Open') await submit();
        return ended ? null : 0;
      },
    });
  },
};

const validated: World = {
  name: 'a sign-up whose card is saved for later',
  of: ['followSignup'],
  except: ['signup_try returned', 'used_form'],
  async open({ db }) {
    const books = await openSignupBooks(db);
    const signupId = await books.link({ startDate: '2027-02-01', hideCustomerFields: true });
    const submit = async () =>
      books.submit(signupId, {
        shownAmount: '0.00',
        savePaymentMethod: true,
        ...(await books.terms(signupId)),
      });
    await submit();
    const input = { tenantId: String(books.tenantId), signupId: String(signupId) };
    return following(books, {
      signupId,
      async step({ followSignup }) {
        const { ended, phase } = await followSignup(input);
        if (phase === 'Open') await submit();
        return ended ? null : 0;
      },
    });
  },
};

const cancelled: World = {
  name: 'a sign-up that a person ends',
  of: ['cancelSignup', 'followSignup'],
  async open({ db }) {
    const { books, signupId } = await opened(db);
    const input = { tenantId: String(books.tenantId), signupId: String(signupId) };
    let isCancelled = false;
    const { step, ...scene } = following(books, { signupId });
    return {
      ...scene,
      async step(work) {
        if (isCancelled) return step(work);
        await work.cancelSignup({ ...input, reason: 'a test', requestId: 'one' });
        isCancelled = true;
        return 0;
      },
    };
  },
};

export const signups: readonly World[] = [
  approved,
  confirmed,
  declined,
  taxed,
  validated,
  cancelled,
];
