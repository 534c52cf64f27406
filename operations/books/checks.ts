/** Invariants of a tenant's books, one statement each: every row selected is a fault. */
import { attemptChecks, dunningChecks } from './attempt-checks.ts';
import { changeChecks, chargeChecks, correctionChecks } from './charge-checks.ts';
import { invoiceChecks, ledgerChecks, numberChecks, periodChecks } from './invoice-checks.ts';
import { batchChecks, carriedOverChecks } from './batch-checks.ts';
import { commissionChecks } from './commission-checks.ts';
import type { Check } from './check.ts';
import { discountChecks } from './discount-checks.ts';
import { callbackChecks, eventChecks, mailChecks } from './event-checks.ts';
import {
  applicationChecks,
  findingChecks,
  paymentChecks,
  withdrawalChecks,
} from './payment-checks.ts';
import { sandboxChecks } from './sandbox-checks.ts';
import { selfServiceChecks, signupChecks } from './signup-checks.ts';
import { creditTaxChecks, taxChecks, taxRecordChecks } from './tax-checks.ts';
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
