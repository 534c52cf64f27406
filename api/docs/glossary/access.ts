/** What the elements of users and of the audit log mean. */
import { auditActions, auditedTypes } from '../../../domain/access/audit-log.ts';

export const accessWords = {
  // Users of the interface.
  'user.id': 'The internal id of the user.',
  'user.username': 'The user id of its credentials.',
  roles: 'ROLE_API lets it call the interface.',
  rights: 'What it may call: read, finance and admin add up; empty: all calls but those of admins.',
  'user.status':
    'Active; Expired after its last day; Suspended by an admin or for attempts at other tenants; Disabled once the tenant file no longer has it.',
  expires: 'Its last day; empty: none.',
  oldPasswordUntil: 'The last day of its password before; empty: it has none.',
  oldPasswordLastUsed: 'When that password last let somebody in, to the minute; empty: never.',

  // The audit log.
  'auditEntry.sequence':
    'The number of the entry: counts the entries of the tenant from 1 without gaps.',
  'auditEntry.at': 'When it was written, in real time.',
  'auditEntry.action': `What was done: ${auditActions.join(', ')}.`,
  'auditEntry.username':
    'Who did it: a user, a contact, the person who gave the command, or the login that was refused.',
  'auditEntry.user': 'The user, by internal id; empty if it was none.',
  'auditEntry.address': 'The address of the caller.',
  'auditEntry.method': 'The method of the call.',
  'auditEntry.path': 'The path of the call without its query, or the command.',
  'auditEntry.status': 'The status of the answer.',
  'auditEntry.code': 'Why the call was refused.',
  'auditEntry.requestId': 'The X-Request-Id of the answer.',
  'auditEntry.object': `The object that was written, by internal id, with its type: ${auditedTypes.join(', ')}.`,
  changes: 'What the write changed, up to 50 fields.',
  'change.field': 'The name of the field.',
  'change.before': 'Its value before; absent if it had none, and of personal elements and secrets.',
  'change.after': 'Its value after; absent as well.',
  'auditEntry.previousHash': 'The hash of the entry before; 64 zeros for the first one.',
  'auditEntry.hash':
    'SHA-256 of previousHash and of the values of the entry in this order, each in a line.',
} as const;
