/**
 * Entry: bundles the workflows and prints the bundle. A process of its own, because the bundler
 * takes 180 MB that a worker would keep for as long as it lives.
 */
import { join } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';

const silent = (): void => undefined;

const { code } = await bundleWorkflowCode({
  workflowsPath: join(import.meta.dirname, '../workflows/workflows.ts'),
  // What the bundler has to tell of a bundle that works is two pages long.
  logger: {
    log: silent,
    trace: silent,
    debug: silent,
    info: silent,
    warn: console.warn,
    error: console.error,
  },
});
process.stdout.write(code);
