/** Sends mails through an SMTP server, with a limit of time for each step. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { composed } from './compose.ts';
import {
  ANSWER_MS_MAX,
  SEND_MS_MAX,
  type Answered,
  type Mailer,
  type OutgoingMail,
  type SendOutcome,
} from './mailer.ts';

const CONNECT_MS_MAX = 10_000;
/** The longest silence of the server while it is checked. */
const SILENCE_MS_MAX = 20_000;
/** How long the sender of a mail waits for the answer to the data; later it is a late one. */
const PROMPT_MS_MAX = 20_000;
/** Simultaneous connections of one worker: of those that send, and of those with late answers. */
export const CONNECTIONS_MAX = 40;
const MAILS_PER_CONNECTION_MAX = 100;
const IDLE_MS_MAX = 20_000;

/** Shorter limits, for tests. */
export interface SmtpLimits {
  readonly connectMs?: number;
  readonly sendMs?: number;
  readonly promptMs?: number;
  /** Instead of ANSWER_MS_MAX: resolves when the answer to the data counts as missing. */
  readonly answerEnds?: () => Promise<unknown>;
}

/**
 * Copies count for nothing: the outcome is what the server says of the addressee. If it puts only the
 * addressee off, a further attempt sends the copies again, with the same Message-ID.
 */
export function openSmtp(url: string, limits: SmtpLimits = {}): Mailer {
  const { connectMs = CONNECT_MS_MAX } = limits;
  const settings = {
    url,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as const;
  const transport = createTransport({
    ...settings,
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    maxMessages: MAILS_PER_CONNECTION_MAX,
    idleTimeout: IDLE_MS_MAX,
    // A mail is tried again by us, and counted: never behind our back.
    maxRequeues: 0,
    // The server may be silent for as long as it has to answer; the steps before are limited below.
    socketTimeout: ANSWER_MS_MAX + CONNECT_MS_MAX,
  });
  const checking = createTransport({ ...settings, socketTimeout: SILENCE_MS_MAX });
  // A broken idle connection is replaced; without a listener its error would end the process.
  transport.on('error', () => undefined);
  transport.use('stream', ({ data, message }, done) => {
    message.processFunc((stream) => stream.once('end', (data as Sending).onWhole));
    done();
  });
  const deliver = async (sending: Sending): Promise<unknown> => {
    const { envelope, rejectedErrors = [] } = await transport.sendMail(sending);
    const [addressee] = envelope.to;
    return rejectedErrors.find(({ recipient }) => recipient === addressee) ?? null;
  };
  const { hostname, port } = new URL(url);
  return {
    destination: `SMTP server ${hostname}${port === '' ? '' : `:${port}`}`,
    async check() {
      try {
        await checking.verify();
        return null;
      } catch (error) {
        return codeOf(error);
      }
    },
    send: (mail) => send(mail, deliver, limits),
    close() {
      checking.close();
      transport.close({ force: true });
    },
  };
}

interface Sending extends SendMailOptions {
  /** Called when the server was given the whole mail. */
  readonly onWhole: () => void;
}

async function send(
  mail: OutgoingMail,
  deliver: (sending: Sending) => Promise<unknown>,
  limits: SmtpLimits,
): Promise<SendOutcome> {
  const { sendMs = SEND_MS_MAX, promptMs = PROMPT_MS_MAX } = limits;
  const { promise: whole, resolve } = Promise.withResolvers<void>();
  let isWhole = false;
  const onWhole = (): void => {
    isWhole = true;
    resolve();
  };
  const giveUp = new AbortController();
  const tooLate = setTimeout(() => giveUp.abort(), sendMs);
  const sending = { ...composed(mail), signal: giveUp.signal, onWhole };
  const answer = deliver(sending)
    .then(
      (refusal): Answered =>
        refusal === null
          ? { outcome: 'sent' }
          : failureOf(refusal, { isWhole, hasTimedOut: false }),
      (error: unknown) =>
        failureOf(ofAddressee(error), { isWhole, hasTimedOut: giveUp.signal.aborted }),
    )
    .finally(() => clearTimeout(tooLate));
  const early = await Promise.race([answer, whole]);
  if (early !== undefined) return early;
  clearTimeout(tooLate);
  const timer = new AbortController();
  const options = { ref: false, signal: timer.signal };
  const ends = limits.answerEnds?.() ?? sleep(ANSWER_MS_MAX, undefined, options);
  ends.then(
    () => giveUp.abort(),
    () => undefined,
  );
  const late = answer.finally(() => timer.abort());
  const prompt = await Promise.race([late, sleep(promptMs, undefined, { ref: false })]);
  return prompt ?? { outcome: 'late', answer: late };
}

interface SmtpFault {
  readonly code?: unknown;
  readonly responseCode?: unknown;
  readonly response?: unknown;
  /** Of each recipient that the server refuses, in the order of the mail. */
  readonly rejectedErrors?: unknown;
}

/** If the server refuses all of them, what it says of the addressee, who comes before the copies. */
function ofAddressee(error: unknown): unknown {
  const { rejectedErrors } = error as SmtpFault;
  return Array.isArray(rejectedErrors) ? (rejectedErrors[0] ?? error) : error;
}

function failureOf(
  error: unknown,
  { isWhole, hasTimedOut }: { readonly isWhole: boolean; readonly hasTimedOut: boolean },
): Answered {
  const code = hasTimedOut ? 'ETIMEDOUT' : codeOf(error);
  if (isWhole && (hasTimedOut || !isAnswer(error))) return { outcome: 'unanswered', code };
  // 5yz is final (RFC 5321, 4.2.1); everything else may pass.
  return { outcome: /^5\d\d/.test(code) ? 'refused' : 'deferred', code };
}

function isAnswer(error: unknown): boolean {
  return typeof (error as SmtpFault).responseCode === 'number';
}

/** `550 5.1.1` of an answer, else the code of the connection's error. */
function codeOf(error: unknown): string {
  const { code, responseCode, response } = error as SmtpFault;
  if (typeof responseCode === 'number') {
    const [, enhanced] = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(String(response)) ?? [];
    return enhanced === undefined ? String(responseCode) : `${responseCode} ${enhanced}`;
  }
  return typeof code === 'string' && /^[A-Z0-9_]{2,40}$/.test(code) ? code : 'EUNKNOWN';
}
