/** The users of the tenant, for its admins: who may call what, and until when. */
import { z } from 'zod';
import { userRights, userStatuses } from '../../../domain/access/rights.ts';
import { type UserView, listUsers, setUserSuspended } from '../../../operations/access/users.ts';
import { page } from '../../calls/queries.ts';
import { type Route, route, writeRoute } from '../../calls/route.ts';
import { type RouteDependencies, reading } from '../../calls/services.ts';
import { compile } from '../../xml/codec.ts';
import {
  date,
  dateTime,
  enumeration,
  id,
  listOf,
  root,
  secondText,
  text,
} from '../../xml/types.ts';

export function userRoutes(dependencies: RouteDependencies): Route[] {
  return [
    route({
      method: 'GET',
      path: '/users',
      summary: 'The users of the interface by ascending id, and what each of them may call',
      right: 'admin',
      query: z.object(page),
      response: userList,
      async handler({ tenant, query }) {
        const users = await reading(dependencies, tenant, (tx) => listUsers(tx, tenant, query));
        return users.map(userDocument);
      },
    }),
    suspensionRoute(dependencies, {
      action: 'suspend',
      isSuspended: true,
      summary: 'Suspend a user: within ten seconds no process takes its passwords',
    }),
    suspensionRoute(dependencies, {
      action: 'enable',
      isSuspended: false,
      summary: 'Enable a suspended user again',
    }),
  ];
}

interface Suspension {
  readonly action: string;
  readonly isSuspended: boolean;
  readonly summary: string;
}

function suspensionRoute(
  dependencies: RouteDependencies,
  { action, isSuspended, summary }: Suspension,
): Route {
  return writeRoute(dependencies, {
    method: 'POST',
    path: '/user/:id',
    actions: [action],
    summary,
    audited: 'user',
    right: 'admin',
    response: userCodec,
    handler: ({ id: userId, user, requestId, write }) =>
      write(async (context) => {
        const asked = { id: userId, isSuspended, by: user.id, trace: { requestId } };
        return userDocument(await setUserSuspended(context, asked));
      }),
  });
}

function userDocument({ rights, expiresOn, oldPasswordUsedAt, ...user }: UserView): UserDocument {
  const { id: userId, username, roles, status, oldPasswordUntil } = user;
  return {
    id: userId,
    username,
    roles: [...roles],
    rights: [...(rights ?? [])],
    status,
    expires: expiresOn,
    oldPasswordUntil,
    oldPasswordLastUsed: oldPasswordUsedAt && secondText(oldPasswordUsedAt),
  };
}

const userSchema = z.strictObject({
  id: id(),
  username: text(),
  roles: listOf('role', text()),
  rights: listOf('right', enumeration(userRights)),
  status: enumeration(userStatuses),
  expires: date().nullable(),
  oldPasswordUntil: date().nullable(),
  oldPasswordLastUsed: dateTime().nullable(),
});

type UserDocument = z.output<typeof userSchema>;

const userCodec = compile(root('user', userSchema));
const userList = compile(root('list', listOf('user', userSchema)));
