/** What reads share: pages, windows of time, conditions that are asked for, days and prices. */
import type { Decimal } from '../domain/model.ts';
import { formatAmount, minorDigits } from '../domain/money.ts';
import type { Tx } from '../db/tenancy.ts';

export interface Page {
  readonly offset: number;
  readonly max: number;
}

/** From the first instant on, before the second; null leaves that side open. */
export interface TimeWindow {
  readonly from: Date | null;
  readonly before: Date | null;
}

export interface TimeWindows {
  readonly created: TimeWindow;
  readonly updated: TimeWindow;
}

/** A statement's where clause and values as they grow; `$` in a condition is its own value. */
export interface Conditions {
  readonly add: (condition: string, value: unknown) => void;
  readonly addWindows: (alias: string, windows: TimeWindows) => void;
  /** `where ...`, or nothing. */
  readonly where: () => string;
  /** The placeholder of a further value. */
  readonly value: (value: unknown) => string;
  readonly values: readonly unknown[];
}

export function startConditions(): Conditions {
  const values: unknown[] = [];
  const parts: string[] = [];
  const value = (each: unknown): string => `$${values.push(each)}`;
  const add = (condition: string, each: unknown): void => {
    if (each !== null && each !== undefined) parts.push(condition.replaceAll('$', value(each)));
  };
  return {
    values,
    value,
    add,
    addWindows(alias, { created, updated }) {
      add(`${alias}.created_at >= $`, created.from);
      add(`${alias}.created_at < $`, created.before);
      add(`${alias}.updated_at >= $`, updated.from);
      add(`${alias}.updated_at < $`, updated.before);
    },
    where: () => (parts.length === 0 ? '' : `where ${parts.join(' and ')}`),
  };
}

/** For `like`: the term anywhere in a text, its own wildcards taken as they are. */
export function containing(term: string): string {
  return `%${term.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/** `(created_at at time zone ...)::date` as text: the day in the tenant's zone. */
export function dayOf(column: string, zone: string): string {
  return `(${column} at time zone ${zone})::date::text`;
}

/** A price with at least the decimals of its currency, and more where it has more. */
export function priceText(currency: string, price: Decimal): Decimal {
  const point = price.indexOf('.');
  const digits = point === -1 ? 0 : price.length - point - 1;
  return digits >= minorDigits(currency) ? price : formatAmount(currency, price);
}

/** A reader of one row. */
export async function firstOf<Row>(rows: Promise<readonly Row[]>): Promise<Row | undefined> {
  return (await rows)[0];
}

export type Reader = Pick<Tx, 'query'>;
