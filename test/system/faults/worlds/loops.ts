/** What the loops of a worker do for all tenants, a pass after the other. */
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Gateway } from '../../../../providers/gateway/gateway.ts';
import { eraseCustomer } from '../../../../operations/customers/erase.ts';
import { openPaymentBooks } from '../../../operations/support/payment-books.ts';
import { openDatabase, type Database } from '../../../../db/connection/database.ts';
import { writeAudit } from '../../../../operations/access/audit-log.ts';
import { noteCustomers } from '../../../../operations/billing/notes.ts';
import type { Engine } from '../../../../operations/outbox/engine.ts';
import { fileKinds } from '../../../../providers/storage/storage.ts';
import { DAY_MS, openPostOffice } from '../../../operations/callbacks/support.ts';
import { openPost } from '../../../operations/mail/post.ts';
import { openBooks, type Books, type SharedDatabase } from '../../../operations/support/books.ts';
import { csv, importsOf } from '../../../operations/support/imports.ts';
import { prepaid, recurring } from '../../../operations/support/plans.ts';
import { metered } from '../../../operations/support/usage.ts';
import { patientSession } from '../../../support/database.ts';
import { administer } from '../../../support/template.ts';
import { makeTenant } from '../../../support/tenants.ts';
import type { Work } from '../work.ts';
import type { World } from '../world.ts';

const today = '2027-01-15';
const plans = [recurring('P', 10, prepaid)];

async function twoOrders(db: SharedDatabase): Promise<{ books: Books; customers: number[] }> {
  const books = await openBooks(db, { today, plans });
  const customers = [await books.customer(), await books.customer()];
  for (const customerId of customers) await books.order({ customerId, contractCode: 'P' });
  return { books, customers };
}

/** Passes over all tenants find this one alone: a walk would else repeat those of earlier runs. */
const relayOf = (tenantId: number): Database =>
  ({ pool: { query: () => Promise.resolve({ rows: [{ id: tenantId }] }) } }) as never;

/** The same, for passes that also ask it for something else. */
const relayWith = (tenantId: number, { pool }: Database): Database => {
  const query = (asked: { readonly text: string }): unknown =>
    asked.text.startsWith('select id from tenant')
      ? Promise.resolve({ rows: [{ id: tenantId }] })
      : pool.query(asked);
  return { pool: { query } } as never;
};

const relayed: World = {
  name: 'nudges that nobody has delivered',
  of: ['relayPass'],
  async open({ db }) {
    const { books } = await twoOrders(db);
    const { tenantId, dependencies } = books;
    const overdue = (): Promise<unknown> =>
      books.work(({ tx }) =>
        tx.query(`update outbox set deliver_after = now() - interval '1 second'`),
      );
    await overdue();
    const nudged = new Set<string>();
    const client = {
      withDeadline: (_deadline: number, call: () => Promise<unknown>) => call(),
      signalWithStart(_type: string, { workflowId }: { readonly workflowId: string }) {
        nudged.add(workflowId);
        return Promise.resolve();
      },
    };
    return {
      tenantId,
      dependencies,
      ports: { engine: { client, taskQueue: 'test' } as unknown as Engine },
      async step({ relayPass }) {
        await relayPass();
        const left = await books.read((tx) => tx.query('select from outbox'));
        return left.length === 0 ? null : 0;
      },
      pass: overdue,
      // `order`, for each workflow that was nudged.
      outside: () => [...nudged].map((id) => id.split('/')[0] ?? '').toSorted(),
    };
  },
};

const numbered: World = {
  name: 'events to number, and what follows from them',
  of: ['sequencerPass'],
  async open({ db }) {
    const post = await openPost(db, { enabled: ['newInvoice', 'newOrder'] });
    const { books } = post;
    const order = { customerId: await post.customer(), contractCode: 'P' };
    await books.order(order, { generateInvoice: true });
    const { tenantId, dependencies } = books;
    return {
      tenantId,
      dependencies,
      step: async ({ sequencerPass }) => ((await sequencerPass()) ? 0 : null),
      outside: () =>
        books.read((tx) =>
          tx.query(`select type, sequence is null as waits from event order by type`),
        ),
    };
  },
};

