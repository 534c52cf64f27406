/** Gives MikroORM the one connection of a tenant's transaction, as a Kysely. */
import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely';
import type { PoolClient, QueryResult as Answer } from 'pg';
import { answerOn, inOnePacket } from './pipeline.ts';

// A Kysely on this one connection, kept as long as the pool keeps the connection.
const bound = new WeakMap<PoolClient, Kysely<unknown>>();

export function kyselyOf(client: PoolClient): Kysely<unknown> {
  let kysely = bound.get(client);
  if (!kysely) {
    kysely = new Kysely({ dialect: dialectOf(client) });
    bound.set(client, kysely);
  }
  return kysely;
}

function dialectOf(client: PoolClient): Dialect {
  const connection: DatabaseConnection = {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const result = await answerOn<Answer>(client, (answered) =>
        inOnePacket(client, () => client.query(query.sql, [...query.parameters], answered)),
      );
      return { rows: result.rows as Row[], numAffectedRows: BigInt(result.rowCount ?? 0) };
    },
    streamQuery: () => refuse('streaming'),
  };
  const driver: Driver = {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: () => refuse('a nested transaction'),
    commitTransaction: () => refuse('a nested transaction'),
    rollbackTransaction: () => refuse('a nested transaction'),
    releaseConnection: () => Promise.resolve(),
    destroy: () => Promise.resolve(),
  };
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

function refuse(what: string): never {
  throw new Error(`${what} is not supported inside a tenant's transaction`);
}
