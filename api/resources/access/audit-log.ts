/** The audit log: who did or was refused what, from where, and what it changed. */
import { z } from 'zod';
import { auditActions } from '../../../domain/access/audit-log.ts';
import {
  type AuditQuery,
  type AuditView,
  listAuditLog,
} from '../../../operations/access/audit-read.ts';
import { badRequest } from '../../calls/errors.ts';
import { objectId, page } from '../../calls/queries.ts';
import { type Route, route } from '../../calls/route.ts';
import { type RouteDependencies, reading } from '../../calls/services.ts';
import { compile } from '../../xml/codec.ts';
import {
  ID_MAX,
  attribute,
  date,
  enumeration,
  id,
  integer,
  listOf,
  reference,
  root,
  text,
} from '../../xml/types.ts';

const auditQuery = z.object({
  after: z
    .int()
    .min(0)
    .max(ID_MAX)
    .default(0)
    .meta({ description: 'The sequence of the last entry that was read.' }),
  max: page.max,
  from: date().optional().meta({ description: 'The first day, in real time.' }),
  to: date().optional().meta({ description: 'The last day, in real time.' }),
  username: text().optional(),
  action: enumeration(auditActions).optional(),
  objectType: text().optional(),
  objectId: objectId().optional(),
  code: text().optional(),
});

export function auditLogRoutes(dependencies: RouteDependencies): Route[] {
  return [
    route({
      method: 'GET',
      path: '/auditLog',
      summary: 'The audit log, in the order of its numbers',
      right: 'admin',
      query: auditQuery,
      response: auditList,
      async handler({ tenant, query }) {
        const asked = queryOf(query);
        const entries = await reading(dependencies, tenant, (tx) =>
          listAuditLog(tx, tenant, asked),
        );
        return entries.map(entryDocument);
      },
    }),
  ];
}

function queryOf({ after, max, ...query }: z.output<typeof auditQuery>): AuditQuery {
  const { from = null, to = null, username = null, action = null } = query;
  const { objectType = null, objectId: object = null, code = null } = query;
  if (from !== null && to !== null && to < from) {
    throw badRequest('query.invalid', 'to is before from', 'to', to);
  }
  return { after, max, from, to, username, action, objectType, objectId: object, code };
}

function entryDocument(view: AuditView): EntryDocument {
  const { userId, objectType, objectId: object, changes, ...entry } = view;
  return {
    sequence: entry.sequence,
    at: entry.at,
    action: entry.action,
    username: entry.username,
    user: userId === null ? null : { id: userId },
    address: entry.address,
    method: entry.method,
    path: entry.path,
    status: entry.status,
    code: entry.code,
    requestId: entry.requestId,
    ...(objectType === null || object === null ? {} : { object: { type: objectType, id: object } }),
    changes: [...changes],
    previousHash: entry.previousHash,
    hash: entry.hash,
  };
}

/* Documents. */

const entrySchema = z.strictObject({
  sequence: integer(1, ID_MAX),
  at: text(),
  action: text(),
  username: text().nullable(),
  user: reference().nullable(),
  address: text().nullable(),
  method: text().nullable(),
  path: text().nullable(),
  status: integer(0, 999).nullable(),
  code: text().nullable(),
  requestId: text().nullable(),
  object: z.strictObject({ type: attribute(text()), id: id() }).optional(),
  changes: listOf(
    'change',
    z.strictObject({ field: text(), before: text().optional(), after: text().optional() }),
  ),
  previousHash: text(),
  hash: text(),
});

type EntryDocument = z.output<typeof entrySchema>;

const auditList = compile(root('list', listOf('auditEntry', entrySchema)));
