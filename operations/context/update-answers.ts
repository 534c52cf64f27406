/** Does once what an Update of a workflow asks for, and answers as the first time if it comes again. */
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import type { Dependencies } from './context.ts';
import type { KindName } from './kinds.ts';
import { insertingOne } from '../../db/queries/context/insertion.ts';
import { UpdateAnswer } from '../../db/entities/processes.ts';

/**
 * An Update comes again if its sender, or the engine, did not get the answer: the process may have
 * died between the commit and the answer.
 */
export interface UpdateRequest {
  readonly kind: KindName;
  readonly objectId: number;
  /** The Update's id, which is the same each time. */
  readonly requestId: string;
}

const ANSWERS_KEPT_DAYS = 30;
/** Of those that are too old, for each new one. */
const DELETED_AT_ONCE_MAX = 100;

/**
 * The answer is stored in the transaction of the work. A refusal changes nothing, and is decided
 * anew. Two attempts at the same moment: the second fails at the key, and finds the answer when it is
 * tried again.
 */
export async function answeredOnce<Answer extends object>(
  tx: Tx,
  request: UpdateRequest,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const before = await findAnswer<Answer>(tx, request);
  if (before) return before;
  const answer = await work();
  keepAnswer(tx, request, answer);
  return answer;
}

/** The answer of the first time, in a transaction of its own. */
export function answerBefore<Answer extends object>(
  { db }: Pick<Dependencies, 'db'>,
  tenantId: number,
  request: UpdateRequest,
): Promise<Answer | undefined> {
  return inTenant(db, tenantId, (tx) => findAnswer<Answer>(tx, request), { readOnly: true });
}

async function findAnswer<Answer extends object>(
  tx: Tx,
  { kind, objectId, requestId }: UpdateRequest,
): Promise<Answer | undefined> {
  const [row] = await tx.query<{ answer: Answer }>(
    `select answer from update_answer
     where tenant_id = $1 and kind = $2 and object_id = $3 and request_id = $4`,
    [tx.tenantId, kind, objectId, requestId],
    'find-update-answer',
  );
  return row?.answer;
}

const insertAnswer = insertingOne('keep-update-answer', {
  into: UpdateAnswer,
  columns: ['kind', 'objectId', 'requestId', 'answer'],
});

export function keepAnswer(
  tx: Tx,
  { kind, objectId, requestId }: UpdateRequest,
  answer: object,
): void {
  insertAnswer(tx, { kind, objectId, requestId, answer });
  tx.send(
    `delete from update_answer where tenant_id = $1 and (kind, object_id, request_id) in (
       select kind, object_id, request_id from update_answer
       where tenant_id = $1 and answered_at < now() - make_interval(days => $2)
       order by answered_at limit $3)`,
    [tx.tenantId, ANSWERS_KEPT_DAYS, DELETED_AT_ONCE_MAX],
    'delete-old-answers',
  );
}
