/** Checks a tenant file beyond the form of its single values; needs no database. */
import { compare } from '../../domain/money/money.ts';
import { checkPlans } from './checks-plans.ts';
import {
  checkDates,
  checkReference,
  checkTogether,
  checkUnique,
  type LooseFile,
} from './checks-shared.ts';
import { isGiven } from './loose.ts';
import type { Path, Report } from './mistakes.ts';

/** Reports every mistake that it can find, even if other parts of the file are unreadable. */
export function checkFile(file: LooseFile, report: Report): void {
  checkUnique(file.users, 'username', ['users'], report);
  checkUnique(file.callbacks, 'url', ['callbacks'], report);
  checkUnique(file.productOfferings, 'sku', ['productOfferings'], report);
  checkUnique(file.plans, 'contractCode', ['plans'], report);
  checkUnique(file.coupons, 'code', ['coupons'], report);
  checkUnique(file.commissionPlans, 'commissionCode', ['commissionPlans'], report);
  checkUnique(file.salesAgents, 'code', ['salesAgents'], report);
  checkUnique(file.selfServiceProfiles, 'id', ['selfServiceProfiles'], report);
  checkRepeats(file, report);
  checkGateway(file, report);
  checkTax(file, report);
  checkDunning(file, report);
  checkPlans(file, report);
  checkCoupons(file, report);
  checkCommissions(file, report);
}

function checkRepeats(file: LooseFile, report: Report): void {
  const lists: [Path, readonly (string | number | undefined)[] | undefined][] = [
    [['dunning', 'retryDaysOfMonth'], file.dunning?.retryDaysOfMonth],
    [['notifications', 'enabled'], file.notifications?.enabled],
    [['hostedPages', 'allowedOrigins'], file.hostedPages?.allowedOrigins],
  ];
  file.users?.forEach((user, index) => lists.push([['users', index, 'roles'], user?.roles]));
  file.callbacks?.forEach((it, index) => lists.push([['callbacks', index, 'events'], it?.events]));
  file.coupons?.forEach((it, index) => lists.push([['coupons', index, 'plans'], it?.plans]));
  file.commissionPlans?.forEach((it, index) =>
    lists.push([['commissionPlans', index, 'plans'], it?.plans]),
  );
  file.selfServiceProfiles?.forEach((it, index) =>
    lists.push([['selfServiceProfiles', index, 'editOrderOptions'], it?.editOrderOptions]),
  );
  for (const [path, list] of lists) {
    list?.forEach((value, index) => {
      if (value === undefined || list.indexOf(value) === index) return;
      report([...path, index], `repeats ${value}`);
    });
  }
}

function checkGateway({ gateway }: LooseFile, report: Report): void {
  if (gateway?.type === 'stripe' && !isGiven(gateway, 'secretKey')) {
    report(['gateway', 'secretKey'], 'is needed for the type stripe');
  }
  if (gateway?.type !== 'stripe' && gateway?.webhookSecret !== undefined) {
    report(['gateway', 'webhookSecret'], 'is for the type stripe');
  }
}

function checkTax({ tax }: LooseFile, report: Report): void {
  if (tax?.type === 'table' && tax.rates?.length === 0) {
    report(['tax', 'rates'], 'must have at least one rate for the type table');
  }
  const seen = new Set<string>();
  tax?.rates?.forEach((rate, index) => {
    if (!rate?.country || !rate.taxCode || !rate.name) return;
    const key = JSON.stringify([rate.country, rate.state, rate.taxCode, rate.name]);
    if (seen.has(key)) report(['tax', 'rates', index], 'repeats another rate');
    seen.add(key);
  });
}

function checkDunning({ dunning }: LooseFile, report: Report): void {
  const thresholds = dunning?.thresholds;
  const days = thresholds?.map((threshold) => threshold?.daysOverdue);
  checkIncreasing(days, (index) => ['dunning', 'thresholds', index, 'daysOverdue'], report);
  checkUnique(thresholds, 'status', ['dunning', 'thresholds'], report);
  checkIncreasing(dunning?.retryDays, (index) => ['dunning', 'retryDays', index], report);
  if (dunning && isGiven(dunning, 'retryDays') && isGiven(dunning, 'retryDaysOfMonth')) {
    report(['dunning', 'retryDaysOfMonth'], 'cannot be given together with retryDays');
  }
}

function checkIncreasing(
  values: readonly (number | undefined)[] | undefined,
  pathOf: (index: number) => Path,
  report: Report,
): void {
  let highest = 0;
  values?.forEach((value, index) => {
    if (value === undefined) return;
    if (value <= highest) report(pathOf(index), `must be more than the ${highest} before it`);
    highest = Math.max(highest, value);
  });
}

function checkCoupons(file: LooseFile, report: Report): void {
  const known = new Set(file.plans?.map((plan) => plan?.contractCode));
  file.coupons?.forEach((coupon, index) => {
    if (!coupon) return;
    const path = ['coupons', index] as const;
    const hasPercent = isGiven(coupon, 'percent');
    if (hasPercent === isGiven(coupon, 'amount')) {
      report([...path, 'percent'], 'or else amount must be given, and not both');
    }
    if (coupon.percent !== undefined && compare(coupon.percent, '0') === 0) {
      report([...path, 'percent'], 'must be more than 0');
    }
    if (hasPercent && isGiven(coupon, 'currency')) {
      report([...path, 'currency'], 'is for an amount, not for a percentage');
    }
    if (coupon.once === true && isGiven(coupon, 'periods')) {
      report([...path, 'periods'], 'cannot be given together with once');
    }
    coupon.plans?.forEach((code, position) =>
      checkReference(code, known, 'a plan', [...path, 'plans', position], report),
    );
    checkDates(coupon, path, report);
  });
}

function checkCommissions(file: LooseFile, report: Report): void {
  const plans = new Set(file.plans?.map((plan) => plan?.contractCode));
  file.commissionPlans?.forEach((commission, index) => {
    const path = ['commissionPlans', index] as const;
    commission?.plans?.forEach((code, position) =>
      checkReference(code, plans, 'a plan', [...path, 'plans', position], report),
    );
    checkUnique(commission?.charges, 'code', [...path, 'charges'], report);
    commission?.charges?.forEach((charge, position) => {
      if (!charge) return;
      const inner = [...path, 'charges', position];
      checkTogether(charge, ['dateToChargeValue', 'dateToChargeUnits'], inner, report);
      const { commissionAmount, commissionType } = charge;
      if (
        commissionType === 'Percent' &&
        commissionAmount &&
        compare(commissionAmount, '100') > 0
      ) {
        report([...inner, 'commissionAmount'], 'must be at most 100 for the type Percent');
      }
    });
  });
  const commissions = new Set(file.commissionPlans?.map((plan) => plan?.commissionCode));
  file.salesAgents?.forEach((agent, index) => {
    const path = ['salesAgents', index, 'commissionPlan'];
    checkReference(agent?.commissionPlan, commissions, 'a commission plan', path, report);
  });
}
