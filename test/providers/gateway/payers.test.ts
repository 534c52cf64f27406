/** The sandbox's cards that ask for their payer, and the page on which he answers. */
import test from 'ava';
import { inTenant } from '../../../db/connection/tenancy.ts';
import {
  sandboxChallenges,
  type SandboxChallenges,
} from '../../../providers/gateway/sandbox/challenges.ts';
import type { ChargeCall, GatewayAnswer, WaitingCall } from '../../../providers/gateway/gateway.ts';
import { createVault } from '../../../providers/vault.ts';
import {
  type Bench,
  askedFor,
  card,
  chargeOf,
  endless,
  openBench,
  secretKey,
  sharedDatabase,
  validationOf,
  wholeDatabase,
} from './support.ts';

const shared = await sharedDatabase();
const returnUrl = 'http://demo.localhost:8080/signup/secret-of-a-page';
const onFile = '4000002500003155';
const always = '4000002760003184';
const poor = '4000008260003178';

interface Payers extends Bench {
  readonly challenges: SandboxChallenges;
  readonly waiting: (key: string, answer: GatewayAnswer, amount?: string) => WaitingCall;
  /** The payer goes where he is led, and answers. */
  readonly answers: (call: WaitingCall, answer: 'confirm' | 'refuse') => Promise<string>;
}

async function open(): Promise<Payers> {
  const bench = await openBench(shared);
  const challenges = sandboxChallenges(bench.db, createVault(secretKey));
  const tokenFor = async (call: WaitingCall): Promise<string> => {
    const challenge = await bench.sandbox.challenge(call, endless);
    return challenge?.kind === 'page' ? (challenge.url.split('/').at(-1) ?? '') : '';
  };
  return {
    ...bench,
    challenges,
    waiting: (idempotencyKey, { transactionId }, amount = '12.50') => ({
      ...askedFor(idempotencyKey, amount),
      operation: 'charge',
      madeAs: transactionId ?? '',
      mayBeLess: true,
    }),
    async answers(call, answer) {
      const token = await tokenFor(call);
      const shown = await challenges.answer(bench.tenant.id, token, answer);
      return shown?.returnUrl ?? 'no such page';
    },
  };
}

const present = (key: string, token: string): ChargeCall => ({
  ...chargeOf(key, token),
  payer: 'present',
  returnUrl,
});

// the card, its number, confirmed, without the payer
const cards = [
  ['one that is not on file', onFile, 'approved 0', 'asks asks'],
  ['one that always asks', always, 'approved 0', 'asks asks'],
  ['one without funds', poor, 'declined insufficient_funds', 'asks asks'],
] as const;

const said = ({ outcome, errorCode }: GatewayAnswer): string => `${outcome} ${errorCode}`;

for (const [name, number, confirmed, absent] of cards) {
  test(`${name} asks with the payer, then: ${confirmed}; without him: ${absent}`, async (t) => {
    const { sandbox, tokenOf, waiting, answers } = await open();
    const token = await tokenOf(card(number));
    const asked = await sandbox.charge(present('k', token), endless);
    t.is(said(asked), 'asks asks');
    const call = waiting('k', asked);
    t.is(await answers(call, 'confirm'), returnUrl);
    const status = await sandbox.status('charge', call, endless);
    t.is(typeof status === 'string' ? status : said(status), confirmed);
    t.is(said(await sandbox.charge(chargeOf('later', token), endless)), absent);
  });
}

test('a payer who refuses is no payer, and a second answer changes nothing', async (t) => {
  const { sandbox, tokenOf, tenant, waiting, challenges } = await open();
  const asked = await sandbox.charge(present('k', await tokenOf(card(always))), endless);
  const call = waiting('k', asked);
  const challenge = await sandbox.challenge(call, endless);
  const url = challenge?.kind === 'page' ? challenge.url : '';
  t.regex(url, /^http:\/\/demo\.localhost:8080\/sandbox\/[\w-]{43}$/);
  const token = url.split('/').at(-1) ?? '';
  t.like(await challenges.read(tenant.id, token), { currency: 'USD', isOver: false });
  await challenges.answer(tenant.id, token, 'refuse');
  await challenges.answer(tenant.id, token, 'confirm');
  t.like(await sandbox.status('charge', call, endless), { errorCode: 'authentication_failed' });
  t.is(await sandbox.challenge(call, endless), null);
  t.like(await challenges.read(tenant.id, token), { isOver: true });
  t.is(await challenges.read(tenant.id, 'x'.repeat(43)), undefined);
});

