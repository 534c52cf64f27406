/** The coupons of a tenant: a changed coupon is a new version. */
import { z } from 'zod';
import type * as discounts from '../../../domain/discounts/coupon.ts';
import { compare, minorDigits } from '../../../domain/money/money.ts';
import type { Tx } from '../../../db/connection/tenancy.ts';
import { insertText } from '../../../db/queries/context/insertion.ts';
import { isSame, type Change } from '../file/changes.ts';
import { checkDates, checkReference, checkRepeats, checkUnique } from '../file/checks.ts';
import { isGiven, type Loose } from '../file/loose.ts';
import type { Path, Report } from '../file/mistakes.ts';
import type { ApplyTime } from '../file/part.ts';
import * as kind from '../file/scalars.ts';
import type { FilePlan } from './plans/schema.ts';
import { Coupon } from '../../../db/entities/plans.ts';

const coupon = z.strictObject({
  code: kind.text().describe('Unique. Shown on the invoice.'),
  percent: kind.percent().optional().describe('Either this or `amount`; more than 0.'),
  amount: kind.amount().optional().describe('For each billing period of an order.'),
  currency: kind.currency().optional().describe("Of the amount; the tenant's by default."),
  once: kind.flag().default(false).describe('On one invoice only.'),
  periods: kind
    .whole(1, 1_200)
    .optional()
    .describe("An order's first billing periods; without this and `once`, for ever."),
  plans: z
    .array(kind.text())
    .optional()
    .describe('`contractCode` of plans in this file; every plan by default.'),
  startDate: kind.date().optional().describe('The first day on which an order may take it.'),
  endDate: kind.date().optional().describe('The last day on which an order may take it.'),
  maxRedemptions: kind
    .whole(1, 1_000_000)
    .optional()
    .describe('How many orders may have it at a time, those that replace each other as one.'),
  oncePerCustomer: kind.flag().default(false).describe('In one order of each customer, alike.'),
});

type FileCoupon = z.output<typeof coupon>;
type LooseCoupons = Loose<{
  readonly currency: string;
  readonly coupons: readonly FileCoupon[];
  readonly plans: readonly FilePlan[];
}>;

export const coupons = {
  schema: z
    .array(coupon)
    .default([])
    .describe(
      'A changed coupon becomes a new version, and one removed from the file is taken by no new ' +
        'order; existing orders keep their terms.',
    ),
  check: checkCoupons,
  // Applying compares them with their rows.
  changes: () => [],
  apply: applyCoupons,
};

function checkCoupons(file: LooseCoupons, report: Report): void {
  checkUnique(file.coupons, 'code', ['coupons'], report);
  const known = new Set(file.plans?.map((plan) => plan?.contractCode));
  file.coupons?.forEach((given, index) => {
    if (!given) return;
    const path = ['coupons', index] as const;
    const hasPercent = isGiven(given, 'percent');
    if (hasPercent === isGiven(given, 'amount')) {
      report([...path, 'percent'], 'or else amount must be given, and not both');
    }
    if (given.percent !== undefined && compare(given.percent, '0') === 0) {
      report([...path, 'percent'], 'must be more than 0');
    }
    if (hasPercent && isGiven(given, 'currency')) {
      report([...path, 'currency'], 'is for an amount, not for a percentage');
    }
    const currency = isGiven(given, 'currency') ? given.currency : file.currency;
    checkDecimals({ amount: given.amount, currency }, [...path, 'amount'], report);
    if (given.once === true && isGiven(given, 'periods')) {
      report([...path, 'periods'], 'cannot be given together with once');
    }
    checkRepeats(given.plans, [...path, 'plans'], report);
    given.plans?.forEach((code, position) =>
      checkReference(code, known, 'a plan', [...path, 'plans', position], report),
    );
    checkDates(given, path, report);
  });
}

function checkDecimals(
  {
    amount,
    currency,
  }: { readonly amount?: string | undefined; readonly currency?: string | undefined },
  path: Path,
  report: Report,
): void {
  if (amount === undefined || currency === undefined) return;
  const [, decimals = ''] = amount.split('.');
  const most = minorDigits(currency);
  if (decimals.length > most) report(path, `has more decimals than ${currency}: ${most}`);
}

