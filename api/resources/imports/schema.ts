/** The documents of batch jobs: one answer, and a request for each mode. */
import { z } from 'zod';
import { batchKinds, batchStatuses, uploadKinds } from '../../../domain/imports/batch.ts';
import { reportNames } from '../../../domain/ledger/reports.ts';
import { compile } from '../../xml/codec.ts';
import { ID_MAX, accepting, boolean, enumeration, repeated, root, text } from '../../xml/types.ts';

export const JOB_ID_LENGTH_MAX = 100;
/** Addresses of S3 have some 500 characters. */
const ADDRESS_LENGTH_MAX = 4_000;
const MESSAGE_LENGTH_MAX = 4_000;

const operations = [...new Set(Object.values(batchKinds).map(({ operation }) => operation))] as [
  string,
  ...string[],
];
const subOperations = [
  ...new Set(Object.values(batchKinds).flatMap(({ subOperation }) => subOperation ?? [])),
  ...reportNames,
] as [string, ...string[]];
const uploadOperations = Object.keys(uploadKinds) as [
  keyof typeof uploadKinds,
  ...(keyof typeof uploadKinds)[],
];

const jobId = () => text(JOB_ID_LENGTH_MAX);
const batchId = () => z.int().min(1).max(ID_MAX);
const count = () => z.int().min(0);
const address = () => text(ADDRESS_LENGTH_MAX).nullable();
const message = () => text(MESSAGE_LENGTH_MAX).nullable();
const operation = () => enumeration(operations);
const subOperation = () => enumeration(subOperations).nullable();

/** What BatchInit shows of a kind that it carries over. */
const carriedSchema = z.strictObject({
  id: batchId(),
  jobId: jobId(),
  status: enumeration(batchStatuses),
  operation: operation(),
  subOperation: subOperation(),
  successCount: count(),
  successMessage: message(),
  errorMessage: message(),
  failCount: count(),
});

const jobShape = {
  id: batchId(),
  jobId: jobId(),
  status: enumeration(batchStatuses),
  operation: operation(),
  subOperation: subOperation(),
  inputType: enumeration(['API']).nullable(),
  inputFilename: text().nullable(),
  parentBatchProcess: text().nullable(),
  parentBatchProcessJobId: jobId().nullable(),
  successCount: count(),
  failCount: count(),
  successMessage: message(),
  errorMessage: message(),
  uploadUrl: address(),
  downloadUrl: address(),
  progress: z
    .strictObject({
      rowsDone: count(),
      rowsPerSecond: count(),
      secondsRemaining: count().nullable(),
    })
    .nullable(),
};

const noChild = z.strictObject({}).nullable();
/** A job of line items, which has no children. */
const lineJobSchema = z.strictObject({ ...jobShape, child: noChild });

export const batchSchema = z.strictObject({
  ...jobShape,
  child: z
    .strictObject({
      batchProcess: repeated('batchProcess', lineJobSchema).optional(),
      carryForwardInvoice: carriedSchema.nullish(),
      carryForwardCreditMemo: carriedSchema.nullish(),
      carryForwardDebitMemo: carriedSchema.nullish(),
    })
    .nullable(),
});

export type BatchDocument = z.output<typeof batchSchema>;
export type LineJobDocument = z.output<typeof lineJobSchema>;
export type CarriedDocument = z.output<typeof carriedSchema>;

const uploadSchema = accepting(batchSchema, {
  jobId: jobId().nullish(),
  inputType: enumeration(['API']),
  operation: enumeration(['eBill-Import']),
  subOperation: enumeration(uploadOperations),
  inputFilename: text().nullish(),
  parentBatchProcess: text().nullish(),
  parentBatchProcessJobId: jobId().nullish(),
  validateOnly: boolean().nullish(),
});
export type UploadRequest = z.output<typeof uploadSchema>;

const initSchema = accepting(batchSchema, {
  jobId: jobId().nullish(),
  carryForwardInvoices: boolean().nullish(),
  carryForwardCreditMemos: boolean().nullish(),
  carryForwardDebitMemos: boolean().nullish(),
  zeroOutCustomerBalance: boolean().nullish(),
});
export type InitRequest = z.output<typeof initSchema>;

const initInput = initSchema.superRefine((init, context) => {
  const { carryForwardInvoices, carryForwardCreditMemos, carryForwardDebitMemos } = init;
  const isWhole = carryForwardInvoices && carryForwardCreditMemos && carryForwardDebitMemos;
  if (init.zeroOutCustomerBalance !== true || isWhole === true) return;
  const text = 'balances become zero only if invoices, credit memos and debit memos carry over';
  const params = { code: 'field.invalid' };
  context.addIssue({ code: 'custom', path: ['zeroOutCustomerBalance'], message: text, params });
});

const finalizeSchema = accepting(batchSchema, {
  id: batchId().nullish(),
  jobId: jobId().nullish(),
});
export type FinalizeRequest = z.output<typeof finalizeSchema>;

export const batchCodec = compile(root('batchProcess', batchSchema));
export const uploadRequest = compile(root('batchProcess', uploadSchema));
export const initRequest = compile(root('batchProcess', initInput));
export const finalizeRequest = compile(root('batchProcess', finalizeSchema));
