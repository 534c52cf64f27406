/** The rows of a table as its entity describes them: the types of values, and the types in SQL. */
import { PostgreSqlPlatform, Type } from '@mikro-orm/postgresql';
import type { EntityProperty } from '@mikro-orm/postgresql';

/** What an entity of `db/entities` is. */
export interface Described {
  readonly tableName: string;
  readonly properties: object;
}

/** The value of each column, by the entity's name for it. */
export type Row<Entity extends Described> = {
  readonly [Key in keyof Entity['properties'] & string]: ValueOf<Entity['properties'][Key]>;
};

/**
 * Some columns of a row.
 *
 * @example RowOf<typeof Invoice, 'id' | 'status'> // { readonly id: number; readonly status: InvoiceStatus }
 */
export type RowOf<Entity extends Described, Key extends keyof Row<Entity>> = Pick<Row<Entity>, Key>;

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
export const columnOf = (key: string): string =>
  key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The type of a column in SQL; a number without its precision, which the table itself applies. */
export function sqlTypeOf(entity: Described, key: string): string {
  const property: Property = Reflect.get(entity.properties, key);
  const type = property.columnType ?? typeOf(property).getColumnType(property, platform);
  return type.replace(/\(.*\)$/, '');
}

interface Property extends EntityProperty {
  readonly columnType?: string;
}

const typeOf = ({ type }: { readonly type: unknown }): Type<unknown> =>
  type instanceof Type ? type : Type.getType(type as new () => Type<unknown>);
