/** How long rows of what is over are kept, in days after they are done with. */

/** What a tenant file may say of it. */
export const retainedKinds = ['deliveries', 'resends', 'mails', 'gatewayEvents'] as const;
export type RetainedKind = (typeof retainedKinds)[number];

/** Kinds that are kept for the same time for all tenants. */
export const fixedKinds = ['documents', 'taxAnswers', 'keptAnswers'] as const;
export type FixedKind = (typeof fixedKinds)[number];

export type DeletedKind = RetainedKind | FixedKind;

/** Null: for ever. */
export type Retention = Readonly<Record<RetainedKind, number>> & {
  readonly auditLog: number | null;
};

export const RETENTION_DAYS_DEFAULT = 90;
/** Longer than callbacks and mails are tried (3 days), and gateways repeat their events. */
export const RETENTION_DAYS_MIN = 7;

/** PostgreSQL deletes no younger row of the audit log, whatever a file says. */
export const AUDIT_DAYS_MIN = 365;

/**
 * The days of each kind, those that are given and the default.
 *
 * @example retentionOf({ mails: 30 }).mails // 30
 */
export function retentionOf(given: Partial<Retention>): Retention {
  const days = (kind: RetainedKind): number => given[kind] ?? RETENTION_DAYS_DEFAULT;
  return {
    deliveries: days('deliveries'),
    resends: days('resends'),
    mails: days('mails'),
    gatewayEvents: days('gatewayEvents'),
    auditLog: given.auditLog ?? null,
  };
}
