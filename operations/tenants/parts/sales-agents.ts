/** The sales agents of a tenant. */
import { z } from 'zod';
import { writeSalesAgents } from '../../../db/queries/commissions/file.ts';
import type { Tx } from '../../../db/connection/tenancy.ts';
import { lastFourOf, maskedText } from '../../../domain/commissions/terms.ts';
import { itemChanges, type Change } from '../file/changes.ts';
import { checkReference, checkUnique } from '../file/checks.ts';
import type { Loose } from '../file/loose.ts';
import { pathText, type Report } from '../file/mistakes.ts';
import type { ApplyTime } from '../file/part.ts';
import * as kind from '../file/scalars.ts';
import {
  sealed,
  type SecretForm,
  type SecretPlace,
  type Storing,
  type Withheld,
} from '../file/secrets.ts';
import { address } from './address.ts';
import type { CommissionPlan } from './commission-plans.ts';

const SECRET_LENGTH_MIN = 5;
const SECRET_LENGTH_MAX = 255;

const shownSecret = 'Stored encrypted; its last four characters are shown. 5 to 255 characters.';

const salesAgent = z.strictObject({
  code: kind.text().describe('Unique.'),
  firstName: kind.text().optional(),
  lastName: kind.text().optional(),
  companyName: kind.text().optional(),
  email: kind.email().optional(),
  workPhone: kind.text().optional(),
  cellPhone: kind.text().optional(),
  referenceNumber: kind.text().optional(),
  commissionPlan: kind.text().optional().describe('`commissionCode` of a plan in this file.'),
  referringBillerCommissionCode: kind.text().optional().describe('Shown only.'),
  notificationsEnabled: kind.flag().default(false).describe('Shown only.'),
  disbursementsEnabled: kind.flag().default(false).describe('Shown only.'),
  disbursementToken: kind.secret().optional().describe(shownSecret),
  achRoutingNumber: kind.text().optional().describe('Shown whole.'),
  achAccountNumber: kind.secret().optional().describe(shownSecret),
  accountType: kind.text().optional().describe('Such as Checking.'),
  address: address.optional(),
});

const secretKeys = ['disbursementToken', 'achAccountNumber'] as const;

type SalesAgent = z.output<typeof salesAgent>;
type LooseAgents = Loose<{
  readonly salesAgents: readonly SalesAgent[];
  readonly commissionPlans: readonly CommissionPlan[];
}>;

/** A secret whose last four characters people see. */
interface ShownSecret {
  readonly sealed: string;
  readonly lastFour: string;
}

/** Agents that were stored before the key existed lack a flag. */
type StoredAgent = Omit<SalesAgent, (typeof secretKeys)[number]> & {
  readonly [Key in (typeof secretKeys)[number]]?: ShownSecret;
};

const form: SecretForm = {
  holds: ({ length }) => length >= SECRET_LENGTH_MIN && length <= SECRET_LENGTH_MAX,
  message: `must have ${SECRET_LENGTH_MIN} to ${SECRET_LENGTH_MAX} characters`,
};

export const salesAgents = {
  schema: z
    .array(salesAgent)
    .default([])
    .describe('An agent removed from the file takes no new link, and its links go on earning.'),
  check: (file: LooseAgents, report: Report): void => {
    checkUnique(file.salesAgents, 'code', ['salesAgents'], report);
    const known = new Set(file.commissionPlans?.map((each) => each?.commissionCode));
    file.salesAgents?.forEach((agent, index) => {
      const path = ['salesAgents', index, 'commissionPlan'];
      checkReference(agent?.commissionPlan, known, 'a commission plan', path, report);
    });
  },
  secrets: ({ salesAgents: given }: LooseAgents): SecretPlace[] =>
    (given ?? []).flatMap((agent, index) =>
      secretKeys.map((key) => ({
        path: ['salesAgents', index, key],
        secret: agent?.[key],
        form,
      })),
    ),
  store: (value: readonly SalesAgent[], storing: Storing<readonly StoredAgent[]>) =>
    value.map((agent, index) => storedAgent(agent, index, storing)),
  changes: itemChanges<StoredAgent>('salesAgent', ({ code }) => code),
  show: (stored: readonly StoredAgent[]) => stored.map(shownAgent),
  apply: applySalesAgents,
};

function storedAgent(
  { disbursementToken: _token, achAccountNumber: _number, ...agent }: SalesAgent,
  index: number,
  storing: Storing<readonly StoredAgent[]>,
): StoredAgent {
  const previous = storing.previous?.find(({ code }) => code === agent.code);
  const secrets = secretKeys.flatMap((key): [string, ShownSecret][] => {
    const path = ['salesAgents', index, key];
    const clear = storing.clear.get(pathText(path));
    if (clear === undefined) return [];
    const kept = sealed(storing, { path, holder: agent, before: previous?.[key] });
    return kept === null ? [] : [[key, { ...kept, lastFour: lastFourOf(clear) }]];
  });
  return { ...agent, ...Object.fromEntries(secrets) };
}

function shownAgent(agent: StoredAgent): unknown {
  const secrets = secretKeys.flatMap((key): [string, Withheld][] => {
    const secret = agent[key];
    return secret === undefined ? [] : [[key, { withheld: maskedText(secret.lastFour) }]];
  });
  return { ...agent, ...Object.fromEntries(secrets) };
}

interface AgentsToApply extends ApplyTime {
  readonly stored: { readonly salesAgents: readonly StoredAgent[] };
}

/** The rows keep their ids; `changes` has named what is new. */
async function applySalesAgents(tx: Tx, { stored, now }: AgentsToApply): Promise<Change[]> {
  const agents = stored.salesAgents.map(
    ({ disbursementToken: token, achAccountNumber: number, ...agent }) => ({
      ...agent,
      address: agent.address ?? {},
      disbursementToken: token?.sealed,
      disbursementTokenShown: token?.lastFour,
      achAccountNumber: number?.sealed,
      achAccountShown: number?.lastFour,
    }),
  );
  await writeSalesAgents(tx, agents, now);
  return [];
}
