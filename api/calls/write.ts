/** Runs a write in one transaction: key, version, operation, answer and audit entry. */
import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { QueryResultRow } from 'pg';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import type { AuditedType } from '../../domain/access/audit-log.ts';
import { holdsCardNumber } from '../../domain/payments/card-masking.ts';
import { notedOf, writeAudit } from '../../operations/access/audit-log.ts';
import { withTaxes } from '../../operations/billing/asking.ts';
import {
  keepDocuments,
  operationContextOf,
  type TenantInfo,
  type OperationContext,
} from '../../operations/context/context.ts';
import {
  keepAnswer,
  keptAnswer,
  sealedAnswerContext,
  takeKey,
  type KeyedRequest,
  type KeptAnswer,
} from '../../operations/context/idempotency.ts';
import type { Nudge } from '../../operations/context/nudge.ts';
import { assertVersion, type Versioned } from '../../operations/context/versions.ts';
import type { WorkLine } from '../../operations/context/work-log.ts';
import type { Vault } from '../../providers/vault.ts';
import { acceptedVersions, type Answer, XML_TYPE } from './answer.ts';
import type { Made, RawCall, PresentOf } from './call.ts';
import { badRequest } from './errors.ts';
import { refusalAnswer, refusalOf } from './refusals.ts';
import type { RouteDependencies } from './services.ts';

/** The object of a call in the audit log. */
export interface AuditedCall {
  /** Null for a write of no one object. */
  readonly type: AuditedType | null;
  /** Its id is in the path; otherwise it is noted when the write locks or makes the object. */
  readonly isAddressed: boolean;
}

/** The outcome of a call beside its answer. */
export interface Performed {
  /** The answer is stored under its key, or need not be. */
  isKept: boolean;
}

export interface Writing {
  readonly dependencies: RouteDependencies;
  readonly raw: RawCall;
  readonly keyed: KeyedRequest | undefined;
  readonly performed: Performed;
  readonly target: Versioned | undefined;
  readonly audited: AuditedCall;
  readonly clock: 'share' | 'none';
  /** The status of success. */
  readonly status: number;
  readonly operation: (context: OperationContext) => Promise<Made>;
  readonly keeping: Keeping;
}

export async function writeOnce(writing: Writing): Promise<Answer> {
  const { dependencies, raw, keyed, performed } = writing;
  const after: AfterCommit = { nudges: [], lines: [] };
  const { answer, continuingId, error } = await withTaxes(dependencies, raw.tenant.id, () =>
    inTenant<Outcome>(dependencies.db, raw.tenant.id, (tx) =>
      keyed === undefined ? once(writing, tx, after) : onceByKey(writing, keyed, tx, after),
    ),
  ).catch((failure: unknown) => {
    // A refusal because of the key is not an answer to the request itself.
    if (keyed !== undefined && isOfKey(failure)) performed.isKept = true;
    throw failure;
  });
  performed.isKept = keyed !== undefined;
  if (error !== undefined) throw error;
  for (const line of after.lines) dependencies.onWork?.(line);
  // Waiting for a payment also starts it; a nudge as well would make its workflow run twice.
  const isAwaited = ({ kind, objectId }: Nudge): boolean =>
    kind === 'payment' && objectId === continuingId && dependencies.paymentWaitSeconds > 0;
  const soon = after.nudges.filter((nudge) => !isAwaited(nudge));
  if (soon.length > 0) dependencies.dispatch(raw.tenant.id, soon);
  return answer;
}

/** Called once the transaction is committed. */
interface AfterCommit {
  nudges: readonly Nudge[];
  lines: readonly WorkLine[];
}

interface Outcome extends Made {
  /** The refusal that is stored instead of an answer. */
  readonly error?: Error;
}

