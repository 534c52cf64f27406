/** A tenant's page for operators: its figures, what waits for a person, and what can be done about it. */
import type { FigureName, TenantFigures } from '../../operations/figures/read.ts';
import { workflowIdOf } from '../../operations/outbox/enqueue.ts';
import type { ObjectWorkflowKind } from '../../operations/context/kinds.ts';
import type { TenantInfo } from '../../operations/context/context.ts';
import { shownRehearsals } from '../../operations/rehearsals/keep.ts';
import {
  actNames,
  actOf,
  mayAct,
  type ActName,
  type Actor,
} from '../../operations/operator/acts.ts';
import {
  ANSWERS_MAX,
  LISTED_MAX,
  overviewOf,
  type TenantOverview,
} from '../../operations/operator/overview.ts';
import { workflowAddress, type WebUi } from '../../operations/operator/searches.ts';
import { figureGroups, figureOf, figuresIn } from './figures.ts';
import type { OperatorPlace } from './place.ts';
import { searchesSection } from './show-installation.ts';
import { rehearsalSections, rehearsalsShown } from './show-rehearsals.ts';
import { age, instant, render, type Cell, type Link, type Section } from './view.ts';

interface Seen {
  readonly tenant: TenantInfo;
  /** The path below which the page's own are. */
  readonly base: string;
  readonly actor: Actor;
  /** Null for a tenant's user: the Web UI shows all tenants. */
  readonly ui: WebUi | null;
  /** How many there are of what a list shows the first of; undefined if nobody could count. */
  readonly wholeOf: (name: FigureName) => string | undefined;
}

export async function tenantSections(
  place: OperatorPlace,
  { tenant, base, actor }: Pick<Seen, 'tenant' | 'base' | 'actor'>,
): Promise<readonly Section[]> {
  const ui = actor.isOperator ? place.webUi : null;
  const [read, lists, rehearsals] = await Promise.all([
    place.figuresOf(tenant.id),
    overviewOf(place.dependencies, tenant.id),
    shownRehearsals(place.dependencies, tenant.id, rehearsalsShown),
  ]);
  const wholeOf = (name: FigureName): string | undefined =>
    read && figureOf(name, read.figures).text;
  const seen = { tenant, base, actor, ui, wholeOf };
  return [
    ...figureSections(read),
    runsSection(tenant, lists),
    heldSection(seen, lists),
    ...rehearsalSections(rehearsals, {
      begin: actLinks(seen, null, ['rehearse']),
      of: (id, isHeld) => actLinks(seen, id, [isHeld ? 'release' : 'hold-billing']),
    }),
    paymentsSection(seen, lists, place.dependencies.realNow()),
    findingsSection(seen, lists),
    dunningsSection(seen, lists),
    gatewaysSection(lists),
    endpointsSection(seen, lists),
    jobsSection(seen, lists),
    actsSection(seen),
    ...searchesSection(ui, tenant.label),
  ];
}

function figureSections(read: TenantFigures | undefined): readonly Section[] {
  if (read === undefined) {
    return [{ id: 'figures', title: 'Figures', note: 'The figures could not be read.' }];
  }
  const groups = Object.keys(figureGroups) as readonly (keyof typeof figureGroups)[];
  return groups.map((group) => ({
    id: group,
    title: figureGroups[group],
    figures: figuresIn(group, read.figures),
  }));
}

/** The acts of a row that the visitor may do. */
function actLinks(
  { base, actor }: Seen,
  id: number | string | null,
  names: readonly ActName[],
): Link[] {
  const below = id === null ? '' : `/${id}`;
  return names
    .filter((name) => mayAct(actor, actOf(name)))
    .map((name) => ({ text: actOf(name).title, address: `${base}/acts/${name}${below}` }));
}

/** An id, which leads to its workflow. */
function idCell({ ui, tenant }: Seen, id: number, kind: ObjectWorkflowKind): Cell {
  const text = String(id);
  if (ui === null) return { text };
  const address = workflowAddress(ui, workflowIdOf(tenant, { kind, objectId: id }));
  return { text, link: { text, address, isOutside: true } };
}

