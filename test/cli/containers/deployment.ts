/** The files that deploy Sundial, as their tools read them. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';

export const root = join(import.meta.dirname, '../../..');
export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** How long a process may take to end what is under way: constants of modules that take long to load. */
export function drainSeconds(): number {
  const numberOf = (file: string, name: string): number => {
    const [, digits] = new RegExp(`^const ${name} = ([\\d_]+);$`, 'm').exec(read(file)) ?? [];
    if (digits === undefined) throw new Error(`${file} has no ${name}`);
    return Number(digits.replaceAll('_', ''));
  };
  return Math.max(
    numberOf('api/http/server.ts', 'DRAIN_MS_MAX') / 1000,
    numberOf('activities/run-worker.ts', 'DRAIN_SECONDS_MAX'),
  );
}

/* The image. */

export const commandOfImage = (): readonly string[] =>
  JSON.parse(/^CMD (\[.*\])$/m.exec(read('Dockerfile'))?.[1] ?? '[]');

/** What the image sets, of which compose may set some anew. */
export function imageEnvironment(): Record<string, string> {
  const [, block = ''] = /^ENV ((?:.*\\\n)*.*)$/m.exec(read('Dockerfile')) ?? [];
  const set = block.split(/\s*\\?\n\s*/).map((each) => each.split('='));
  return Object.fromEntries(set);
}

/* docker-compose.yml. */

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const service = z.object({
  image: z.string(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), text).default({}),
  secrets: z.array(z.string()).default([]),
  networks: z.array(z.string()),
  ports: z.array(z.string()).default([]),
  depends_on: z
    .union([z.array(z.string()), z.record(z.string(), z.object({ condition: z.string() }))])
    .default([]),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  stop_grace_period: z.string().optional(),
  restart: z.string(),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  deploy: z.object({
    resources: z.object({ limits: z.object({ cpus: z.string(), memory: z.string() }) }),
  }),
});

const compose = z.object({
  services: z.record(z.string(), service),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
  configs: z.record(z.string(), z.object({ content: z.string() })),
  networks: z.record(z.string(), z.object({ internal: z.boolean().default(false) })),
});

export type Service = z.output<typeof service>;

export const COMPOSE = 'docker-compose.yml';
/** With its variables as they stand. */
export const composeRead = (): unknown => parse(read(COMPOSE), { merge: true });

/** As `docker compose` sees it in a shell without variables. */
export function composeFile(): z.output<typeof compose> {
  return compose.parse(interpolated(composeRead()));
}

/** `${NAME:-default}` and `$$` in every text; compose refuses others, and so does this. */
function interpolated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(interpolated);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, interpolated(of)]));
  }
  if (typeof value !== 'string') return value;
  return value.replaceAll(/\$(?:\$|\{(\w+):-([^}]*)\}|)/g, (found, _name, byDefault?: string) => {
    if (found === '$$') return '$';
    if (byDefault === undefined) throw new Error(`docker compose would not take: ${value}`);
    return byDefault;
  });
}

/** The services that are processes of Sundial. */
export const ownServices = (): readonly (readonly [string, Service])[] =>
  Object.entries(composeFile().services).filter(([, { image }]) => image.startsWith('sundial:'));

/* The manifests of Kubernetes. */

const labels = z.record(z.string(), z.string());
const selector = z.object({ matchLabels: labels });
const probe = z.object({
  httpGet: z.object({ path: z.string(), port: z.union([z.string(), z.number()]) }),
});

const container = z.object({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()),
  envFrom: z.array(z.object({ configMapRef: z.object({ name: z.string() }) })).default([]),
  env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  livenessProbe: probe.optional(),
  readinessProbe: probe.optional(),
  startupProbe: probe.optional(),
  lifecycle: z
    .object({ preStop: z.object({ sleep: z.object({ seconds: z.number() }) }) })
    .optional(),
  securityContext: z.object({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  resources: z.object({
    requests: z.object({ cpu: z.string(), memory: z.string() }),
    limits: z.object({ cpu: z.string(), memory: z.string() }),
  }),
  volumeMounts: z.array(
    z.object({ name: z.string(), mountPath: z.string(), readOnly: z.boolean().optional() }),
  ),
});

const pod = z.object({
  automountServiceAccountToken: z.literal(false),
  terminationGracePeriodSeconds: z.number().optional(),
  securityContext: z.object({
    runAsNonRoot: z.literal(true),
    runAsUser: z.number(),
    fsGroup: z.number(),
    seccompProfile: z.object({ type: z.literal('RuntimeDefault') }),
  }),
  containers: z.tuple([container]),
  volumes: z.array(
    z.object({
      name: z.string(),
      secret: z.object({ secretName: z.string(), defaultMode: z.number() }).optional(),
      emptyDir: z.object({}).optional(),
    }),
  ),
});

const template = z.object({ metadata: z.object({ labels }), spec: pod });

const manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.object({ name: z.string() }),
});

export type Manifest = z.output<typeof manifest>;
export type Pod = z.output<typeof template>;

export const KUBERNETES = 'examples/kubernetes';
const KUSTOMIZATION = 'kustomization.yaml';

export const kustomization = () =>
  z
    .object({
      resources: z.array(z.string()),
      images: z.array(z.object({ name: z.string(), newTag: z.string() })),
    })
    .parse(parse(read(join(KUBERNETES, KUSTOMIZATION))));

export const manifestFiles = (): readonly string[] =>
  globSync('*.yaml', { cwd: join(root, KUBERNETES) }).filter((name) => name !== KUSTOMIZATION);

export const manifests = (): readonly Manifest[] =>
  manifestFiles().flatMap((name) =>
    parseAllDocuments(read(join(KUBERNETES, basename(name)))).map((each) =>
      manifest.parse(each.toJS()),
    ),
  );

/** By the name of the Deployment or Job. */
export const pods = (): ReadonlyMap<string, Pod> =>
  new Map(
    manifests()
      .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
      .map(({ metadata, spec }) => [metadata.name, z.object({ template }).parse(spec).template]),
  );

export const selectorOf = (value: unknown): Readonly<Record<string, string>> =>
  selector.parse(value).matchLabels;

/* Published schemas. */

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
const schemaOf = (name: string) => JSON.parse(read(`test/cli/containers/${name}-schema.json`));

/** What the schema of the Compose Specification finds wrong. */
export const mistakesInCompose = (value: unknown): readonly string[] =>
  mistakesBy(composeSchema(), value);

const composeSchema = onceOf(() => ajv.compile(schemaOf('compose')));

/** What the schema of its kind finds wrong. */
export function mistakesInManifest(value: Manifest): readonly string[] {
  const kind = `${value.apiVersion} ${value.kind}`;
  const validate = kubernetesSchemas().get(kind);
  return validate === undefined ? [`no schema has ${kind}`] : mistakesBy(validate, value);
}

const kubernetesSchemas = onceOf(() => {
  const { kinds, $defs } = schemaOf('kubernetes') as {
    readonly kinds: Readonly<Record<string, string>>;
    readonly $defs: object;
  };
  ajv.addSchema({ $id: 'kubernetes', $defs });
  return new Map(
    Object.entries(kinds).map(([kind, ref]) => [kind, ajv.compile({ $ref: `kubernetes${ref}` })]),
  );
});

function onceOf<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

function mistakesBy(validate: ValidateFunction, value: unknown): readonly string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
