/** Types of `ranking.js`, for the server and for tests. */
import type { Options, SearchResult } from 'minisearch';

export const options: Options;
export function ranked(hits: readonly SearchResult[], query: string): SearchResult[];
