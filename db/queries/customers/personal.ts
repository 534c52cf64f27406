/**
 * Empties and deletes what tables have of a customer, and finds what is left of it. The statements
 * follow from the entities: from what each column says, and from the keys by which a row belongs to a
 * customer.
 */
import * as entities from '../../entities/index.ts';
import { type Personal, saidBy } from '../../entities/personal.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { columnOf, descriptionOf, sqlTypeOf, type Described } from '../../entities/rows.ts';

/** By which key a row belongs to a row of another table: the first that a table has. */
const owners: Readonly<Record<string, Described>> = {
  signupId: entities.Signup,
  paymentId: entities.Payment,
  order: entities.SubscriptionOrder,
  invoiceId: entities.Invoice,
  invoiceLineId: entities.InvoiceLine,
  contactId: entities.Contact,
  sessionId: entities.SelfServiceSession,
  eventId: entities.Event,
};

const has = (entity: Described, key: string): boolean =>
  Reflect.has(descriptionOf(entity).properties, key);

/**
 * The condition of a row that belongs to the customer; $1 is the tenant. Undefined for a table whose rows
 * belong to no customer.
 *
 * @param customer SQL that has its id: `$2`
 */
export function belongsTo(entity: Described, customer: string): string | undefined {
  if (entity === entities.Customer) return `id = ${customer}`;
  if (has(entity, 'customerIds')) return `customer_ids @> array[${customer}::bigint]`;
  if (!has(entity, 'customerId')) return byOwner(entity, customer);
  const own = `customer_id = ${customer}`;
  // A row that names no customer may name something of it.
  const other = isNullable(entity, 'customerId') ? byOwner(entity, customer) : undefined;
  return other === undefined ? own : `(${own} or customer_id is null and ${other})`;
}

function byOwner(entity: Described, customer: string): string | undefined {
  const [key, owner] = Object.entries(owners).find(([each]) => has(entity, each)) ?? [];
  if (key === undefined || owner === undefined) return undefined;
  const { tableName } = descriptionOf(owner);
  const column = columnOf(key.endsWith('Id') ? key : `${key}Id`);
  return `${column} in (select id from ${tableName}
    where tenant_id = $1 and ${belongsTo(owner, customer) ?? 'false'})`;
}

function isNullable(entity: Described, key: string): boolean {
  const property: { readonly nullable?: boolean } = Reflect.get(
    descriptionOf(entity).properties,
    key,
  );
  return property.nullable === true;
}

const columnsSaying = (entity: Described, said: Personal): readonly string[] =>
  Object.keys(descriptionOf(entity).properties).filter((key) => saidBy(entity, key) === said);

/** What a customer is called once it is erased. */
export const erasedNameOf = (id: number): string => `erased-${id}`;

type Assignment = readonly [column: string, empty: string];

const assignmentsOf = (entity: Described): readonly Assignment[] =>
  (
    [
      ['emptied', (key) => emptyOf(entity, key)],
      ['blanked', (key) => `case when ${columnOf(key)} is not null then '' end`],
      ['renamed', () => `'erased-' || id`],
    ] satisfies readonly (readonly [Personal, (key: string) => string])[]
  ).flatMap(([said, empty]) =>
    columnsSaying(entity, said).map((key): Assignment => [columnOf(key), empty(key)]),
  );

/** What an emptied column has. */
function emptyOf(entity: Described, key: string): string {
  if (isNullable(entity, key)) return 'null';
  return sqlTypeOf(entity, key).startsWith('json') ? `'{}'` : `''`;
}

/** Of the chosen rows those in which something is left. */
function filledIn(entity: Described, chosen: string): string | undefined {
  const filled = assignmentsOf(entity).map(
    ([column, empty]) => `${column}::text is distinct from (${empty})`,
  );
  const { tableName } = descriptionOf(entity);
  if (filled.length === 0) return undefined;
  return `${tableName} where tenant_id = $1 and ${chosen} and (${filled.join(' or ')})`;
}

/** Empties the chosen rows of the table; undefined if it has nothing to empty. */
export function emptying(entity: Described, chosen: string): string | undefined {
  const filled = filledIn(entity, chosen);
  if (filled === undefined) return undefined;
  const { tableName } = descriptionOf(entity);
  const set = assignmentsOf(entity).map(([column, empty]) => `${column} = ${empty}`);
  return `update ${tableName} set ${set.join(', ')} ${filled.slice(tableName.length)}`;
}

/** Of the chosen rows those that go as a whole; undefined if those of the table stay. */
function goingIn(entity: Described, chosen: string): string | undefined {
  if (columnsSaying(entity, 'deleted').length === 0) return undefined;
  return `${descriptionOf(entity).tableName} where tenant_id = $1 and ${chosen}`;
}

const tables: readonly Described[] = Object.values(entities);

interface Erasing {
  readonly table: string;
  readonly text: string;
  /** Its rows are deleted. */
  readonly goes: boolean;
}

/**
 * All that empties and deletes what there is of the customer $2, its own row first: from then on nobody
 * inserts a row that names it until the transaction ends.
 */
export const erasing: readonly Erasing[] = [
  entities.Customer,
  ...tables.filter((each) => each !== entities.Customer),
].flatMap((entity) => {
  const own = belongsTo(entity, '$2');
  if (own === undefined) return [];
  const { tableName } = descriptionOf(entity);
  const going = goingIn(entity, own);
  const text = going === undefined ? emptying(entity, own) : `delete from ${going}`;
  return text === undefined ? [] : [{ table: tableName, text, goes: going !== undefined }];
});

/**
 * What is written of an erased customer later, such as the words of its gateway for a dispute, is emptied
 * in the transaction that writes it. Rows that go as a whole are not written any more, but for documents
 * of events, which callbacks need.
 */
export function emptyAgain(tx: Tx, customerIds: Iterable<number>): void {
  for (const id of customerIds) {
    for (const { table, text } of staying) tx.send(text, [tx.tenantId, id], `empty-again-${table}`);
  }
}

const staying = erasing.filter(({ goes }) => !goes);

/** The event of the erasure of the customer `c`. */
const erasedBy = `(select max(e.id) from event e
  where e.tenant_id = $1 and e.object_id = c.id and e.type = 'customer.erased')`;

/** By table a condition: something of the customer `c` is left in it. */
export const remains: readonly { readonly table: string; readonly left: string }[] = tables.flatMap(
  (entity) => {
    const own = belongsTo(entity, 'c.id');
    const left = own && (goingIn(entity, own) ?? filledIn(entity, own));
    if (left === undefined) return [];
    // Documents that came later speak of an erased customer.
    const since = entity === entities.EventDocument ? `and event_id < ${erasedBy}` : '';
    const { tableName: table } = descriptionOf(entity);
    return [{ table, left: `exists (select from ${left} ${since})` }];
  },
);
