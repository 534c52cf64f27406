/** Secrets of a tenant file: reads those that it names by `env`, and seals them for the database. */
import { secretContext, type SecretUse } from '../../../db/entities/sealed.ts';
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

/** A secret that the environment does not have, and without which its part stays off. */
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
  /** An unset secret that its part can do without is a mistake, too, and not a warning. */
  readonly isStrict: boolean;
}

/** A place of the file that holds a secret. */
export interface SecretPlace {
  readonly path: Path;
  readonly secret: Loose<Secret> | undefined;
  /** Unset, it is a warning and not a mistake: the part stays off. */
  readonly mayBeUnset?: boolean;
  /** Its form; any text without it. */
  readonly form?: SecretForm;
}

export interface SecretForm {
  readonly holds: (clear: string) => boolean;
  /** `must have the form ...`; never quotes the value. */
  readonly message: string;
}

const SECRET_LENGTH_MAX = 4_000;

export function clearSecrets(
  places: readonly SecretPlace[],
  options: SecretOptions,
  report: Report,
): SecretsFound {
  const clear = new Map<string, string>();
  const unset: UnsetSecret[] = [];
  for (const { path, secret, form, mayBeUnset = false } of places) {
    const name = typeof secret === 'object' ? secret.env : undefined;
    const value = name === undefined ? secret : options.secretOf(name);
    if (typeof value === 'string' && value !== '') {
      clear.set(pathText(path), value);
      if (value.length > SECRET_LENGTH_MAX) report(path, 'is too long for a secret');
      if (form && !form.holds(value)) report(path, `${form.message}${from(name)}`);
    } else if (name !== undefined) {
      if (mayBeUnset && !options.isStrict) unset.push({ path, variable: name });
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

/** Null: the environment variable was unset, and the part that needs the secret stays off. */
export type StoredSecret = { readonly sealed: string } | null;

/** What holds a secret: the item of a list that it stands in has a name. */
interface Holder {
  readonly url?: string;
  readonly code?: string;
}

/** By the place of a secret, without the numbers of items: the use that it is sealed for. */
const uses: Readonly<Record<string, (holder: Holder) => SecretUse>> = {
  'gateway/secretKey': () => 'gateway',
  'gateway/webhookSecret': () => 'gateway/webhook',
  'tax/licenseKey': () => 'tax/licenseKey',
  'callbacks/secret': ({ url = '' }) => ({ callbackUrl: url }),
  'salesAgents/disbursementToken': ofAgent('disbursementToken'),
  'salesAgents/achAccountNumber': ofAgent('achAccountNumber'),
};

function ofAgent(key: string) {
  return ({ code: salesAgent = '' }: Holder): SecretUse => ({ salesAgent, key });
}

function contextAt(label: string, path: Path, holder: Holder): string {
  const use = uses[path.filter((step) => typeof step === 'string').join('/')];
  if (use === undefined) throw new Error(`no secret of a tenant file is at ${pathText(path)}`);
  return secretContext(label, use(holder));
}

/** Seals the secrets of a stored file anew, each for its place. */
export function resealed<Stored>(
  label: string,
  stored: Stored,
  reseal: (sealedText: string, context: string) => string,
): Stored {
  const walk = (value: unknown, path: Path, holder: Holder): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((each, index) => walk(each, [...path, index], {}));
    if ('sealed' in value && typeof value.sealed === 'string') {
      return { ...value, sealed: reseal(value.sealed, contextAt(label, path, holder)) };
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, walk(each, [...path, key], value)]),
    );
  };
  return walk(stored, [], {}) as Stored;
}

/** How a part is turned into what `tenant.file` stores. */
export interface Storing<Stored> {
  /** The tenant's label. */
  readonly label: string;
  readonly clear: ClearSecrets;
  readonly vault: SecretVault;
  /** The part as it is stored so far: an unchanged secret keeps its sealed text. */
  readonly previous: Stored | undefined;
}

interface Sealing {
  readonly path: Path;
  /** The item of a list that it stands in. */
  readonly holder?: Holder;
  readonly before: StoredSecret | undefined;
}

export function sealed(
  { label, clear, vault }: Pick<Storing<unknown>, 'label' | 'clear' | 'vault'>,
  { path, holder = {}, before = null }: Sealing,
): StoredSecret {
  const value = clear.get(pathText(path));
  // An unset variable takes nothing away.
  if (value === undefined) return before;
  const context = contextAt(label, path, holder);
  if (before !== null && isSame(vault, before.sealed, { value, context })) return before;
  return { sealed: vault.seal(value, context) };
}

function isSame(
  vault: SecretVault,
  sealedText: string,
  wanted: { readonly value: string; readonly context: string },
): boolean {
  try {
    return vault.open(sealedText, wanted.context) === wanted.value;
  } catch {
    // Sealed under another key: sealed again under this one.
    return false;
  }
}

/** Stands where the file has something that is not shown. */
export interface Withheld {
  /** `set`, `not set, so this one is off`, `image/png, 12 kB`. */
  readonly withheld: string;
}

export function isWithheld(value: unknown): value is Withheld {
  return typeof value === 'object' && value !== null && 'withheld' in value;
}

/** How a stored secret is shown. */
export function withheldSecret(secret: StoredSecret): Withheld {
  return { withheld: secret === null ? 'not set, so this one is off' : 'set' };
}
