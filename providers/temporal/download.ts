/**
 * Entry: downloads the Temporal CLI with the SDK's own helper and prints its path. It is a process
 * of its own, because the helper cannot be stopped or given a time limit, and starts the server
 * that it downloaded.
 */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { TestWorkflowEnvironment } from '@temporalio/testing';

const [version, downloadDir] = process.argv.slice(2);
if (version === undefined || downloadDir === undefined) throw new Error('VERSION FOLDER');
const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', version, downloadDir } },
});
await environment.teardown();
const [file] = readdirSync(downloadDir);
if (file === undefined) throw new Error('The download helper left no file.');
process.stdout.write(`${join(downloadDir, file)}\n`);
process.exit(0);
