/** AVA's settings. The experiment hands each file's result to `npm test`, which pins AVA's version. */

import { observe } from './test/support/observe.ts';
import { longFiles, rankOf, testFiles } from './test/support/processes.ts';
import { LONG_VARIABLE, ONLY_VARIABLE, RECORDS_VARIABLE } from './test/support/records.ts';

const { [LONG_VARIABLE]: long, [ONLY_VARIABLE]: only, [RECORDS_VARIABLE]: records } = process.env;
const files = long === undefined ? testFiles(process.argv.slice(2)) : longFiles;

export default {
  extensions: ['ts'],
  files: only === undefined ? files : JSON.parse(only),
  require: ['./test/support/each-file.ts'],
  // More than the 2 cores of a small machine, because a file often waits: four left a fifth idle.
  concurrency: 6,
  sortTestFiles: (one, other) => rankOf(one) - rankOf(other) || (one < other ? -1 : 1),
  timeout: '5m',
  workerThreads: false,
  nonSemVerExperiments: { observeRunsFromConfig: true },
  observeRun: ({ events }) => records !== undefined && void observe(events, records),
};
