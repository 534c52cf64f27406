/**
 * The sandbox: a gateway that charges nobody, for trials and tests. It acts like another company's
 * system: it has its own rows, written in its own transactions, and answers by our keys.
 *
 * The card's number, the token and the holder's name decide what it does, as docs/guides/sandbox.md
 * lists. The names `LOST ANSWER`, `SLOW ANSWER 5`, `SLOW CHARGE 5`, `LOST REFUND` and
 * `SLOW REFUND 5` simulate answers that come late or never.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Database } from '../../../db/connection/database.ts';
import { type Tx, inTenant } from '../../../db/connection/tenancy.ts';
import { type IsoDate, addDays } from '../../../domain/calendar/calendar.ts';
import type { Vault } from '../../vault.ts';
import type { GatewayAdapter } from '../adapter.ts';
import {
  type AskedFor,
  type ChargeCall,
  type ConfirmCall,
  type GatewayAnswer,
  GatewayDifference,
  GatewayError,
  type GatewayOperation,
  type GatewayStatus,
  type MethodDetails,
  type MethodNow,
  type PayerOfCall,
  type ReturnCall,
  type ValidateCall,
  type VaultedMethod,
  type WaitingCall,
  noAmount,
} from '../gateway.ts';
import { challengeOf, makeChallenge } from './challenges.ts';
import { madeSince } from './made.ts';
import {
  assertSameCall,
  atWork,
  endAsked,
  enter,
  enterLast,
  type Entry,
  entryOf,
  finish,
  forgetMethod,
  goneBack,
  isAtWork,
  isCharged,
  lockAsked,
  lockCharge,
  newEntry,
  type NewEntry,
  storeMethod,
} from './rows.ts';
import { endingOf, isToBeReturned, withdrawals } from './later.ts';
import type { Delivery, Script } from './script.ts';
import { type KeptMethod, checkDetails, isRenewing, keptOf, shownOf, vaultedOf } from './vault.ts';
import { type KnownMethod, contextOf, methodOf } from './methods.ts';
import { type Decimal, add, compare, formatAmount } from '../../../domain/money/money.ts';
import { approved, asks, declined, pending } from '../declines.ts';

export interface SandboxOptions {
  readonly db: Database;
  readonly tenantId: number;
  readonly vault: Vault;
  /** The tenant's day: what takes days takes them on the tenant's clock. */
  readonly today: () => Promise<IsoDate>;
  /** Waits, which SLOW methods do. */
  readonly pause?: (ms: number) => Promise<void>;
}

type Sandbox = Required<SandboxOptions>;

export function createSandbox(options: SandboxOptions): GatewayAdapter {
  // The timer does not keep the process alive.
  const waits = (ms: number): Promise<void> => setTimeout(ms, undefined, { ref: false });
  const sandbox: Sandbox = { pause: waits, ...options };
  return {
    name: 'sandbox',
    store: (details, key) => store(sandbox, details, key),
    entered: () => Promise.reject(new GatewayError('invalid', 'token_unknown', { field: 'token' })),
    validate: (call) => validate(sandbox, call),
    charge: (call, signal) => charge(sandbox, call, signal),
    confirm: (call) => confirm(sandbox, call),
    end: (call) => end(sandbox, call),
    challenge: (call) => inLog(sandbox, (tx) => challengeOf(tx, sandbox.vault, call.madeAs)),
    refund: (call, signal) => giveBack(sandbox, { ...call, operation: 'refund' }, signal),
    void: (call, signal) => giveBack(sandbox, { ...call, operation: 'void' }, signal),
    status: (operation, asked) => status(sandbox, operation, asked),
    method: ({ token }) => inLog(sandbox, (tx) => methodNow(sandbox, tx, token)),
    remove: ({ token }) => inLog(sandbox, async (tx) => forgetMethod(tx, token)),
    withdrawals: async (charge) => {
      const today = await sandbox.today();
      return inLog(sandbox, (tx) => withdrawals(tx, charge, today));
    },
    made: (since, from) => inLog(sandbox, (tx) => madeSince(tx, since, from)),
  };
}

