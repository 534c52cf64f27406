/** Checks what a sign-up is started with, by what the tenant has now: all faults at once. */
import { refuseEnded, refuseMisused, type Coupon } from '../../domain/discounts/coupon.ts';
import { DomainError } from '../../domain/errors.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { PlanOffer } from '../../domain/orders/terms.ts';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import { tenantTimeOf, type Dependencies, type TenantInfo } from '../context/context.ts';
import { couponHint, findCoupon, refuseUsed } from '../discounts/coupons.ts';
import { readAllowedOrigins } from '../hosted-pages/tenant-origin.ts';
import {
  invalidParameter,
  originFaults,
  type StartFault,
} from '../../domain/hosted-pages/address.ts';
import { findPlan } from '../orders/plan-choice.ts';
import { nobody, proposed } from '../orders/quote.ts';
import { inParameters, pagePlan } from '../../domain/orders/quoted-plan.ts';
import { findLoginOwner, findMatch } from './match.ts';
import { listOffered, refuseUnoffered } from '../orders/offered.ts';
import type { StartInput } from './start.ts';

/** @param ownOrigin that of the tenant's hosted pages */
export async function startFaults(
  dependencies: Dependencies,
  tenant: TenantInfo,
  input: StartInput,
  ownOrigin: string,
): Promise<readonly StartFault[]> {
  const { known, plan, used } = await inTenant(
    dependencies.db,
    tenant.id,
    async (tx) => {
      const { today } = await tenantTimeOf(dependencies, tenant, tx, 'none');
      const known = await readKnown(tx, input, today);
      const plan = await planFaults(dependencies, { tx, tenant, today }, input);
      return { known, plan, used: await usedFaults(tx, input, known) };
    },
    { readOnly: true },
  );
  const { successUrl: successURL, failUrl: failURL, cssUrl } = input;
  const addresses = { redirects: { successURL, failURL }, cssUrl, ownOrigin };
  return [
    ...originFaults(addresses, known.allowedOrigins),
    ...dateFaults(input, known),
    ...plan,
    ...couponFaults(tenant, input, known),
    ...used,
    ...agentFaults(input, known),
    ...loginFaults(input, known),
  ];
}

interface Known {
  readonly today: IsoDate;
  readonly allowedOrigins: readonly string[];
  readonly coupon: Coupon | undefined;
  readonly couponHint: string;
  readonly hasAgent: boolean;
  readonly reusedId: number | null;
  readonly loginOwnerId: number | null;
}

async function readKnown(
  tx: Tx,
  { couponCode, billerCode, login, ...input }: StartInput,
  today: IsoDate,
): Promise<Known> {
  const [allowedOrigins, coupon, hasAgent, reusedId, loginOwnerId] = await Promise.all([
    readAllowedOrigins(tx),
    couponCode === null ? undefined : findCoupon(tx, couponCode),
    billerCode !== null && isAgent(tx, billerCode),
    findMatch(tx, input),
    login === null ? null : findLoginOwner(tx, login),
  ]);
  const isUnknown = couponCode !== null && coupon === undefined;
  const hint = isUnknown ? await couponHint(tx, couponCode) : '';
  return { today, allowedOrigins, coupon, couponHint: hint, hasAgent, reusedId, loginOwnerId };
}

async function isAgent(tx: Tx, code: string): Promise<boolean> {
  const agents = await tx.query(
    'select from sales_agent where tenant_id = $1 and code = $2 and is_in_file',
    [tx.tenantId, code],
    'agent-for-signup',
  );
  return agents.length > 0;
}

const isPast = ({ startDate }: StartInput, { today }: Pick<Known, 'today'>): boolean =>
  startDate !== null && startDate < today;

function dateFaults(input: StartInput, known: Known): StartFault[] {
  if (!isPast(input, known)) return [];
  return [invalidParameter('startDate', input.startDate ?? '', `${known.today} or later`)];
}

interface Place {
  readonly tx: Tx;
  readonly tenant: TenantInfo;
  readonly today: IsoDate;
}

async function planFaults(
  { db }: Dependencies,
  { tx, tenant, today }: Place,
  input: StartInput,
): Promise<StartFault[]> {
  const { sku, contractCode, quantity } = input;
  const startDate = isPast(input, { today }) ? today : (input.startDate ?? today);
  const { currency } = tenant;
  const isSku =
    sku === null || (await listOffered(tx, { sku, currency, startDate, today })).length > 0;
  if (!isSku) {
    return [invalidParameter('sku', sku, 'that of a product offering with a plan that is offered')];
  }
  if (contractCode === null) return [];
  try {
    await refuseUnoffered(tx, { sku, contractCode, currency, startDate, today });
    const version = await findPlan(db, tx, { contractCode, id: null });
    if (version !== undefined) proposeWhole(version, { tenant, quantity, startDate, today });
    return [];
  } catch (error) {
    return [faultOf(error)];
  }
}

/** Throws what an order of the whole plan would, by parameters. */
function proposeWhole(
  version: Omit<PlanOffer, 'named'>,
  its: Omit<Place, 'tx'> & Pick<StartInput, 'quantity'> & { readonly startDate: IsoDate },
): void {
  const { contractCode } = version.plan;
  const named = { path: 'contractCode', value: contractCode, id: null };
  const offer = { ...version, named };
  inParameters(() => {
    const orderLineItems = pagePlan(version.plan, its);
    const order = { contractCode, startDate: its.startDate, orderLineItems };
    proposed(order, { offer, coupon: null, customer: nobody(its.tenant), today: its.today });
  });
}

function couponFaults(tenant: TenantInfo, input: StartInput, known: Known): StartFault[] {
  const { couponCode, contractCode } = input;
  if (couponCode === null) return [];
  const path = 'couponCode';
  const { coupon, today } = known;
  if (coupon === undefined) {
    const message = `there is no coupon ${couponCode}${known.couponHint}`;
    return [{ code: 'coupon.unknown', path, value: couponCode, message }];
  }
  // Which plan it is for shows once one is chosen.
  const plans = contractCode === null ? null : coupon.plans;
  try {
    refuseEnded(coupon, today, path);
    const use = { contractCode: contractCode ?? '', currency: tenant.currency, path };
    refuseMisused({ ...coupon, plans }, use);
    return [];
  } catch (error) {
    return [faultOf(error)];
  }
}

/** Whoever the tenant's site does not say who it is learns nothing of a customer. */
async function usedFaults(
  tx: Tx,
  { hideCustomerFields }: StartInput,
  { coupon, reusedId }: Known,
): Promise<StartFault[]> {
  if (coupon === undefined) return [];
  const customerId = hideCustomerFields ? reusedId : null;
  try {
    await refuseUsed(tx, coupon, { customerId, isForGood: false, path: 'couponCode' });
    return [];
  } catch (error) {
    return [faultOf(error)];
  }
}

function agentFaults({ billerCode }: StartInput, { hasAgent }: Known): StartFault[] {
  if (billerCode === null || hasAgent) return [];
  return [
    invalidParameter('billerCode', billerCode, "the code of a sales agent in the tenant's file"),
  ];
}

function loginFaults({ login }: StartInput, { loginOwnerId, reusedId }: Known): StartFault[] {
  if (login === null || loginOwnerId === null || loginOwnerId === reusedId) return [];
  const message = 'another customer has this login';
  return [{ code: 'contact.usernameTaken', path: 'login', value: login, message }];
}

function faultOf(error: unknown): StartFault {
  if (!(error instanceof DomainError) || error.path === null) throw error;
  const { code, path, value, message } = error;
  return { code, path, value: value ?? undefined, message };
}
