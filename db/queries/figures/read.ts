/** Reads all figures of one tenant in one statement. */
import type { Tx } from '../../connection/tenancy.ts';
import { tenantNow } from '../context/tenant-now.ts';
import { type FigureName, type FigureRow, figureNames, figureTable } from './table.ts';

export interface ReadFigure {
  readonly name: FigureName;
  /** Null for a figure without kinds. */
  readonly kind: string | null;
  readonly counted: number;
  /** Null for a figure without an age. */
  readonly ageSeconds: number | null;
}

export interface ReadFigures {
  /** Of the tenant. */
  readonly label: string;
  /** Those that count something. */
  readonly figures: readonly ReadFigure[];
}

const ageOf = ({ age }: FigureRow): string =>
  age === undefined
    ? 'null'
    : `greatest(0, extract(epoch from ${age.clock === 'real' ? 'now()' : '(select now from own)'} - since))`;

const each = figureNames.map(
  (name) => `select '${name}' as name, kind, counted::float8 as counted,
    ${ageOf(figureTable[name])}::float8 as age_seconds
  from (${figureTable[name].statement}) f where counted > 0`,
);

const text = `
  with own as materialized (
    select t.label, t.timezone, n.now, (n.now at time zone t.timezone)::date as today
    from tenant t cross join lateral (select ${tenantNow('$2::timestamptz')} as now) n
    where t.id = $1)
  select own.label, f.* from own left join (
    ${each.join('\n union all ')}) f on true`;

/** @param realNow what the time of a tenant is that lives on no test clock */
export async function readFigures(tx: Tx, realNow: Date): Promise<ReadFigures | undefined> {
  const rows = await tx.query<
    { readonly label: string } & (ReadFigure | { readonly name: null }) & Record<string, unknown>
  >(text, [tx.tenantId, realNow], 'figures');
  const [first] = rows;
  if (first === undefined) return undefined;
  return { label: first.label, figures: rows.filter((row) => row.name !== null) };
}