/** @param whole how many there are in all */
function noteOf(rows: readonly unknown[], whole?: string): Pick<Section, 'note'> {
  if (rows.length < LISTED_MAX) return {};
  const more = whole === undefined ? '; there may be more' : ` of ${whole}`;
  return { note: `The first ${LISTED_MAX}${more}.` };
}

function runsSection({ hasTestClock }: TenantInfo, { runs }: TenantOverview): Section {
  return {
    id: 'runs',
    title: 'Last billing runs',
    ...(hasTestClock && { note: 'Days of the test clock on which something was due.' }),
    table: {
      columns: [
        'Day',
        'Began (UTC)',
        'Took',
        'Customers',
        'Orders',
        'Invoices',
        'Invoices/s',
        'Held',
      ],
      rows: runs.map(({ runOn, startedAt, heartbeatAt, finishedAt, ...counts }) => {
        const seconds = ((finishedAt ?? heartbeatAt).getTime() - startedAt.getTime()) / 1_000;
        const rate = seconds > 0 ? (counts.invoices / seconds).toFixed(1) : '';
        return {
          cells: [
            { text: runOn },
            { text: instant(startedAt) },
            { text: finishedAt === null ? `${age(seconds)}, at work` : age(seconds) },
            { text: String(counts.customers) },
            { text: String(counts.orders) },
            { text: String(counts.invoices) },
            { text: rate },
            { text: String(counts.held), isAlarm: counts.held > 0 },
          ],
        };
      }),
      empty: hasTestClock ? 'The test clock has billed nothing yet.' : 'No run has begun yet.',
    },
  };
}

function heldSection(seen: Seen, { held }: TenantOverview): Section {
  return {
    id: 'held',
    title: 'Customers held from billing',
    ...noteOf(held, seen.wholeOf('heldCustomers')),
    table: {
      columns: ['Customer', 'Reference', 'Code', 'Since (UTC)'],
      rows: held.map(({ id, extCustomerRef, code, since }) => ({
        cells: [
          { text: String(id) },
          { text: extCustomerRef ?? '' },
          { text: code, isAlarm: true },
          { text: instant(since) },
        ],
        links: actLinks(seen, id, ['release']),
      })),
      empty: 'No customer is held.',
    },
  };
}

function paymentsSection(seen: Seen, { payments }: TenantOverview, now: number): Section {
  return {
    id: 'payments',
    title: 'Payments and refunds that are not final',
    ...noteOf(payments, seen.wholeOf('paymentsOpen')),
    table: {
      columns: ['Id', 'Customer', 'Type', 'State', 'Amount', 'Gateway', 'Age'],
      rows: payments.map((each) => ({
        cells: [
          idCell(seen, each.id, 'payment'),
          { text: String(each.customerId) },
          { text: each.paymentType },
          { text: each.phase ?? each.status },
          { text: `${each.amount} ${each.currency}` },
          { text: each.gateway ?? '' },
          { text: age((now - each.createdAt.getTime()) / 1_000) },
        ],
        links: actLinks(seen, each.id, ['resolve']),
      })),
      empty: 'All are final.',
    },
  };
}

function findingsSection(seen: Seen, { findings }: TenantOverview): Section {
  return {
    id: 'findings',
    title: 'Findings at gateways',
    ...noteOf(findings, seen.wholeOf('gatewayFindings')),
    table: {
      columns: ['Payment', 'Kind', 'What was found', 'At (UTC)'],
      rows: findings.map(({ paymentId, kind, detail, foundAt }) => ({
        cells: [
          { text: paymentId },
          { text: kind, isAlarm: true },
          { text: detail },
          { text: instant(foundAt) },
        ],
        links: actLinks(seen, paymentId, kind === 'difference' ? ['resolve', 'close'] : ['close']),
      })),
      empty: 'Gateways and books agree.',
    },
  };
}

