/** Invariants of a tenant's books, one statement each: every row selected is a fault. */
import { attemptChecks, dunningChecks } from './attempt-checks.ts';
import { chargeChecks, correctionChecks, changeChecks } from './charge-checks.ts';
import { periodChecks } from './period-checks.ts';
import { batchChecks, carriedOverChecks } from './batch-checks.ts';
import { commissionChecks } from './commission-checks.ts';
import type { Check } from './check.ts';
import { discountChecks } from './discount-checks.ts';
import { eventChecks, callbackChecks, mailChecks } from './event-checks.ts';
import { invoiceChecks, numberChecks, ledgerChecks } from './invoice-checks.ts';
import {
  paymentChecks,
  applicationChecks,
  withdrawalChecks,
  findingChecks,
} from './payment-checks.ts';
import { sandboxChecks } from './sandbox-checks.ts';
import { signupChecks, selfServiceChecks } from './signup-checks.ts';
import { taxChecks, creditTaxChecks, taxRecordChecks } from './tax-checks.ts';
import { usageChecks } from './usage-checks.ts';

export const checks: readonly Check[] = [
  ...ledgerChecks,
  ...invoiceChecks,
  ...numberChecks,
  ...periodChecks,
  ...chargeChecks,
  ...changeChecks,
  ...discountChecks,
  ...taxChecks,
  ...taxRecordChecks,
  ...creditTaxChecks,
  ...usageChecks,
  ...correctionChecks,
  ...paymentChecks,
  ...applicationChecks,
  ...attemptChecks,
  ...withdrawalChecks,
  ...carriedOverChecks,
  ...sandboxChecks,
  ...findingChecks,
  ...callbackChecks,
  ...eventChecks,
  ...mailChecks,
  ...dunningChecks,
  ...commissionChecks,
  ...batchChecks,
  ...signupChecks,
  ...selfServiceChecks,
];
