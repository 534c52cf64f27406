/**
 * A connection on which statements are sent without waiting for the answers of those before. What
 * is sent in one go leaves in one packet: writing to a socket costs more than most statements.
 */
import type { Socket } from 'node:net';
import type { ClientBase, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { refusesCommit, wasNeverSent } from './faults.ts';

/** How a transaction ended; 'unknown' when the answer to its COMMIT is lost. */
export type Ended = 'committed' | 'rolledBack' | 'unknown';

export interface Failed {
  readonly ended: Ended;
  /** What failed first. */
  readonly reason: unknown;
}

export interface Pipeline {
  /** Sends a statement that nobody waits for; the first to fail is thrown by `commit`. */
  readonly fire: (query: QueryConfig) => void;
  readonly query: <Row extends QueryResultRow>(query: QueryConfig) => Promise<QueryResult<Row>>;
  /** Throws what went wrong with anything sent, and when nothing was committed. */
  readonly commit: () => Promise<void>;
  /** Finds out how it ended, and sends `rollback` unless COMMIT was sent. */
  readonly fail: (error: unknown) => Promise<Failed>;
  /** Resolves when everything sent was answered; says what makes the connection unfit for more. */
  readonly settled: () => Promise<Error | undefined>;
  /** To PostgreSQL and from it, since this was opened. */
  readonly movedBytes: () => number;
}

interface Connected {
  readonly connection: { readonly stream: Socket };
}

export function openPipeline(client: ClientBase): Pipeline {
  const unanswered: Promise<unknown>[] = [];
  let failure: Error | undefined;
  let broken: Error | undefined;
  const fail = (error: Error): void => void (failure ??= error);
  const { stream } = (client as unknown as Connected).connection;
  const movedBefore = stream.bytesRead + stream.bytesWritten;
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
  /** Of the COMMIT, once it is said: nothing that fails before its answer tells how it ended. */
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
      if (command !== 'COMMIT') throw new Error(`a transaction ended with ${command}`);
    },
    async fail(error) {
      if (ended === undefined) unanswered.push(end('rollback').catch(() => undefined));
      return { ended: (await ended) ?? 'rolledBack', reason: failure ?? error };
    },
    async settled() {
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
