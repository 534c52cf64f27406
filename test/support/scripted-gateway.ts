/**
 * A gateway that does what a test has scripted for a token, or for the next refund. Like a real one
 * it keeps its own log, in the sandbox's table, and executes no key twice.
 */
import type { Database } from '../../db/connection/database.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { madeSince } from '../../providers/gateway/sandbox/made.ts';
import {
  GatewayDifference,
  GatewayError,
  type AskedFor,
  type ChargeCall,
  type Gateway,
  type GatewayAnswer,
  type GatewayStatus,
  type Gateways,
  type ReturnCall,
  type Withdrawal,
} from '../../providers/gateway/gateway.ts';

export type Act =
  | 'approve'
  | 'decline'
  | 'hardDecline'
  /** The call is executed, but the answer is lost. */
  | 'loseAnswer'
  | 'loseDecline'
  /** The connection breaks before the call arrives. */
  | 'loseCall'
  | 'pass'
  | 'beUnavailable'
  | 'beInvalid'
  /** In progress until `finish`; the caller gets no answer. */
  | 'process'
  /** The caller gets `pending` until `finish`. */
  | 'accept'
  /** It asks for the payer, until `payer` or `end`. */
  | 'ask';

/** After this the gateway has never seen the key. */
const undecided: ReadonlySet<Act> = new Set<Act>(['loseCall', 'pass', 'beUnavailable']);

interface Entry {
  readonly id: number;
  readonly operation: string;
  readonly amount: string;
  readonly currency: string;
  readonly status: 'Processing' | 'Asks' | 'Approved' | 'Declined';
  readonly errorCode: string | null;
}

interface Asked {
  readonly operation: 'charge' | 'refund' | 'void';
  readonly key: string;
  readonly token: string | null;
  readonly chargeId: string | null;
  readonly amount: string;
  readonly currency: string;
}

interface Held {
  readonly arrived: () => void;
  readonly released: Promise<void>;
}

export type ScriptedGateway = ReturnType<typeof scriptedGateway>;

type Withdrawn = readonly Withdrawal[] | 'silent';

const told = (what: Withdrawn): Promise<readonly Withdrawal[]> =>
  what === 'silent'
    ? Promise.reject(new GatewayError('unknown', 'timeout'))
    : Promise.resolve(what);