async function store(
  sandbox: Sandbox,
  details: MethodDetails,
  key: string,
): Promise<VaultedMethod> {
  checkDetails(details);
  const { vault } = sandbox;
  const kept = keptOf(details);
  const clear = JSON.stringify(kept);
  const token = `sbx_${randomUUID()}`;
  const sealed = vault.seal(clear, contextOf(sandbox, token));
  const stored = await inLog(sandbox, (tx) => storeMethod(tx, key, { token, sealed }));
  if (vault.open(stored.sealed, contextOf(sandbox, stored.token)) !== clear) {
    throw new GatewayError('invalid', 'idempotency_mismatch');
  }
  return vaultedOf(stored.token, kept);
}

function validate(sandbox: Sandbox, call: ValidateCall): Promise<GatewayAnswer> {
  return inLog(sandbox, async (tx) => {
    const { token, idempotencyKey } = call;
    const method = await methodOf(tx, sandbox.vault, token);
    const { script, kept } = method;
    const free = { idempotencyKey, ...noAmount };
    const asked = { ...newEntry('validate', free, script.validate), token };
    if (!isAsked(method, call)) return answerOf(await enter(tx, asked), kept);
    return answerOf(await enterAsked(sandbox, tx, asked, { ...call, savesMethod: true }), kept);
  });
}

async function charge(
  sandbox: Sandbox,
  call: ChargeCall,
  signal: AbortSignal,
): Promise<GatewayAnswer> {
  const { db, tenantId } = sandbox;
  const read = { readOnly: true, single: true };
  const find = (tx: Tx): Promise<KnownMethod> => methodOf(tx, sandbox.vault, call.token);
  const method = await inTenant(db, tenantId, find, read);
  const { script, kept } = method;
  signal.throwIfAborted();
  if (isAsked(method, call)) {
    const waits = { ...newEntry('charge', call, null), token: call.token };
    const entry = await inLog(sandbox, (tx) => enterAsked(sandbox, tx, waits, call));
    await deliver(sandbox, script.charging, entry, signal);
    return answerOf(entry, kept);
  }
  const asked = await withNews(sandbox, script, {
    ...newEntry('charge', call, script.charge),
    token: call.token,
  });
  const { charge, chargesFromCall, later } = script;
  const isPlain = charge === null && chargesFromCall === 1 && later === null;
  const isSlow = isPlain && script.charging.doneAfterMs > 0;
  const entry = await (isSlow ? chargeLater : chargeNow)(sandbox, asked, script);
  await deliver(sandbox, script.charging, entry, signal);
  return answerOf(entry, kept);
}

/** A method stays usable here for ever. */
async function methodNow({ vault }: Sandbox, tx: Tx, token: string): Promise<MethodNow> {
  const { kept } = await methodOf(tx, vault, token);
  if (kept === null) return { brand: null, lastFour: null, expiry: null, isUsable: false };
  return { ...shownOf(kept, await isCharged(tx, token)), isUsable: true };
}

/* What waits for its payer. */

function isAsked({ script, isAuthenticated }: KnownMethod, { payer }: PayerOfCall): boolean {
  if (script.asks === null) return false;
  return payer === 'present' || script.asks === 'always' || !isAuthenticated;
}

async function enterAsked(
  { vault }: Sandbox,
  tx: Tx,
  asked: NewEntry,
  { returnUrl, savesMethod }: PayerOfCall & { readonly savesMethod: boolean },
): Promise<Entry> {
  const entry = await enter(tx, { ...asked, status: 'Asks', errorCode: null });
  if (returnUrl !== null && entry.status === 'Asks') {
    await makeChallenge(tx, vault, { entry, key: asked.key, returnUrl, savesMethod });
  }
  return entry;
}

