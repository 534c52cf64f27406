/** The log of a worker about an activity that failed. */

import test from 'ava';
import { createLogger, temporalLogger } from '../../activities/log.ts';

function logged(error: unknown): string {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line: string) => void lines.push(line) });
  // As the SDK logs it.
  temporalLogger(log).warn('Activity failed', { activityType: 'advanceClock', error });
  return lines.join('');
}

test('the log contains the reason why an activity failed, down to its cause', (t) => {
  const cause = new Error('8 RESOURCE_EXHAUSTED: too much to do');
  const line = logged(new Error('order/demo/12 was not nudged', { cause }));
  t.like(JSON.parse(line), {
    process: 'worker',
    msg: 'Activity failed',
    activityType: 'advanceClock',
    error: {
      type: 'Error',
      message: 'order/demo/12 was not nudged',
      cause: { type: 'Error', message: '8 RESOURCE_EXHAUSTED: too much to do' },
    },
  });
});

test('the log omits what a database error quotes', (t) => {
  const error = Object.assign(new Error('duplicate key: (Adelheid)'), {
    code: '23505',
    detail: 'Key (name)=(Adelheid) already exists.',
  });
  const line = logged(new Error('failed', { cause: error }));
  t.notRegex(line, /Adelheid/);
  t.regex(line, /23505/);
});