function dunningsSection(seen: Seen, { dunnings }: TenantOverview): Section {
  return {
    id: 'dunnings',
    title: 'Dunnings',
    note: `Up to ${LISTED_MAX} that somebody holds, and the ${LISTED_MAX} whose step comes next.`,
    table: {
      columns: ['Customer', 'Next step', 'Held since', 'Why'],
      rows: dunnings.map(({ customerId, nextStepOn, heldOn, heldReason }) => ({
        cells: [
          idCell(seen, customerId, 'dunning'),
          { text: nextStepOn ?? '' },
          { text: heldOn ?? '' },
          { text: heldReason ?? '' },
        ],
        links: actLinks(seen, customerId, heldOn === null ? ['hold', 'retry'] : ['resume']),
      })),
      empty: 'No dunning is held, and no step comes.',
    },
  };
}

function gatewaysSection({ answers }: TenantOverview): Section {
  return {
    id: 'gateways',
    title: 'Answers of gateways',
    note: `Of the newest ${ANSWERS_MAX}.`,
    table: {
      columns: ['Gateway', 'Call', 'Approved', 'Declined', 'Failed', 'Slowest', 'Last (UTC)'],
      rows: answers.map((each) => ({
        cells: [
          { text: each.processor },
          { text: each.request },
          { text: String(each.approved) },
          { text: String(each.declined) },
          { text: String(each.failed), isAlarm: each.failed > 0 },
          { text: each.slowestMs === null ? '' : `${each.slowestMs} ms` },
          { text: instant(each.lastAt) },
        ],
      })),
      empty: 'No gateway has answered yet.',
    },
  };
}

/** Without the path and the query of its address, which may be secret. */
function hostOf(url: string): string {
  return URL.parse(url)?.host ?? '';
}

function endpointsSection(seen: Seen, { endpoints }: TenantOverview): Section {
  return {
    id: 'endpoints',
    title: 'Endpoints of callbacks',
    ...noteOf(endpoints),
    table: {
      columns: ['Id', 'Host', 'Waiting', 'Given up', 'Fails since (UTC)', 'Last error'],
      rows: endpoints.map(({ id, url, waiting, givenUp, failingSince, lastError }) => ({
        cells: [
          idCell(seen, id, 'callbacks'),
          { text: hostOf(url) },
          { text: String(waiting) },
          { text: String(givenUp), isAlarm: givenUp > 0 },
          { text: instant(failingSince), isAlarm: failingSince !== null },
          { text: failingSince === null && givenUp === 0 ? '' : (lastError ?? '') },
        ],
        links: givenUp > 0 || failingSince !== null ? actLinks(seen, id, ['resend']) : [],
      })),
      empty: 'The tenant has none.',
    },
  };
}

function jobsSection(seen: Seen, { jobs }: TenantOverview): Section {
  return {
    id: 'imports',
    title: 'Queued jobs',
    ...noteOf(jobs, seen.wholeOf('batchesOpen')),
    table: {
      columns: ['Id', 'Job', 'Kind', 'Rows', 'Done', 'Failed', 'Queued (UTC)'],
      rows: jobs.map((each) => ({
        cells: [
          idCell(seen, each.id, 'batch'),
          { text: each.jobId },
          { text: each.kind },
          { text: each.rowCount === null ? '' : String(each.rowCount) },
          { text: String(each.successCount) },
          { text: String(each.failCount), isAlarm: each.failCount > 0 },
          { text: instant(each.finalizedAt) },
        ],
        links: actLinks(seen, each.id, ['resume-import', 'cancel-import']),
      })),
      empty: 'No job is queued.',
    },
  };
}

/** For what no list shows. */
function actsSection({ base, actor }: Seen): Section {
  const options = actNames
    .filter((name) => mayAct(actor, actOf(name)))
    .map((value) => {
      const { title, of } = actOf(value);
      return { value, text: of === null ? title : `${title} (${of.toLowerCase()})` };
    });
  const html = render('operator-find', { action: `${base}/acts`, options });
  return { id: 'acts', title: 'Act on anything else', body: html };
}
