/** What the bundle of workflows is made of. */
import { join } from 'node:path';

const workflows = join(import.meta.dirname, '../workflows');

export const bundleOptions = {
  workflowsPath: join(workflows, 'workflows.ts'),
  workflowInterceptorModules: [join(workflows, 'interceptors.ts')],
};
