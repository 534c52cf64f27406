/** Sends the queued mails of a tenant: claims one after the other, and records its outcome. */
import { PAUSE_MINUTES_MAX, type MailState } from '../../domain/mail/kinds.ts';
import {
  claimMail,
  DEFERRED_AT_ONCE_MAX,
  deferNextDue,
  noteWithoutUbl,
  readOpenMails,
  recoverInterrupted,
  type ClaimedMail,
  readTroubled,
  type TroubledMail,
} from '../../db/queries/mail/mails.ts';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import type { Answered, Mailer } from '../../providers/mail/mailer.ts';
import { limitCode, TemplateError, type Templates } from '../../providers/mail/templates.ts';
import { COUNTED_MAX } from '../../workflows/contract/contract.ts';
import { inLanes } from '../context/lanes.ts';
import {
  tenantInfo,
  tenantTimeOf,
  type Dependencies,
  type TenantInfo,
} from '../context/context.ts';
import type { LateAnswers } from './late-answers.ts';
import { lineOf, record, resultOf, type Result } from './outcome.ts';
import {
  messageOf,
  readMailRows,
  type MailMaking,
  type MailRows,
  type Unsendable,
} from './prepare.ts';

/** Mails of one tenant that are sent at once. */
const LANES = 2;
/** A pass ends after these, so that other tenants have their turn. */
const PASS_MAILS_MAX = 200;
const PASS_MS_MAX = 30_000;
/** The server answers too late: mails wait until it has answered for those that it has. */
const LATE_CODE = 'answer.late';
/** The last failures that the workflow shows. */
const SHOWN_MAX = 3;

/** A mail that was not sent at its last attempt. */
export interface MailTrouble {
  readonly mailId: string;
  readonly kind: string;
  readonly state: string;
  /** Of the SMTP answer, of the connection, or of ours; never an address. */
  readonly code: string;
  /** The next attempt, in milliseconds since 1970; null if there is none. */
  readonly nextAt: number | null;
}

/** What a pass of a tenant's mails did, and what is left. */
export interface MailProgress {
  readonly sent: number;
  /** Tried again later. */
  readonly deferred: number;
  /** Never sent. */
  readonly ended: number;
  /** COUNTED_MAX + 1 stands for any more. */
  readonly open: number;
  /** Until the next mail is due, in milliseconds; null if none is open. */
  readonly waitMs: number | null;
  /** Where mails go, for people. */
  readonly destination: string;
  /** The last ones, the newest first. */
  readonly troubles: readonly MailTrouble[];
}

export interface MailPass extends MailMaking {
  readonly mailer: Mailer;
  /** The host of PUBLIC_URL, for Message-IDs. */
  readonly host: string;
  /** `http://demo.localhost:8080`: of a tenant's hosted pages, by its label. */
  readonly originOf: (label: string) => string;
  /** Those of the worker. */
  readonly late: LateAnswers;
  readonly onProgress: () => void;
  readonly signal: AbortSignal;
}

interface Sending extends MailPass {
  readonly dependencies: Dependencies;
  readonly tenant: TenantInfo;
  readonly templates: Templates;
  readonly counts: { sent: number; deferred: number; ended: number };
}

export async function sendMails(
  dependencies: Dependencies,
  tenantId: number,
  pass: MailPass,
): Promise<MailProgress> {
  const tenant = await tenantInfo(dependencies, tenantId);
  const counts = { sent: 0, deferred: 0, ended: 0 };
  const { db } = dependencies;
  const before = await inTenant(db, tenantId, async (tx) => {
    await recoverInterrupted(tx);
    const own = await readTemplateRows(tx);
    return { own, ...(await readOpenMails(tx, COUNTED_MAX + 1)) };
  });
  if (before.waitMs === 0) {
    const failure = pass.late.isFull(tenantId) ? LATE_CODE : await pass.mailer.check();
    if (failure === null) {
      await sendInLanes({ ...pass, dependencies, tenant, templates: before.own, counts });
    } else {
      counts.deferred = await deferAll(dependencies, tenant, failure);
    }
  }
  const [after, troubled] = await inTenant(
    db,
    tenantId,
    async (tx) =>
      [await readOpenMails(tx, COUNTED_MAX + 1), await readTroubled(tx, SHOWN_MAX)] as const,
    { readOnly: true },
  );
  const { destination } = pass.mailer;
  return { ...counts, ...after, destination, troubles: troubled.map(troubleOf) };
}

async function readTemplateRows(tx: Tx): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ name: string; content: string }>(
    'select name, content from mail_template where tenant_id = $1',
    [tx.tenantId],
    'mail-templates',
  );
  return new Map(rows.map(({ name, content }) => [name, content]));
}

