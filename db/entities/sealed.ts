/**
 * What the vault has encrypted. The column says what for, beside its declaration: whoever encrypts and
 * decrypts takes that from there, and `npm run rekey` finds the columns and opens their texts by it.
 */
import { type Described, columnOf, descriptionOf } from './rows.ts';

/** The values of a row that its context is made of, and the label of its tenant. */
export type SealedRow = Readonly<Record<string, unknown>> & { readonly label: string };

export interface Sealing {
  /** The keys of the row's values that the context is made of. */
  readonly by: readonly string[];
  readonly contextOf: (row: SealedRow) => string;
}

interface Options {
  readonly primary?: boolean;
  sealing?: Sealing | 'within';
}

function marked<Column>(sealing: Sealing | 'within', column: Column): Column {
  const { '~options': options } = column as { readonly '~options': Options };
  options.sealing = sealing;
  return column;
}

/** A text that the vault has encrypted, or an empty one; some rows may have a clear text instead. */
export const sealed = <Key extends string, Column>(
  column: Column,
  by: readonly Key[],
  contextOf: (row: Readonly<Record<Key, number | string>> & { readonly label: string }) => string,
): Column => marked({ by, contextOf: contextOf as Sealing['contextOf'] }, column);

/** JSON of a tenant file, in which objects `{ sealed }` stand at places that have a context. */
export const sealedWithin = <Column>(column: Column): Column => marked('within', column);

export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The parts of the primary key after the tenant's id. */
  readonly keys: readonly string[];
  readonly entity: Described;
  readonly sealing: Sealing | 'within';
}

/** The encrypted columns of these tables. */
export function sealedColumnsOf(entities: readonly Described[]): readonly SealedColumn[] {
  return entities.flatMap((entity) => {
    const { tableName: table, properties } = descriptionOf(entity);
    const optionsOf = (key: string): Options => Reflect.get(properties, key);
    const names = Object.keys(properties);
    const keys = names.filter((key) => key !== 'tenantId' && optionsOf(key).primary === true);
    return names.flatMap((key) => {
      const { sealing } = optionsOf(key);
      return sealing === undefined ? [] : [{ table, column: columnOf(key), keys, entity, sealing }];
    });
  });
}

/* What texts of several tables are encrypted for. */

/** What a secret of a tenant file is for. */
export type SecretUse =
  | { readonly callbackUrl: string }
  | { readonly salesAgent: string; readonly key: string }
  | 'gateway'
  | 'gateway/webhook'
  | 'tax/licenseKey';

export function secretContext(label: string, use: SecretUse): string {
  if (typeof use === 'string') return `${label}/${use}`;
  if ('callbackUrl' in use) return `${label}/callback/${use.callbackUrl}`;
  return `${label}/salesAgent/${use.salesAgent}/${use.key}`;
}

type ContextOf<Key extends string> = Readonly<Record<Key | 'tenantId', number | string>>;

/** The page to which a payer comes back. */
export const returnContext = ({ tenantId }: ContextOf<'tenantId'>): string => `return/${tenantId}`;

/** The stored answer under an Idempotency-Key, of a route that answers with a secret. */
export const answerContext = ({ tenantId, key }: ContextOf<'key'>): string =>
  JSON.stringify(['answer', tenantId, key]);

/** A password that waits for its hash. */
export const waitingPasswordContext = ({ tenantId, contactId }: ContextOf<'contactId'>): string =>
  `tenant ${tenantId} contact ${contactId} passwd`;

/** The data of a method in the sandbox. */
export const methodContext = ({ tenantId, token }: ContextOf<'token'>): string =>
  `sandbox/${tenantId}/${token}`;

/** The token and the way back of a challenge of the sandbox. */
export const challengeContext = ({ tenantId, transactionId }: ContextOf<'transactionId'>): string =>
  `sandbox/${tenantId}/challenge/${transactionId}`;
