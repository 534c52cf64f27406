/** The operator's first page: all tenants, the sums of all, supervision, logins, saved searches. */
import { readSupervision, type Supervision } from '../../operations/operator/overview.ts';
import type { TenantFigures } from '../../operations/figures/read.ts';
import { recentLogins, type ShownLogin } from '../../operations/operator/logins.ts';
import { savedSearches, searchAddress, type WebUi } from '../../operations/operator/searches.ts';
import { alarmsIn, figureGroups, figureOf, figuresIn } from './figures.ts';
import { OPS, type OperatorPlace } from './place.ts';
import { age, instant, type Section } from './view.ts';

/** Those that ask for attention come first. */
const TENANTS_MAX = 200;

export async function installationSections(place: OperatorPlace): Promise<readonly Section[]> {
  const { figures: read, dependencies, webUi } = place;
  const [figures, supervision, logins] = await Promise.all([
    read(),
    readSupervision(dependencies.db.pool),
    recentLogins(dependencies.db),
  ]);
  const { tenants, totals, failed, readAt } = figures;
  const asOf = `As of ${instant(readAt)} UTC. Tenants: ${tenants.length}.`;
  const unread = failed.length === 0 ? '' : ` The figures of ${failed.length} could not be read.`;
  const groups = Object.keys(figureGroups) as readonly (keyof typeof figureGroups)[];
  return [
    tenantsSection(tenants),
    ...groups.map((group, index) => ({
      id: group,
      title: `${figureGroups[group]}, all tenants`,
      ...(index === 0 && { note: asOf + unread }),
      figures: figuresIn(group, totals),
    })),
    supervisionSection(supervision, dependencies.realNow()),
    ...searchesSection(webUi),
    loginsSection(logins),
  ];
}

function tenantsSection(tenants: readonly TenantFigures[]): Section {
  const rows = tenants
    .map((each) => ({ ...each, alarms: alarmsIn(each.figures) }))
    .toSorted(
      (a, b) =>
        Number(b.alarms.length > 0) - Number(a.alarms.length > 0) || (a.label < b.label ? -1 : 1),
    );
  const columns = ['ordersDue', 'heldCustomers', 'paymentsOpen', 'gatewayFindings'] as const;
  const more = rows.length - TENANTS_MAX;
  return {
    id: 'tenants',
    title: 'Tenants',
    ...(more > 0 && {
      note: `The first ${TENANTS_MAX}; ${more} more have an address of their own.`,
    }),
    table: {
      columns: [
        'Tenant',
        'Orders due',
        'Held',
        'Payments not final',
        'Findings',
        'Asks for attention',
      ],
      rows: rows.slice(0, TENANTS_MAX).map(({ label, figures, alarms }) => ({
        cells: [
          { text: label, link: { text: label, address: `${OPS}/tenants/${label}` } },
          ...columns.map((name) => {
            const { text, isAlarm = false } = figureOf(name, figures);
            return { text, isAlarm };
          }),
          { text: alarms.join(', '), isAlarm: alarms.length > 0 },
        ],
      })),
      empty: 'There is no tenant.',
    },
  };
}

function supervisionSection(supervision: Supervision | undefined, now: number): Section {
  const own = { id: 'supervision', title: 'Supervision of workflows' };
  const figures = supervision?.figures;
  if (figures === undefined) {
    return { ...own, note: 'No worker has compared rows with Temporal yet.' };
  }
  const kinds = Object.entries(figures.kinds);
  const seconds = (now - Date.parse(figures.sweptAt)) / 1_000;
  return {
    ...own,
    note: `The last sweep was ${age(seconds)} ago, took ${age(figures.milliseconds / 1_000)}, and compared ${figures.tenants} tenants; ${figures.failed} could not be compared.`,
    table: {
      columns: ['Workflows', 'Needed', 'Missing', 'Not needed', 'Restarted', 'Ended'],
      rows: kinds.map(([kind, { needed, missing, unneeded, restarted, ended }]) => ({
        cells: [
          { text: kind },
          { text: String(needed) },
          { text: String(missing), isAlarm: missing > 0 },
          { text: String(unneeded), isAlarm: unneeded > 0 },
          { text: String(restarted) },
          { text: String(ended) },
        ],
      })),
      empty: 'No workflow was needed.',
    },
  };
}

/** @param tenant the label of the only one that is searched */
export function searchesSection(ui: WebUi | null, tenant?: string): readonly Section[] {
  if (ui === null) return [];
  const links = savedSearches.map(({ finds, query }) => ({
    text: finds,
    address: searchAddress(ui, query, tenant),
    isOutside: true,
  }));
  return [{ id: 'searches', title: 'In the Temporal Web UI', links }];
}

const outcomes = { in: 'logged in', refused: 'was refused', out: 'logged out' } as const;

function loginsSection(logins: readonly ShownLogin[]): Section {
  return {
    id: 'logins',
    title: 'Logins of operators',
    table: {
      columns: ['At (UTC)', 'Who', 'Outcome', 'From'],
      rows: logins.map(({ at, outcome, name, address }) => ({
        cells: [
          { text: at },
          { text: name ?? 'somebody' },
          { text: outcomes[outcome], isAlarm: outcome === 'refused' },
          { text: address ?? '' },
        ],
      })),
      empty: 'Nobody has logged in by the password.',
    },
  };
}
