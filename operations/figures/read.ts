/**
 * What is waiting, due or held in the installation, tenant by tenant and in all: for the metrics, and
 * for the operator's pages. The rows of db/queries/figures/table.ts say what each figure is.
 */
import type { Database } from '../../db/connection/database.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { type ReadFigures, readFigures } from '../../db/queries/figures/read.ts';
import { type FigureName, figureNames } from '../../db/queries/figures/table.ts';
import { allTenantIds } from '../../db/queries/outbox/missing-workflows.ts';
import type { Dependencies } from '../context/context.ts';

export {
  type FigureName,
  type FigureRow,
  figureNames,
  figureTable,
} from '../../db/queries/figures/table.ts';

/** How much of one kind there is. */
export interface Counted {
  /** A state, a status or a code: `kinds` of the figure's row; null if the figure has none. */
  readonly kind: string | null;
  /** Ends at a limit: `COUNTED_MAX`, of orders `ORDERS_COUNTED_MAX`, for each tenant. */
  readonly count: number;
  /** Of the oldest one; null if the figure has no age. */
  readonly oldestSeconds: number | null;
}

/** Kinds of which there is nothing are left out, so an empty list is zero. */
export type FiguresByName = Readonly<Record<FigureName, readonly Counted[]>>;

export interface TenantFigures {
  readonly tenantId: number;
  readonly label: string;
  readonly figures: FiguresByName;
}

export interface Figures {
  /** When they were read, in real time. */
  readonly readAt: Date;
  /** How long that took. */
  readonly milliseconds: number;
  /** In the order of their ids. */
  readonly tenants: readonly TenantFigures[];
  /** The sums of all tenants, and the oldest of each. */
  readonly totals: FiguresByName;
  /** Tenants whose figures could not be read, and why: they are in no sum. */
  readonly failed: readonly { readonly tenantId: number; readonly error: unknown }[];
}

export interface FiguresOptions {
  readonly dependencies: Pick<Dependencies, 'db' | 'realNow'>;
  /** A connection with the role sundial_relay, which sees which tenants there are. */
  readonly relayDb: Pick<Database, 'pool'>;
}

/** One statement for each tenant, one after the other. */
export async function figuresOfInstallation(
  { dependencies, relayDb }: FiguresOptions,
  signal?: AbortSignal,
): Promise<Figures> {
  return figuresOfTenants(dependencies, await allTenantIds(relayDb.pool), signal);
}

/** The same for some tenants. A tenant that has gone meanwhile is left out. */
export async function figuresOfTenants(
  { db, realNow }: FiguresOptions['dependencies'],
  tenantIds: readonly number[],
  signal?: AbortSignal,
): Promise<Figures> {
  const readAt = new Date(realNow());
  const began = performance.now();
  const tenants: TenantFigures[] = [];
  const failed: { tenantId: number; error: unknown }[] = [];
  for (const tenantId of tenantIds) {
    if (signal?.aborted) break;
    try {
      const read = await inTenant(db, tenantId, (tx) => readFigures(tx, readAt), {
        readOnly: true,
        single: true,
      });
      if (read !== undefined) tenants.push({ tenantId, label: read.label, figures: byName(read) });
    } catch (error) {
      failed.push({ tenantId, error });
    }
  }
  const milliseconds = performance.now() - began;
  return { readAt, milliseconds, tenants, totals: totalsOf(tenants), failed };
}

const byName = ({ figures }: ReadFigures): FiguresByName =>
  forEachName((name) =>
    figures
      .filter((row) => row.name === name)
      .map(({ kind, counted, ageSeconds }) => ({
        kind,
        count: counted,
        oldestSeconds: ageSeconds,
      })),
  );

/** The sums of several tenants by kind, with the oldest of each. */
export function totalsOf(tenants: readonly Pick<TenantFigures, 'figures'>[]): FiguresByName {
  return forEachName((name) => {
    const sums = new Map<string | null, Counted>();
    for (const each of tenants.flatMap(({ figures }) => figures[name])) {
      const before = sums.get(each.kind);
      sums.set(each.kind, before === undefined ? each : sumOf(before, each));
    }
    return [...sums.values()];
  });
}

const sumOf = (before: Counted, more: Counted): Counted => ({
  kind: before.kind,
  count: before.count + more.count,
  oldestSeconds:
    before.oldestSeconds === null ? null : Math.max(before.oldestSeconds, more.oldestSeconds ?? 0),
});

const forEachName = (
  valueOf: (name: FigureName) => readonly Counted[],
): Record<FigureName, readonly Counted[]> =>
  Object.fromEntries(figureNames.map((name) => [name, valueOf(name)])) as Record<
    FigureName,
    readonly Counted[]
  >;
