/**
 * A number in the engine that only rises. A restore of the engine from a backup of its own turns it
 * back, and one of the database turns back the number that the database knows.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from './engine.ts';

const ANSWER_LIMIT_MS = 10_000;
/** The engine refuses one of two changes of a namespace at once. */
const TRIES = 5;
const TRY_AGAIN_MS = 100;

/** Other installations may use the same namespace, with another task queue. */
const keyOf = ({ taskQueue }: Engine): string => `sundial.${taskQueue}.mark`;

/** 0 if the engine has none. */
export async function readMark(engine: Engine, limitMs = ANSWER_LIMIT_MS): Promise<number> {
  const { client } = engine;
  const { namespace } = client.options;
  const described = await client.withDeadline(Date.now() + limitMs, () =>
    client.connection.workflowService.describeNamespace({ namespace }),
  );
  return Number(described.namespaceInfo?.data?.[keyOf(engine)] ?? 0);
}

export async function writeMark(engine: Engine, mark: number): Promise<void> {
  const { client } = engine;
  const { namespace } = client.options;
  const data = { [keyOf(engine)]: String(mark) };
  for (let tries = 1; ; tries += 1) {
    try {
      await client.withDeadline(Date.now() + ANSWER_LIMIT_MS, () =>
        client.connection.workflowService.updateNamespace({ namespace, updateInfo: { data } }),
      );
      return;
    } catch (error) {
      if (tries >= TRIES) throw error;
    }
    await sleep(TRY_AGAIN_MS * tries);
  }
}