/** The payer is there: a page of its own for each confirmation. */
function confirm(sandbox: Sandbox, call: ConfirmCall): Promise<GatewayAnswer> {
  return withAsked(sandbox, call, async (tx, entry) => {
    if (entry.status !== 'Asks') return entry;
    const { confirmationKey: key, agreed: amount, returnUrl } = call;
    const agreed = await endAsked(tx, entry, { ...entry, amount });
    await makeChallenge(tx, sandbox.vault, { entry, key, returnUrl, savesMethod: false });
    return agreed;
  });
}

function end(sandbox: Sandbox, call: WaitingCall): Promise<GatewayAnswer> {
  return withAsked(sandbox, call, (tx, entry) =>
    endAsked(tx, entry, { ...entry, status: 'Declined', errorCode: 'authentication_required' }),
  );
}

function withAsked(
  sandbox: Sandbox,
  call: WaitingCall,
  work: (tx: Tx, entry: Entry) => Promise<Entry>,
): Promise<GatewayAnswer> {
  return inLog(sandbox, async (tx) => {
    const entry = await lockAsked(tx, call.madeAs);
    if (!entry) throw new GatewayError('unavailable', 'unknown_charge');
    refuseAnother(entry, call.operation, call);
    const { kept } = await methodOf(tx, sandbox.vault, entry.token ?? '');
    return answerOf(await work(tx, entry), kept, call);
  });
}

async function withNews({ today }: Sandbox, { later }: Script, entry: NewEntry): Promise<NewEntry> {
  if (later === null) return entry;
  const newsOn = addDays(await today(), later.days);
  return { ...entry, newsOn, status: later.what === 'returned' ? entry.status : 'Processing' };
}

async function chargeNow(sandbox: Sandbox, asked: NewEntry, script: Script): Promise<Entry> {
  const isTransient = asked.status === 'Approved' && script.chargesFromCall > 1;
  const begun = { status: 'Processing', errorCode: 'processing_error' } as const;
  const entry = await inLog(sandbox, async (tx) => {
    if (!isTransient) return enterLast(tx, asked);
    const made = await enter(tx, { ...asked, ...begun });
    return made.calls >= script.chargesFromCall ? finish(tx, made) : made;
  });
  // The last statement commits the entry, so its answer is checked after the transaction.
  assertSameCall(entry, asked);
  if (entry.status === 'Processing' && entry.newsOn === null) {
    throw new GatewayError('transient', 'processing_error');
  }
  return entry;
}

async function chargeLater(sandbox: Sandbox, asked: NewEntry, script: Script): Promise<Entry> {
  const { db, tenantId, pause } = sandbox;
  const maker = await atWork(db, { tenantId, key: asked.key });
  if (!maker) throw new GatewayError('unknown', 'processing');
  try {
    const entry = await inLog(sandbox, (tx) => enter(tx, { ...asked, status: 'Processing' }));
    // If a process that died made the entry, the call has waited long enough.
    if (entry.calls === 1) await pause(script.charging.doneAfterMs);
    return await inLog(sandbox, (tx) => finish(tx, entry));
  } finally {
    await maker.release();
  }
}

async function giveBack(
  sandbox: Sandbox,
  call: Return,
  signal: AbortSignal,
): Promise<GatewayAnswer> {
  const { entry, script } = await inLog(sandbox, async (tx) => {
    const charged = await lockCharge(tx, call.transactionId);
    const script = charged && (await methodOf(tx, sandbox.vault, charged.token ?? '')).script;
    const gone = charged ? await goneBack(tx, charged, call.idempotencyKey) : '0';
    const refusal = refusalOf(call, charged, gone) ?? script?.refund ?? null;
    const asked = { ...newEntry(call.operation, call, refusal), chargeId: call.transactionId };
    return { entry: await enter(tx, asked), script };
  });
  if (script) await deliver(sandbox, script.refunding, entry, signal);
  return answerOf(entry, null);
}