/** Approves everything that no test has scripted. */
export function scriptedGateway(db: Database, tenantId: number) {
  const acts = new Map<string, Act[]>();
  const holds = new Map<string, Held>();
  const withdrawn = new Map<string, Withdrawn>();
  const silent = new Set<string>();
  /** All calls with a key get its one outcome, later and at the same time. */
  const fates = new Map<string, Act>();
  /** `charge tok_1 30.00: approve`, `status charge: approved`. */
  const calls: string[] = [];
  const traffic: { readonly scripted: string; readonly change: number }[] = [];

  const { log, find } = logOf(db, tenantId);

  async function act(asked: Asked): Promise<GatewayAnswer> {
    const scripted = asked.token ?? 'back';
    traffic.push({ scripted, change: 1 });
    try {
      return await perform(asked, scripted);
    } finally {
      traffic.push({ scripted, change: -1 });
    }
  }

  async function perform(asked: Asked, scripted: string): Promise<GatewayAnswer> {
    const hold = holds.get(scripted);
    hold?.arrived();
    await hold?.released;
    const before = await find(asked.key);
    const does = fates.get(asked.key) ?? acts.get(scripted)?.shift() ?? 'approve';
    if (!undecided.has(does)) fates.set(asked.key, does);
    calls.push(`${asked.operation} ${scripted} ${asked.amount}: ${before ? 'again' : does}`);
    if (before) return finalAnswer(before, fates.get(asked.key));
    switch (does) {
      case 'approve':
        return answerOf(await log(asked, 'Approved', null));
      case 'decline':
        return answerOf(await log(asked, 'Declined', 'card_declined'));
      case 'hardDecline':
        return answerOf(await log(asked, 'Declined', 'account_closed'));
      case 'loseAnswer':
        await log(asked, 'Approved', null);
        throw new GatewayError('unknown', 'timeout');
      case 'loseDecline':
        await log(asked, 'Declined', 'insufficient_funds');
        throw new GatewayError('unknown', 'timeout');
      case 'loseCall':
        throw new GatewayError('unknown', 'connection');
      case 'process':
        await log(asked, 'Processing', null);
        throw new GatewayError('unknown', 'timeout');
      case 'accept':
        return pendingAnswer(await log(asked, 'Processing', null));
      case 'ask':
        return answerOf(await log(asked, 'Asks', null));
      case 'pass':
        throw new GatewayError('transient', 'processing_error');
      case 'beUnavailable':
        throw new GatewayError('unavailable', 'breaker_open');
      case 'beInvalid':
        throw new GatewayError('invalid', 'token_unknown', { field: 'token' });
    }
  }

  const gateway: Gateway = {
    name: 'sandbox',
    store: () => Promise.reject(new Error('the tests hand tokens over')),
    entered: () => Promise.reject(new Error('the tests hand tokens over')),
    validate: () => Promise.reject(new Error('nothing is validated here')),
    async confirm(call) {
      const entry = await inTenant(db, tenantId, (tx) =>
        tx.query<Entry & Record<string, unknown>>(
          `update sandbox_transaction set amount = $2 where id = $1 and status = 'Asks'
           returning id, operation, amount, currency, status, error_code`,
          [call.madeAs, call.agreed],
        ),
      );
      calls.push(`confirm ${call.token} ${call.agreed}: ${entry.length === 0 ? 'over' : 'asks'}`);
      return answerOf((await find(call.idempotencyKey)) ?? nobody);
    },
    async end(call) {
      if (silent.has('end')) throw new GatewayError('unknown', 'timeout');
      const ended = await inTenant(db, tenantId, (tx) =>
        tx.query(
          `update sandbox_transaction set status = 'Declined',
             error_code = 'authentication_required'
           where id = $1 and status = 'Asks' returning id`,
          [call.madeAs],
        ),
      );
      const entry = (await find(call.idempotencyKey)) ?? nobody;
      calls.push(`end: ${ended.length === 0 ? entry.status : 'ended'}`);
      return chargedOf(entry, call);
    },
    challenge: () => Promise.resolve({ kind: 'page', url: 'http://bank.example/challenge' }),
    charge: ({ idempotencyKey: key, token, amount, currency }: ChargeCall) =>
      act({ operation: 'charge', key, token, chargeId: null, amount, currency }),
    refund: (call) => act(returning('refund', call)),
    void: (call) => act(returning('void', call)),
    method: () => Promise.reject(new Error('no method changes here')),
    remove: () => Promise.reject(new Error('no method is removed here')),
    withdrawals: ({ transactionId }) => told(withdrawn.get(transactionId) ?? []),
    made: (since, from) => inTenant(db, tenantId, (tx) => madeSince(tx, since, from)),
    async status(operation, asked): Promise<GatewayStatus> {
      const entry = await find(asked.idempotencyKey);
      if (entry) refuseAnother(entry, operation, asked);
      const said = entry ? statusOf(entry, fates.get(asked.idempotencyKey)) : 'unknown';
      const isDone = entry !== undefined && entry.status !== 'Processing';
      const status = isDone ? chargedOf(entry, asked) : said;
      calls.push(`status ${operation}: ${typeof status === 'string' ? status : status.outcome}`);
      return status;
    },
  };
  const gateways: Gateways = {
    ofTenant: () => Promise.resolve(gateway),
    named: () => Promise.resolve(gateway),
    returnUrl: (_tenantId, sealed) => sealed,
  };

  return {
    gateways,
    calls,
    /** The answers when a token is charged, one call after the other. */
    onCharge: (token: string, ...what: readonly Act[]): void => void acts.set(token, [...what]),
    /** The answers to refunds, one call after the other. */
    onReturn: (...what: readonly Act[]): void => void acts.set('back', [...what]),
    /** The withdrawals of a charge that it reports from now on; it may also not answer. */
    withdraws: (transactionId: string, what: Withdrawn): void =>
      void withdrawn.set(transactionId, what),
    /** Calls for the token wait after their arrival until they are released. */
    hold(scripted: string) {
      const arrived = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      holds.set(scripted, { arrived: arrived.resolve, released: released.promise });
      const release = (): void => {
        holds.delete(scripted);
        released.resolve();
      };
      return { arrived: arrived.promise, release };
    },
    /** The largest number of simultaneous calls for such tokens. */
    mostAtOnce: (prefix: string): number =>
      mostOf(traffic.filter((each) => each.scripted.startsWith(prefix))),
    /** Nobody hears of what ends from now on; or everybody does again. */
    silence: (isSilent: boolean): void => void (isSilent ? silent.add('end') : silent.clear()),
    ...outcomesOf(db, tenantId),
  };
}

/** The highest sum on the way. */
function mostOf(changes: readonly { readonly change: number }[]): number {
  let now = 0;
  let most = 0;
  for (const { change } of changes) {
    now += change;
    most = Math.max(most, now);
  }
  return most;
}

