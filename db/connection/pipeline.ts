/**
 * A connection on which statements are sent without waiting for earlier answers. Statements of one
 * turn of the event loop share a packet, because a socket write costs more than most statements.
 */
import type { Socket } from 'node:net';
import pg, {
  type ClientBase,
  type Pool,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
} from 'pg';
import { isConsequence, refusesCommit, wasNeverSent } from './faults.ts';
import { keyOf } from '../entities/rows.ts';

/** How a transaction ended; 'unknown' if the answer to its COMMIT is lost. */
export type Ended = 'committed' | 'rolledBack' | 'unknown';

export interface Failed {
  readonly ended: Ended;
  /** The first failure. */
  readonly reason: unknown;
}

export interface Pipeline {
  /** Sends a statement without waiting; `commit` throws the first failure. */
  readonly fire: (query: QueryConfig) => void;
  readonly query: <Row extends QueryResultRow>(query: QueryConfig) => Promise<QueryResult<Row>>;
  /** Throws if any sent statement failed, or if nothing was committed. */
  readonly commit: () => Promise<void>;
  /** Determines how the transaction ended; sends `rollback` unless COMMIT was sent. */
  readonly fail: (error: unknown) => Promise<Failed>;
  /**
   * Resolves once everything sent is answered, with the error that makes the connection unusable.
   */
  readonly drained: () => Promise<Error | undefined>;
  /** Bytes to and from PostgreSQL since the pipeline was opened. */
  readonly movedBytes: () => number;
}

interface Connected {
  readonly connection: { readonly stream: Socket };
}

/** Sends in one packet what the driver writes of a statement in parts: each costs a system call. */
export function inOnePacket<Result>(client: ClientBase, send: () => Result): Result {
  const { stream } = (client as unknown as Connected).connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

export function openPipeline(client: ClientBase): Pipeline {
  const unanswered: Promise<unknown>[] = [];
  let failure: unknown;
  let broken: Error | undefined;
  causes.delete(client);
  const causeOf = (error: unknown) =>
    isConsequence(error) ? (causes.get(client) ?? error) : error;
  const fail = (error: Error): void => {
    failure ??= causeOf(error);
  };
  const { stream } = (client as unknown as Connected).connection;
  const movedBefore = stream.bytesRead + stream.bytesWritten;
  let isHeld = false;
  /** Statements before the next turn of the event loop are sent together. */
  function say<Row extends QueryResultRow>(query: QueryConfig): Promise<QueryResult<Row>> {
    if (!isHeld) {
      isHeld = true;
      stream.cork();
      process.nextTick(() => {
        isHeld = false;
        stream.uncork();
      });
    }
    return queryOn<Row>(client, query);
  }
  const end = (text: 'commit' | 'rollback') =>
    say({ text }).catch((error: Error) => {
      broken = error;
      throw error;
    });
  /** The outcome of the COMMIT once it is sent; a failure before its answer leaves it unknown. */
  let ended: Promise<Ended> | undefined;
  return {
    fire(query) {
      unanswered.push(say(query).catch(fail));
    },
    query: say,
    async commit() {
      const said = end('commit');
      ended = said.then(({ command }) => endedBy(command), endedByError);
      const { command } = await said.catch((error: Error) => {
        throw failure ?? error;
      });
      if (failure !== undefined) throw failure;
      if (command !== 'COMMIT') {
        throw causes.get(client) ?? new Error(`a transaction ended with ${command}`);
      }
    },
    async fail(error) {
      if (ended === undefined) unanswered.push(end('rollback').catch(() => undefined));
      return { ended: (await ended) ?? 'rolledBack', reason: failure ?? causeOf(error) };
    },
    async drained() {
      await Promise.all(unanswered);
      return broken;
    },
    movedBytes: () => stream.bytesRead + stream.bytesWritten - movedBefore,
  };
}

/** PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK. */
function endedBy(command: string): Ended {
  return command === 'COMMIT' ? 'committed' : 'rolledBack';
}

function endedByError(error: unknown): Ended {
  return wasNeverSent(error) || refusesCommit(error) ? 'rolledBack' : 'unknown';
}

/* Statements whose rows name their columns as entities do: `customer_id` is `customerId`. */

/** With a limit in milliseconds, after which the driver ends the connection. */
export type Asked = QueryConfig & { readonly query_timeout?: number };

interface RowDescription {
  readonly fields: readonly { name: string }[];
}

type Answered = (error: Error | null | undefined, result: unknown) => void;

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
const queryOn = <Row extends QueryResultRow>(client: ClientBase, config: Asked) =>
  answerOn<QueryResult<Row>>(client, (answered) => client.query(named(config, answered)));

/** Why the server refuses the statements of a connection's transaction: what failed last. */
const causes = new WeakMap<ClientBase, Error>();

/** What a statement of a transaction is answered, whoever sends it. */
export function answerOn<Result>(
  client: ClientBase,
  ask: (answered: Answered) => unknown,
): Promise<Result> {
  const answer = new Promise<Result>((resolve, reject) => {
    ask((error, result) => {
      if (!error) return resolve(result as Result);
      if (!isConsequence(error)) causes.set(client, error);
      reject(error);
    });
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
