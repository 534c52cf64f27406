/** Sends mails: the port, its mail, and what a server answers. */
import type { Picture } from '../invoice-documents/logo.ts';

export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

export interface OutgoingMail {
  /** `<...@...>`, the same for every attempt at this mail. */
  readonly messageId: string;
  readonly from: Mailbox;
  readonly to: Mailbox;
  /** The addresses that get a copy. */
  readonly copies: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly language: string;
  /** Shown by the HTML as LOGO_ADDRESS. */
  readonly logo: Picture | null;
  readonly attachments: readonly {
    readonly filename: string;
    readonly type: string;
    readonly content: Buffer;
  }[];
}

export const LOGO_ADDRESS = 'cid:logo';

/**
 * `deferred` may succeed later, `refused` never does. The code is that of the SMTP answer or of the
 * connection (`550 5.1.1`, `ETIMEDOUT`), and never its text, which may quote an address. `unanswered`:
 * the server has the whole mail, and nobody knows whether it takes it.
 */
export type Answered =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'deferred' | 'refused' | 'unanswered'; readonly code: string };

/** `late`: the server has the whole mail, and has not answered yet. */
export type SendOutcome =
  | Answered
  | { readonly outcome: 'late'; readonly answer: Promise<Answered> };

export interface Mailer {
  /** Where the mails go, for people; without credentials. */
  readonly destination: string;
  /** Returns the code of what keeps every mail from being sent; null if mails can be sent. */
  readonly check: () => Promise<string | null>;
  /** Never throws; ends within SEND_MS_MAX, and a late answer within ANSWER_MS_MAX. */
  readonly send: (mail: OutgoingMail) => Promise<SendOutcome>;
  readonly close: () => void;
}

/** The limit of one mail with its connection, greeting, and data. */
export const SEND_MS_MAX = 60_000;
/** What a server may take to answer the data (RFC 5321, 4.5.3.2.6). */
export const ANSWER_MS_MAX = 600_000;