const audited: World = {
  name: 'entries of the audit log to chain, and the head to keep elsewhere',
  of: ['chainPass', 'headsPass'],
  async open({ db }) {
    const { tenantId, dependencies, work, read } = await openBooks(db, { today, plans });
    await work(async ({ tx }) => {
      for (const path of ['one', 'two']) writeAudit(tx, { action: 'write', path });
    });
    return {
      tenantId,
      dependencies,
      async step({ chainPass, headsPass }) {
        if (await chainPass()) return 0;
        await headsPass();
        const left = await read((tx) => tx.query('select from audit_log where sequence is null'));
        return left.length === 0 ? null : 0;
      },
      outside: () =>
        read((tx) =>
          tx.query(`select a.path, a.sequence, h.shown_sequence from audit_log a
            join audit_head h on h.tenant_id = a.tenant_id order by a.id`),
        ),
    };
  },
};

const suspected: World = {
  name: 'customers whose process has died while it billed them',
  of: ['suspectsPass'],
  async open({ db }) {
    const { books, customers } = await twoOrders(db);
    const options = {
      ...patientSession,
      url: db.ownerUrl,
      role: 'sundial_app',
      name: 'dies',
    } as const;
    const dead = await openDatabase({ ...options, poolMax: 1 });
    await noteCustomers(dead, books.tenantId, customers);
    await dead.close();
    books.tomorrow();
    const { tenantId, dependencies } = books;
    return {
      tenantId,
      dependencies,
      async step({ suspectsPass }) {
        await suspectsPass();
        return null;
      },
    };
  },
};

const forgotten: World = {
  name: 'deliveries and documents that are over for long',
  of: ['retentionPass'],
  async open({ db, teardown }) {
    const post = await openPostOffice({ teardown }, db);
    const customer = await post.customer();
    await post.raise([customer], 'customer.created');
    await post.raise([customer, customer]);
    await post.deliver();
    post.pass(400 * DAY_MS);
    const { tenantId, dependencies } = post;
    return {
      tenantId,
      dependencies,
      relayDb: relayOf(tenantId),
      async step({ retentionPass }) {
        await retentionPass();
        return null;
      },
    };
  },
};

const redated: World = {
  name: 'orders whose tenant has other days of grace for usage',
  of: ['usageDaysPass'],
  async open({ db }) {
    const file = (usageGraceDays: number) => ({ settings: { usageGraceDays } });
    const books = await openBooks(db, { today, plans: [metered], file: file(0) });
    for (let each = 0; each < 2; each += 1) {
      await books.order({ customerId: await books.customer(), contractCode: 'METERED' });
    }
    const { tenantId, dependencies, label } = books;
    await books.work(({ tx }) => tx.query('delete from outbox'));
    await makeTenant(dependencies, { label, plans: [metered], file: file(5) });
    await administer(
      db.ownerUrl,
      `update tenant set usage_days_moved_at = now() - interval '2 minutes' where id = ${tenantId}`,
    );
    return {
      tenantId,
      dependencies,
      async step({ usageDaysPass }) {
        await usageDaysPass();
        return null;
      },
      outside: () =>
        books.read((tx) =>
          tx.query('select bill_on, count(*)::int as orders from subscription_order group by 1'),
        ),
    };
  },
};

const unfrozen: World = {
  name: 'documents of before without parties',
  of: ['oldPartiesPass'],
  async open({ db }) {
    const books = await openBooks(db, { today, plans: [] });
    for (let each = 0; each < 2; each += 1) {
      const customerId = await books.customer();
      await books.manualInvoice(customerId, {
        // The credit that it leaves is a document, too.
        invoiceLineItems: [{ invoiceLineItemCharges: [{ amount: '-1' }] }],
      });
    }
    const { tenantId, dependencies } = books;
    await books.work(({ tx }) =>
      tx.query('update invoice set customer_party_id = null, tenant_party_id = null'),
    );
    await books.work(({ tx }) =>
      tx.query('update payment set customer_party_id = null, tenant_party_id = null'),
    );
    // As before there were any: the pass makes them.
    await books.work(({ tx }) => tx.query('update customer set party_id = null'));
    await administer(
      db.ownerUrl,
      `delete from party where tenant_id = ${tenantId} and customer_id is not null`,
    );
    return {
      tenantId,
      dependencies,
      relayDb: relayOf(tenantId),
      async step({ oldPartiesPass }) {
        await oldPartiesPass();
        return null;
      },
    };
  },
};

