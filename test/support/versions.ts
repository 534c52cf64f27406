/** The release that files name: package.json has its number, and the others follow. */
import { z } from 'zod';
import { releaseVersion } from '../../release.ts';

const NUMBER = String.raw`\d+\.\d+\.\d+`;

/** What stands before the number, in each file that `npm run format` brings to it. */
const places: Readonly<Record<string, readonly string[]>> = {
  'package-lock.json': [
    String.raw`^\{\n  "name": "sundial",\n  "version": "`,
    String.raw`\n    "": \{\n      "name": "sundial",\n      "version": "`,
  ],
  'clients/typescript/package.json': [String.raw`^\{\n  "name": "sundial-client",\n  "version": "`],
  'clients/python/pyproject.toml': [String.raw`\nname = "sundial-client"\nversion = "`],
  'docker-compose.yml': [String.raw`\n  image: sundial:`],
  'docs/containers.md': [String.raw`\ndocker build -t sundial:`],
  'docs/upgrade.md': [String.raw`\nnpm run workflows -- promote `],
  'examples/kubernetes/kustomization.yaml': [String.raw`\n    newTag: `],
  'examples/kubernetes/api.yaml': [String.raw` image: sundial:`],
  'examples/kubernetes/migrate.yaml': [String.raw` image: sundial:`],
  'examples/kubernetes/worker.yaml': [String.raw` image: sundial:`],
};

export const filesWithVersion = Object.keys(places);

/** The text with that number in each of its places, each of which it has once. */
export function withVersion(file: string, text: string, version = releaseVersion): string {
  return (places[file] ?? []).reduce((written, before) => {
    const place = new RegExp(`(${before})${NUMBER}`, 'g');
    if ([...written.matchAll(place)].length !== 1) {
      throw new Error(`${file} does not name the release once after ${before}`);
    }
    return written.replace(place, (_, kept: string) => `${kept}${version}`);
  }, text);
}

/**
 * What is wrong with the headings of a changelog: `## Unreleased` first, then releases, the newest first,
 * as `## 1.0.0 - 2026-11-28`, and the newest is that version.
 */
export function mistakesInChangelog(text: string, version = releaseVersion): string[] {
  const [first, ...releases] = [...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
  const form = new RegExp(`^(${NUMBER}) - (.+)$`);
  const parts = releases.map((heading) => form.exec(heading));
  const numbers = parts.map((each) => each?.[1] ?? '');
  const days = parts.map((each) => each?.[2] ?? '');
  return [
    ...(first === 'Unreleased' ? [] : ['the first heading is not Unreleased']),
    ...releases
      .filter((_, at) => !z.iso.date().safeParse(days[at]).success)
      .map((heading) => `"${heading}" is no release with its day`),
    ...(numbers[0] === version ? [] : [`the newest release is ${numbers[0]}, not ${version}`]),
    ...(isDescending(numbers) && days.toSorted().reverse().join() === days.join()
      ? []
      : ['the newest release does not come first']),
  ];
}

const isDescending = (numbers: readonly string[]): boolean =>
  numbers.every((each, at) => {
    const next = numbers[at + 1];
    return next === undefined || each.localeCompare(next, 'en', { numeric: true }) > 0;
  });
