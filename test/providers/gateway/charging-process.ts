/** A process that makes one charge in the sandbox, for a test that kills it. */
import { text } from 'node:stream/consumers';
import { openDatabase } from '../../../db/connection/database.ts';
import { createSandbox } from '../../../providers/gateway/sandbox/sandbox.ts';
import { createVault } from '../../../providers/vault.ts';

const { url, tenantId, secretKey, call } = JSON.parse(await text(process.stdin));
const options = {
  poolMax: 2,
  statementTimeoutMs: 30_000,
  name: 'test',
  role: 'sundial_app',
} as const;
const db = await openDatabase({ ...options, url });
const today = (): Promise<string> => Promise.resolve('2027-01-15');
const sandbox = createSandbox({ db, tenantId, vault: createVault(secretKey), today });
await sandbox.charge(call, new AbortController().signal);