const discarded: World = {
  name: 'the files of an import of long ago',
  of: ['importFilesPass'],
  async open({ db }) {
    const books = await openBooks(db, { today, plans: [] });
    const files = await importsOf(books);
    const { storage } = files;
    const columns = ['extCustomerRef', 'firstName', 'lastName', 'emailPrimary'];
    const { id: batchId } = await files.customers(
      csv(columns, [['A-1', 'Ada', 'Byron', 'ada@example.com']]),
    );
    books.later(91 * DAY_MS);
    const { tenantId, dependencies } = books;
    return {
      tenantId,
      dependencies,
      relayDb: relayOf(tenantId),
      ports: { storage },
      async step({ importFilesPass }) {
        await importFilesPass();
        return null;
      },
      outside: async () =>
        Promise.all(fileKinds.map((kind) => storage.head({ tenantId, batchId, kind }))),
    };
  },
};

const removed: World = {
  name: 'methods of an erased customer, which their gateway is to remove',
  of: ['removalsPass'],
  async open({ db }) {
    const books = await openPaymentBooks(db, { today, plans: [] });
    const customerId = await books.customer();
    await books.file(customerId, 1, { token: 'tok_one' });
    await books.file(customerId, 2, { token: 'tok_two' });
    const { tenantId, dependencies } = books;
    const kept = new Set(['tok_one', 'tok_two']);
    const gateway = {
      name: 'sandbox',
      remove: async ({ token }: { readonly token: string }) => void kept.delete(token),
    };
    const named = (): Promise<Gateway> => Promise.resolve(gateway as unknown as Gateway);
    return {
      tenantId,
      dependencies,
      relayDb: relayOf(tenantId),
      ports: { gateways: { ofTenant: named, named, returnUrl: (_: number, url: string) => url } },
      async step({ removalsPass }) {
        await books.work((context) => eraseCustomer(context, { id: customerId }));
        await removalsPass();
        const left = await books.read((tx) =>
          tx.query('select from payment_method where remove_at is not null'),
        );
        return left.length === 0 ? null : 0;
      },
      // What was put off is due again.
      pass: () =>
        books.work(({ tx }) =>
          tx.query('update payment_method set remove_at = now() where remove_at is not null'),
        ),
      outside: () => [...kept],
    };
  },
};

const supervised: World = {
  name: 'workflows that rows need, and that the engine does not know',
  of: ['supervisionPass'],
  async open({ db }) {
    const { books, customers } = await twoOrders(db);
    const { tenantId, dependencies } = books;
    // One of the two is on its way; supervision leaves it to the relay.
    const [first] = customers;
    await books.work(({ tx }) =>
      tx.query(
        `delete from outbox where kind <> 'order' or object_id in (
           select id from subscription_order where customer_id = $1)`,
        [first],
      ),
    );
    const running = new Set<string>();
    let data = {};
    const workflowService = {
      listWorkflowExecutions({ query }: { readonly query: string }) {
        const listed = query.includes(`= 'Running'`) ? [...running] : [];
        const executions = listed.map((workflowId) => ({
          execution: { workflowId, runId: 'its run' },
        }));
        return Promise.resolve({ executions, nextPageToken: new Uint8Array() });
      },
      describeNamespace: () => Promise.resolve({ namespaceInfo: { data } }),
      updateNamespace({ updateInfo }: { readonly updateInfo: { readonly data: object } }) {
        ({ data } = updateInfo);
        return Promise.resolve();
      },
    };
    const client = {
      options: { namespace: 'test' },
      connection: { workflowService },
      withDeadline: (_deadline: number, call: () => Promise<unknown>) => call(),
      getHandle: (workflowId: string) => ({
        describe: () =>
          running.has(workflowId)
            ? Promise.resolve({ runId: 'its run', status: { name: 'RUNNING' } })
            : Promise.reject(new WorkflowNotFoundError('none', workflowId, undefined)),
      }),
      signalWithStart(_type: string, { workflowId }: { readonly workflowId: string }) {
        running.add(workflowId);
        return Promise.resolve();
      },
    };
    return {
      tenantId,
      dependencies,
      relayDb: relayWith(tenantId, db.relay),
      ports: { engine: { client, taskQueue: 'test' } as unknown as Engine },
      async step({ supervisionPass, relayPass }) {
        await supervisionPass();
        await books.work(({ tx }) =>
          tx.query(`update outbox set deliver_after = now() - interval '1 second'`),
        );
        await relayPass();
        // Two orders, and the billing run.
        const left = await books.read((tx) => tx.query('select from outbox'));
        return running.size === 3 && left.length === 0 ? null : 0;
      },
      outside: () => [...running].map((id) => id.split('/')[0] ?? '').toSorted(),
    };
  },
};

