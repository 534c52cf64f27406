/** The manifests of Kubernetes, of which none was applied: what they name is there, and fits together. */
import test from 'ava';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isHealthPath } from '../../../api/http/health.ts';
import { loadConfig, reachable, secretNames, variableNames } from '../../../config.ts';
import { releaseVersion } from '../../../release.ts';
import { testFolder } from '../../support/folder.ts';
import {
  drainSeconds,
  kustomization,
  manifestFiles,
  manifests,
  mistakesInManifest,
  ownServices,
  pods,
  read,
  selectorOf,
  type Manifest,
  type Pod,
} from './deployment.ts';

const named = (kind: string, name: string): Manifest => {
  const found = manifests().find((each) => each.kind === kind && each.metadata.name === name);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
};
const specOf = (kind: string, name: string) => z.looseObject({}).parse(named(kind, name)['spec']);

test('each manifest is valid by the schema of its kind, and is applied', (t) => {
  const all = manifests();
  t.true(all.length >= 12);
  for (const each of all) t.deepEqual(mistakesInManifest(each), [], each.kind);
  t.deepEqual(kustomization().resources.toSorted(), manifestFiles().toSorted());
  const broken = { ...named('Deployment', 'api'), spec: { replicas: 'two' } };
  t.not(mistakesInManifest(broken).length, 0);
  t.not(mistakesInManifest({ ...named('Service', 'api'), sepc: {} }).length, 0);
});

test('the pods run what package.json and docker-compose.yml run', (t) => {
  const { scripts } = JSON.parse(read('package.json'));
  for (const [name, { spec }] of pods()) {
    t.is(`exec ${spec.containers[0].command.join(' ')}`, scripts[name], name);
    t.is(spec.containers[0].image, `sundial:${releaseVersion}`, name);
  }
  t.deepEqual([...pods().keys()].toSorted(), ['api', 'migrate', 'worker']);
  t.deepEqual(kustomization().images, [{ name: 'sundial', newTag: releaseVersion }]);
  const [, user] = /^USER (\d+):\d+$/m.exec(read('Dockerfile')) ?? [];
  for (const { spec } of pods().values()) {
    t.deepEqual([String(spec.securityContext.runAsUser)], [user]);
    t.deepEqual([String(spec.securityContext.fsGroup)], [user]);
  }
});

/** The settings of a pod: of its config maps and its own. */
function settingsOf({ spec }: Pod): Readonly<Record<string, string>> {
  const [{ envFrom, env }] = spec.containers;
  const maps = envFrom.map(({ configMapRef }) =>
    z.record(z.string(), z.string()).parse(named('ConfigMap', configMapRef.name)['data']),
  );
  const own = env.map(({ name, value }) => [name, value]);
  return Object.assign({}, ...maps, Object.fromEntries(own)) as Record<string, string>;
}

test('a setting is one that Sundial knows, and its secrets are files that the pod mounts', (t) => {
  const folder = testFolder(t);
  const known = new Set([...variableNames, ...secretNames.map((name) => `${name}_FILE`)]);
  const values: Readonly<Record<string, string>> = {
    database_url: 'postgres://sundial_service:x@db.postgres.svc:5432/sundial',
    migrate_url: 'postgres://sundial:x@db.postgres.svc:5432/sundial',
    metrics_token: 'a-token-of-16-or-more-characters',
    secret_key: 'a key of 32 or more characters, which is no secret',
  };
  for (const [name, each] of pods()) {
    const settings = settingsOf(each);
    t.deepEqual(
      Object.keys(settings).filter((key) => !known.has(key) || secretNames.includes(key)),
      [],
      name,
    );
    const { volumeMounts } = each.spec.containers[0];
    const here: Record<string, string> = { HOST: '0.0.0.0' };
    for (const [key, value] of Object.entries(settings)) {
      if (!key.endsWith('_FILE')) {
        here[key] = value;
        continue;
      }
      const mount = volumeMounts.find(({ mountPath }) => value.startsWith(`${mountPath}/`));
      const volume = each.spec.volumes.find((one) => one.name === mount?.name);
      t.is(volume?.secret?.defaultMode, 0o440, key);
      const file = value.slice((mount?.mountPath ?? '').length + 1);
      t.regex(
        read('docs/containers.md'),
        new RegExp(`create secret generic ${volume?.secret?.secretName} .*secrets/${file}\\b`),
      );
      here[key] = join(folder, file);
      writeFileSync(join(folder, file), `${values[file]}\n`);
    }
    const config = loadConfig(here);
    if (name === 'migrate') t.is(config.migrateUrl, values['migrate_url']);
    else t.notThrows(() => reachable(config, 'the other'), name);
  }
  t.deepEqual(
    [...pods()]
      .filter(([, { spec }]) =>
        spec.volumes.some(({ secret }) => secret?.secretName === 'sundial-owner'),
      )
      .map(([name]) => name),
    ['migrate'],
  );
});