async function status(
  sandbox: Sandbox,
  operation: GatewayOperation,
  asked: AskedFor,
): Promise<GatewayStatus> {
  const { idempotencyKey: key } = asked;
  const today = await sandbox.today();
  return inLog(sandbox, async (tx) => {
    // In this order, a call that was finished meanwhile is read as finished.
    const [isBusy, entry] = await Promise.all([isAtWork(tx, key), entryOf(tx, key)]);
    if (entry === undefined) return 'unknown';
    refuseAnother(entry, operation, asked);
    const { status: stands, newsOn } = entry;
    if (stands === 'Processing' && newsOn === null) return isBusy ? 'processing' : 'unknown';
    const isRipe = stands === 'Processing' && newsOn !== null && newsOn <= today;
    const { kept, script } = await methodOf(tx, sandbox.vault, entry.token ?? '');
    return answerOf(isRipe ? await finish(tx, entry, endingOf(entry, script)) : entry, kept, asked);
  });
}

function inLog<Result>(sandbox: Sandbox, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return inTenant(sandbox.db, sandbox.tenantId, work);
}

/* Delivers an answer of the sandbox at once, late, or never. */

/**
 * Delays the first answer to a key. A repeated call with the key gets the recorded outcome at once.
 */
async function deliver(
  { pause }: { readonly pause: (ms: number) => Promise<void> },
  { isLost, answerAfterMs }: Delivery,
  { calls }: Entry,
  signal: AbortSignal,
): Promise<void> {
  if (calls > 1) return;
  if (isLost) await aborted(signal);
  if (answerAfterMs > 0) await pause(answerAfterMs);
}

/** Never resolves; rejects when the caller has stopped waiting. */
function aborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(new GatewayError('unknown', 'timeout'));
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return promise;
}

/* Decides and builds the sandbox's answer to a call. */

interface Return extends ReturnCall {
  readonly operation: 'refund' | 'void';
}

function refusalOf(call: Return, charge: Entry | undefined, gone: Decimal): string | null {
  if (!charge) return 'unknown_charge';
  if (charge.currency !== call.currency) return 'currency_mismatch';
  const isWhole = compare(call.amount, charge.amount) === 0 && compare(gone, '0') === 0;
  if (call.operation === 'void') return isWhole ? null : 'not_voidable';
  return compare(add(gone, call.amount), charge.amount) > 0 ? 'refund_exceeds_charge' : null;
}

/** Throws if the key belongs to another call. */
function refuseAnother(entry: Entry, operation: GatewayOperation, asked: AskedFor): void {
  const differs = compare(entry.amount, asked.amount);
  const isSame =
    entry.operation === operation &&
    entry.currency === asked.currency &&
    (differs === 0 || (asked.mayBeLess === true && differs < 0));
  if (isSame) return;
  const isValidation = entry.operation === 'validate';
  const amount = isValidation ? '0' : formatAmount(entry.currency, entry.amount);
  const text = isValidation
    ? 'a validation'
    : `a ${entry.operation} over ${amount} ${entry.currency}`;
  throw new GatewayDifference({ text, transactionId: String(entry.id) }, asked);
}

const APPROVAL_CODE_DIGITS = 6;

function answerOf(
  entry: Entry,
  kept: KeptMethod | null,
  { mayBeLess = false }: Pick<AskedFor, 'mayBeLess'> = {},
): GatewayAnswer {
  const evidence = {
    transactionId: String(entry.id),
    avsCode: kept?.avsCode ?? null,
    cvvCode: kept?.cvvCode ?? null,
  };
  if (entry.status === 'Processing') return pending(evidence, entry.newsOn);
  if (entry.status === 'Asks') return asks(evidence);
  if (entry.status === 'Declined') return declined(entry.errorCode ?? 'card_declined', evidence);
  const approvalCode = String(entry.id)
    .slice(-APPROVAL_CODE_DIGITS)
    .padStart(APPROVAL_CODE_DIGITS, '0');
  const { amount: charged } = entry;
  const isRenewed = entry.operation === 'charge' && kept !== null && isRenewing(kept);
  const answer = {
    ...approved({ ...evidence, approvalCode }),
    ...(mayBeLess && { charged }),
    ...(isRenewed && { renewed: shownOf(kept, true) }),
  };
  return isToBeReturned(entry) ? { ...answer, newsOn: entry.newsOn } : answer;
}
