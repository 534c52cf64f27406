/** What a metric is, and a value of one. */

export interface MetricRow {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** A whole sentence. */
  readonly help: string;
  readonly labels: readonly string[];
  /** Of a histogram: upper bounds, in seconds. */
  readonly buckets?: readonly number[];
  readonly of: 'api' | 'worker' | 'both';
}

/** A value as it is at a scrape. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Values that are read at a scrape, of the metrics that a subject describes. */
export interface Sampled {
  readonly rows: readonly MetricRow[];
  readonly read: () => readonly Sample[];
}

/** So many tenants have a label of their own. */
export const TENANT_LABELS_MAX = 200;
/** All others together. */
export const OTHER_TENANTS = 'other';

/** The label of a tenant: the first ones have their own, and keep it. */
export function tenantLabels(): (tenant: string) => string {
  const own = new Set<string>();
  return (tenant) => {
    if (own.has(tenant)) return tenant;
    if (own.size >= TENANT_LABELS_MAX) return OTHER_TENANTS;
    own.add(tenant);
    return tenant;
  };
}
