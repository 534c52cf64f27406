/**
 * Entry of the process for suspects: bills one customer at a time for the worker that started it.
 * Any customer may crash it. It ends with its worker, even in the middle of an endless loop.
 */
import { openDatabase } from '../db/connection/database.ts';
import { billApart } from '../operations/billing/apart.ts';
import { isTransientForCustomer } from '../operations/billing/faults.ts';
import { describeError } from '../operations/context/describe-error.ts';
import type { Dependencies } from '../operations/context/context.ts';
import { keepEventDocuments as keepDocuments } from '../operations/feed/event-views.ts';
import { openTaxProviders } from '../operations/tax/providers.ts';
import { taxAdapters } from '../providers/tax/adapters.ts';
import { guardProcess } from '../providers/process-guard.ts';
import {
  BEAT_MS,
  EXIT_OF_SURROUNDINGS,
  type BillMessage,
  type FromChild,
  type ToChild,
} from './apart-messages.ts';

const STATEMENT_TIMEOUT_MS = 30_000;
const EXIT_OF_A_FAULT = 70;
let dependencies: Dependencies | undefined;

async function receive(message: ToChild): Promise<void> {
  if (message.kind === 'bill') return bill(message);
  const db = await openDatabase({
    url: message.databaseUrl,
    role: 'sundial_app',
    poolMax: 1,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    name: `suspects ${process.pid}`,
  });
  db.pool.on('error', () => undefined);
  // A connection that breaks while in use fails its statements.
  db.pool.on('connect', (client) => client.on('error', () => undefined));
  const onBug = (bug: Error): void => say({ kind: 'bug', error: describeError(bug) });
  const plain = { db, realNow: Date.now, onBug, keepDocuments };
  const { secretKeys } = message;
  const taxProviderOf = openTaxProviders(plain, taxAdapters(plain, { secretKeys }));
  dependencies = { ...plain, taxProviderOf };
  say({ kind: 'ready' });
  setInterval(() => say({ kind: 'beat' }), BEAT_MS);
}

async function bill({ tenantId, customerId }: BillMessage): Promise<void> {
  if (!dependencies) throw new Error('nothing is billed before the database is open');
  try {
    say({ kind: 'billed', batch: await billApart(dependencies, tenantId, customerId) });
  } catch (error) {
    say({ kind: 'failed', error: describeError(error) });
  }
}

function say(message: FromChild): void {
  process.send?.(message);
}

function die(error: unknown): void {
  const code = isTransientForCustomer(error) ? EXIT_OF_SURROUNDINGS : EXIT_OF_A_FAULT;
  const last: FromChild = { kind: 'bug', error: describeError(error) };
  if (process.connected) process.send?.(last, () => process.exit(code));
  else process.exit(code);
}

guardProcess();
process.on('uncaughtException', die);
process.on('message', (message) => {
  receive(message as ToChild).catch(die);
});
