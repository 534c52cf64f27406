/** The room on the disks of the system: what ended on a full disk waits for it before it starts. */
import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Room {
  /** Resolves when there is room, with whether it had to wait; rejects when it is aborted. */
  readonly available: () => Promise<boolean>;
}

/** PostgreSQL's recovery writes a few log files of 4 MB, and Temporal and the logs continue to write. */
const ROOM_MB_MIN = 32;
const LOOK_MS = 1_000;
const BYTES_PER_MB = 1_000_000;

export interface RoomOptions {
  /** One that does not exist has room. */
  readonly folders: readonly string[];
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** All parts that wait share one wait, so the terminal says it once. */
export function watchRoom({ folders, signal, say }: RoomOptions): Room {
  let waiting: Promise<void> | undefined;
  return {
    async available() {
      if (waiting === undefined && (await fullOne(folders)) === undefined) return false;
      await (waiting ??= wait().finally(() => (waiting = undefined)));
      return true;
    },
  };

  async function wait(): Promise<void> {
    let said: string | undefined;
    for (;;) {
      const full = await fullOne(folders);
      if (full === undefined) break;
      if (said === undefined) {
        say(`The disk is full: ${full}. What has ended starts again once there is room.`);
      }
      said ??= full;
      await sleep(LOOK_MS, undefined, { signal });
    }
    if (said !== undefined) say('The disk has room again');
  }
}

/** The first folder without room, in words. */
async function fullOne(folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    // The system does not say, so nobody can wait for it.
    const disk = await statfs(folder).catch(() => undefined);
    if (disk === undefined) continue;
    const freeMb = Math.floor((disk.bavail * disk.bsize) / BYTES_PER_MB);
    if (freeMb < ROOM_MB_MIN) {
      return `${folder} has ${freeMb} MB left, and ${ROOM_MB_MIN} MB are needed`;
    }
    // Some file systems do not count their files, and report 0.
    if (disk.files > 0 && disk.ffree === 0) return `${folder} can hold no further file`;
  }
  return undefined;
}
