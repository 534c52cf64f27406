/**
 * Sessions of the operator's page: a signed cookie says who has logged in, where, and since when. Nothing
 * is stored of a session but that it was ended, so that a page which is read changes nothing.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { derivedKeys, isSignedByAny, type SecretKeys } from '../../providers/vault.ts';

/** Whoever does nothing for so long logs in again. */
export const IDLE_SECONDS_MAX = 1_800;
/** From the login on. */
export const SESSION_SECONDS_MAX = 8 * 3_600;
const ID_BYTES = 16;
const TEXT_LENGTH_MAX = 2_000;

/** Its tenant's; 0 of the installation's operator. */
export const INSTALLATION = 0;

const sessionSchema = z.strictObject({
  id: z.string(),
  tenantId: z.number().int(),
  /** The user name, or what the operator gave as the name. */
  name: z.string(),
  /** Of the password by which it began: another password ends it. */
  mark: z.string(),
  /** Seconds since 1970. */
  since: z.number().int(),
  until: z.number().int(),
});
export type Session = Readonly<z.infer<typeof sessionSchema>>;

export interface Sessions {
  readonly begin: (of: Pick<Session, 'tenantId' | 'name' | 'mark'>) => Session;
  /** The text of the cookie, which begins a new idle time. */
  readonly write: (session: Session) => string;
  /** Undefined for a text that was not signed here, or whose time is over. */
  readonly read: (text: string) => Session | undefined;
  /** What a session has of the password, or of its hash. */
  readonly markOf: (secret: string) => string;
}

/** @param now real time in milliseconds */
export function createSessions(secretKeys: SecretKeys, now: () => number): Sessions {
  // Derived for this use only, so that no signature of another use is a session's.
  const keys = derivedKeys(secretKeys, 'sundial operators v1');
  const seconds = (): number => Math.floor(now() / 1_000);
  const signatureBy = (key: Buffer, text: string): string =>
    createHmac('sha256', key).update(`session ${text}`).digest('base64url');
  return {
    begin(of) {
      const since = seconds();
      const id = randomBytes(ID_BYTES).toString('base64url');
      return { ...of, id, since, until: since + IDLE_SECONDS_MAX };
    },
    write(session) {
      const until = Math.min(seconds() + IDLE_SECONDS_MAX, session.since + SESSION_SECONDS_MAX);
      const text = Buffer.from(JSON.stringify({ ...session, until })).toString('base64url');
      return `${text}.${signatureBy(keys[0], text)}`;
    },
    read(cookie) {
      const [text = '', signature = ''] = cookie.slice(0, TEXT_LENGTH_MAX).split('.', 2);
      const signed = (key: Buffer): Buffer => Buffer.from(signatureBy(key, text));
      if (!isSignedByAny(keys, Buffer.from(signature), signed)) return undefined;
      const session = sessionSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
      return seconds() < session.until ? session : undefined;
    },
    markOf: (secret) =>
      createHmac('sha256', keys[0]).update(`mark ${secret}`).digest('base64url').slice(0, 22),
  };
}

/** What is stored of an ended session: nobody who reads it has the session. */
export const hashOf = ({ id }: Pick<Session, 'id'>): Buffer =>
  createHash('sha256').update(id).digest();