/** Nobody could be reached: all mails that are due wait, some thousand in a transaction. */
async function deferAll(
  { db, onWork }: Dependencies,
  tenant: TenantInfo,
  code: string,
): Promise<number> {
  const later = { code, pauseMinutesMax: PAUSE_MINUTES_MAX };
  let deferred = 0;
  for (let last = DEFERRED_AT_ONCE_MAX; last === DEFERRED_AT_ONCE_MAX; deferred += last) {
    last = await inTenant(db, tenant.id, (tx) => deferNextDue(tx, later));
  }
  onWork?.({ work: 'retry', of: 'mail', tenant: tenant.label, failed: deferred, code });
  return deferred;
}

async function sendInLanes(sending: Sending): Promise<void> {
  const endAt = performance.now() + PASS_MS_MAX;
  let left = PASS_MAILS_MAX;
  const { tenant, late, signal } = sending;
  const mayContinue = () =>
    left > 0 && performance.now() < endAt && !signal.aborted && !late.isFull(tenant.id);
  const lane = async (): Promise<void> => {
    while (mayContinue()) {
      left -= 1;
      if (!(await sendNext(sending))) return;
      sending.onProgress();
    }
  };
  await inLanes(Array.from({ length: LANES }), lane, { lanes: LANES });
}

interface Claimed {
  readonly mail: ClaimedMail;
  readonly rows: MailRows | Unsendable;
}

/** False if no mail is due. */
async function sendNext(sending: Sending): Promise<boolean> {
  const began = performance.now();
  const { dependencies, tenant, host, originOf, counts } = sending;
  const claimed = await inTenant(dependencies.db, tenant.id, async (tx) => {
    const mail = await claimMail(tx, { label: tenant.label, host });
    if (mail === undefined) return undefined;
    const time = await tenantTimeOf(dependencies, tenant, tx, 'none');
    const realNow = new Date(dependencies.realNow());
    const origin = originOf(tenant.label);
    const rows = await readMailRows({ dependencies, tx, tenant, time, realNow, origin }, mail);
    const withoutUbl = typeof rows === 'string' ? null : withoutUblOf(rows);
    const noted = { ...mail, withoutUbl };
    noteWithoutUbl(tx, noted);
    return { mail: noted, rows };
  });
  if (claimed === undefined) return false;
  const { mail } = claimed;
  const made = await outcomeOf(sending, claimed);
  if ('late' in made) {
    sending.late.add(dependencies, tenant, { mail, answer: made.late, began });
    return true;
  }
  const { result } = made;
  await inTenant(dependencies.db, tenant.id, (tx) => record(tx, mail, result));
  if (result.state === 'sent') counts.sent += 1;
  else if (result.state === 'queued' || result.state === 'interrupted') counts.deferred += 1;
  else counts.ended += 1;
  dependencies.onWork?.(lineOf(tenant, mail, { result, began }));
  return true;
}

function withoutUblOf({ ubl }: MailRows): readonly string[] | null {
  return ubl !== null && 'missing' in ubl ? ubl.missing.map(({ path }) => path ?? '') : null;
}

type Made = { readonly result: Result } | { readonly late: Promise<Answered> };

const endOf: Readonly<Record<Unsendable, Extract<MailState, 'failed' | 'noAddress' | 'obsolete'>>> =
  {
    'address.none': 'noAddress',
    'address.invalid': 'failed',
    'object.gone': 'obsolete',
    'notice.outdated': 'obsolete',
    'overdue.settled': 'obsolete',
    'sender.none': 'obsolete',
  };

/** Never throws, because a mail that cannot be rendered must not stop the others. */
async function outcomeOf(sending: Sending, { mail, rows }: Claimed): Promise<Made> {
  if (typeof rows === 'string') return { result: { state: endOf[rows], code: rows } };
  const { tenant, mailer } = sending;
  let message;
  try {
    message = await messageOf(rows, mail, { ...sending, lane: String(tenant.id) });
  } catch (error) {
    return { result: notMade(sending, mail, error) };
  }
  const sent = await mailer.send(message);
  return sent.outcome === 'late' ? { late: sent.answer } : { result: resultOf(sent) };
}

/** A mail that meets a limit would meet it again; a mistake in a template may be mended. */
function notMade({ dependencies, tenant }: Sending, mail: ClaimedMail, error: unknown): Result {
  const fault = error instanceof TemplateError ? error.fault : null;
  const result: Result =
    fault?.limit != null
      ? { state: 'failed', code: limitCode(fault.limit, fault.template) }
      : { state: 'queued', code: 'content.failed' };
  // The text of a template's error may quote a value, so only the kind of error is kept.
  const name = error instanceof Error ? error.name : 'Error';
  const what = fault?.limit == null ? name : result.code;
  dependencies.onBug?.(new Error(`mail ${mail.id} of ${tenant.label} was not made: ${what}`));
  return result;
}

/** `mail 2031 newInvoice: 450 4.2.0, again at 2027-01-01 10:05 UTC`; never an address. */
function troubleOf({
  id,
  kind,
  state,
  code,
  nextAt,
}: TroubledMail): MailProgress['troubles'][number] {
  return { mailId: String(id), kind, state, code, nextAt };
}
