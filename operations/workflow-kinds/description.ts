/** What Sundial has to know about a kind of workflow besides its code. */
import type { SearchAttributePair } from '@temporalio/common';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { TenantInfo } from '../context/context.ts';

/** What titles, inputs and search attributes say of an object, beside what its kind needs. */
export interface CustomerFacts {
  /** Null of what is of no customer. */
  readonly customerId: number | null;
  readonly customerRef: string | null;
}

/** Of a kind with an object; `Facts` is what its statement finds out about one. */
interface ObjectDescription<Facts extends CustomerFacts> {
  /** Smaller runs first when tasks queue up: callers wait for payments; orders wake after the run. */
  readonly priority: number;
  /** Contains numbers, codes and amounts only, because every user of the engine can read it. */
  readonly title: (objectId: number, facts: Facts | null) => string;
  /** The input that names the object. */
  readonly idInput: string;
  /** What the input has besides. */
  readonly input?: (facts: Facts | null) => object;
  /**
   * A subquery: the facts about the object `o.object_id` of the tenant `o.tenant_id` as JSON. A
   * kind whose workflows show nobody has none.
   */
  readonly facts: string | null;
  readonly attributes?: (facts: Facts) => readonly SearchAttributePair[];
  /** What it shows from its start, so that a run without problems need not update it. */
  readonly phase?: string;
  /**
   * The objects of the tenant $1 that need a workflow: id, the number by which people know them,
   * status, and customer_id if customers own them.
   */
  readonly needed: string;
  /** Objects of the tenant $1 whose workflow another one starts, by their id. */
  readonly carried?: string;
  /** Whoever writes one locks its customer. */
  readonly isOwned: boolean;
  /** After the engine lost its data they start at a steady pace, so that others get their turns. */
  readonly isPaced: boolean;
}

/** How a workflow of an object starts. */
export interface ObjectStart {
  readonly title: string;
  readonly input: object;
  readonly attributes: readonly SearchAttributePair[];
}

/** With what a workflow begins that has nothing to do before its first step. */
export interface FirstLook {
  /** Until the first step, in milliseconds. */
  readonly delayMs: number;
  /** What its input says of the look. */
  readonly input: object;
  /** What the Temporal Web UI shows until then; its workflow cannot change it. */
  readonly details: string;
  readonly attributes: readonly SearchAttributePair[];
}

export interface ObjectWorkflow extends Pick<
  ObjectDescription<CustomerFacts>,
  'priority' | 'facts' | 'needed' | 'carried' | 'isOwned' | 'isPaced' | 'phase'
> {
  /** @param facts what the kind's own statement found out; null without one, or without a row */
  readonly startOf: (objectId: number, facts: CustomerFacts | null) => ObjectStart;
}

export function objectWorkflow<Facts extends CustomerFacts = CustomerFacts>(
  description: ObjectDescription<Facts>,
): ObjectWorkflow {
  const { title, idInput, input, attributes } = description;
  return {
    ...description,
    startOf: (objectId, found) => {
      const facts = found as Facts | null;
      return {
        title: title(objectId, facts),
        input: { [idInput]: String(objectId), ...input?.(facts) },
        attributes: (facts && attributes?.(facts)) ?? [],
      };
    },
  };
}

/** Of a workflow that each tenant has at most once. */
export interface TenantWorkflow {
  readonly priority: number;
  readonly title: string;
  readonly phase?: string;
  /** Whether the tenant needs it now. */
  readonly isNeeded: (tx: Tx, tenant: TenantInfo) => Promise<boolean>;
}