async function onceByKey(
  writing: Writing,
  keyed: KeyedRequest,
  tx: Tx,
  after: AfterCommit,
): Promise<Outcome> {
  const kept = await takeKey(tx, keyed);
  if (kept !== undefined) {
    return { answer: await replay(tx, kept, writing.keeping), continuingId: kept.continuingId };
  }
  let outcome: Outcome;
  try {
    outcome = await tx.attempt(() => once(writing, tx, after));
  } catch (error) {
    if (!(error instanceof Error) || !isKeepable(error)) throw error;
    after.nudges = [];
    after.lines = [];
    outcome = { answer: refusalAnswer(refusalOf(error)), continuingId: null, error };
  }
  keepAnswer(tx, keyed, storable(outcome, writing.keeping));
  return outcome;
}

/** Of a call that asks other systems before its write: one that is stale reaches none of them. */
export async function refuseStale(
  { db }: Pick<RouteDependencies, 'db'>,
  raw: RawCall,
  target: Versioned | undefined,
): Promise<void> {
  const versions = acceptedVersions(raw.header('if-match'));
  if (versions === undefined || target === undefined) return;
  await inTenant(db, raw.tenant.id, (tx) => assertVersion(tx, target, versions));
}

async function once(writing: Writing, tx: Tx, after: AfterCommit): Promise<Outcome> {
  const { dependencies, raw, target, clock } = writing;
  const context = await operationContextOf(dependencies, raw.tenant, tx, clock);
  const versions = acceptedVersions(raw.header('if-match'));
  if (versions !== undefined && target !== undefined) await assertVersion(tx, target, versions);
  const note = noteOnce(writing, tx);
  // With a key the transaction still has to store the answer; without one this is its last step.
  // Documents of events are kept after the operation, too.
  const isLast = writing.keyed === undefined && raw.tenant.subscribedEvents.length === 0;
  const finalQuery = isLast ? lastAfter(note, tx) : tx;
  const made = await writing.operation({ ...context, finalQuery });
  await keepDocuments(dependencies, context);
  await note();
  after.nudges = context.nudges;
  after.lines = context.lines;
  return made;
}

/** The entry names what the operation has changed, so it follows the operation's last change. */
function noteOnce({ raw, status, audited }: Writing, tx: Tx): () => Promise<void> {
  let isNoted = false;
  return async () => {
    if (isNoted) return;
    isNoted = true;
    // What managed entities have changed is known when it is written.
    await tx.flush();
    writeAudit(tx, {
      action: 'write',
      userId: raw.user.id,
      username: raw.user.username,
      method: raw.method,
      path: raw.path,
      status,
      address: raw.address,
      requestId: raw.requestId,
      ...notedOf(tx, audited.type, audited.isAddressed ? raw.id : null),
    });
  };
}

/** Nothing follows the last query, which is sent with the commit. */
const lastAfter = (note: () => Promise<void>, tx: Tx): Pick<Tx, 'query'> => ({
  async query<Row extends QueryResultRow>(...last: Parameters<Tx['query']>): Promise<Row[]> {
    await note();
    return tx.finish<Row>(...last);
  },
});

/** The stored answer for a key, for a call that calls other systems before it writes. */
export function replayed(
  dependencies: RouteDependencies,
  tenant: TenantInfo,
  keyed: KeyedRequest,
  keeping: Keeping,
): Promise<Answer | undefined> {
  return inTenant(
    dependencies.db,
    tenant.id,
    async (tx) => {
      const kept = await keptAnswer(tx, keyed);
      return kept && replay(tx, kept, keeping);
    },
    { readOnly: true },
  );
}

/** Stores a refusal from before the write's transaction, or returns the stored answer. */
export async function keepRefusal(
  dependencies: RouteDependencies,
  tenant: TenantInfo,
  keyed: KeyedRequest,
  { error, keeping }: { readonly error: unknown; readonly keeping: Keeping },
): Promise<Answer> {
  if (!isKeepable(error)) throw error;
  const answer = await inTenant(dependencies.db, tenant.id, async (tx) => {
    const before = await takeKey(tx, keyed);
    if (before !== undefined) return replay(tx, before, keeping);
    const refusal = refusalAnswer(refusalOf(error));
    keepAnswer(tx, keyed, storable({ answer: refusal, continuingId: null }, keeping));
    return undefined;
  });
  if (answer === undefined) throw error;
  return answer;
}

