/** A real SMTP server for tests: it keeps what it takes, and refuses or hangs as a test says. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** `450 4.2.0 greylisted`: an answer of the server; null: it accepts. */
export type Answer = string | null;

export interface InboxOptions {
  /** Asked for each recipient. */
  readonly recipient?: (address: string) => Promise<Answer> | Answer;
  /** Awaited after the data, before the answer to them. */
  readonly afterData?: (mail: ParsedMail) => Promise<Answer> | Answer;
  /** Required of each client. */
  readonly login?: { readonly user: string; readonly pass: string };
  readonly port?: number;
}

export interface Inbox {
  readonly url: string;
  readonly port: number;
  /** What the server has accepted, in order. */
  readonly mails: readonly ParsedMail[];
  readonly close: () => Promise<void>;
}

export async function openInbox(options: InboxOptions = {}): Promise<Inbox> {
  const mails: ParsedMail[] = [];
  const { recipient, afterData, login } = options;
  const server = new SMTPServer({
    disabledCommands: login ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    authOptional: login === undefined,
    allowInsecureAuth: true,
    onAuth(auth, _session, done) {
      const isRight = auth.username === login?.user && auth.password === login?.pass;
      done(isRight ? null : refusal('535 5.7.8 wrong password'), { user: auth.username ?? '' });
    },
    onRcptTo({ address }, _session, done) {
      void (async () => {
        const answer = (await recipient?.(address)) ?? null;
        done(answer === null ? null : refusal(answer));
      })();
    },
    onData(stream, _session, done) {
      void (async () => {
        const mail = await simpleParser(stream).catch(() => null);
        // The client has broken its connection in the middle of the mail.
        if (mail === null) return;
        const answer = (await afterData?.(mail)) ?? null;
        if (answer === null) mails.push(mail);
        done(answer === null ? null : refusal(answer));
      })();
    },
  });
  // A client that gives up breaks its connection.
  server.on('error', () => undefined);
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const credentials = login ? `${login.user}:${login.pass}@` : '';
  return {
    url: `smtp://${credentials}127.0.0.1:${port}`,
    port,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function refusal(answer: string): Error {
  const [code = '', ...text] = answer.split(' ');
  return Object.assign(new Error(text.join(' ')), { responseCode: Number(code) });
}
