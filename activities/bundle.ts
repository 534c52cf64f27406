/**
 * Entry: bundles the workflows and prints the bundle. It is a separate process, because the bundler
 * uses 180 MB that a worker would never release.
 */
import { bundleWorkflowCode } from '@temporalio/worker';
import { bundleOptions } from './bundle-options.ts';

const silent = (): void => undefined;

const { code } = await bundleWorkflowCode({
  ...bundleOptions,
  // The bundler prints two pages even on success.
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