function isKeepable(error: unknown): boolean {
  return refusalOf(error).status < 500;
}

function isOfKey(error: unknown): boolean {
  return refusalOf(error).errors.some(({ code }) => code.startsWith('idempotency.'));
}

/* How the answer of a keyed call is stored, and shown again to whoever repeats the request. */

export interface Keeping {
  /** For an answer that shows what continues after the commit. */
  readonly presentOf: PresentOf | undefined;
  /** For answers that hold a secret: their bodies are stored sealed. */
  readonly sealing: Sealing | undefined;
}

interface Sealing {
  readonly seal: (body: string) => string;
  readonly open: (sealed: string) => string;
}

/** Seals for one tenant and one key: an answer that is copied to another key does not open. */
export function sealingFor(
  { vault }: { readonly vault: Vault },
  tenant: { readonly id: number },
  keyed: KeyedRequest | undefined,
): Sealing | undefined {
  if (keyed === undefined) return undefined;
  const { key } = keyed;
  const context = sealedAnswerContext(tenant.id, key);
  return {
    seal: (body) => vault.seal(body, context),
    open: (sealed) => vault.open(sealed, context),
  };
}

/** Where the type of an answer that is no document is kept. */
const TYPE_HEADER = 'Content-Type';

function storable(
  { answer: { status, type, headers, body }, continuingId }: Made,
  { sealing }: Keeping,
): KeptAnswer {
  const typed = type === XML_TYPE ? headers : { ...headers, [TYPE_HEADER]: type };
  const clear = String(body);
  return { status, headers: typed, body: sealing?.seal(clear) ?? clear, continuingId };
}

async function replay(
  tx: Tx,
  { status, headers, body, continuingId }: KeptAnswer,
  { presentOf, sealing }: Keeping,
): Promise<Answer> {
  const { [TYPE_HEADER]: type = XML_TYPE, ...others } = headers;
  const answer =
    continuingId === null || presentOf === undefined
      ? { status, type, headers: others, body: sealing?.open(body) ?? body }
      : await presentOf(tx, continuingId);
  return { ...answer, headers: { ...answer.headers, 'Idempotency-Replayed': 'true' } };
}

/* The caller's Idempotency-Key, and the fingerprint that distinguishes requests with one key. */

interface Request {
  readonly method: string;
  readonly url: string;
  readonly header: (name: string) => string | undefined;
}

/**
 * Undefined without a key; refuses a key that is empty, too long or not printable.
 *
 * @param fingerprintKey the secret of the fingerprints, which are stored: a plain hash would reveal a card
 *   number in the request, because most of its digits are known and the rest can be guessed
 */
export function keyedRequest(
  request: Request,
  body: Uint8Array,
  fingerprintKey: Buffer,
): KeyedRequest | undefined {
  const key = request.header('idempotency-key');
  if (key === undefined) return undefined;
  if (!/^[\u0020-\u007e]{1,255}$/.test(key)) {
    throw badRequest(
      'idempotency.key',
      'An Idempotency-Key has 1 to 255 printable characters of ASCII',
      'Idempotency-Key',
    );
  }
  const hash = createHmac('sha256', fingerprintKey);
  hash.update(`${request.method}\n${request.url}\n`).update(body);
  return { key: keptKey(key, fingerprintKey), hash: hash.digest() };
}

/** A key that contains a card number is stored as its fingerprint. */
function keptKey(key: string, fingerprintKey: Buffer): string {
  if (!holdsCardNumber(key)) return key;
  return createHmac('sha256', fingerprintKey).update(`key\n${key}`).digest('base64url');
}

/** A key for other systems: the same if the request is repeated with its Idempotency-Key. */
export function onceKeyOf(keyed: KeyedRequest | undefined): string {
  if (keyed === undefined) return randomUUID();
  return createHash('sha256').update(`${keyed.key}\n`).update(keyed.hash).digest('base64url');
}
