/**
 * A connection on which statements are sent without waiting for the answers of those before. What
 * is sent in one go leaves in one packet: writing to a socket costs more than most statements.
 */
import type { PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';

export interface Wire {
  /** Sends a statement that nobody waits for; the first to fail is thrown by `commit`. */
  readonly send: (query: QueryConfig) => void;
  readonly ask: <Row extends QueryResultRow>(query: QueryConfig) => Promise<QueryResult<Row>>;
  /** Throws what went wrong with anything sent, and when nothing was committed. */
  readonly commit: () => Promise<void>;
  /** Sends `rollback`; what failed first is the reason. */
  readonly rollback: (reason: unknown) => unknown;
  /** Resolves when everything sent was answered; says what makes the connection unfit for more. */
  readonly settled: () => Promise<Error | undefined>;
}

interface Corked {
  readonly connection: {
    readonly stream: { readonly cork: () => void; readonly uncork: () => void };
  };
}

export function openWire(client: PoolClient): Wire {
  const unanswered: Promise<unknown>[] = [];
  let failure: Error | undefined;
  let broken: Error | undefined;
  const fail = (error: Error): void => void (failure ??= error);
  const { stream } = (client as unknown as Corked).connection;
  let isHeld = false;
  /** What is said before the next turn of the event loop goes out together. */
  function say<Row extends QueryResultRow>(query: QueryConfig): Promise<QueryResult<Row>> {
    if (!isHeld) {
      isHeld = true;
      stream.cork();
      process.nextTick(() => {
        isHeld = false;
        stream.uncork();
      });
    }
    return client.query<Row>(query);
  }
  const end = (text: 'commit' | 'rollback') =>
    say({ text }).catch((error: Error) => {
      broken = error;
      throw error;
    });
  return {
    send(query) {
      unanswered.push(say(query).catch(fail));
    },
    ask: say,
    async commit() {
      const { command } = await end('commit').catch((error: Error) => {
        throw failure ?? error;
      });
      if (failure !== undefined) throw failure;
      if (command !== 'COMMIT') throw new Error(`a transaction ended with ${command}`);
    },
    rollback(reason) {
      unanswered.push(end('rollback').catch(() => undefined));
      return failure ?? reason;
    },
    async settled() {
      await Promise.all(unanswered);
      return broken;
    },
  };
}
