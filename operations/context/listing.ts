/** Helpers of reads: pages, time windows, filters, and days. */
import { DomainError } from '../../domain/errors.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { columnOf, type Described, type Row } from '../../db/entities/rows.ts';

/** The rows of a page whose caller names no number. */
export const PAGE_DEFAULT = 50;

export interface Page {
  readonly offset: number;
  readonly max: number;
}

/** From the first instant up to, but not including, the second; null leaves that side open. */
export interface TimeWindow {
  readonly from: Date | null;
  readonly before: Date | null;
}

export interface TimeWindows {
  readonly created: TimeWindow;
  readonly updated: TimeWindow;
}

/** The customer whose objects are listed, by either key; null leaves that key open. */
export interface ByCustomer {
  readonly customerId: number | null;
  readonly extCustomerRef: string | null;
}

/** Collects a statement's where clause and values; null and undefined are no condition. */
export interface Conditions<Entity extends Described> {
  /** Compares a column of the entity. */
  readonly add: <Key extends keyof Row<Entity> & string>(
    key: Key,
    value: Row<Entity>[Key] | null | undefined,
    comparison?: '=' | '<' | '<=' | '>=',
  ) => void;
  /** `$` in the condition is its own value. */
  readonly addSql: (condition: string, value: unknown) => void;
  readonly addWindows: (windows: TimeWindows) => void;
  readonly addCustomer: (customer: ByCustomer) => void;
  /** A condition with the placeholders of its values. */
  readonly addText: (condition: string) => void;
  /** `where ...`, or nothing; with one more condition. */
  readonly where: (also?: string) => string;
  /** The placeholder of another value. */
  readonly value: (value: unknown) => string;
  readonly values: readonly unknown[];
}

/** @param alias of the entity's table */
export function startConditions<Entity extends Described>(alias: string): Conditions<Entity> {
  const values: unknown[] = [];
  const parts: string[] = [];
  const value = (each: unknown): string => `$${values.push(each)}`;
  const addSql = (condition: string, each: unknown): void => {
    if (each !== null && each !== undefined) parts.push(condition.replaceAll('$', value(each)));
  };
  return {
    values,
    value,
    addSql,
    addText: (condition) => void parts.push(condition),
    add: (key, each, comparison = '=') => addSql(`${alias}.${columnOf(key)} ${comparison} $`, each),
    addWindows({ created, updated }) {
      addSql(`${alias}.created_at >= $`, created.from);
      addSql(`${alias}.created_at < $`, created.before);
      addSql(`${alias}.updated_at >= $`, updated.from);
      addSql(`${alias}.updated_at < $`, updated.before);
    },
    addCustomer({ customerId, extCustomerRef }) {
      addSql(`${alias}.customer_id = $`, customerId);
      const byReference = '(select r.id from customer r where r.ext_customer_ref = $)';
      addSql(`${alias}.customer_id = ${byReference}`, extCustomerRef);
    },
    where(also) {
      const all = also === undefined ? parts : [...parts, also];
      return all.length === 0 ? '' : `where ${all.join(' and ')}`;
    },
  };
}

/** For `like`: matches the term anywhere in a text; wildcards in the term are escaped. */
export function containing(term: string): string {
  return `%${term.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/** `(created_at at time zone ...)::date` as text: the day in the tenant's zone. */
export function dayOf(column: string, zone: string): string {
  return `(${column} at time zone ${zone})::date::text`;
}

/** A reader of one row. */
export async function firstOf<Row>(rows: Promise<readonly Row[]>): Promise<Row | undefined> {
  return (await rows)[0];
}

export type Reader = Pick<Tx, 'query'>;

/** The largest number of line items and charges of all objects of a list together. */
export const LIST_PARTS_MAX = 20_000;

/**
 * Refuses a page whose objects have too many line items and charges; it stops counting at the
 * limit.
 *
 * @param page the statement of the page's rows, `p`
 * @param parts statements that select one row for each part
 * @param values of the page; the first is the time zone, which a page does not use
 */
export async function refuseLargeList(
  tx: Reader,
  { page, parts, values }: { page: string; parts: readonly string[]; values: readonly unknown[] },
  max: number,
): Promise<void> {
  const each = parts.map((part) => `(${part} limit ${LIST_PARTS_MAX + 1})`);
  const [row] = await tx.query<{ count: number }>(
    `with p as (${page}) select count(*)::int as count from (
       select from (${each.join(' union all ')}) part limit ${LIST_PARTS_MAX + 1}) parts
     where $1::text is not null`,
    values,
  );
  if (row === undefined || row.count <= LIST_PARTS_MAX) return;
  const message = `these ${max} have more than ${LIST_PARTS_MAX} line items and charges in all`;
  throw new DomainError('list.tooLarge', `${message}; request fewer at a time`, {
    path: 'max',
    value: String(max),
  });
}