/** What a new version has, in one form for the file's coupons and the stored ones. */
type Terms = Omit<discounts.Coupon, 'id'>;

function termsOf(given: FileCoupon, currency: string): Terms {
  return {
    code: given.code,
    percent: given.percent ?? null,
    amount: given.amount ?? null,
    currency: given.amount === undefined ? null : (given.currency ?? currency),
    isOnce: given.once,
    periods: given.periods ?? null,
    plans: sorted(given.plans ?? null),
    startDate: given.startDate ?? null,
    endDate: given.endDate ?? null,
    maxRedemptions: given.maxRedemptions ?? null,
    oncePerCustomer: given.oncePerCustomer,
  };
}

/** Their order means nothing. */
function sorted(plans: readonly string[] | null): readonly string[] | null {
  return plans?.toSorted((a, b) => (a < b ? -1 : 1)) ?? null;
}

interface CouponsToApply extends Pick<ApplyTime, 'now'> {
  readonly file: { readonly coupons: readonly FileCoupon[]; readonly currency: string };
}

/** A coupon that comes back with the terms of its last version continues that version. */
async function applyCoupons(tx: Tx, { file, now }: CouponsToApply): Promise<Change[]> {
  const latest = await readLatest(tx);
  const changes: Change[] = [];
  const ended: number[] = [];
  const continued: number[] = [];
  const versions: (Terms & { readonly version: number })[] = [];
  for (const given of file.coupons) {
    const subject = `coupon ${given.code}`;
    const terms = termsOf(given, file.currency);
    const stored = latest.get(given.code);
    latest.delete(given.code);
    const isKept = stored !== undefined && isSame(stored.terms, terms);
    if (isKept && stored.isNewest) continue;
    if (isKept) {
      continued.push(stored.id);
      changes.push({ subject, change: `version ${stored.version} again` });
      continue;
    }
    if (stored?.isNewest === true) ended.push(stored.id);
    const version = (stored?.version ?? 0) + 1;
    versions.push({ ...terms, version });
    changes.push({ subject, change: `version ${version}` });
  }
  for (const { id, isNewest, terms } of latest.values()) {
    if (!isNewest) continue;
    ended.push(id);
    changes.push({ subject: `coupon ${terms.code}`, change: 'removed' });
  }
  if (ended.length > 0) await tx.query(setNewestText, [ended, false]);
  if (continued.length > 0) await tx.query(setNewestText, [continued, true]);
  if (versions.length > 0) {
    await tx.query(insertCouponsText, [tx.tenantId, JSON.stringify(versions), now]);
  }
  return changes;
}

interface StoredCoupon {
  readonly id: number;
  readonly version: number;
  readonly isNewest: boolean;
  readonly terms: Terms;
}

/** The last version of each coupon, by its code. */
async function readLatest(tx: Tx): Promise<Map<string, StoredCoupon>> {
  const rows = await tx.query<Terms & Omit<StoredCoupon, 'terms'>>(
    `select distinct on (code) id, version, is_newest, code,
            trim_scale(percent)::text as percent, trim_scale(amount)::text as amount, currency,
            is_once, periods, plans, start_date, end_date, max_redemptions, once_per_customer
     from coupon order by code, version desc`,
  );
  return new Map(
    rows.map(({ id, version, isNewest, ...terms }) => [
      terms.code,
      { id, version, isNewest, terms: { ...terms, plans: sorted(terms.plans) } },
    ]),
  );
}

const setNewestText = 'update coupon set is_newest = $2 where id = any($1::bigint[])';

const insertCouponsText = insertText({
  into: Coupon,
  columns: [
    'code',
    'version',
    'percent',
    'amount',
    'currency',
    'isOnce',
    'periods',
    'plans',
    'startDate',
    'endDate',
    'maxRedemptions',
    'oncePerCustomer',
  ],
  values: { isNewest: 'true', createdAt: '$3' },
});
