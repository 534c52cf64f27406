/**
 * Entry: downloads the Temporal CLI by the SDK's own helper and prints where it lies. A process of
 * its own, because the helper can neither be stopped nor given a time limit, and starts the server
 * that it got.
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
if (file === undefined) throw new Error('The helper left no file.');
process.stdout.write(`${join(downloadDir, file)}\n`);
process.exit(0);
