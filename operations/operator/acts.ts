/**
 * What a person may do on the operator's page: a row for each act, with who may do it, what it changes,
 * and how it is carried out. Each is an Update of a workflow, or a call; the audit log keeps both.
 */
import type { NeededRight } from '../../domain/access/rights.ts';
import type { ActPlace, AskedAct } from './act.ts';
import {
  closeByHand,
  holdByHand,
  rehearseByHand,
  releaseByHand,
  resendByHand,
  restartWorkflow,
} from './calls.ts';
import {
  cancelBatch,
  holdCustomersDunning,
  resendGivenUp,
  resolveByHand,
  resumeBatch,
  resumeCustomersDunning,
  retryCustomersDunning,
} from './updates.ts';

/** What a form asks for beside the reason. */
export type AskedField = 'outcome' | 'transactionId' | 'workflow' | 'day' | 'hold';

export interface Act {
  readonly title: string;
  /** What its id is of; null for one that names its object in a field. */
  readonly of: 'Customer' | 'Payment' | 'Endpoint' | 'Event' | 'Job' | null;
  /** What it changes, for whoever is about to do it. */
  readonly changes: string;
  /** What a tenant's user needs; `operator`: only the operator of the installation may do it. */
  readonly needs: readonly NeededRight[] | 'operator';
  readonly asks?: readonly AskedField[];
  /** Returns what was done, in words. Throws a DomainError, mostly update.refused. */
  readonly carryOut: (place: ActPlace, asked: AskedAct) => Promise<string>;
}

export const acts = {
  'hold-billing': {
    title: 'Hold from billing',
    of: 'Customer',
    changes: 'No run and no call bills the customer until somebody releases it.',
    needs: ['admin'],
    carryOut: holdByHand,
  },
  release: {
    title: 'Release from billing',
    of: 'Customer',
    changes:
      'The hold ends. The next 00:00 of the tenant bills what is due; what a rehearsal has held is billed now.',
    needs: ['admin'],
    carryOut: releaseByHand,
  },
  hold: {
    title: 'Hold the dunning',
    of: 'Customer',
    changes: 'There is no step upwards and no retry until somebody resumes it.',
    needs: ['admin'],
    carryOut: holdCustomersDunning,
  },
  resume: {
    title: 'Resume the dunning',
    of: 'Customer',
    changes: 'The hold ends. The next 00:00 applies the thresholds and retries that were passed.',
    needs: ['admin'],
    carryOut: resumeCustomersDunning,
  },
  retry: {
    title: 'Retry payments now',
    of: 'Customer',
    changes: 'The planned retries of the customer’s declined payments are charged at once.',
    needs: ['admin', 'finance'],
    carryOut: retryCustomersDunning,
  },
  resend: {
    title: 'Resend events',
    of: 'Endpoint',
    changes: 'The endpoint gets again what was given up, and its pause ends.',
    needs: ['admin'],
    carryOut: resendGivenUp,
  },
  'resend-event': {
    title: 'Resend one event',
    of: 'Event',
    changes: 'The endpoints that subscribe to it get today’s document of it once more.',
    needs: ['admin'],
    carryOut: resendByHand,
  },
  resolve: {
    title: 'Resolve the payment',
    of: 'Payment',
    changes:
      'The call that the gateway never answers is closed as you say, as if the gateway had said so.',
    needs: ['admin', 'finance'],
    asks: ['outcome', 'transactionId'],
    carryOut: resolveByHand,
  },
  close: {
    title: 'Close the findings',
    of: 'Payment',
    changes:
      'The audit names the findings no more. What the gateway has is not changed, and neither are the books.',
    needs: ['admin', 'finance'],
    carryOut: closeByHand,
  },
  'cancel-import': {
    title: 'Cancel the job',
    of: 'Job',
    changes: 'It stops after the rows in progress. Imported rows stay.',
    needs: ['admin'],
    carryOut: cancelBatch,
  },
  'resume-import': {
    title: 'Resume the job',
    of: 'Job',
    changes: 'A job that waits after a fault goes on with the next row.',
    needs: 'operator',
    carryOut: resumeBatch,
  },
  rehearse: {
    title: 'Rehearse a billing run',
    of: null,
    changes:
      'It reads and rates what is due by the day as the run does, and bills nothing. Outliers are held if you say so.',
    needs: ['admin'],
    asks: ['day', 'hold'],
    carryOut: rehearseByHand,
  },
  restart: {
    title: 'Restart a workflow',
    of: null,
    changes: 'The workflow ends, if it runs. A new run reads its rows, and goes on by them.',
    needs: 'operator',
    asks: ['workflow'],
    carryOut: restartWorkflow,
  },
} as const satisfies Readonly<Record<string, Act>>;

export type ActName = keyof typeof acts;

export const actNames = Object.keys(acts) as readonly ActName[];

export const isActName = (name: string): name is ActName => Object.hasOwn(acts, name);

export const actOf = (name: ActName): Act => acts[name];

/** Who acts: an operator may do all, a user of the tenant what its rights grant. */
export interface Actor {
  readonly isOperator: boolean;
  readonly granted: readonly NeededRight[];
}

export function mayAct({ isOperator, granted }: Actor, { needs }: Pick<Act, 'needs'>): boolean {
  if (isOperator) return true;
  return needs !== 'operator' && needs.every((right) => granted.includes(right));
}
