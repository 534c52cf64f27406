/** Batch jobs, and the rows of their files. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { BatchKind, BatchStatus } from '../../domain/imports/batch.ts';
import type { ReportName } from '../../domain/ledger/reports.ts';
import { decimal, ofTenant, quantity, tenanted, texts } from './columns.ts';
import { code, text } from './personal.ts';
import { waitingPasswordContext, sealed } from './sealed.ts';

export const Batch = defineEntity({
  name: 'Batch',
  tableName: 'batch',
  uniques: [{ properties: ['tenantId', 'jobId'] }],
  properties: {
    ...tenanted,
    jobId: code(),
    kind: code<BatchKind>(),
    parentId: p.bigint('number').nullable(),
    status: code<BatchStatus>(),
    inputFilename: text('passing').nullable(),
    isValidateOnly: p.boolean().default(false),
    zeroesBalances: p.boolean().default(false),
    uploadEtag: code().nullable(),
    uploadBytes: p.bigint('number').nullable(),
    columns: texts().nullable(),
    rowCount: p.integer().nullable(),
    nextOffset: p.bigint('number').nullable(),
    nextLine: p.integer().nullable(),
    takesBelow: p.bigint('number').nullable(),
    doneCustomerId: p.bigint('number').nullable(),
    successCount: p.integer().default(0),
    failCount: p.integer().default(0),
    errorMessage: text('passing').nullable(),
    cancelledAt: p.datetime().nullable(),
    cancelReason: text('passing').nullable(),
    createdAt: p.datetime(),
    finalizedAt: p.datetime().nullable(),
    startedAt: p.datetime().nullable(),
    finishedAt: p.datetime().nullable(),
    resultDeletedAt: p.datetime().nullable(),
    updatedAt: p.datetime(),
    version: p.integer().default(1),
    queueNumber: p.bigint('number').nullable(),
    /** Of a report: its name and its days. */
    reportName: code<ReportName>().nullable(),
    reportFrom: p.date().nullable(),
    reportTo: p.date().nullable(),
  },
});

export const ImportRow = defineEntity({
  name: 'ImportRow',
  tableName: 'import_row',
  properties: {
    ...ofTenant,
    batchId: p.bigint('number').primary(),
    line: p.integer().primary(),
    status: code<'Success' | 'Failure'>(),
    objectId: p.bigint('number').nullable(),
    code: code().nullable(),
    error: text('passing').nullable(),
    key: text('passing').nullable(),
    login: text('passing').nullable(),
  },
});

export const ImportLine = defineEntity({
  name: 'ImportLine',
  tableName: 'import_line',
  properties: {
    ...ofTenant,
    batchId: p.bigint('number').primary(),
    line: p.integer().primary(),
    parentId: p.bigint('number'),
    invoiceNumber: text('passing'),
    position: p.integer().nullable(),
    invoiceText: text('passing').nullable(),
    priceCode: code().nullable(),
    contractCode: code().nullable(),
    orderNumber: text('passing').nullable(),
    accountingCode: code().nullable(),
    unitPrice: quantity().nullable(),
    quantity: quantity().nullable(),
    amount: decimal().nullable(),
    billingStartDate: p.date().nullable(),
    billingEndDate: p.date().nullable(),
  },
});

export const PasswordToHash = defineEntity({
  name: 'PasswordToHash',
  tableName: 'password_to_hash',
  properties: {
    ...ofTenant,
    contactId: p.bigint('number').primary(),
    batchId: p.bigint('number'),
    sealed: sealed(text('deleted'), ['tenantId', 'contactId'], waitingPasswordContext),
  },
});
