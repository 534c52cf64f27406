/** The rows of a table as its entity describes them: the types of values, and the types in SQL. */
import { EntitySchema, PostgreSqlPlatform, Type, type EntityProperty } from '@mikro-orm/postgresql';

/** What an entity of `db/entities` is; those of aggregates are classes. */
export type Described = Description | (abstract new () => object);

interface Description {
  readonly tableName: string;
  readonly properties: object;
}

/** The value of each column, by the entity's name for it. */
export type Row<Entity extends Described> = Entity extends Description
  ? { readonly [Key in keyof Entity['properties'] & string]: ValueOf<Entity['properties'][Key]> }
  : Entity extends abstract new () => infer Instance
    ? {
        readonly [
          Key in keyof Instance & string as ColumnKey<Key, Instance[Key]>
        ]-?: Instance[Key] extends Owner ? number : Exclude<Instance[Key], undefined>;
      }
    : never;

/** The owner `customer` of a row is the column `customerId`; the rows that it owns are no column. */
type ColumnKey<Key extends string, Value> = Value extends Owner
  ? `${Key}Id`
  : Value extends { readonly isInitialized: unknown }
    ? never
    : Key;

interface Owner {
  readonly tenantId: number;
  readonly id: number;
}

/**
 * Some columns of a row.
 *
 * @example RowOf<typeof Invoice, 'id' | 'status'> // { readonly id: number; readonly status: InvoiceStatus }
 */
export type RowOf<Entity extends Described, Key extends keyof Row<Entity>> = Pick<Row<Entity>, Key>;

/** What may be null may be absent, too: a key that JSON does not have is null in a recordset. */
export type Loosened<Of> = {
  readonly [Key in keyof Of as null extends Of[Key] ? never : Key]: Of[Key];
} & {
  readonly [Key in keyof Of as null extends Of[Key] ? Key : never]?: Of[Key] | undefined;
};

type ValueOf<Property> = Property extends {
  '~type'?: { value: infer Value };
  '~options': infer Options;
}
  ? Options extends { nullable: true }
    ? Value | null
    : Value
  : never;

const platform = new PostgreSqlPlatform();

/** The name of a column, for its key in an entity. */
export const columnOf = kept((key) =>
  key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
);

/** The key in an entity, for the name of a column. */
export const keyOf = kept((column) =>
  column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
);

/** Names are few, and statements ask for theirs again and again. */
function kept(nameOf: (given: string) => string): (given: string) => string {
  const names = new Map<string, string>();
  return (given) => {
    let name = names.get(given);
    if (name === undefined) {
      name = nameOf(given);
      names.set(given, name);
    }
    return name;
  };
}

export function descriptionOf(entity: Described): Description {
  if ('properties' in entity) return entity;
  const schema: (EntitySchema & { readonly properties?: object }) | undefined =
    EntitySchema.REGISTRY.get(entity);
  const { properties } = schema ?? {};
  if (schema === undefined || properties === undefined) throw new Error('not an entity');
  return { tableName: schema.tableName, properties };
}

/** The type of a column in SQL; a number without its precision, which the table itself applies. */
export function sqlTypeOf(entity: Described, key: string): string {
  const { properties } = descriptionOf(entity);
  const property: Property | undefined = Reflect.get(properties, key);
  if (property === undefined) {
    const isOwner = key.endsWith('Id') && Reflect.has(properties, key.slice(0, -'Id'.length));
    if (!isOwner) throw new Error(`${key} is no column`);
    return 'bigint';
  }
  const type = property.columnType ?? typeOf(property).getColumnType(property, platform);
  return type.replace(/\(.*\)$/, '');
}

interface Property extends EntityProperty {
  readonly columnType?: string;
}

const typeOf = ({ type }: { readonly type: unknown }): Type<unknown> =>
  type instanceof Type ? type : Type.getType(type as new () => Type<unknown>);
