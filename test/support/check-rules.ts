/** Entry of a part of `npm run check`: each rule of docs/rules names a test that is there. */
import { join } from 'node:path';
import { mistakesInRules } from './rules.ts';

const mistakes = mistakesInRules(join(import.meta.dirname, '../..'));
for (const mistake of mistakes) process.stderr.write(`${mistake}\n`);
if (mistakes.length > 0) process.exitCode = 1;
