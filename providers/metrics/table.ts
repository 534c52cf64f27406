/**
 * The metrics of one process: what it counts itself. Those of the installation are figures, whose
 * table is db/queries/figures/table.ts. `npm run metrics` prints both.
 */
import type { MetricRow } from './metric.ts';

/** From a tenth of a GET to the longest wait for a payment. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const WAIT_BUCKETS = [0.001, 0.01, 0.1, 0.5, 1, 2.5, 5, 10, 30];
const GATEWAY_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

export const processMetrics = {
  build: {
    name: 'sundial_build_info',
    type: 'gauge',
    help: 'Is 1. Its labels are the release, the build of the workflows, and the newest migration that the process knows.',
    labels: ['process', 'version', 'build', 'schema'],
    of: 'both',
  },
  requests: {
    name: 'sundial_request_seconds',
    type: 'histogram',
    help: 'How long requests took, by the route of the route table and the class of the status. Requests of no route have the route none; health checks are not counted.',
    labels: ['route', 'status'],
    buckets: REQUEST_BUCKETS,
    of: 'api',
  },
  busy: {
    name: 'sundial_busy_total',
    type: 'counter',
    help: 'Requests of a tenant that were refused with 503.',
    labels: ['tenant'],
    of: 'api',
  },
  turnWaits: {
    name: 'sundial_turn_wait_seconds',
    type: 'histogram',
    help: 'How long work waited for a turn that was not free at once, and whether it got one: begun, late (the wait was too long) or full (too many waited). The turns are connections, locks and snapshots of the pool, calls, heavy, heavyOfTenant and streams of the API, hashing, drawing and rendering.',
    labels: ['turns', 'outcome'],
    buckets: WAIT_BUCKETS,
    of: 'both',
  },
  turnsWaiting: {
    name: 'sundial_turns_waiting',
    type: 'gauge',
    help: 'What waits for a turn now.',
    labels: ['turns'],
    of: 'both',
  },
  connections: {
    name: 'sundial_pool_connections',
    type: 'gauge',
    help: 'Connections of a pool to PostgreSQL, in use and idle.',
    labels: ['pool', 'state'],
    of: 'both',
  },
  gatewayCalls: {
    name: 'sundial_gateway_call_seconds',
    type: 'histogram',
    help: 'How long calls of a payment gateway took, and what they gave: approved, declined, pending, asks or done, or the kind of the error: unknown, transient, unavailable, invalid, different.',
    labels: ['gateway', 'call', 'outcome'],
    buckets: GATEWAY_BUCKETS,
    of: 'both',
  },
  work: {
    name: 'sundial_work_total',
    type: 'counter',
    help: 'Pieces of work that the log has a line about: billing batches, payments, deliveries of nudges, callbacks, mails, tax records, imports, restarts of workflows, and retries of each.',
    labels: ['work', 'of'],
    of: 'both',
  },
  workSeconds: {
    name: 'sundial_work_seconds_total',
    type: 'counter',
    help: 'How long these took in all.',
    labels: ['work'],
    of: 'both',
  },
  billed: {
    name: 'sundial_billed_total',
    type: 'counter',
    help: 'What billing batches did: customers and orders that they looked at, invoices that they made, customers that they held.',
    labels: ['what'],
    of: 'both',
  },
  errors: {
    name: 'sundial_errors_total',
    type: 'counter',
    help: 'Errors after which the process went on: its log has each. Requests that failed are counted as such alone.',
    labels: [],
    of: 'both',
  },
} as const satisfies Readonly<Record<string, MetricRow>>;
