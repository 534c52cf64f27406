/**
 * Checks that the repository names no package registry, because each machine configures its own.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import test from 'ava';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');

/** Folders that are not part of the repository: git, npm, a start and a system write them. */
const foreign = /^(\.git|node_modules|coverage|\.data.*|\.DS_Store)$/;

/** In an address, or as a host name alone. */
const registry = new RegExp(
  [
    String.raw`\b(registry|proxy|sum|index|packages|npm|pkg|deb|security)\.(npmjs|yarnpkg|golang|` +
      String.raw`pypi|crates|debian|ubuntu|pkg\.github)\.[a-z]{2,}`,
    String.raw`https?://[^\s/"'\x60<>]*\b(npmjs|yarnpkg|npmmirror|goproxy|pypi|pythonhosted|jfrog|` +
      String.raw`artifactory|nexus|verdaccio|jsr|unpkg|jsdelivr|rubygems|crates|docker|ghcr|quay)\b`,
    String.raw`^\s*(@[\w-]+:)?registry\s*=`,
  ].join('|'),
  'im',
);

function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !foreign.test(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesOf(path);
      return entry.isFile() ? [path] : [];
    });
}

const join3 = (...parts: readonly [string, string, string]): string => parts.join('.');

test('the search recognizes the address of a registry', (t) => {
  const npm = join3('registry', 'npmjs', 'org');
  for (const text of [
    `"resolved": "https://${npm}/koa/-/koa-3.tgz"`,
    `curl https://${join3('proxy', 'golang', 'org')}/x/@v/list`,
    `https://user:word@${join3('company', 'jfrog', 'io')}/npm`,
    `npm config set registry ${npm}`,
    `save-exact=true\nregistry = http://localhost:4873`,
  ]) {
    t.regex(text, registry);
  }
  for (const text of [
    'golang.org/toolchain@v0.0.1-go1.26.8.linux-amd64',
    'https://www.w3.org/2001/XMLSchema',
    'FROM node:26-bookworm-slim',
  ]) {
    t.notRegex(text, registry);
  }
});

test('no file contains the address of a package registry', (t) => {
  const files = filesOf(root);
  t.true(files.length > 500);
  for (const file of ['.ci/run', '.npmrc', 'package-lock.json', 'docker-compose.yml']) {
    t.true(files.includes(join(root, file)), file);
  }
  const found = files.flatMap((path) => {
    const [address] = registry.exec(readFileSync(path, 'latin1')) ?? [];
    return address === undefined ? [] : [`${relative(root, path)}: ${address}`];
  });
  t.deepEqual(found, []);
});

const oneOrMore = z.union([z.string().transform((only) => [only]), z.array(z.string())]).optional();

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      optional: z.boolean().optional(),
      os: oneOrMore,
      cpu: oneOrMore,
      libc: oneOrMore,
    }),
  ),
});

test('the lock file contains no address of a package, and the hash of each installed package', (t) => {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const { '': own, ...packages } = lockFile.parse(JSON.parse(text)).packages;
  t.truthy(own);
  t.true(Object.keys(packages).length > 100);
  for (const [name, entry] of Object.entries(packages)) {
    t.is(entry.resolved, undefined, name);
    if (entry.integrity !== undefined) {
      t.regex(entry.integrity, /^sha512-[A-Za-z0-9+/]{86}==$/, name);
      continue;
    }
    // npm knows a package's hash only if it has loaded the package, so packages of other platforms
    // lack it.
    t.true(entry.optional, name);
    t.false(isForLinux(entry), name);
  }
});

/** The platform on which Sundial is checked and deployed: Linux with glibc. */
function isForLinux({ os, cpu, libc }: z.infer<typeof lockFile>['packages'][string]): boolean {
  if (os !== undefined && !os.includes('linux')) return false;
  if (libc !== undefined && !libc.includes('glibc')) return false;
  return cpu === undefined || cpu.some((each) => each === 'x64' || each === 'arm64');
}
