/** Sends mails through an SMTP server, with a limit of time for each step. */
import { createTransport } from 'nodemailer';
import { composed } from './compose.ts';
import { SEND_MS_MAX } from './mailer.ts';
import type { Mailer, SendOutcome } from './mailer.ts';

const CONNECT_MS_MAX = 10_000;
/** The longest silence of the server in the middle of a mail. */
const SILENCE_MS_MAX = 20_000;
/** Simultaneous connections of one worker. */
export const CONNECTIONS_MAX = 8;
const MAILS_PER_CONNECTION_MAX = 100;
const IDLE_MS_MAX = 20_000;

/** Shorter limits, for tests. */
export interface SmtpLimits {
  readonly connectMs?: number;
  readonly silenceMs?: number;
  readonly sendMs?: number;
}

export function openSmtp(url: string, limits: SmtpLimits = {}): Mailer {
  const { connectMs = CONNECT_MS_MAX, silenceMs = SILENCE_MS_MAX } = limits;
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    maxMessages: MAILS_PER_CONNECTION_MAX,
    idleTimeout: IDLE_MS_MAX,
    // A mail is tried again by us, and counted: never behind our back.
    maxRequeues: 0,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // A broken idle connection is replaced; without a listener its error would end the process.
  transport.on('error', () => undefined);
  const { hostname, port } = new URL(url);
  return {
    destination: `SMTP server ${hostname}${port === '' ? '' : `:${port}`}`,
    async check() {
      try {
        await transport.verify();
        return null;
      } catch (error) {
        return codeOf(error);
      }
    },
    async send(mail): Promise<SendOutcome> {
      const signal = AbortSignal.timeout(limits.sendMs ?? SEND_MS_MAX);
      try {
        await transport.sendMail({ ...composed(mail), signal });
        return { outcome: 'sent' };
      } catch (error) {
        const code = signal.aborted ? 'ETIMEDOUT' : codeOf(error);
        // 5yz is final (RFC 5321, 4.2.1); everything else may pass.
        return { outcome: /^5\d\d/.test(code) ? 'refused' : 'deferred', code };
      }
    },
    close: () => transport.close({ force: true }),
  };
}

interface SmtpFault {
  readonly code?: unknown;
  readonly responseCode?: unknown;
  readonly response?: unknown;
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
