/**
 * The commands of the containers of API and worker, ended by SIGTERM as a supervisor of containers does it: as
 * the first process of a space of processes, which gets no signal that it does not handle, where this machine
 * allows that.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { childEnvironment } from '../../../config.ts';
import { openDatabase } from '../../../db/connection/database.ts';
import { choosePort, isListening } from '../../../providers/embedded/ports.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { testFolder } from '../../support/folder.ts';
import { testBundle, testTemporal } from '../../support/temporal.ts';
import { PASSWORD, SECRET_KEY, makeTenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { commandOfImage, composeFile, imageEnvironment, root } from './deployment.ts';

const host = '127.0.0.1';

const unshare = ['unshare', '--pid', '--fork', '--kill-child'] as const;

function maySeparate(): boolean {
  try {
    execFileSync(unshare[0], [...unshare.slice(1), 'true'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

interface Container {
  readonly port: number;
  /** Sends SIGTERM to the command itself. */
  readonly end: () => void;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

/** @param portName the variable of the port at which it answers whether it is ready */
async function startContainer(
  t: ExecutionContext,
  [program, ...args]: readonly string[],
  { portName, database }: { readonly portName: string; readonly database: TestDatabase },
): Promise<Container> {
  t.is(program, 'node');
  const engine = await testTemporal();
  const port = await choosePort({ variable: portName, wanted: undefined, host });
  // Of this machine.
  const { PATH: _path, ...settings } = imageEnvironment();
  const [first, ...others] = [...(maySeparate() ? unshare : []), process.execPath, ...args];
  const child = spawn(first ?? '', others, {
    cwd: root,
    env: childEnvironment({
      ...settings,
      HOST: host,
      [portName]: String(port),
      DATA_DIR: testFolder(t),
      DATABASE_URL: database.loginUrl,
      TEMPORAL_ADDRESS: engine.address,
      TEMPORAL_NAMESPACE: engine.namespace,
      SECRET_KEY,
      WORKFLOW_BUNDLE: (await testBundle()).codePath,
    }),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  let hasEnded = false;
  const ended = once(child, 'close').then(([code, signal]): number | string => {
    hasEnded = true;
    return code ?? signal;
  });
  const isReady = async (): Promise<boolean> => {
    const answer = await fetch(`http://${host}:${port}/readyz`).catch(() => undefined);
    await answer?.body?.cancel();
    return answer?.ok === true;
  };
  await until('it is ready', async () => hasEnded || (await isReady()));
  t.false(hasEnded, 'it has ended by itself');
  const pid = first === unshare[0] ? childOf(child.pid) : child.pid;
  return { port, end: () => process.kill(pid ?? 0, 'SIGTERM'), ended };
}

const childOf = (pid = 0): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());

test('SIGTERM lets the API of the image answer the call under way, and it exits with 0', async (t) => {
  const database = await testDatabase(t);
  const options = { role: 'sundial_app', poolMax: 1, statementTimeoutMs: 30_000 } as const;
  const db = await openDatabase({ ...options, url: database.ownerUrl, name: 'test' });
  const { label } = await makeTenant({ db, realNow: Date.now });
  await db.close();
  const api = await startContainer(t, commandOfImage(), { portName: 'PORT', database });

  const body = '<customer><billingContact><lastName>Miller</lastName></billingContact></customer>';
  const outgoing = request({
    host,
    port: api.port,
    method: 'POST',
    path: '/rest/customers',
    auth: `api@test:${PASSWORD}`,
    headers: {
      host: `${label}.localhost`,
      expect: '100-continue',
      'content-length': String(body.length),
    },
  });
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  outgoing.flushHeaders();
  // The call is under way once its body is asked for.
  await once(outgoing, 'continue');
  api.end();
  await until('it takes no further calls', async () => !(await isListening(api.port)));
  outgoing.end(body);
  const [answer] = await answered;
  t.regex(await text(answer), /<customer id="\d+">/);
  t.is(answer.statusCode, 201);
  t.is(await api.ended, 0);
});

test('SIGTERM ends the worker of docker-compose.yml, and it exits with 0', async (t) => {
  const database = await testDatabase(t);
  const { command = [] } = composeFile().services['worker'] ?? {};
  const worker = await startContainer(t, command, { portName: 'HEALTH_PORT', database });
  worker.end();
  t.is(await worker.ended, 0);
});
