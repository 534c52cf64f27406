/** What leaves: mails, callbacks, invoices for a tax provider. */
import { openAvatax } from '../../../support/avatax.ts';
import type { OutgoingMail } from '../../../../providers/mail/mailer.ts';
import { openLine } from '../../../../providers/callbacks/post.ts';
import { DAY_MS, openPostOffice } from '../../../operations/callbacks/support.ts';
import { openPost } from '../../../operations/mail/post.ts';
import { openTaxShop } from '../../../operations/tax-records/shop.ts';
import { unlessFar, type Place, type Scene, type World } from '../world.ts';

const mails: World = {
  name: 'the mails of two invoices',
  of: ['sendMails'],
  async open({ db }) {
    const post = await openPost(db, { enabled: ['newInvoice'] });
    const { books, sql } = post;
    for (let each = 0; each < 2; each += 1) {
      const order = { customerId: await post.customer(), contractCode: 'P' };
      await books.order(order, { generateInvoice: true });
    }
    await post.number();
    const arrived = new Map<string, OutgoingMail>();
    const { tenantId, dependencies } = books;
    return {
      tenantId,
      dependencies,
      step: async ({ sendMails }) => (await sendMails({ tenantId: String(tenantId) })).waitMs,
      // Pauses are real, and so is the time after which a process is taken for dead.
      pass: () =>
        sql(`update mail set next_attempt_at = now(), attempted_at = now() - interval '1 hour'`),
      ports: {
        mailer: {
          destination: 'a list',
          check: () => Promise.resolve(null),
          send(mail) {
            arrived.set(mail.messageId, mail);
            return Promise.resolve({ outcome: 'sent' });
          },
          close: () => undefined,
        },
      },
      outside: () => [...arrived.values()].map(({ subject }) => subject).toSorted(),
    };
  },
};

const taxes: World = {
  name: 'invoices to record and to void at a tax provider',
  of: ['recordTaxes'],
  async open({ db, teardown }) {
    const { double, provider } = await openAvatax({ teardown });
    const shop = await openTaxShop(db, provider);
    const number = await shop.invoice();
    await shop.pass();
    await shop.books.cancelInvoice(number);
    await shop.invoice();
    const { tenantId, dependencies } = shop.books;
    return {
      tenantId,
      dependencies,
      step: async ({ recordTaxes }) => (await recordTaxes({ tenantId: String(tenantId) })).waitMs,
      pass: () => shop.soon(),
      ports: { taxProvider: provider },
      outside: () => [...double.records.values()].map(({ status, total }) => [status, total]),
    };
  },
};

/** An endpoint that is owed the events of a customer; it knows one that comes again by its id. */
async function postOffice({ db, teardown }: Place) {
  const post = await openPostOffice({ teardown }, db);
  const customer = await post.customer();
  await post.raise([customer], 'customer.created');
  await post.raise([customer, customer]);
  const { tenantId, dependencies, endpointId, receiver } = post;
  const input = { tenantId: String(tenantId), endpointId: String(endpointId) };
  const deliver: Scene['step'] = async ({ deliverCallbacks }) => {
    const { done, waitMs } = await deliverCallbacks(input);
    return done ? null : unlessFar(waitMs);
  };
  const scene = {
    tenantId,
    dependencies,
    pass: post.pass,
    ports: { openLine },
    outside: () => [...new Set(receiver.accepted.map(({ place }) => `event ${place}`))].toSorted(),
  };
  return { post, input, scene, deliver };
}

const callbacks: World = {
  name: 'events for an endpoint',
  of: ['deliverCallbacks'],
  async open(place) {
    const { scene, deliver } = await postOffice(place);
    return { ...scene, step: deliver };
  },
};

const resumed: World = {
  name: 'events that were given up, and are sent again because a person says so',
  of: ['resumeCallbacks', 'deliverCallbacks'],
  async open(place) {
    const { post, input, scene, deliver } = await postOffice(place);
    post.receiver.behave(() => 500);
    await post.deliver();
    post.pass(3 * DAY_MS);
    await post.deliver();
    post.receiver.behave(() => 200);
    let isResumed = false;
    return {
      ...scene,
      async step(work) {
        if (isResumed) return deliver(work);
        const said = { reason: 'the receiver was mended', requestId: 'one' };
        await work.resumeCallbacks({ ...input, ...said });
        isResumed = true;
        return 0;
      },
    };
  },
};

export const deliveries: readonly World[] = [mails, taxes, callbacks, resumed];
