/** What a kind of objects is: a row of the table in `kinds.ts`. */
import type { DomainErrorCode } from '../../domain/errors.ts';

export interface Kind {
  /** Its table, whose key is (tenant_id, id). */
  readonly table: string;
  /** The error code for an unknown one. */
  readonly unknown: DomainErrorCode;
  /** Calls address it by id alone, so another tenant's id counts as an attempt. */
  readonly isAddressed: boolean;
  /** It has a version, which If-Match compares. */
  readonly isVersioned: boolean;
  /** It has a number of the tenant's own sequence, without gaps. */
  readonly isNumbered: boolean;
  /** The workflow that processes it, with the id `kind/tenant/id`; null if there is none. */
  readonly workflow: KindWorkflow | null;
  /** Its id is that of this kind's object, so it has no id of its own. */
  readonly sharesIdOf?: string;
  /** How the names of the audit's checks of it begin; null if another kind's checks cover it. */
  readonly checks: string | null;
}

export interface KindWorkflow {
  /** Recorded in histories, so it must never change. */
  readonly type: string;
  /** A test clock waits until the workflow has seen the object's newest version. */
  readonly isAwaited: boolean;
  /** What its id begins with instead of the kind's name. */
  readonly idBegins?: string;
}
