/** The form in which `tenant.file` stores a tenant's file: complete, and without a clear secret. */
import { durationSeconds } from './scalars.ts';
import type { TenantFile } from './schema.ts';
import type { ClearSecrets, SecretVault } from './secrets.ts';

/** Null: the environment variable was unset, and the callback that needs the secret stays off. */
export type StoredSecret = { readonly sealed: string } | null;

/** The file's own key names, its defaults filled in; decimals are texts. */
export type StoredFile = Omit<TenantFile, 'users' | 'gateway' | 'callbacks' | 'settings'> & {
  readonly users: readonly Omit<TenantFile['users'][number], 'password'>[];
  readonly gateway: Omit<TenantFile['gateway'], 'secretKey' | 'webhookSecret'> & {
    readonly secretKey?: StoredSecret;
    readonly webhookSecret?: StoredSecret;
  };
  readonly callbacks: readonly (Omit<TenantFile['callbacks'][number], 'secret'> & {
    readonly secret: StoredSecret;
  })[];
  readonly settings: TenantFile['settings'] & { readonly billingWindowSeconds: number };
};

const retryDaysDefault = [1, 3, 5, 7];

/** The use of a stored secret, which decryption needs too. */
export function secretContext(
  label: string,
  use: { readonly callbackUrl: string } | 'gateway' | 'gateway/webhook',
): string {
  return typeof use === 'string' ? `${label}/${use}` : `${label}/callback/${use.callbackUrl}`;
}

export interface Storing {
  readonly clear: ClearSecrets;
  readonly vault: SecretVault;
  /** The file as it is stored so far: what did not change keeps its sealed text. */
  readonly previous: StoredFile | undefined;
}

export function storedFile(file: TenantFile, storing: Storing): StoredFile {
  const { users, gateway, callbacks, settings, dunning, ...rest } = file;
  const { previous } = storing;
  const { secretKey, webhookSecret, ...gatewayRest } = gateway;
  const gatewaySecret = sealed(storing, {
    clear: storing.clear.get('gateway.secretKey') ?? null,
    context: secretContext(file.tenant, 'gateway'),
    before: previous?.gateway.secretKey ?? null,
  });
  const webhook = sealed(storing, {
    clear: storing.clear.get('gateway.webhookSecret') ?? null,
    context: secretContext(file.tenant, 'gateway/webhook'),
    before: previous?.gateway.webhookSecret ?? null,
  });
  return {
    ...rest,
    users: users.map(({ password: _password, ...user }) => user),
    gateway: {
      ...gatewayRest,
      ...(secretKey === undefined ? {} : { secretKey: gatewaySecret }),
      ...(webhookSecret === undefined ? {} : { webhookSecret: webhook }),
    },
    callbacks: callbacks.map((callback, index) => ({
      ...callback,
      secret: sealed(storing, {
        clear: storing.clear.get(`callbacks[${index}].secret`) ?? null,
        context: secretContext(file.tenant, { callbackUrl: callback.url }),
        before: previous?.callbacks.find(({ url }) => url === callback.url)?.secret ?? null,
      }),
    })),
    settings: { ...settings, billingWindowSeconds: durationSeconds(settings.billingWindow) },
    dunning:
      dunning.retryDays || dunning.retryDaysOfMonth
        ? dunning
        : { ...dunning, retryDays: retryDaysDefault },
  };
}

interface Sealing {
  readonly clear: string | null;
  readonly context: string;
  readonly before: StoredSecret;
}

function sealed({ vault }: Storing, { clear, context, before }: Sealing): StoredSecret {
  // An unset variable takes nothing away.
  if (clear === null) return before;
  if (before !== null && isSame(vault, before.sealed, { clear, context })) return before;
  return { sealed: vault.seal(clear, context) };
}

function isSame(
  vault: SecretVault,
  sealedText: string,
  wanted: { readonly clear: string; readonly context: string },
): boolean {
  try {
    return vault.open(sealedText, wanted.context) === wanted.clear;
  } catch {
    // Sealed under another key: sealed again under this one.
    return false;
  }
}
