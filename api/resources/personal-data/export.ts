/** All that Sundial has of a customer, in files as the interface gives them: XML, PDF and CSV. */
import { text as textOf } from 'node:stream/consumers';
import { BYTE_ORDER_MARK, csvLine } from '../../../domain/text/csv.ts';
import { invoicePage } from '../../../domain/invoices/page.ts';
import { pdfNameOf } from '../../../domain/invoices/pdf-name.ts';
import { messages } from '../../../messages/messages.ts';
import { inTenant, type Tx } from '../../../db/connection/tenancy.ts';
import {
  type Dependencies,
  type TenantInfo,
  tenantTimeOf,
} from '../../../operations/context/context.ts';
import {
  hasPaymentPlan,
  idsOfCustomer,
  mailsOfCustomer,
  type ObjectTable,
} from '../../../operations/customers/exported.ts';
import { readCustomers } from '../../../operations/customers/read.ts';
import { readDocumentSource } from '../../../operations/invoices/page-source.ts';
import { readInvoices } from '../../../operations/invoices/read.ts';
import { wholeLedger } from '../../../operations/ledger/read.ts';
import { readOrders } from '../../../operations/orders/read.ts';
import { listMethods } from '../../../operations/payment-methods/methods.ts';
import { readPaymentPlan } from '../../../operations/payment-plans/read.ts';
import { readPayments } from '../../../operations/payments/read.ts';
import { readSignups } from '../../../operations/signups/read.ts';
import { readTransitions } from '../../../operations/standing/transitions.ts';
import { readActivities } from '../../../operations/usage/read.ts';
import { drawInvoice } from '../../../providers/invoice-documents/pdf/drawing.ts';
import { customerDocument } from '../customers/mapping.ts';
import { customerCodec, transitionList } from '../customers/schema.ts';
import { invoiceDocument } from '../invoices/mapping.ts';
import { invoiceCodec } from '../invoices/schema.ts';
import { ledgerFile } from '../ledger/routes.ts';
import { orderDocument } from '../orders/mapping.ts';
import { orderCodec } from '../orders/schema.ts';
import { methodList } from '../payment-methods/method-schema.ts';
import { paymentPlanCodec } from '../payment-plans/schema.ts';
import { paymentDocument } from '../payments/mapping.ts';
import { paymentCodec } from '../payments/schema.ts';
import { signupDocument } from '../signups/mapping.ts';
import { signupCodec } from '../signups/schema.ts';
import { activityDocument } from '../usage/routes.ts';
import { activityList } from '../usage/schema.ts';

export interface ExportedFile {
  /** `invoices/1001.xml` */
  readonly path: string;
  readonly content: string | Buffer;
}

type Exporting = Pick<Dependencies, 'db' | 'realNow'>;

interface Exported {
  readonly dependencies: Exporting;
  readonly tenant: TenantInfo;
  readonly id: number;
}

/** The objects that are read at a time. */
const OBJECTS_AT_ONCE = 100;

/** The customer must exist. Each part is as it is when its turn comes. */
export async function* customerFiles(
  dependencies: Exporting,
  tenant: TenantInfo,
  id: number,
): AsyncGenerator<ExportedFile, void> {
  const exported = { dependencies, tenant, id };
  yield* ownFiles(exported);
  yield* filesOf(exported, orders);
  yield* invoiceFiles(exported);
  for (const each of [payments, activities, signups, transitions]) yield* filesOf(exported, each);
  yield await ledgerOf(exported);
  yield await mailsOf(exported);
}

const reading = <Result>(
  { dependencies: { db }, tenant }: Exported,
  read: (tx: Tx) => Promise<Result>,
): Promise<Result> => inTenant(db, tenant.id, read, { readOnly: true });

async function* ownFiles(exported: Exported): AsyncGenerator<ExportedFile, void> {
  const { dependencies, tenant, id } = exported;
  const { customer, methods, plan } = await reading(exported, async (tx) => {
    const [view] = await readCustomers(dependencies, tx, tenant, [id]);
    if (view === undefined) throw new Error(`customer ${id} is gone`);
    const hasPlan = await hasPaymentPlan(tx, id);
    return {
      customer: customerDocument(view),
      methods: (await listMethods(tx, { id })) ?? [],
      plan: hasPlan ? await readPaymentPlan(tx, { id }) : undefined,
    };
  });
  yield { path: 'customer.xml', content: customerCodec.encode(customer) };
  yield { path: 'paymentMethods.xml', content: methodList.encode(methods) };
  if (plan !== undefined) {
    yield { path: 'paymentPlan.xml', content: paymentPlanCodec.encode(plan) };
  }
}

/* Objects of which a customer has many. */

interface Objects {
  readonly table: ObjectTable;
  /** The files of some of them, by ascending id. */
  readonly read: (
    exported: Exported,
    tx: Tx,
    ids: readonly number[],
  ) => Promise<readonly ExportedFile[]>;
}

