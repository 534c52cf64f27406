/** Finds the secrets of a tenant file and reads those that it names by `env`. */
import type { LooseFile } from './checks-shared.ts';
import type { Loose } from './loose.ts';
import { pathText, type Path, type Report } from './mistakes.ts';
import type { Secret } from './scalars.ts';

/** Encrypts what is stored; the context (what the secret is for) is needed again to decrypt. */
export interface SecretVault {
  readonly seal: (clear: string, context: string) => string;
  /** Throws when it was sealed under another key or for another context, or was altered. */
  readonly open: (sealed: string, context: string) => string;
}

/** The clear secrets by the text of their path. */
export type ClearSecrets = ReadonlyMap<string, string>;

/** The secret of a callback, which the environment does not have. */
export interface UnsetSecret {
  readonly path: Path;
  readonly variable: string;
}

export interface SecretsFound {
  readonly clear: ClearSecrets;
  readonly unset: readonly UnsetSecret[];
}

export interface SecretOptions {
  /** An environment variable's value. */
  readonly secretOf: (name: string) => string | undefined;
  /** An unset secret of a callback is a mistake, too, and not a warning. */
  readonly isStrict: boolean;
}

interface Found {
  readonly path: Path;
  readonly secret: Loose<Secret> | undefined;
  readonly kind: 'password' | 'callback' | 'gateway';
}

/** Standard Webhooks' form of a secret. */
const callbackSecret = /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const SECRET_LENGTH_MAX = 4_000;

export function clearSecrets(
  file: LooseFile,
  options: SecretOptions,
  report: Report,
): SecretsFound {
  const clear = new Map<string, string>();
  const unset: UnsetSecret[] = [];
  for (const { path, secret, kind } of secretsOf(file)) {
    const name = typeof secret === 'object' ? secret.env : undefined;
    const value = name === undefined ? secret : options.secretOf(name);
    if (typeof value === 'string' && value !== '') {
      clear.set(pathText(path), value);
      // The message says what is expected, and never quotes the value.
      if (value.length > SECRET_LENGTH_MAX) report(path, 'is too long for a secret');
      if (kind === 'callback' && (value === 'whsec_' || !callbackSecret.test(value))) {
        report(path, `must have the form whsec_ followed by base64${from(name)}`);
      }
    } else if (name !== undefined) {
      // Users and gateways never do without; a callback may stay off.
      if (kind === 'callback' && !options.isStrict) unset.push({ path, variable: name });
      else report(path, unsetText(name));
    }
  }
  return { clear, unset };
}

export function unsetText(variable: string): string {
  return `the environment variable ${variable} is not set`;
}

function from(name: string | undefined): string {
  return name === undefined ? '' : ` (it comes from ${name})`;
}

function secretsOf(file: LooseFile): readonly Found[] {
  const passwords = (file.users ?? []).map((user, index) => ({
    path: ['users', index, 'password'],
    secret: user?.password,
    kind: 'password' as const,
  }));
  const callbacks = (file.callbacks ?? []).map((callback, index) => ({
    path: ['callbacks', index, 'secret'],
    secret: callback?.secret,
    kind: 'callback' as const,
  }));
  const key = file.gateway?.secretKey;
  const gateway = { path: ['gateway', 'secretKey'], secret: key, kind: 'gateway' as const };
  const events = file.gateway?.webhookSecret;
  const webhook = { path: ['gateway', 'webhookSecret'], secret: events, kind: 'gateway' as const };
  return [...passwords, ...callbacks, gateway, webhook];
}
