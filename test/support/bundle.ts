/** The workflows, bundled once per test run as a deployment would bundle them. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';

export const workflowsPath = join(import.meta.dirname, '../../workflows/workflows.ts');

export async function bundleToFile(file: string): Promise<string> {
  const silent = () => {};
  const logger = { log: silent, trace: silent, debug: silent, info: silent };
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    logger: { ...logger, warn: console.warn, error: console.error },
  });
  await writeFile(file, code);
  return file;
}
