/**
 * What the operator's page lists of a tenant: what waits for a person, and what ran last. Each list ends
 * at some rows, and is read by an index that has the open rows alone, or by a key from its end.
 */
import type { CallbackEndpoint } from '../../entities/events.ts';
import type { Customer } from '../../entities/customers.ts';
import type { Dunning } from '../../entities/collection.ts';
import type { GatewayFinding } from '../../entities/gateways.ts';
import type { Batch } from '../../entities/imports.ts';
import type { Payment } from '../../entities/payments.ts';
import type { BillingRun } from '../../entities/processes.ts';
import type { RowOf } from '../../entities/rows.ts';
import type { Tx } from '../../connection/tenancy.ts';

/** Of each list; a list of so many rows says that there may be more. */
export const LISTED_MAX = 20;
const RUNS_MAX = 7;
/** Answers of gateways are looked at from the newest on. */
export const ANSWERS_MAX = 200;
/** Events of an endpoint are counted up to here. */
const EVENTS_COUNTED_MAX = 1_000;

export type ShownRun = RowOf<
  typeof BillingRun,
  | 'runOn'
  | 'startedAt'
  | 'heartbeatAt'
  | 'finishedAt'
  | 'customers'
  | 'orders'
  | 'invoices'
  | 'held'
>;

export function lastRuns(tx: Tx): Promise<ShownRun[]> {
  return tx.query<ShownRun & Record<string, unknown>>(
    `select run_on, started_at, heartbeat_at, finished_at, customers, orders, invoices, held
     from billing_run where tenant_id = $1 order by run_on desc limit $2`,
    [tx.tenantId, RUNS_MAX],
    'operator-runs',
  );
}

export interface ShownHold extends RowOf<typeof Customer, 'id' | 'extCustomerRef'> {
  readonly code: string;
  readonly since: Date;
}

export function heldFromBilling(tx: Tx): Promise<ShownHold[]> {
  return tx.query<ShownHold & Record<string, unknown>>(
    `select id, ext_customer_ref, coalesce(billing_held_code, 'unknown') as code,
       billing_held_at as since
     from customer where tenant_id = $1 and billing_held_at is not null order by id limit $2`,
    [tx.tenantId, LISTED_MAX],
    'operator-holds',
  );
}

export type ShownPayment = RowOf<
  typeof Payment,
  | 'id'
  | 'customerId'
  | 'paymentType'
  | 'status'
  | 'phase'
  | 'amount'
  | 'currency'
  | 'gateway'
  | 'createdAt'
>;

const paymentColumns = `id, customer_id, payment_type, status, phase, amount, currency, gateway,
  created_at`;

/** Those that are not final, the oldest ids first. Each half has its own index. */
export function openPayments(tx: Tx): Promise<ShownPayment[]> {
  return tx.query<ShownPayment & Record<string, unknown>>(
    `select * from (
       (select ${paymentColumns} from payment where tenant_id = $1 and status = 'Pending'
        order by id limit $2)
       union all
       (select ${paymentColumns} from payment where tenant_id = $1 and status = 'ActionRequired'
        order by customer_id limit $2)) p
     order by id limit $2`,
    [tx.tenantId, LISTED_MAX],
    'operator-payments',
  );
}

export interface ShownFinding extends RowOf<typeof GatewayFinding, 'kind' | 'detail' | 'foundAt'> {
  /** Of a call that no payment has, the id of the payment that was lost. */
  readonly paymentId: string;
}

export function openFindings(tx: Tx): Promise<ShownFinding[]> {
  return tx.query<ShownFinding & Record<string, unknown>>(
    `select coalesce(payment_id::text, split_part(gateway_key, '/', 2)) as payment_id, kind, detail,
       found_at
     from gateway_finding where tenant_id = $1 and closed_at is null order by id limit $2`,
    [tx.tenantId, LISTED_MAX],
    'operator-findings',
  );
}

export type ShownDunning = RowOf<
  typeof Dunning,
  'customerId' | 'heldOn' | 'heldReason' | 'nextStepOn'
>;

/** Those that somebody holds, and those whose step comes next. */
export function openDunnings(tx: Tx): Promise<ShownDunning[]> {
  return tx.query<ShownDunning & Record<string, unknown>>(
    `(select customer_id, held_on, held_reason, next_step_on from dunning
      where tenant_id = $1 and held_on is not null order by customer_id limit $2)
     union all
     (select customer_id, held_on, held_reason, next_step_on from dunning
      where tenant_id = $1 and next_step_on is not null and held_on is null
      order by next_step_on limit $2)`,
    [tx.tenantId, LISTED_MAX],
    'operator-dunnings',
  );
}

export interface ShownEndpoint extends RowOf<
  typeof CallbackEndpoint,
  'id' | 'url' | 'failingSince' | 'pausedUntil' | 'lastError'
> {
  readonly waiting: number;
  readonly givenUp: number;
}

const deliveries = (state: string): string =>
  `(select count(*) from (select from callback_delivery d
     where d.tenant_id = $1 and d.endpoint_id = e.id and d.state = '${state}'
     limit ${EVENTS_COUNTED_MAX}) c)::float8`;

export function endpointsOf(tx: Tx): Promise<ShownEndpoint[]> {
  return tx.query<ShownEndpoint & Record<string, unknown>>(
    `select id, url, failing_since, paused_until, last_error,
       ${deliveries('Waiting')} as waiting, ${deliveries('GivenUp')} as given_up
     from callback_endpoint e where tenant_id = $1 and is_on order by id limit $2`,
    [tx.tenantId, LISTED_MAX],
    'operator-endpoints',
  );
}

export type ShownJob = RowOf<
  typeof Batch,
  'id' | 'jobId' | 'kind' | 'rowCount' | 'successCount' | 'failCount' | 'finalizedAt'
>;

export function openJobs(tx: Tx): Promise<ShownJob[]> {
  return tx.query<ShownJob & Record<string, unknown>>(
    `select id, job_id, kind, row_count, success_count, fail_count, finalized_at
     from batch where tenant_id = $1 and status = 'Queued' order by id limit $2`,
    [tx.tenantId, LISTED_MAX],
    'operator-jobs',
  );
}

export interface GatewayAnswers {
  readonly processor: string;
  readonly request: string;
  readonly approved: number;
  readonly declined: number;
  readonly failed: number;
  readonly slowestMs: number | null;
  readonly lastAt: Date;
}

/** Of the newest answers, by their keys from the end. */
export function gatewayAnswers(tx: Tx): Promise<GatewayAnswers[]> {
  return tx.query<GatewayAnswers & Record<string, unknown>>(
    `select processor, processor_request_type as request,
       count(*) filter (where is_success)::float8 as approved,
       count(*) filter (where not is_success and not is_error)::float8 as declined,
       count(*) filter (where is_error)::float8 as failed,
       max(response_time_ms)::float8 as slowest_ms, max(created_at) as last_at
     from (select * from processor_result where tenant_id = $1 order by id desc limit $2) r
     group by processor, processor_request_type order by processor, request`,
    [tx.tenantId, ANSWERS_MAX],
    'operator-answers',
  );
}

/** The payment's cascade, whose workflow carries it. */
export async function cascadeOfPayment(
  tx: Tx,
  paymentId: number,
): Promise<RowOf<typeof Payment, 'cascadeId' | 'status'> | undefined> {
  const [row] = await tx.query<RowOf<typeof Payment, 'cascadeId' | 'status'>>(
    'select cascade_id, status from payment where tenant_id = $1 and id = $2',
    [tx.tenantId, paymentId],
    'cascade-of-payment',
  );
  return row;
}
