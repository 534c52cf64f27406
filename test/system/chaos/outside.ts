/** What Sundial calls and is called by: a gateway, a tax provider, a mail server, a receiver, each of which fails. */
import { startAvatax, type AvataxDouble } from '../../support/avatax.ts';
import { startProxy, type Proxy } from '../../support/proxy.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { startStripeDouble, type StripeDouble } from '../../support/stripe/double.ts';
import { openInbox, type Inbox } from '../../providers/mail/inbox.ts';
import type { Ailment } from './schedule.ts';

export interface Outside {
  readonly stripe: StripeDouble;
  /** Of the gateway, through what stalls and cuts it. */
  readonly stripeUrl: string;
  readonly taxes: AvataxDouble;
  readonly inbox: Inbox;
  readonly receiver: Receiver;
  /** Begins what an ailment says, if it is one of these; returns what heals it. */
  readonly ail: (ailment: Ailment) => (() => void) | undefined;
  readonly stop: () => Promise<void>;
}

type MailMood = 'well' | 'refuses' | 'hangs';

const INTENTS = 'POST /v1/payment_intents';

/** @param secondsMax after which nobody waits for an answer that never came */
export async function openOutside(): Promise<Outside> {
  const stripe = await startStripeDouble();
  const gateway = await startProxy(stripe.url);
  const taxes = await startAvatax();
  let mails: MailMood = 'well';
  const hanging = new Set<() => void>();
  const healed = (): Promise<void> =>
    mails === 'hangs' ? new Promise((resolve) => hanging.add(resolve)) : Promise.resolve();
  const inbox = await openInbox({
    recipient: () => (mails === 'refuses' ? '450 4.2.0 greylisted' : null),
    async afterData() {
      await healed();
      return null;
    },
  });
  const ends: (() => unknown)[] = [];
  const receiver = await startReceiver({ teardown: (end) => ends.push(end) });
  const mailsAre = (mood: MailMood) => () => {
    mails = mood;
    return () => {
      mails = 'well';
      hanging.forEach((resolve) => resolve());
      hanging.clear();
    };
  };
  const begin: Readonly<Partial<Record<Ailment, () => () => void>>> = {
    ...ofGateway(stripe, gateway),
    ...ofTaxes(taxes),
    'mails are refused': mailsAre('refuses'),
    'mails hang': mailsAre('hangs'),
    ...ofReceiver(receiver),
  };
  return {
    stripe,
    stripeUrl: gateway.url.replace(/\/$/, ''),
    taxes,
    inbox,
    receiver,
    ail: (ailment) => begin[ailment]?.(),
    async stop() {
      for (const end of ends) await end();
      gateway.stop();
      taxes.close();
      await inbox.close();
      await stripe.stop();
    },
  };
}

type Begins = Readonly<Partial<Record<Ailment, () => () => void>>>;

function ofGateway(stripe: StripeDouble, gateway: Proxy): Begins {
  return {
    'gateway stalls': () => gateway.stall(),
    'gateway is cut off': () => {
      gateway.cutAll();
      return () => undefined;
    },
    // It has done what it was asked for, and nobody hears of it.
    'gateway loses answers': () => {
      stripe.loseAnswer(INTENTS);
      return () => undefined;
    },
  };
}

function ofTaxes(taxes: AvataxDouble): Begins {
  const are =
    (...mood: Parameters<AvataxDouble['be']>) =>
    () => {
      taxes.be(...mood);
      return () => taxes.be('well');
    };
  return {
    'taxes are silent': are('silent'),
    'taxes are down': are('down'),
    'taxes are unavailable': are('unavailable'),
    // A record that it keeps wrong is a finding of the audit, for a person: tax.recorded.
    'taxes are wrong': are('wrong', { only: 'create' }),
  };
}

function ofReceiver({ behave }: Receiver): Begins {
  const does = (behaviour: Parameters<Receiver['behave']>[0]) => () => {
    behave(behaviour);
    return () => behave(() => 200);
  };
  let calls = 0;
  return {
    'callbacks are refused': does(() => 500),
    'callbacks hang': does(() => undefined),
    'callbacks are cut off': does((_received, response) => void response.destroy()),
    // It has taken the event, and says by turns that it has not.
    'callbacks lie': does(() => ((calls += 1) % 2 === 0 ? 200 : 503)),
  };
}
