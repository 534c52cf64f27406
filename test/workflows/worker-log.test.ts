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

test('the log contains a reason that was given in words', (t) => {
  t.like(JSON.parse(logged('14 UNAVAILABLE: connect ECONNREFUSED 127.0.0.1:7233')), {
    error: { type: 'string', message: '14 UNAVAILABLE: connect ECONNREFUSED 127.0.0.1:7233' },
  });
  const of = (error: unknown): unknown => JSON.parse(logged(error)).error;
  t.deepEqual(of({ code: 14, details: 'Adelheid' }), { type: 'object', code: 14 });
  t.deepEqual(of(null), { type: 'object' });
});

test('the log contains what each address of a server answered', (t) => {
  const refused = (port: number) =>
    Object.assign(new Error(`connect ECONNREFUSED 127.0.0.1:${port}`), { code: 'ECONNREFUSED' });
  const of = JSON.parse(logged(new AggregateError([refused(1), refused(2)], ''))).error;
  t.deepEqual(
    of.errors.map(({ message }: { readonly message: string }) => message),
    ['connect ECONNREFUSED 127.0.0.1:1', 'connect ECONNREFUSED 127.0.0.1:2'],
  );
});

test('workers that run activities alone are no warning', (t) => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line: string) => void lines.push(line) });
  const meta = { sdkComponent: 'worker', taskQueue: 'sundial-mail' };
  // As the SDK says at the start of each such worker.
  temporalLogger(log).warn('No workflows registered, not polling for workflow tasks', meta);
  temporalLogger(log).info('No Nexus services registered, not polling for Nexus tasks', meta);
  t.deepEqual(lines, []);
  temporalLogger(log).warn('No activities registered, not polling for activity tasks', meta);
  t.is(lines.length, 1);
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