test('a card needs nobody once a confirmed page has put it on file', async (t) => {
  const { sandbox, tokenOf, waiting, answers } = await open();
  const token = await tokenOf(card(onFile));
  const saving = { ...present('k', token), savesMethod: true };
  await answers(waiting('k', await sandbox.charge(saving, endless)), 'confirm');
  t.is(said(await sandbox.charge(chargeOf('renewal', token), endless)), 'approved 0');
  // Used once on a page, it is not on file.
  const once = await tokenOf(card(onFile));
  await answers(waiting('o', await sandbox.charge(present('o', once), endless)), 'confirm');
  t.is(said(await sandbox.charge(chargeOf('again', once), endless)), 'asks asks');
});

test('a validation asks as well, and a card that was validated so is on file', async (t) => {
  const { sandbox, tokenOf, answers } = await open();
  const token = await tokenOf(card(onFile));
  t.is(said(await sandbox.validate(validationOf('absent', token), endless)), 'asks asks');
  const there = { ...validationOf('v', token), payer: 'present', returnUrl } as const;
  const { transactionId } = await sandbox.validate(there, endless);
  const call: WaitingCall = {
    operation: 'validate',
    idempotencyKey: 'v',
    madeAs: transactionId ?? '',
    amount: '0',
    currency: 'XXX',
  };
  await answers(call, 'confirm');
  t.like(await sandbox.status('validate', call, endless), { outcome: 'approved' });
  t.is(said(await sandbox.charge(chargeOf('renewal', token), endless)), 'approved 0');
});

test('an absent payer confirms the same charge later, of what is open then', async (t) => {
  const { sandbox, tokenOf, waiting, answers, logged } = await open();
  const token = await tokenOf(card(always));
  const call = waiting('k', await sandbox.charge(chargeOf('k', token), endless));
  t.is(await sandbox.challenge(call, endless), null);
  const confirmation = { ...call, confirmationKey: 'k/confirm/1', agreed: '10', returnUrl, token };
  const confirmed = await sandbox.confirm({ ...confirmation, methodType: 'CreditCard' }, endless);
  t.is(said(confirmed), 'asks asks');
  t.is(confirmed.transactionId, call.madeAs);
  await answers(call, 'confirm');
  const paid = { outcome: 'approved', charged: '10.0000' };
  t.like(await sandbox.status('charge', call, endless), paid);
  t.like(await logged('k'), { status: 'Approved', amount: '10' });
});

test('what was ended is not charged, and what was charged is not ended', async (t) => {
  const { sandbox, tokenOf, tenant, waiting, answers, challenges } = await open();
  const token = await tokenOf(card(always));
  const ended = waiting('e', await sandbox.charge(present('e', token), endless));
  const challenge = await sandbox.challenge(ended, endless);
  t.is(said(await sandbox.end(ended, endless)), 'declined authentication_required');
  const page = challenge?.kind === 'page' ? (challenge.url.split('/').at(-1) ?? '') : '';
  await challenges.answer(tenant.id, page, 'confirm');
  t.is(said(await sandbox.end(ended, endless)), 'declined authentication_required');
  const paid = waiting('p', await sandbox.charge(present('p', token), endless));
  await answers(paid, 'confirm');
  t.is(said(await sandbox.end(paid, endless)), 'approved 0');
});

test('a repeated call makes no second page, and no row has the secret of one', async (t) => {
  const { sandbox, tokenOf, tenant, db, waiting } = await open();
  const token = await tokenOf(card(always));
  const asked = await sandbox.charge(present('k', token), endless);
  const first = await sandbox.challenge(waiting('k', asked), endless);
  await sandbox.charge(present('k', token), endless);
  t.deepEqual(await sandbox.challenge(waiting('k', asked), endless), first);
  const secret = first?.kind === 'page' ? (first.url.split('/').at(-1) ?? '') : '';
  t.is(secret.length, 43);
  const rows = await wholeDatabase(db, tenant.id);
  t.false(rows.includes(secret));
  t.false(rows.includes('secret-of-a-page'));
});

test('a challenge of 30 days before is deleted when another is made', async (t) => {
  const { sandbox, tokenOf, tenant, db } = await open();
  const token = await tokenOf(card(always));
  for (const key of ['old', 'young']) await sandbox.charge(present(key, token), endless);
  const tables = <Row extends object>(sql: string) =>
    inTenant(db, tenant.id, (tx) => tx.query<Row & Record<string, unknown>>(sql));
  await tables(
    `update sandbox_challenge set made_at = now() - make_interval(
       days => case idempotency_key when 'old' then 31 else 29 end)`,
  );
  await sandbox.charge(present('new', token), endless);
  t.deepEqual(await tables('select idempotency_key as key from sandbox_challenge order by 1'), [
    { key: 'new' },
    { key: 'young' },
  ]);
});
