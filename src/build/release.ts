import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// `npm run release` makes the release of this version at GitHub, with `gh`: the files in dist,
// their checksums and the entry in CHANGELOG.md. `-- --check v0.1.0` only writes the checksums, and
// fails if the address, the changelog's entry or the tag of this version is missing.

const root = join(import.meta.dirname, '..', '..');
const dist = join(root, 'dist');
const files = ['mcp-roots.vsix', 'mcp-roots.tgz', 'server.json'];

/** A version's entry in the changelog, without the heading; `undefined` if missing or empty. */
export function notesOf(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find(text => text.split('\n', 1)[0]?.trim() === version);
  return section?.slice(section.indexOf('\n')).trim() || undefined;
}

/** Returns a line for each file, as `sha256sum --check` reads it. The keys are file names. */
export function checksums(contents: Readonly<Record<string, Buffer>>): string {
  return Object.entries(contents)
    .map(([name, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`)
    .join('');
}

/** Sentences that say what a release with this tag still lacks. */
export function missingFor(
  tag: string,
  manifest: { readonly version: string; readonly repository?: unknown },
  changelog: string,
): readonly string[] {
  const { version, repository } = manifest;
  return [
    ...(tag === `v${version}` ? [] : [`package.json names version ${version}, the tag ${tag}.`]),
    ...(repository ? [] : ['package.json names no repository: run `npm run address`.']),
    ...(notesOf(changelog, version) ? [] : [`CHANGELOG.md says nothing of ${version}.`]),
  ];
}

function release([option, tag]: readonly string[]): void {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const wanted = `v${manifest.version}`;
  const missing = [
    ...missingFor(tag ?? wanted, manifest, changelog),
    ...files.filter(file => !existsSync(join(dist, file))).map(file => `dist/${file} is missing.`),
  ];
  if (missing.length > 0) {
    console.error(missing.join('\n'));
    process.exitCode = 1;
    return;
  }
  const contents = files.map(file => [file, readFileSync(join(dist, file))] as const);
  writeFileSync(join(dist, 'SHA256SUMS'), checksums(Object.fromEntries(contents)));
  if (option === '--check') {
    return;
  }
  const notes = join(dist, 'notes.md');
  writeFileSync(notes, notesOf(changelog, manifest.version) ?? '');
  const attached = [...files, 'SHA256SUMS'].map(file => join(dist, file));
  const args = ['release', 'create', wanted, '--verify-tag', '--notes-file', notes, ...attached];
  const { status, error } = spawnSync('gh', args, { cwd: root, stdio: 'inherit' });
  if (error) {
    console.error(`GitHub's command line could not be started: ${error.message}`);
  }
  process.exitCode = status ?? 1;
}

if (import.meta.main) {
  release(process.argv.slice(2));
}
