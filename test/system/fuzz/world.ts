/** A tenant with something of everything, so that hostile calls meet objects, pages and forms that exist. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Logger } from '../../../api/http/log.ts';
import { allRoutes } from '../../../api/resources/routes.ts';
import { newPageToken } from '../../../operations/hosted-pages/tokens.ts';
import type { FileStorage } from '../../../providers/storage/storage.ts';
import { makeObjects, storyUsers } from '../../api/docs/example-story.ts';
import { startPath as sessionPath } from '../../api/self-service/calls.ts';
import { likeDemo, startPath as signupPath } from '../../api/signups/calls.ts';
import { ada, card, fill, submit, visit, keyIn } from '../../api/signups/page-calls.ts';
import {
  amount,
  autopay,
  card as cardElement,
  idOf,
  makeInvoice,
  pay,
} from '../../api/payments/bodies.ts';
import { quiet } from '../../api/support.ts';
import { startTenantApi, valueOf, type TenantApi } from '../../api/tenant-api.ts';
import { visitAll, type Pages } from './pages.ts';

export interface World {
  readonly api: TenantApi;
  /** What stands in the braces of the examples, of objects that nobody has ended yet. */
  readonly values: ReadonlyMap<string, string>;
  readonly pages: Pages;
  /** Of objects of another tenant. */
  readonly foreignIds: readonly string[];
}

const demo = parse(readFileSync(join(import.meta.dirname, '../../../tenants/demo.yaml'), 'utf8'));

const file = {
  ...likeDemo.file,
  users: storyUsers,
  tax: demo.tax,
  documents: { cancellation: 'document' },
  gateway: { type: 'sandbox', actionDays: 3, methods: ['card', 'usBankAccount'] },
  selfServiceProfiles: demo.selfServiceProfiles,
  notifications: {
    from: 'billing@demo.example',
    enabled: ['newInvoice', 'paymentReceived', 'debitNotice'],
  },
  settings: { crossTenantAttempts: { max: 1_000, withinMinutes: 1 } },
};

export interface WorldOptions {
  readonly log: Logger;
  readonly storage: FileStorage;
}

export async function openWorld(options: WorldOptions) {
  // Long walls are tried elsewhere: here each call is alone.
  const api = await startTenantApi({ ...options, ownDatabase: true, file, waitSeconds: 1 });
  const other = await api.another({});
  const theirs = await makeObjects(other, 'OTHER');
  const routes = allRoutes(quiet({ db: api.db, realNow: Date.now }));
  const foreignIds = [...theirs.values()].filter((value) => /^\d+$/.test(value));
  let times = 0;
  return {
    api,
    routes,
    foreignIds,
    /** With new objects, and new sessions. */
    async next(): Promise<World> {
      times += 1;
      const values = await makeObjects(api, `F-${times}`);
      return { api, values, pages: await pagesOf(api, `P-${times}`), foreignIds };
    },
  };
}

export type Worlds = Awaited<ReturnType<typeof openWorld>>;

/** The pages of a customer who has all that an account shows. */
async function pagesOf(api: TenantApi, reference: string): Promise<Pages> {
  const login = `${reference.toLowerCase()}.field`;
  const made = await api.post(
    '/customers',
    `<customer><extCustomerRef>${reference}</extCustomerRef><billingContact>
     <username>${login}</username><passwd>Hostile-Input-71</passwd><firstName>Ada</firstName>
     <emailPrimary>ada@field.example</emailPrimary><address><street1>1 Main St</street1>
     <city>New York</city><state>NY</state><zip>10118</zip><countryCode>US</countryCode></address>
     </billingContact></customer>`,
  );
  const customerId = idOf(made);
  const of = `extCustomerRef=${reference}`;
  await api.put(`/customer/autopay?${of}`, autopay(cardElement()));
  await api.post(
    `/orders?${of}&generateInvoice=true`,
    '<subscriptionOrder><contractCode>GOLD</contractCode></subscriptionOrder>',
  );
  const invoiceId = await makeInvoice(api, '10.00', { of: reference });
  const asking = pay(amount('10.00') + cardElement({ number: '4000002760003184' }));
  const paymentId = idOf(await api.post(`/payments?${of}`, asking));
  const linked = async (path: string): Promise<string> => {
    const { body } = await api.get(path);
    const url = valueOf(body, 'url') ?? body;
    return URL.canParse(url) ? new URL(url).pathname : '/';
  };
  const session = { customerId, allowProfileEdit: 'true', loginUrl: undefined };
  const options = { editOrderOptions: 'Cancel,Upgrade,Downgrade,New' };
  const action = await linked(`/payment/${paymentId}/actionLink`);
  const challenge = await submit(api, action, { formKey: keyIn(await visit(api, action)) });
  const signup = await linked(signupPath({ format: 'xml' }));
  const reviewed = await linked(signupPath({ format: 'xml', extCustomerRef: reference }));
  await fill(api, reviewed, { ...ada, contractCode: 'GOLD', quantity: '1' });
  return visitAll(api, [
    '/logo',
    '/widget/login',
    '/widget/login/reset',
    signup,
    reviewed,
    await linked(sessionPath({ ...session, ...options })),
    await linked(`/invoice/${invoiceId}/payLink`),
    action,
    new URL(String(challenge.headers.location ?? '/'), 'http://localhost').pathname,
    await resetPath(api, customerId),
    `/signup/confirm/${newPageToken().token}`,
  ]);
}

/** As if the mail had been sent. */
async function resetPath(api: TenantApi, customerId: string): Promise<string> {
  const { token, hash } = newPageToken();
  await api.asOwner(
    `insert into password_reset (tenant_id, customer_id, contact_id, token_hash, requested_at,
       expires_at)
     select tenant_id, customer_id, id, '\\x${hash.toString('hex')}', now(),
       now() + interval '30 minutes'
     from contact where customer_id = ${Number(customerId)} and kind = 'billing'`,
  );
  return `/widget/reset/${token}`;
}

/** What a person would enter into the fields of a form, by their names. */
export const entered: Readonly<Record<string, string>> = {
  ...ada,
  ...card,
  method: 'new',
  contractCode: 'GOLD',
  quantity: '1',
  amount: '1.00',
  username: 'p-1.field',
  password: 'Hostile-Input-71',
  answer: 'confirm',
};
