/** The workflows, bundled once per test run as a deployment would bundle them. */

import { writeFile } from 'node:fs/promises';
import { bundleWorkflowCode } from '@temporalio/worker';
import { bundleOptions } from '../../activities/bundle-options.ts';

export const { workflowsPath } = bundleOptions;

export async function bundleToFile(file: string): Promise<string> {
  const silent = () => {};
  const logger = { log: silent, trace: silent, debug: silent, info: silent };
  const { code } = await bundleWorkflowCode({
    ...bundleOptions,
    logger: { ...logger, warn: console.warn, error: console.error },
  });
  await writeFile(file, code);
  return file;
}