/** The log that it keeps, as the sandbox does. */
function logOf(db: Database, tenantId: number) {
  const log = async (asked: Asked, status: Entry['status'], errorCode: string | null) => {
    const { key, operation, token, chargeId, amount, currency } = asked;
    const [entry] = await inTenant(db, tenantId, (tx) =>
      tx.query<Entry & Record<string, unknown>>(
        `insert into sandbox_transaction (tenant_id, idempotency_key, operation, token, charge_id,
           amount, currency, status, error_code) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         on conflict (tenant_id, idempotency_key) do update set calls = sandbox_transaction.calls + 1
         returning id, operation, amount, currency, status, error_code`,
        [tenantId, key, operation, token, chargeId, amount, currency, status, errorCode],
      ),
    );
    if (!entry) throw new Error('the log was not written');
    return entry;
  };
  const find = async (key: string): Promise<Entry | undefined> => {
    const [entry] = await inTenant(db, tenantId, (tx) =>
      tx.query<Entry & Record<string, unknown>>(
        `update sandbox_transaction set calls = calls + 1 where idempotency_key = $1
         returning id, operation, amount, currency, status, error_code`,
        [key],
      ),
    );
    return entry;
  };
  return { log, find };
}

/** How what is open at the gateway ends. */
const outcomesOf = (db: Database, tenantId: number) => ({
  /** Its payer answers all that asks for him, at the gateway's own page. */
  payer: (answer: 'confirms' | 'refuses' | 'hasNothing') =>
    inTenant(db, tenantId, (tx) =>
      tx.query(
        `update sandbox_transaction set status = $1, error_code = $2 where status = 'Asks'`,
        answer === 'confirms'
          ? ['Approved', null]
          : ['Declined', answer === 'refuses' ? 'authentication_failed' : 'insufficient_funds'],
      ),
    ),
  /** Finishes all calls in progress. */
  finish: (status: 'Approved' | 'Declined') =>
    inTenant(db, tenantId, (tx) =>
      tx.query(`update sandbox_transaction set status = $1 where status = 'Processing'`, [status]),
    ),
});

function returning(operation: 'refund' | 'void', call: ReturnCall): Asked {
  const { idempotencyKey: key, transactionId: chargeId, amount, currency } = call;
  return { operation, key, token: null, chargeId, amount, currency };
}

/** Like a real gateway it returns its record under the key instead of what was asked for. */
function refuseAnother(entry: Entry, operation: string, asked: AskedFor): void {
  const { id, amount, currency } = entry;
  const isLess = asked.mayBeLess === true && Number(amount) < Number(asked.amount);
  const isSame =
    entry.operation === operation &&
    currency === asked.currency &&
    (isLess || Number(amount) === Number(asked.amount));
  if (isSame) return;
  const text = `a ${entry.operation} over ${Number(amount)} ${currency}`;
  throw new GatewayDifference({ text, transactionId: String(id) }, asked);
}

function statusOf(entry: Entry, fate: Act | undefined): GatewayAnswer | 'processing' {
  if (entry.status !== 'Processing') return answerOf(entry);
  return fate === 'accept' ? pendingAnswer(entry) : 'processing';
}

function pendingAnswer(entry: Entry): GatewayAnswer {
  return { ...answerOf(entry), outcome: 'pending', errorCode: 'pending', errorMessage: null };
}

function finalAnswer(entry: Entry, fate: Act | undefined): GatewayAnswer {
  if (fate === 'accept') return statusOf(entry, fate) as GatewayAnswer;
  if (entry.status === 'Processing') throw new GatewayError('unknown', 'processing');
  return answerOf(entry);
}

const nobody: Entry = {
  id: 0,
  operation: 'charge',
  amount: '0',
  currency: 'USD',
  status: 'Declined',
  errorCode: 'unknown_charge',
};

/** Of what its payer may have agreed to less of. */
function chargedOf(
  entry: Entry,
  { mayBeLess = false }: Pick<AskedFor, 'mayBeLess'>,
): GatewayAnswer {
  const answer = answerOf(entry);
  const isCharged = mayBeLess && answer.outcome === 'approved';
  return isCharged ? { ...answer, charged: entry.amount } : answer;
}

function answerOf({ id, status, errorCode }: Entry): GatewayAnswer {
  const isApproved = status === 'Approved';
  return {
    outcome: status === 'Asks' ? 'asks' : isApproved ? 'approved' : 'declined',
    transactionId: String(id),
    errorCode: isApproved ? '0' : (errorCode ?? 'card_declined'),
    errorMessage: isApproved ? null : 'was declined',
    isHardDecline: errorCode === 'account_closed',
    avsCode: null,
    cvvCode: null,
    approvalCode: isApproved ? '000001' : null,
  };
}