const orders: Objects = {
  table: 'subscription_order',
  async read({ tenant }, tx, ids) {
    const views = await readOrders(tx, tenant, ids);
    return byId(views).map((view) => ({
      path: `orders/${view.orderNumber}.xml`,
      content: orderCodec.encode(orderDocument(view)),
    }));
  },
};

const folders = { Payment: 'payments', Credit: 'credits', Refund: 'refunds' } as const;

const payments: Objects = {
  table: 'payment',
  async read({ tenant }, tx, ids) {
    const views = await readPayments(tx, tenant, ids);
    return byId(views).map((view) => ({
      path: `${folders[view.paymentType]}/${view.id}.xml`,
      content: paymentCodec.encode(paymentDocument(view)),
    }));
  },
};

const activities: Objects = {
  table: 'activity',
  async read({ dependencies, tenant }, tx, ids) {
    const { today } = await tenantTimeOf(dependencies, tenant, tx, 'none');
    const views = byId(await readActivities(tx, tenant, { ids, today }));
    const content = activityList.encode(views.map((view) => activityDocument(view)));
    return [{ path: `activities/from-${ids[0]}.xml`, content }];
  },
};

const signups: Objects = {
  table: 'signup',
  async read({ tenant }, tx, ids) {
    const views = await readSignups(tx, tenant, ids);
    return byId(views).map((view) => ({
      path: `signups/${view.id}.xml`,
      content: signupCodec.encode(signupDocument(view)),
    }));
  },
};

const transitions: Objects = {
  table: 'customer_transition',
  async read(_, tx, ids) {
    const content = transitionList.encode(byId(await readTransitions(tx, ids)));
    return [{ path: `transitions/from-${ids[0]}.xml`, content }];
  },
};

const byId = <View extends { readonly id: number }>(views: readonly View[]): View[] =>
  views.toSorted((one, other) => one.id - other.id);

async function* filesOf(
  exported: Exported,
  { table, read }: Objects,
): AsyncGenerator<ExportedFile, void> {
  for await (const ids of idsOf(exported, table)) {
    yield* await reading(exported, (tx) => read(exported, tx, ids));
  }
}

async function* idsOf(
  exported: Exported,
  table: ObjectTable,
): AsyncGenerator<readonly number[], void> {
  const place = { customerId: exported.id, limit: OBJECTS_AT_ONCE };
  for (let after = 0; ;) {
    const from = { ...place, after };
    const ids = await reading(exported, (tx) => idsOfCustomer(tx, table, from));
    const last = ids.at(-1);
    if (last === undefined) return;
    yield ids;
    after = last;
  }
}

/** Each with its PDF, and with that of its cancellation. */
async function* invoiceFiles(exported: Exported): AsyncGenerator<ExportedFile, void> {
  const { tenant } = exported;
  for await (const ids of idsOf(exported, 'invoice')) {
    const views = byId(await reading(exported, (tx) => readInvoices(tx, tenant, ids)));
    for (const view of views) {
      const { id, cancellationNumber } = view;
      const name = `invoices/${id}`;
      yield { path: `${name}.xml`, content: invoiceCodec.encode(invoiceDocument(view)) };
      yield* pdfOf(exported, { id, folder: name });
      if (cancellationNumber !== null) {
        yield* pdfOf(exported, { id, folder: name, document: 'cancellation' });
      }
    }
  }
}

interface Pdf {
  readonly id: number;
  readonly folder: string;
  readonly document?: 'cancellation';
}

async function* pdfOf(
  exported: Exported,
  { id, folder, document }: Pdf,
): AsyncGenerator<ExportedFile, void> {
  const { tenant } = exported;
  const source = await reading(exported, (tx) =>
    readDocumentSource(tx, tenant, { address: { id }, document }),
  );
  if (source === undefined) return;
  const page = invoicePage(source, messages);
  const content = await drawInvoice(page, String(tenant.id));
  yield { path: `${folder}-${pdfNameOf(page)}`, content };
}

/* What is one file. */

async function ledgerOf({ dependencies, tenant, id }: Exported): Promise<ExportedFile> {
  const query = { ...wholeLedger, max: 0, customerId: id };
  const { body } = await ledgerFile(dependencies, tenant, query);
  return { path: 'ledger.csv', content: await textOf(body) };
}

const mailColumns = ['id', 'kind', 'state', 'objectId', 'createdAt', 'sentAt', 'address'] as const;

async function mailsOf(exported: Exported): Promise<ExportedFile> {
  const mails = await reading(exported, (tx) => mailsOfCustomer(tx, exported.id));
  const cell = (value: string | number | Date | null): string | number | null =>
    value instanceof Date ? value.toISOString() : value;
  const lines = mails.map((mail) => csvLine(mailColumns.map((column) => cell(mail[column]))));
  const content = BYTE_ORDER_MARK + csvLine(mailColumns) + lines.join('');
  return { path: 'mails.csv', content };
}
