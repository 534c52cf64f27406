/**
 * Signs and verifies the keys of the forms of hosted pages: a form that our page does not have, or
 * had an hour ago, is not taken.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { derivedKeys, isSignedByAny, type SecretKeys } from '../../providers/vault.ts';

/** A form takes no longer to fill in, in real time. */
const FORM_SECONDS_MAX = 3_600;
const ID_BYTES = 16;

/** The page on which a form stands. */
export interface PageOfForm {
  readonly tenantId: number;
  /** That of the page's address. */
  readonly token: string;
}

export interface FormOfKey {
  /** Which form of its page. */
  readonly form: string;
  /** What the page showed and the form relies on: an amount, for example. */
  readonly shown: string;
}

export interface ReadKey extends FormOfKey {
  /** Random; a form that stores something is taken once. */
  readonly id: string;
}

export interface FormKeys {
  readonly issue: (page: PageOfForm, form: FormOfKey) => string;
  /** Undefined for a key that is not of this page, or too old. */
  readonly read: (page: PageOfForm, key: string) => ReadKey | undefined;
}

/** `pay.cE9x..0g.1798761600.NzMuNDQ.` and a signature; the third part is the end in seconds. */
const keyForm = /^([a-z-]{1,20})\.([\w-]{22})\.([1-9]\d{0,11})\.([\w-]{0,200})\.([\w-]{43})$/;

/** @param now real time in milliseconds */
export function createFormKeys(secretKeys: SecretKeys, now: () => number): FormKeys {
  // Derived for this use only, so that no signature of another use is a form's.
  const secrets = derivedKeys(secretKeys, 'sundial forms v1');
  const signatureBy = (secret: Buffer, { tenantId, token }: PageOfForm, text: string): string =>
    createHmac('sha256', secret)
      .update(JSON.stringify([tenantId, token, text]))
      .digest('base64url');
  return {
    issue(page, { form, shown }) {
      const id = randomBytes(ID_BYTES).toString('base64url');
      const until = Math.floor(now() / 1_000) + FORM_SECONDS_MAX;
      const text = [form, id, until, Buffer.from(shown).toString('base64url')].join('.');
      return `${text}.${signatureBy(secrets[0], page, text)}`;
    },
    read(page, key) {
      const [, form = '', id = '', until = '', shown = '', signature = ''] =
        keyForm.exec(key) ?? [];
      // Their texts, because several texts stand for the same bytes.
      const given = Buffer.from(signature);
      const text = [form, id, until, shown].join('.');
      const signed = (secret: Buffer): Buffer => Buffer.from(signatureBy(secret, page, text));
      if (!isSignedByAny(secrets, given, signed)) return undefined;
      if (now() >= Number(until) * 1_000) return undefined;
      return { form, id, shown: Buffer.from(shown, 'base64url').toString() };
    },
  };
}
