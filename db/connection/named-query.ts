/** Statements whose rows name their columns as entities do: `customer_id` is `customerId`. */
import pg, {
  type ClientBase,
  type Pool,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
} from 'pg';
import { keyOf } from '../entities/rows.ts';

/** With a limit in milliseconds, after which the driver ends the connection. */
export type Asked = QueryConfig & { readonly query_timeout?: number };

interface RowDescription {
  readonly fields: readonly { name: string }[];
}

type Answered = (error: Error | null, result: unknown) => void;

/** What the driver calls before the first row; its types leave that out. */
interface Described {
  handleRowDescription(description: RowDescription): void;
}

type DrivenQuery = new (config: QueryConfig, answered?: Answered) => pg.Query & Described;

class NamedQuery extends (pg.Query as unknown as DrivenQuery) {
  override handleRowDescription(description: RowDescription): void {
    for (const field of description.fields) field.name = keyOf(field.name);
    super.handleRowDescription(description);
  }
}

/** Sends a statement on a connection at once. */
export function queryOn<Row extends QueryResultRow>(
  client: ClientBase,
  config: Asked,
): Promise<QueryResult<Row>> {
  const answer = new Promise<QueryResult<Row>>((resolve, reject) => {
    const answered: Answered = (error, result) => {
      if (error) reject(error);
      else resolve(result as QueryResult<Row>);
    };
    client.query(named(config, answered));
  });
  // As the driver does: the stack leads to who asked, not to the socket.
  return answer.catch((error: Error) => {
    Error.captureStackTrace(error);
    throw error;
  });
}

/** Sends a statement on any connection of the pool. */
export async function queryIn<Row extends QueryResultRow>(
  pool: Pool,
  config: Asked,
): Promise<QueryResult<Row>> {
  return (await (pool.query(named(config)) as unknown)) as QueryResult<Row>;
}

/** The driver reads the time limit from what it is given. */
const named = ({ query_timeout, ...config }: Asked, answered?: Answered): NamedQuery =>
  Object.assign(new NamedQuery(config, answered), query_timeout && { query_timeout });
