/**
 * The kinds of workflows, one row each: a new one is its file here, its row, and its code in
 * `workflows/`. Starts, restarts after a loss, the audit and the tests read this table.
 */
import type { ObjectWorkflowKind, TenantWorkflowKind } from '../context/kinds.ts';
import {
  type CustomerFacts,
  type ObjectWorkflow,
  type TenantWorkflow,
  objectWorkflow,
} from './description.ts';
import { payment } from './payment.ts';
import { type ReportDays, type ReportName, reports } from '../../domain/ledger/reports.ts';
import { hasSomething } from '../../db/queries/callbacks/read.ts';
import { paysItself } from '../../db/queries/collection/attempts.ts';
import { orderNumberKey } from '../../workflows/contract/contract.ts';
import { countSealed } from '../../db/queries/imports/rows.ts';
import { readClock } from '../../db/queries/clock/test-clock.ts';
import { readOpenMails } from '../../db/queries/mail/mails.ts';
import { hasOpenTaxRecords } from '../../db/queries/tax-records/records.ts';

/** The workflows that a tenant has once: its billing run, its test clock, its mails, its tax records. */
const billing: TenantWorkflow = {
  priority: 2,
  title: 'Billing run',
  isNeeded: async (_, { hasTestClock }) => !hasTestClock,
};

/** It ends by itself if there is nothing to do. */
const clock: TenantWorkflow = {
  priority: 2,
  title: 'Test clock',
  phase: 'Advancing',
  isNeeded: async (tx) => (await readClock(tx, 'none'))?.status === 'Advancing',
};

const mail: TenantWorkflow = {
  priority: 4,
  title: 'Mails',
  phase: 'Sending',
  isNeeded: async (tx) => (await readOpenMails(tx, 1)).open > 0,
};

const taxes: TenantWorkflow = {
  priority: 4,
  title: 'Tax records',
  phase: 'Recording',
  isNeeded: hasOpenTaxRecords,
};

const passwords: TenantWorkflow = {
  priority: 5,
  title: 'Passwords',
  phase: 'Hashing',
  isNeeded: async (tx) => (await countSealed(tx, 1)) > 0,
};

/** The workflow of a hosted sign-up: from its link on until it is made, has failed or expired. */
const signup = objectWorkflow({
  // A visitor waits for it.
  priority: 1,
  title: (signupId) => `Signup ${signupId}`,
  idInput: 'signupId',
  facts: null,
  phase: 'Open',
  needed: `select own.id, own.id as number, own.status
    from signup own where own.tenant_id = $1 and own.status = 'DRAFT'`,
  isOwned: false,
  isPaced: false,
});

/** The workflow of a payment plan: it wakes on the days of its installments and their retries. */
const paymentPlan = objectWorkflow({
  priority: 3,
  title: (planId) => `Payment plan ${planId}`,
  idInput: 'planId',
  facts: `select json_build_object('customerId', c.id, 'customerRef', c.ext_customer_ref)
    from payment_plan own
    join customer c on c.tenant_id = own.tenant_id and c.id = own.customer_id
    where own.tenant_id = o.tenant_id and own.id = o.object_id`,
  needed: `select own.id, own.customer_id, own.id as number, 'enabled' as status
    from payment_plan own where own.tenant_id = $1 and (own.is_enabled
      or own.id in (select a.payment_plan_id from collection_attempt a
                    where a.tenant_id = $1 and a.state = 'claimed'
                      and a.payment_plan_id is not null))`,
  isOwned: true,
  isPaced: false,
});

/* The workflow of an order: it wakes on the order's days of action. */

interface OrderFacts extends CustomerFacts {
  readonly orderNumber: number;
  readonly contractCode: string;
}

