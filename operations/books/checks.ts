/** Invariants of a tenant's books, one statement each: every row selected is a fault. */
import { callbackChecks } from './callback-checks.ts';
import { carriedOverChecks } from './carried-over-checks.ts';
import { applicationChecks } from './application-checks.ts';
import { attemptChecks } from './attempt-checks.ts';
import { chargeChecks } from './charge-checks.ts';
import { batchChecks } from './batch-checks.ts';
import { changeChecks } from './change-checks.ts';
import { commissionChecks } from './commission-checks.ts';
import { correctionChecks } from './correction-checks.ts';
import type { Check } from './check.ts';
import { discountChecks } from './discount-checks.ts';
import { eventChecks } from './event-checks.ts';
import { creditTaxChecks } from './credit-tax-checks.ts';
import { dunningChecks } from './dunning-checks.ts';
import { findingChecks } from './finding-checks.ts';
import { invoiceChecks } from './invoice-checks.ts';
import { ledgerChecks } from './ledger-checks.ts';
import { mailChecks } from './mail-checks.ts';
import { numberChecks } from './number-checks.ts';
import { paymentChecks } from './payment-checks.ts';
import { periodChecks } from './period-checks.ts';
import { sandboxChecks } from './sandbox-checks.ts';
import { selfServiceChecks } from './self-service-checks.ts';
import { signupChecks } from './signup-checks.ts';
import { taxChecks } from './tax-checks.ts';
import { taxRecordChecks } from './tax-record-checks.ts';
import { usageChecks } from './usage-checks.ts';
import { withdrawalChecks } from './withdrawal-checks.ts';

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
