/** Says for the Web UI which agents an order has, and what they have earned: codes and amounts only. */
import { formatAmount } from '../../domain/money/money.ts';
import type { ToldAgents, ToldCommission, ToldLink } from '../../db/queries/commissions/told.ts';

/** @example agentFact(ada) // 'agent AGENT-1 by STD since 2027-01-15, STD-SIGN on 2027-02-15' */
export function agentFact({ agent, plan, since, due }: ToldLink): string {
  const dates = due.map(({ code, on }) => `, ${code} on ${on}`);
  return `agent ${agent} by ${plan} since ${since}${dates.join('')}`;
}

/** @example earnedText(row) // '2027-02-01: invoice 1001 paid: 2.70 to AGENT-1' */
export function earnedText(row: ToldCommission): string {
  const { on, agent, currency } = row;
  return `${on}: ${why(row)}: ${formatAmount(currency, row.amount)} to ${agent}`;
}

function why({ invoice, isReversal, code }: ToldCommission): string {
  if (invoice === null) return `${code} due`;
  return isReversal ? `taken back of invoice ${invoice}` : `invoice ${invoice} paid`;
}

/** The newest commission that a wake has seen; undefined if it has seen none. */
export function lastEarned(
  agents: ToldAgents | null,
  before: number | undefined,
): number | undefined {
  return agents?.earned.at(-1)?.id ?? before;
}
