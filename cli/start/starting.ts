/** What the steps of a start receive. */
import type { Config } from '../../config.ts';
import type { ServerProcess } from '../../providers/embedded/process.ts';
import type { Folder } from './folder.ts';
import type { KeptPart, Part } from './part.ts';

/** What the steps need to know of the system that they start. */
export interface Starting {
  readonly config: Config;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  readonly folder: Folder;
  readonly root: string;
  readonly onProcess: (name: string, server: ServerProcess) => void;
  /** Starts a part and keeps it; parts are stopped in reverse order. */
  readonly keep: <P extends Part>(
    name: string,
    start: (signal: AbortSignal) => Promise<P>,
  ) => Promise<KeptPart<P>>;
}
