/** Invariants of a tenant's books, one statement each: every row selected is a fault. */
import { auditLogChecks } from './access.ts';
import { attemptChecks, dunningChecks } from './attempts.ts';
import {
  changeChecks,
  chargeChecks,
  correctionChecks,
  elsewhereChecks,
  trialChecks,
} from './charges.ts';
import { creditNoteChecks } from './credit-notes.ts';
import { invoiceChecks, ledgerChecks, numberChecks, periodChecks } from './invoices.ts';
import { batchChecks, carriedOverChecks } from './batches.ts';
import { commissionChecks } from './commissions.ts';
import type { Check } from './check.ts';
import { erasureChecks } from './customers.ts';
import { debitChecks } from './debits.ts';
import { discountChecks } from './discounts.ts';
import { financialsChecks } from './financials.ts';
import { callbackChecks, eventChecks, mailChecks } from './events.ts';
import { metadataChecks } from './metadata.ts';
import { noticeChecks } from './notices.ts';
import { applicationChecks, findingChecks, paymentChecks, withdrawalChecks } from './payments.ts';
import { sandboxChecks } from './sandbox.ts';
import { selfServiceChecks, signupChecks } from './signups.ts';
import { creditTaxChecks, taxChecks, taxRecordChecks } from './taxes.ts';
import { usageChecks } from './usage.ts';

export const checks: readonly Check[] = [
  ...ledgerChecks,
  ...financialsChecks,
  ...invoiceChecks,
  ...numberChecks,
  ...creditNoteChecks,
  ...metadataChecks,
  ...periodChecks,
  ...chargeChecks,
  ...changeChecks,
  ...elsewhereChecks,
  ...trialChecks,
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
  ...noticeChecks,
  ...debitChecks,
  ...mailChecks,
  ...dunningChecks,
  ...commissionChecks,
  ...batchChecks,
  ...signupChecks,
  ...selfServiceChecks,
  ...erasureChecks,
  ...auditLogChecks,
];
