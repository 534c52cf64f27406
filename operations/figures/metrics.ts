/** The metrics of the installation: a name for each figure, and the values of the last reading. */
import type { SupervisionFigures } from '../../db/queries/processes/supervision.ts';
import {
  type MetricRow,
  OTHER_TENANTS,
  type Sample,
  TENANT_LABELS_MAX,
} from '../../providers/metrics/metric.ts';
import {
  type Counted,
  type FigureName,
  type Figures,
  figureNames,
  type FigureRow,
  figureTable,
  type TenantFigures,
  totalsOf,
} from './read.ts';

/** What one process knows of the installation, as long as it has the turn of reading it. */
export interface Reading {
  readonly figures: Figures;
  /** Absent before the first sweep of the supervision. */
  readonly supervision: SupervisionFigures | undefined;
  /** The workers that live, by their builds; null: of no build. */
  readonly builds: ReadonlyMap<string | null, number>;
}

const nameOf = (figure: FigureName): string =>
  `sundial_${figure.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;

/** `sundial_orders_due`, and `sundial_orders_due_oldest_seconds`. */
export const figureMetricNames = Object.fromEntries(
  figureNames.map((name) => [
    name,
    { count: nameOf(name), oldest: `${nameOf(name)}_oldest_seconds` },
  ]),
) as Readonly<Record<FigureName, { readonly count: string; readonly oldest: string }>>;

function rowsOf(figure: FigureName): readonly MetricRow[] {
  const { help, kinds, age }: FigureRow = figureTable[figure];
  const { count, oldest } = figureMetricNames[figure];
  const labels = ['tenant', ...(kinds === undefined ? [] : [kinds])];
  const gauge = { type: 'gauge', labels, of: 'worker' } as const;
  if (age === undefined) return [{ ...gauge, name: count, help }];
  const clock = age.clock === 'tenant' ? "the tenant's clock" : 'real time';
  const ageHelp = `Of ${count}: the seconds since ${age.since}, in ${clock}.`;
  return [
    { ...gauge, name: count, help },
    { ...gauge, name: oldest, help: ageHelp },
  ];
}

/** What supervision counts, as `npm run workflows` does. */
const supervised = {
  needed: ['gauge', 'Objects that need a workflow, at the last sweep.'],
  missing: ['gauge', 'Objects that needed a workflow and had none, at the last sweep.'],
  unneeded: ['gauge', 'Running workflows that no row needed, at the last sweep.'],
  restarted: ['counter', 'Workflows that supervision has started again, since it exists.'],
  ended: ['counter', 'Workflows that supervision has ended because no row needed them.'],
} as const;

const supervisedName = (what: string): string =>
  supervised[what as keyof typeof supervised][0] === 'counter'
    ? `sundial_workflows_${what}_total`
    : `sundial_workflows_${what}`;

const plain = (name: string, help: string, labels: readonly string[] = []): MetricRow => ({
  name,
  type: 'gauge',
  help,
  labels,
  of: 'worker',
});

const readAt = plain(
  'sundial_figures_read_timestamp_seconds',
  'When the figures of the installation were read last. One worker at a time reads and shows them.',
);
const readSeconds = plain('sundial_figures_read_seconds', 'How long reading them took.');
const failedTenants = plain(
  'sundial_figures_failed_tenants',
  'Tenants whose figures could not be read: they are missing in all others.',
);
const tenants = plain('sundial_tenants', 'Tenants of the installation.');
const livingWorkers = plain('sundial_workers_living', 'Workers that live, by their builds.', [
  'build',
]);
const sweptAt = plain(
  'sundial_workflows_swept_timestamp_seconds',
  'When supervision compared all rows with all workflows last.',
);
const unknownRuns = plain(
  'sundial_workflows_unknown',
  'Running workflows of tenants that the database does not have, at the last sweep.',
);

export const installationMetrics: readonly MetricRow[] = [
  ...figureNames.flatMap(rowsOf),
  ...Object.entries(supervised).map(([what, [type, help]]): MetricRow => ({
    name: supervisedName(what),
    type,
    help,
    labels: ['kind'],
    of: 'worker',
  })),
  unknownRuns,
  sweptAt,
  livingWorkers,
  tenants,
  readAt,
  readSeconds,
  failedTenants,
];

/** Nothing that is zero has a value, but for what is counted of the installation as a whole. */
export function samplesOf({ figures, supervision, builds }: Reading): readonly Sample[] {
  const whole = (row: MetricRow, value: number): Sample => ({ name: row.name, labels: {}, value });
  return [
    ...bounded(figures.tenants).flatMap(samplesOfTenant),
    ...supervisionSamples(supervision),
    ...[...builds].map(([build, value]) => ({
      name: livingWorkers.name,
      labels: { build: build ?? 'none' },
      value,
    })),
    whole(tenants, figures.tenants.length + figures.failed.length),
    whole(readAt, figures.readAt.getTime() / 1_000),
    whole(readSeconds, figures.milliseconds / 1_000),
    whole(failedTenants, figures.failed.length),
  ];
}

type LabelledFigures = Pick<TenantFigures, 'label' | 'figures'>;

/** The first tenants, by their ids, by themselves; the others as one. */
function bounded(all: readonly TenantFigures[]): readonly LabelledFigures[] {
  const others = all.slice(TENANT_LABELS_MAX);
  if (others.length === 0) return all;
  return [...all.slice(0, TENANT_LABELS_MAX), { label: OTHER_TENANTS, figures: totalsOf(others) }];
}

function samplesOfTenant({ label, figures }: LabelledFigures): readonly Sample[] {
  return figureNames.flatMap((name) =>
    figures[name].flatMap((counted) => samplesOfFigure(name, label, counted)),
  );
}

function samplesOfFigure(
  figure: FigureName,
  tenant: string,
  { kind, count: value, oldestSeconds }: Counted,
): readonly Sample[] {
  const { kinds }: FigureRow = figureTable[figure];
  const labels = { tenant, ...(kinds === undefined ? {} : { [kinds]: kind ?? '' }) };
  const { count, oldest } = figureMetricNames[figure];
  const counted = { name: count, labels, value };
  return oldestSeconds === null
    ? [counted]
    : [counted, { name: oldest, labels, value: oldestSeconds }];
}

function supervisionSamples(figures: SupervisionFigures | undefined): readonly Sample[] {
  if (figures === undefined) return [];
  const ofKinds = Object.entries(figures.kinds).flatMap(([kind, counts]) =>
    Object.entries(counts).map(([what, value]) => ({
      name: supervisedName(what),
      labels: { kind },
      value,
    })),
  );
  return [
    ...ofKinds,
    { name: unknownRuns.name, labels: {}, value: figures.unknown },
    { name: sweptAt.name, labels: {}, value: Date.parse(figures.sweptAt) / 1_000 },
  ];
}