const takenOver: World = {
  name: 'a build of the workflows whose workers are gone, with a workflow that is pinned to it',
  of: ['takeOverPass'],
  async open({ db }) {
    const { books } = await twoOrders(db);
    const { tenantId, dependencies } = books;
    const nudged = new Set<string>();
    let current = 'gone';
    const ended = new Set<string>();
    const workflowService = {
      describeWorkerDeployment: () =>
        Promise.resolve({
          workerDeploymentInfo: {
            routingConfig: { currentDeploymentVersion: { buildId: current } },
            versionSummaries: [{ deploymentVersion: { buildId: 'gone' } }],
          },
        }),
      setWorkerDeploymentCurrentVersion({ buildId }: { readonly buildId: string }) {
        current = buildId;
        return Promise.resolve({});
      },
      listWorkflowExecutions: () =>
        Promise.resolve({
          executions: ended.has('pinned')
            ? []
            : [{ execution: { workflowId: 'pinned', runId: 'its run' } }],
          nextPageToken: new Uint8Array(),
        }),
    };
    const client = {
      options: { namespace: 'test', identity: 'test' },
      connection: { workflowService },
      withDeadline: (_deadline: number, call: () => Promise<unknown>) => call(),
      getHandle: (workflowId: string) => ({
        terminate: () => Promise.resolve(ended.add(workflowId)),
      }),
      signalWithStart(_type: string, { workflowId }: { readonly workflowId: string }) {
        nudged.add(workflowId);
        return Promise.resolve();
      },
    };
    return {
      tenantId,
      dependencies,
      ports: { engine: { client, taskQueue: 'test' } as unknown as Engine },
      // What waits for the work goes on with it.
      async step({ takeOverPass, relayPass }) {
        await takeOverPass();
        await books.work(({ tx }) =>
          tx.query(`update outbox set deliver_after = now() - interval '1 second'`),
        );
        await relayPass();
        const left = await books.read((tx) => tx.query('select from outbox'));
        return current === 'own' && ended.size === 1 && left.length === 0 ? null : 0;
      },
      outside: () => [current, ...ended, nudged.size],
    };
  },
};

const counted: World = {
  name: 'what is due or waits, to be counted',
  of: ['figuresPass'],
  isReading: true,
  async open({ db }) {
    const { books } = await twoOrders(db);
    const { tenantId, dependencies } = books;
    let found: Awaited<ReturnType<Work['figuresPass']>>;
    return {
      tenantId,
      dependencies,
      relayDb: relayOf(tenantId),
      async step({ figuresPass }) {
        found = await figuresPass();
        return found === undefined ? 0 : null;
      },
      // The ages of a run are its own.
      outside: () =>
        Object.entries(found?.figures.totals ?? {}).map(([name, kinds]) => [
          name,
          kinds.map(({ kind, count }) => [kind, count]),
        ]),
    };
  },
};

export const loops: readonly World[] = [
  counted,
  takenOver,
  supervised,
  relayed,
  numbered,
  audited,
  suspected,
  forgotten,
  redated,
  unfrozen,
  discarded,
  removed,
];
