/**
 * What the texts of tables say of customers, and what becomes of each when its customer is erased. It
 * is said beside the column: the erasure, its audit and a test over all columns read it from there.
 */
import { p } from '@mikro-orm/postgresql';
import { descriptionOf, type Described } from './rows.ts';

/**
 * - `emptied`: null afterwards; what is never null is an empty text or object
 * - `blanked`: the same as an empty text, where a text has to stand
 * - `renamed`: `erased-ID`
 * - `deleted`: its row goes
 * - `vaulted`: stays until the gateway has removed the method, then it is emptied
 * - `copied`: PostgreSQL derives it from other columns, and follows them
 * - `frozen`: of a document as issued, or of a booking, which the law keeps
 * - `passing`: goes by a retention, which docs/guides/personal-data.md says
 */
export const personalKinds = [
  'emptied',
  'blanked',
  'renamed',
  'deleted',
  'vaulted',
  'copied',
  'frozen',
  'passing',
] as const;
export type Personal = (typeof personalKinds)[number];

/** `none`: a code, an id, a digest or a figure, which nobody writes freely. */
export type Said = Personal | 'none';

interface Options {
  said?: Said;
}

/** The mark stays with what is chained to the column: `text('emptied').nullable()`. */
function marked<Column>(said: Said, column: Column): Column {
  const { '~options': options } = column as { readonly '~options': Options };
  options.said = said;
  return column;
}

/** A text that says something of a customer, or may. */
export const text = (said: Personal) => marked(said, p.text());

/** The same of a column of another type. */
export const personal = <Column>(said: Personal, column: Column): Column => marked(said, column);

/** A text out of a closed list, or one that Sundial or a gateway makes. */
export const code = <Value extends string = string>() => marked('none', p.text().$type<Value>());

/** The same of a column of another type: what is in it has a fixed form without texts of people. */
export const closed = <Column>(column: Column): Column => marked('none', column);

export const digest = () => closed(p.blob());

/* Tables without customers. */

const ofTenants = new WeakSet<Described>();

/** What the tenant says of itself, its prices and its users: nothing in these tables is of a customer. */
export function saysNothingOfCustomers(...tables: readonly Described[]): void {
  for (const each of tables) ofTenants.add(each);
}

/** Undefined for a column that does not say it. */
export function saidBy(entity: Described, key: string): Said | undefined {
  if (ofTenants.has(entity)) return 'none';
  const property: Options | undefined = Reflect.get(descriptionOf(entity).properties, key);
  return property?.said;
}
