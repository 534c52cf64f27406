/** What the operator's page works on: its settings, the database, the engine, and how people log in. */
import type { Figures, TenantFigures } from '../../operations/figures/read.ts';
import { sharedAttempts } from '../../operations/access/shared-attempts.ts';
import type { Dependencies, TenantInfo } from '../../operations/context/context.ts';
import type { Nudge } from '../../operations/context/nudge.ts';
import type { Rehearsals } from '../../operations/operator/act.ts';
import type { Actor } from '../../operations/operator/acts.ts';
import type { WebUi } from '../../operations/operator/searches.ts';
import type { Engine } from '../../operations/outbox/engine.ts';
import type { SecretKeys } from '../../providers/vault.ts';
import type { CredentialStore, Logins } from '../access/credentials.ts';
import type { Guard } from '../access/guard.ts';
import { createLoginLimits, type LoginLimits } from '../access/login-limits.ts';
import type { PostLimits } from '../access/post-limits.ts';
import { createFormKeys, type FormKeys } from '../calls/form-keys.ts';
import type { FindTenant, Transport } from '../http/middleware.ts';
import { createSessions, type Session, type Sessions } from './sessions.ts';

/** What the entry point gives. */
export interface OperatorSettings {
  /** Of the installation's operator; undefined: nobody logs in by one. */
  readonly password: string | undefined;
  /** In lower case: the header by which a proxy names the operator. */
  readonly header: string | undefined;
  readonly webUi: WebUi | null;
  readonly secretKeys: SecretKeys;
  readonly engine: Engine;
  readonly dispatch: (tenantId: number, nudges: readonly Nudge[]) => void;
  readonly rehearsals: Rehearsals;
  /** Of all tenants; asked for often, and read once in some seconds. */
  readonly figures: () => Promise<Figures>;
  readonly figuresOf: (tenantId: number) => Promise<TenantFigures | undefined>;
}

/** What the page shares with the other parts of an API. */
interface Shared {
  readonly dependencies: Dependencies;
  readonly baseDomain: string;
  readonly transport: Transport;
  readonly findTenant: FindTenant;
  readonly credentials: CredentialStore;
  readonly logins: Logins;
  readonly posts: PostLimits;
  readonly guard: Guard;
}

export interface OperatorPlace extends OperatorSettings, Shared {
  /** Of the operator's password, in all processes. */
  readonly limits: LoginLimits;
  readonly formKeys: FormKeys;
  readonly sessions: Sessions;
}

export function openOperatorPlace(settings: OperatorSettings, shared: Shared): OperatorPlace {
  const { secretKeys } = settings;
  const { dependencies, credentials } = shared;
  return {
    ...settings,
    ...shared,
    limits: createLoginLimits(credentials.clock, sharedAttempts(dependencies.db, 'operators')),
    formKeys: createFormKeys(secretKeys, dependencies.realNow),
    sessions: createSessions(secretKeys, dependencies.realNow),
  };
}

/** Who looks at a page, and acts. */
export interface Visitor extends Actor {
  /** As the page shows it. */
  readonly name: string;
  /** As the audit log names it: no user of a tenant has such a name. */
  readonly by: string;
  /** 0 of the installation's operator. */
  readonly tenantId: number;
  /** What the keys of the visitor's forms are bound to. */
  readonly token: string;
  /** Null of one whom the proxy names. */
  readonly session: Session | null;
}

/** What a page is about: a tenant, or null for all of them; and the path that its own paths are below. */
export interface Subject {
  readonly tenant: TenantInfo | null;
  readonly base: string;
}

export const OPS = '/ops';
