/** Starting sessions of self-service, and visiting their pages. */
import { send, type Received } from '../support.ts';
import {
  startTenantApi,
  valueOf,
  type ApiTenantOptions,
  type CallOptions,
  type TenantApi,
} from '../tenant-api.ts';
import { likeDemo } from '../signups/calls.ts';

/** An origin that the tenant allows. */
export const SITE = 'https://www.demo.example';

const fee = { priceCode: 'FEE', chargeType: 'OneTimeCharge', pricingType: 'FixedPricing' };

export const withProfiles: ApiTenantOptions = {
  file: {
    ...likeDemo.file,
    plans: [
      {
        contractCode: 'FEE',
        name: 'Fee',
        billingPeriod: 'Monthly',
        charges: [{ ...fee, price: '10' }],
      },
    ],
    coupons: [],
    commissionPlans: [],
    salesAgents: [],
    selfServiceProfiles: [
      { id: 'DEFAULT', showPayments: false, allowProfileEdit: true, editOrderOptions: ['New'] },
      { id: 'PDF', pdfMode: true, showNavigationBar: false },
    ],
  },
};

export const openSelfService = (options: ApiTenantOptions = withProfiles): Promise<TenantApi> =>
  startTenantApi(options);

export type Parameters = Readonly<Record<string, string | undefined>>;

/** The path of a start; undefined leaves a parameter out. */
export function startPath(parameters: Parameters = {}): string {
  const all: Parameters = { cssURL: '/css/signup.css', loginUrl: `${SITE}/login`, ...parameters };
  const given = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return `/widget/start?${new URLSearchParams(given).toString()}`;
}

export const start = (
  own: TenantApi,
  parameters: Parameters = {},
  options: CallOptions = {},
): Promise<Received> => own.call('GET', startPath(parameters), options);

/** Makes a customer, and returns its id. */
export async function customerOf(own: TenantApi, name: string, more = ''): Promise<string> {
  const { body } = await own.post(
    '/customers',
    `<customer><name>${name}</name><extCustomerRef>C-${name}</extCustomerRef>${more}
     <billingContact><firstName>Ada</firstName></billingContact></customer>`,
  );
  return valueOf(body, 'customer@id') ?? body;
}

/** The path of a new session's page. */
export async function pageOf(own: TenantApi, parameters: Parameters): Promise<string> {
  const { body } = await start(own, parameters);
  return URL.canParse(body) ? new URL(body).pathname : body;
}

export const visit = (
  own: TenantApi,
  path: string,
  more: { readonly method?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Received> =>
  send(own.port, { path, host: `${own.label}.localhost`, from: own.from, auth: null, ...more });

/** The rows of the tenant's sessions, with their times in seconds from now. */
export const sessionsOf = (own: TenantApi) =>
  own.asOwner<Record<string, unknown>>(
    `select s.*, encode(token_hash, 'hex') as hash,
       extract(epoch from expires_at - started_at)::int as lasts,
       round(extract(epoch from expires_at - now()) / 60)::int as left
     from self_service_session s where tenant_id = ${own.tenantId} order by id`,
  );

/** Moves the times of all sessions of the tenant; the assignments are of the test itself. */
export const setTimes = (own: TenantApi, assignments: string): Promise<unknown> =>
  own.asOwner(`update self_service_session set ${assignments} where tenant_id = ${own.tenantId}`);
