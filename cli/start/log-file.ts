/** The log file of a program; a line that cannot be written is lost, and nothing else is. */
import { appendFile } from 'node:fs/promises';
import { basename } from 'node:path';

export interface LogFile {
  readonly path: string;
  readonly add: (line: string) => void;
}

/** What waits while the disk is slow; lines beyond it are lost. */
const WAITING_CHARACTERS_MAX = 4_000_000;

/** @param say gets the first failure, and later how many lines were lost */
export function openLogFile(path: string, say: (line: string) => void): LogFile {
  let waiting: string[] = [];
  let characters = 0;
  let lost = 0;
  let isWriting = false;
  return {
    path,
    add(line) {
      characters += line.length;
      if (characters > WAITING_CHARACTERS_MAX) return lose(1, 'the disk is too slow');
      waiting.push(line);
      if (!isWriting) void write();
    },
  };

  async function write(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const lines = waiting;
      waiting = [];
      characters = 0;
      try {
        // After a failure the file may end within a line.
        const text = `${lost > 0 ? '\n' : ''}${lines.join('\n')}\n`;
        await appendFile(path, text, { mode: 0o600 });
        if (lost > 0) say(`${basename(path)} is written again; lines lost: ${lost}`);
        lost = 0;
      } catch (error) {
        lose(lines.length, error instanceof Error ? error.message : String(error));
      }
    }
    isWriting = false;
  }

  function lose(lines: number, reason: string): void {
    if (lost === 0) say(`${path} cannot be written, lines are lost: ${reason}`);
    lost += lines;
  }
}
