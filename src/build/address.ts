import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// `npm run address -- https://github.com/owner/mcp-roots publisher` writes the project's address at
// GitHub and the publisher's id into all files that need them.

/**
 * Returns the manifest with the publisher and, after the license, the fields made from the address.
 *
 * @throws when `url` is not a repository at GitHub, whose workflows publish the packages, or when
 * `publisher` cannot be an id at the galleries.
 */
export function withAddress(
  manifest: Readonly<Record<string, unknown>>,
  url: string,
  publisher: string,
) {
  if (!/^https:\/\/github\.com\/[\w-]+\/[\w.-]+(?<!\.git)$/.test(url)) {
    throw new Error(`Name the repository as https://github.com/owner/name, not as "${url}".`);
  }
  if (!/^[a-z0-9][a-z0-9-]*$/i.test(publisher)) {
    throw new Error(`Name the publisher by its id at the galleries, not as "${publisher}".`);
  }
  const fields = {
    repository: { type: 'git', url },
    bugs: { url: `${url}/issues` },
    homepage: `${url}#readme`,
    qna: `${url}/issues`,
  };
  const { name, displayName, description, version, license, ...rest } = manifest;
  const first = { name, displayName, description, version, publisher, license };
  return { ...first, ...fields, ...rest, publisher, ...fields };
}

/** A text for the file at `path`. `place` matches its place, with any earlier text there. */
export interface Passage {
  readonly path: string;
  readonly place: RegExp;
  readonly text: string;
}

/** The passages of all other files. GitHub drops `vscode:` links, so README links to vscode.dev. */
export function passagesFor(url: string, publisher: string): readonly Passage[] {
  const npm = {
    place: /(?:- \*\*From npm:.*\n)?(?=- \*\*From a file:)/,
    text: '- **From npm:** `npx -y mcp-roots` runs it without installing it. For a client, `npx` is the command then, with `-y` and `mcp-roots` before the other arguments.\n',
  };
  return [
    {
      path: 'README.md',
      place: /^\[Install it\b.*(?=, and try it in )/m,
      text: `[Install it in VS Code](https://vscode.dev/redirect?url=vscode:extension/${publisher}.mcp-roots), or in another editor [from Open VSX](https://open-vsx.org/extension/${publisher}/mcp-roots)`,
    },
    { path: 'media/help/bundledServer.md', ...npm },
    { path: 'media/npm.md', ...npm },
    {
      path: '.github/ISSUE_TEMPLATE/config.yml',
      place: /(?:contact_links:[\s\S]*)?$/,
      text: `contact_links:
  - name: A hole that lets something reach more than it was allowed
    url: ${url}/security/advisories/new
    about: In private, please. SECURITY.md says what counts, and how soon you hear from us.
`,
    },
  ];
}

/**
 * Returns the content `file` with the passage in its place.
 *
 * @throws when nothing in the file matches the passage's place.
 */
export function withPassage(file: string, { path, place, text }: Passage): string {
  if (!place.test(file)) {
    throw new Error(`${path} has no place for: ${text}`);
  }
  return file.replace(place, () => text);
}

if (import.meta.main) {
  const [url = '', publisher = ''] = process.argv.slice(2);
  const change = (path: string, changed: (text: string) => string) => {
    const file = join(import.meta.dirname, '..', '..', path);
    writeFileSync(file, changed(readFileSync(file, 'utf8')));
  };
  change('package.json', text => {
    const manifest = withAddress(JSON.parse(text), url, publisher);
    return `${JSON.stringify(manifest, null, 2)}\n`;
  });
  for (const passage of passagesFor(url, publisher)) {
    change(passage.path, text => withPassage(text, passage));
  }
}
