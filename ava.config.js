/** AVA's settings. The experiment hands each file's result to `npm test`, which pins AVA's version. */

import { observe } from './test/support/observe.ts';
import { ONLY_VARIABLE, RECORDS_VARIABLE } from './test/support/records.ts';

const { [ONLY_VARIABLE]: only, [RECORDS_VARIABLE]: records } = process.env;

export default {
  extensions: ['ts'],
  files: only === undefined ? ['test/**/*.test.ts'] : JSON.parse(only),
  require: ['./test/support/each-file.ts'],
  concurrency: 3,
  timeout: '5m',
  workerThreads: false,
  nonSemVerExperiments: { observeRunsFromConfig: true },
  observeRun: ({ events }) => records !== undefined && void observe(events, records),
};