test('a pod may write where its process writes, and nowhere else', (t) => {
  for (const [name, { spec }] of pods()) {
    const writable = spec.containers[0].volumeMounts.filter(({ readOnly }) => readOnly !== true);
    t.deepEqual(
      writable.map(({ mountPath }) => mountPath),
      ['/var/lib/sundial', '/tmp'],
      name,
    );
    for (const { name: volume } of writable) {
      t.deepEqual(spec.volumes.find((each) => each.name === volume)?.emptyDir, {}, name);
    }
  }
});

test('probes ask addresses that answer, at ports that listen', (t) => {
  for (const [name, each] of pods()) {
    const [{ livenessProbe, readinessProbe, startupProbe, ports }] = each.spec.containers;
    if (name === 'migrate') continue;
    const settings = settingsOf(each);
    const port = name === 'api' ? '8080' : settings['HEALTH_PORT'];
    const metrics = settings['METRICS_PORT'];
    t.deepEqual(
      ports.map(({ containerPort }) => String(containerPort)),
      [String(port), String(metrics)],
      name,
    );
    t.is(livenessProbe?.httpGet.path, '/livez', name);
    t.is(readinessProbe?.httpGet.path, '/readyz', name);
    for (const probe of [livenessProbe, readinessProbe, startupProbe]) {
      if (probe === undefined) continue;
      t.is(probe.httpGet.port, ports[0]?.name ?? '', name);
      t.true(isHealthPath(probe.httpGet.path));
    }
  }
});

test('a pod is killed later than its process takes to end what is under way', (t) => {
  const drain = drainSeconds();
  for (const name of ['api', 'worker']) {
    const spec = pods().get(name)?.spec;
    const pause = spec?.containers[0].lifecycle?.preStop.sleep.seconds ?? 0;
    t.true((spec?.terminationGracePeriodSeconds ?? 0) >= pause + drain + 10, name);
  }
});

test('two of each run, and a disruption leaves one', (t) => {
  t.is(specOf('Deployment', 'api')['replicas'], 2);
  const autoscaler = specOf('HorizontalPodAutoscaler', 'worker');
  t.is(autoscaler['minReplicas'], 2);
  t.deepEqual(autoscaler['scaleTargetRef'], {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    name: 'worker',
  });
  // Otherwise each apply would undo what the autoscaler has done.
  t.is(specOf('Deployment', 'worker')['replicas'], undefined);
  for (const name of ['api', 'worker'])
    t.is(specOf('PodDisruptionBudget', name)['minAvailable'], 1);
});

test('what selects pods finds those that it means', (t) => {
  const labelsOf = (name: string) => pods().get(name)?.metadata.labels;
  for (const name of ['api', 'worker']) {
    t.deepEqual(selectorOf(specOf('Deployment', name)['selector']), labelsOf(name));
    t.deepEqual(selectorOf(specOf('PodDisruptionBudget', name)['selector']), labelsOf(name));
  }
  t.deepEqual(specOf('Service', 'api')['selector'], labelsOf('api'));
  t.deepEqual(selectorOf(specOf('NetworkPolicy', 'calls')['podSelector']), labelsOf('api'));
  const nothing = specOf('NetworkPolicy', 'nothing');
  t.deepEqual(nothing, { podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
});

test('limits are those of docker-compose.yml', (t) => {
  const bytes = (text = ''): number => {
    const [, count, unit = ''] = /^(\d+)(m|g|Mi|Gi)$/.exec(text) ?? [];
    return Number(count) * (/g/i.test(unit) ? 1024 : 1);
  };
  for (const [name, { deploy }] of ownServices()) {
    const limits = pods().get(name)?.spec.containers[0].resources.limits;
    t.is(bytes(limits?.memory), bytes(deploy.resources.limits.memory), name);
    t.is(limits?.cpu, deploy.resources.limits.cpus, name);
  }
});
