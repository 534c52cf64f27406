/**
 * The files of this folder, in one process. One property at a time would wait for each of its many
 * round trips beside the other processes, and run on alone at the end.
 */
import { together } from '../support/together.ts';

await together(import.meta.dirname, 3);