const order = objectWorkflow<OrderFacts>({
  priority: 3,
  title: (orderId, facts) =>
    facts ? `Order ${facts.orderNumber} ${facts.contractCode}` : `Order with id ${orderId}`,
  idInput: 'orderId',
  facts: `select json_build_object('orderNumber', s.order_number, 'customerId', s.customer_id,
      'customerRef', c.ext_customer_ref, 'contractCode', p.contract_code)
    from subscription_order s
    join customer c on c.tenant_id = s.tenant_id and c.id = s.customer_id
    join plan p on p.tenant_id = s.tenant_id and p.id = s.plan_id
    where s.tenant_id = o.tenant_id and s.id = o.object_id`,
  attributes: ({ orderNumber }) => [{ key: orderNumberKey, value: String(orderNumber) }],
  // A Draft waits for nothing; an order that has ended may have an invoice that is to pay itself.
  needed: `select s.id, s.customer_id, s.order_number as number, s.status
    from subscription_order s
    where s.tenant_id = $1 and (s.next_action_on is not null
      or s.status in ('Active', 'Provisioning', 'Suspended')
      or s.id in (select i.autopay_order_id from invoice i
                  where i.tenant_id = $1 and ${paysItself('i')}))`,
  isOwned: true,
  isPaced: true,
});

/** The workflow of a customer's dunning: it wakes on the days of steps and retries. */
const dunning = objectWorkflow({
  priority: 3,
  title: (customerId) => `Dunning of customer ${customerId}`,
  idInput: 'customerId',
  facts: `select json_build_object('customerId', c.id, 'customerRef', c.ext_customer_ref)
    from customer c where c.tenant_id = o.tenant_id and c.id = o.object_id`,
  needed: `select d.customer_id as id, d.customer_id, d.customer_id as number, c.status
    from dunning d
    join customer c on c.tenant_id = d.tenant_id and c.id = d.customer_id
    where d.tenant_id = $1 and d.closed_on is null and not d.awaits_run`,
  isOwned: true,
  isPaced: true,
});

/** The workflow of an endpoint for callbacks: it runs while something is to be sent. */
const callbacks = objectWorkflow({
  priority: 4,
  title: (endpointId) => `Callbacks to endpoint ${endpointId}`,
  idInput: 'endpointId',
  facts: null,
  phase: 'Delivering',
  needed: `select e.id, e.id as number,
      case when e.is_on then 'on' else 'off' end as status
    from callback_endpoint e where e.tenant_id = $1 and ${hasSomething}`,
  isOwned: false,
  isPaced: false,
});

/** The workflow of a batch job; a file of line items goes with its invoices. */
const batch = objectWorkflow({
  // Nobody waits for it who could wait for something else.
  priority: 5,
  title: (batchId) => `Batch job ${batchId}`,
  idInput: 'batchId',
  facts: null,
  phase: 'Reading',
  needed: `select own.id, own.id as number, own.status
    from batch own where own.tenant_id = $1 and own.status = 'Queued' and own.parent_id is null
      and own.kind <> 'report'`,
  carried: `select own.id
    from batch own where own.tenant_id = $1 and own.status = 'Queued' and own.parent_id is not null`,
  isOwned: false,
  isPaced: false,
});

interface ReportFacts extends CustomerFacts, ReportDays {
  readonly name: ReportName;
}

/** The workflow of a report that is written to a file. */
const report = objectWorkflow<ReportFacts>({
  priority: 5,
  title: (batchId, facts) =>
    facts ? `Report ${batchId}, ${facts.name} ${daysText(facts)}` : `Report ${batchId}`,
  idInput: 'batchId',
  facts: `select json_build_object('customerId', null, 'customerRef', null, 'name', b.report_name,
      'from', b.report_from, 'to', b.report_to)
    from batch b where b.tenant_id = o.tenant_id and b.id = o.object_id`,
  phase: 'Writing',
  needed: `select own.id, own.id as number, own.status
    from batch own where own.tenant_id = $1 and own.status = 'Queued' and own.kind = 'report'`,
  isOwned: false,
  isPaced: false,
});

const daysText = ({ name, from, to }: ReportFacts): string =>
  reports[name].time === 'day' ? `at the end of ${to}` : `${from} to ${to}`;

/** In the order of restarts: callers wait for payments. */
export const objectWorkflows = {
  payment,
  signup,
  callbacks,
  paymentPlan,
  dunning,
  order,
  batch,
  report,
} as const satisfies Readonly<Record<ObjectWorkflowKind, ObjectWorkflow>>;

export const tenantWorkflows = {
  billing,
  clock,
  mail,
  passwords,
  taxes,
} as const satisfies Readonly<Record<TenantWorkflowKind, TenantWorkflow>>;

export const objectWorkflowKinds = Object.keys(objectWorkflows) as readonly ObjectWorkflowKind[];
export const tenantWorkflowKinds = Object.keys(tenantWorkflows) as readonly TenantWorkflowKind[];
