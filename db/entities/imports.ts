/** Batch jobs, and the rows of their files. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { BatchKind, BatchStatus } from '../../domain/imports/batch.ts';
import type { ReportName } from '../../domain/ledger/reports.ts';
import { decimal, ofTenant, quantity, tenanted, texts } from './columns.ts';

export const Batch = defineEntity({
  name: 'Batch',
  tableName: 'batch',
  uniques: [{ properties: ['tenantId', 'jobId'] }],
  properties: {
    ...tenanted,
    jobId: p.text(),
    kind: p.text().$type<BatchKind>(),
    parentId: p.bigint('number').nullable(),
    status: p.text().$type<BatchStatus>(),
    inputFilename: p.text().nullable(),
    isValidateOnly: p.boolean().default(false),
    zeroesBalances: p.boolean().default(false),
    uploadEtag: p.text().nullable(),
    uploadBytes: p.bigint('number').nullable(),
    columns: texts().nullable(),
    rowCount: p.integer().nullable(),
    nextOffset: p.bigint('number').nullable(),
    nextLine: p.integer().nullable(),
    takesBelow: p.bigint('number').nullable(),
    doneCustomerId: p.bigint('number').nullable(),
    successCount: p.integer().default(0),
    failCount: p.integer().default(0),
    errorMessage: p.text().nullable(),
    cancelledAt: p.datetime().nullable(),
    cancelReason: p.text().nullable(),
    createdAt: p.datetime(),
    finalizedAt: p.datetime().nullable(),
    startedAt: p.datetime().nullable(),
    finishedAt: p.datetime().nullable(),
    resultDeletedAt: p.datetime().nullable(),
    updatedAt: p.datetime(),
    version: p.integer().default(1),
    queueNumber: p.bigint('number').nullable(),
    /** Of a report: its name and its days. */
    reportName: p.text().$type<ReportName>().nullable(),
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
    status: p.text().$type<'Success' | 'Failure'>(),
    objectId: p.bigint('number').nullable(),
    code: p.text().nullable(),
    error: p.text().nullable(),
    key: p.text().nullable(),
    login: p.text().nullable(),
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
    invoiceNumber: p.text(),
    position: p.integer().nullable(),
    invoiceText: p.text().nullable(),
    priceCode: p.text().nullable(),
    contractCode: p.text().nullable(),
    orderNumber: p.text().nullable(),
    accountingCode: p.text().nullable(),
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
    sealed: p.text(),
  },
});
