/** Entry of the process for a rehearsal that the operator's page asks for. It ends with its API. */
import { constants, setPriority } from 'node:os';
import { openDatabase } from '../../db/connection/database.ts';
import type { Compared } from '../../domain/billing/rehearsed.ts';
import { DomainError } from '../../domain/errors.ts';
import { describeError } from '../../operations/context/describe-error.ts';
import { limitsByDefault, ranWords } from '../../operations/rehearsals/asked.ts';
import { holdOutliers, keepRehearsal } from '../../operations/rehearsals/keep.ts';
import { guardProcess } from '../../providers/process-guard.ts';
import { openSpool } from '../../providers/spool.ts';
import type { RehearsalMessage, RehearseMessage } from './rehearsing.ts';

const STATEMENT_TIMEOUT_MS = 30_000;

async function rehearsed(asked: RehearseMessage): Promise<string> {
  const { databaseUrl: url, tenantId, day, hold, operator } = asked;
  const statementTimeoutMs = STATEMENT_TIMEOUT_MS;
  const name = `rehearsal ${process.pid}`;
  const db = await openDatabase({ url, role: 'sundial_app', poolMax: 1, statementTimeoutMs, name });
  // A connection that breaks fails its statements.
  db.pool.on('error', () => undefined);
  const dependencies = { db, realNow: Date.now };
  const outliers = await openSpool<Compared>();
  const keeping = { day, limits: limitsByDefault, operator, outliers };
  const found = await keepRehearsal(dependencies, tenantId, keeping);
  const held = hold ? await holdOutliers(dependencies, tenantId, found, operator) : null;
  const { figures, failing, runOn } = found;
  return [
    `The run of ${runOn}: ${ranWords(figures)}; ${figures.outliers} outliers`,
    ...(failing.length === 0 ? [] : [`${failing.length} customers that it would hold`]),
    ...(held === null ? [] : [`${held} customers are held now`]),
  ].join(', ');
}

async function answerOf(asked: RehearseMessage): Promise<RehearsalMessage> {
  try {
    return { kind: 'found', words: `${await rehearsed(asked)}.` };
  } catch (error) {
    if (error instanceof DomainError) return { kind: 'refused', message: error.message };
    return { kind: 'failed', error: describeError(error) };
  }
}

guardProcess();
setPriority(constants.priority.PRIORITY_LOW);
process.once('message', (asked) => {
  void answerOf(asked as RehearseMessage).then((said) => {
    process.send?.(said, () => process.exit());
  });
});
