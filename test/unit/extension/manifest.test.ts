import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { knownClients } from '../../../src/domain/gateway/clientFiles.ts';
import type { Remedy } from '../../../src/domain/servers/serverFailure.ts';
import { Command, ContextKey, McpProvider, Setting, View } from '../../../src/extension/ids.ts';
import { withAddress } from '../../package/address.ts';
import { withSchemas } from '../../package/schemas.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const manifestText = readFileSync(join(root, 'package.json'), 'utf8');
const manifest = JSON.parse(manifestText);
const { contributes } = manifest;
const strings = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8'));

interface MenuItem {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}

const inFlatpak = (id: string) => `~/.var/app/${id}`;
const inLibrary = (name: string) => `~/Library/Application Support/${name}`;
const inLocalData = (name: string) => `~/AppData/Local/${name}`;

/** A place in the manifest that may lead to a command. */
interface Offer {
  readonly contents?: string;
  readonly description?: string;
  readonly command?: string;
  readonly when?: string;
}

interface Schema {
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly enum?: readonly unknown[];
  readonly enumDescriptions?: readonly string[];
  readonly defaultSnippets?: readonly { readonly description?: string }[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

interface SchemaPart {
  readonly at: string;
  readonly schema: Schema;
  /** Whether a person writes its name. */
  readonly isKey: boolean;
}

describe('the manifest', () => {
  it('contributes exactly the commands, views, settings and providers that the code names', () => {
    const views = Object.values(contributes.views).flat() as { id: string }[];
    assert.deepEqual(
      {
        commands: contributes.commands.map(({ command }: MenuItem) => command).sort(),
        views: views.map(({ id }) => id).sort(),
        settings: Object.keys(contributes.configuration.properties).sort(),
        providers: contributes.mcpServerDefinitionProviders.map(({ id }: { id: string }) => id),
      },
      {
        commands: Object.values(Command).sort(),
        views: Object.values(View).sort(),
        settings: Object.values(Setting).sort(),
        providers: Object.values(McpProvider),
      },
    );
  });

  it('keeps the ids that people bound keys and settings to', () => {
    assert.deepEqual([...Object.values(Command), ...Object.values(Setting)].sort(), [
      'mcpRoots.addServer',
      'mcpRoots.allowClient',
      'mcpRoots.allowFolders',
      'mcpRoots.autoStart',
      'mcpRoots.bundledServer.allowWrite',
      'mcpRoots.bundledServer.sandbox',
      'mcpRoots.callTool',
      'mcpRoots.connectClient',
      'mcpRoots.copyDiagnostics',
      'mcpRoots.denyClient',
      'mcpRoots.disconnectClient',
      'mcpRoots.editServer',
      'mcpRoots.excludeFolders',
      'mcpRoots.exportActivity',
      'mcpRoots.extraFolders',
      'mcpRoots.filterServers',
      'mcpRoots.forgetClient',
      'mcpRoots.forgetSecrets',
      'mcpRoots.help',
      'mcpRoots.importServers',
      'mcpRoots.inputs',
      'mcpRoots.installProgram',
      'mcpRoots.letRead',
      'mcpRoots.neverExpose',
      'mcpRoots.offerFolder',
      'mcpRoots.offerToAgents',
      'mcpRoots.openHubConfig',
      'mcpRoots.passOn',
      'mcpRoots.removeServer',
      'mcpRoots.renameServer',
      'mcpRoots.reportIssue',
      'mcpRoots.restartServer',
      'mcpRoots.revealRoot',
      'mcpRoots.reviewAccess',
      'mcpRoots.revokeAll',
      'mcpRoots.revokeFolders',
      'mcpRoots.sandboxHelp',
      'mcpRoots.servers',
      'mcpRoots.showAccess',
      'mcpRoots.showActivity',
      'mcpRoots.showLog',
      'mcpRoots.showMistake',
      'mcpRoots.showStatus',
      'mcpRoots.signIn',
      'mcpRoots.startServer',
      'mcpRoots.stopServer',
      'mcpRoots.trace',
      'mcpRoots.updateServer',
      'mcpRoots.withdrawFolder',
      'mcpRoots.withdrawFromAgents',
    ]);
  });

  it('gives every command a category, a translatable title and a codicon', () => {
    for (const { command, category, title, icon } of contributes.commands) {
      assert.equal(category, 'MCP Roots', command);
      assert.match(title, /^%[\w.]+%$/, command);
      assert.match(icon, /^\$\([a-z-]+\)$/, command);
    }
  });

  it('names only strings that exist, and has no string that nothing names', () => {
    const named = [...manifestText.matchAll(/"%([\w.-]+)%"/g)].map(([, key]) => key);
    assert.deepEqual([...new Set(named)].sort(), Object.keys(strings).sort());
  });

  it('says of every key of every setting what it is for, and of every choice what it means', () => {
    const { properties } = contributes.configuration;
    const parts = Object.entries<Schema>(properties).flatMap(([id, schema]) => partsOf(id, schema));
    const keys = parts.filter(({ isKey }) => isKey);
    assert.ok(keys.length > 25, `${keys.length} keys`);
    const silent = keys.filter(
      ({ schema }) => !isText(schema.description ?? schema.markdownDescription),
    );
    const choices = parts.filter(
      ({ schema }) => schema.enum?.length !== schema.enumDescriptions?.filter(isText).length,
    );
    const snippets = parts.flatMap(({ at, schema }) =>
      (schema.defaultSnippets ?? []).map(snippet => ({ at, snippet })),
    );
    const bare = snippets.filter(({ snippet }) => !isText(snippet.description));
    assert.deepEqual(
      [...silent, ...choices, ...bare].map(({ at }) => at),
      [],
    );
  });

  it('has the keys of a server and an input as they are read; `npm run schemas` writes them', () => {
    assert.equal(withSchemas(manifestText), manifestText);
  });

  it('refers only to commands and views of its own in menus and welcome texts', () => {
    const commands = new Set<string>(Object.values(Command));
    const views = new Set<string>(Object.values(View));
    const items = Object.values(contributes.menus).flat() as MenuItem[];
    const used = items.map(({ command }) => command);
    const linked = Object.values<string>(strings)
      .flatMap(text => [...text.matchAll(/\(command:(mcpRoots\.\w+)\)/g)])
      .map(([, command]) => command ?? '');
    assert.deepEqual(
      [...used, ...linked].filter(command => !commands.has(command)),
      [],
    );
    const seen = items.flatMap(({ when = '' }) => [...when.matchAll(/view == (\S+)/g)]);
    assert.deepEqual(
      seen.map(([, view]) => view ?? '').filter(view => !views.has(view)),
      [],
    );
  });

  it('has each button of a row in its menu, too, which opens without a mouse', () => {
    const items: readonly (MenuItem & { readonly group: string })[] =
      contributes.menus['view/item/context'];
    const isButton = ({ group }: { readonly group: string }) => group.startsWith('inline');
    const listed = items.filter(item => !isButton(item));
    assert.deepEqual(
      items
        .filter(isButton)
        .filter(({ command }) => !listed.some(item => item.command === command))
        .map(({ command }) => command),
      [],
    );
  });

  it('offers a start only where one can work', () => {
    const start = 'mcpRoots.startServer';
    const { viewsWelcome, walkthroughs, menus } = contributes;
    const key = Object.values(ContextKey).find(name => name === 'mcpRoots.canStart');
    const can = `isWorkspaceTrusted && workspaceFolderCount != 0 && !virtualWorkspace || ${key}`;
    const offers: readonly { readonly text: string; readonly when?: string }[] = [
      ...viewsWelcome.map(({ contents, when }: Offer) => ({ text: textOf(contents), when })),
      ...walkthroughs[0].steps.map(({ description, when }: Offer) => ({
        text: textOf(description),
        when,
      })),
      ...menus.commandPalette.map(({ command, when }: Offer) => ({ text: `:${command})`, when })),
    ].filter(({ text }) => text.includes(`:${start})`));
    assert.deepEqual(
      offers.map(({ when }) => when),
      [can, can, can],
    );
  });

  it('says why nothing is exposed in a window where no server can start', () => {
    const windows = {
      restricted: { isWorkspaceTrusted: false, workspaceFolderCount: 1, virtualWorkspace: false },
      noFolder: { isWorkspaceTrusted: true, workspaceFolderCount: 0, virtualWorkspace: false },
      virtual: { isWorkspaceTrusted: true, workspaceFolderCount: 1, virtualWorkspace: true },
      ordinary: { isWorkspaceTrusted: true, workspaceFolderCount: 1, virtualWorkspace: false },
    };
    const shown = Object.entries(windows).map(([name, keys]) => [
      name,
      ...contributes.viewsWelcome
        .filter(({ when = '' }: Offer) => isTrueIn(when, keys))
        .map(({ contents }: { readonly contents: string }) => contents),
    ]);
    assert.deepEqual(shown, [
      ['restricted', '%welcome.restricted%', '%welcome.noActivity%'],
      ['noFolder', '%welcome.noFolder%', '%welcome.noActivity%'],
      ['virtual', '%welcome.virtual%', '%welcome.noActivity%'],
      ['ordinary', '%welcome.activity%'],
    ]);
    assert.match(strings['welcome.restricted'], /no server starts, and no folder is exposed/);
    assert.match(strings['welcome.virtual'], /not on disk/);
  });

  it('lets no untrusted workspace say what is started', () => {
    const { untrustedWorkspaces, virtualWorkspaces } = manifest.capabilities;
    assert.equal(untrustedWorkspaces.supported, 'limited');
    assert.deepEqual(untrustedWorkspaces.restrictedConfigurations.sort(), [
      'mcpRoots.autoStart',
      'mcpRoots.bundledServer.allowWrite',
      'mcpRoots.excludeFolders',
      'mcpRoots.extraFolders',
      'mcpRoots.inputs',
      'mcpRoots.servers',
    ]);
    assert.equal(virtualWorkspaces.supported, 'limited');
    assert.deepEqual(manifest.extensionKind, ['workspace']);
  });

  it('lets no workspace say what may be exposed after all', () => {
    const { scope, default: paths } = contributes.configuration.properties['mcpRoots.neverExpose'];
    assert.equal(scope, 'application');
    const missing = [
      ...['/', '~', '~/.ssh', '~/.gnupg', '~/.aws', '~/.kube', '~/Library/Keychains'],
      ...[
        '~/.mozilla',
        '~/.config/google-chrome',
        '~/.config/chromium',
        '~/.config/microsoft-edge',
      ],
      ...['~/snap/firefox', '~/snap/chromium', '~/snap/brave', '~/snap/microsoft-edge'],
      ...['org.mozilla.firefox', 'com.google.Chrome', 'org.chromium.Chromium'].map(inFlatpak),
      ...['com.brave.Browser', 'com.microsoft.Edge', 'com.visualstudio.code'].map(inFlatpak),
      ...['Google/Chrome', 'Firefox', 'Microsoft Edge', 'BraveSoftware', 'Code'].map(inLibrary),
      ...['Mozilla/Firefox', 'Google/Chrome', 'Microsoft/Edge'].map(inLocalData),
      ...['Code', 'VSCodium', 'Cursor', 'Windsurf'].map(editor => `~/.config/${editor}`),
      ...['Code', 'VSCodium', 'Cursor', 'Windsurf'].map(inLibrary),
      ...['Code', 'VSCodium', 'Cursor', 'Windsurf'].map(name => `~/AppData/Roaming/${name}`),
      ...[
        '~/.vscode-server',
        '~/.cursor-server',
        '~/.windsurf-server',
        '~/.local/share/code-server',
      ],
    ].filter(path => !paths.includes(path));
    assert.deepEqual(missing, []);
    assert.equal(new Set(paths).size, paths.length);
  });

  it("lets only the user's own settings trace, end the sandbox or say what is never exposed", () => {
    const scopes = Object.entries<{ scope: string }>(contributes.configuration.properties);
    const ofUser = scopes.filter(([, { scope }]) => scope === 'application').map(([name]) => name);
    assert.deepEqual(ofUser, [
      'mcpRoots.trace',
      'mcpRoots.bundledServer.sandbox',
      'mcpRoots.neverExpose',
    ]);
  });

  it('never exposes the folders of editors that start servers, and leaves those of agents and apps', () => {
    const { default: paths } = contributes.configuration.properties['mcpRoots.neverExpose'];
    const exposed = Object.entries(knownClients).filter(
      ([, client]) =>
        'userFile' in client &&
        !paths.some(
          (path: string) => path !== '~' && `~/${client.userFile}`.startsWith(`${path}/`),
        ),
    );
    // In theirs lie working copies and programs, too, which a person may want to offer.
    assert.deepEqual(
      exposed.map(([name]) => name),
      ['codex', 'copilot-cli', 'gemini-cli', 'claude-desktop', 'zed'],
    );
  });

  it('asks for the oldest editor whose API it is typed against', () => {
    assert.equal(manifest.engines.vscode, `^${manifest.devDependencies['@types/vscode']}`);
  });

  it('names no address, or all that follow from that of its repository', () => {
    const { repository, bugs, homepage, qna, publisher } = manifest;
    const filled: Readonly<Record<string, unknown>> = repository
      ? withAddress(manifest, repository.url, publisher)
      : {};
    assert.deepEqual(
      [repository, bugs, homepage, qna],
      [filled['repository'], filled['bugs'], filled['homepage'], filled['qna']],
    );
  });

  it('is given its addresses by one command, and again by the same', () => {
    const url = 'https://github.com/owner/mcp-roots';
    const once = withAddress(manifest, url, 'ada');
    assert.deepEqual(Object.keys(once).slice(4, 9), [
      'publisher',
      'license',
      'repository',
      'bugs',
      'homepage',
    ]);
    const issues = `${url}/issues`;
    assert.deepEqual([once.bugs.url, once.homepage, once.qna], [issues, `${url}#readme`, issues]);
    const { repository, bugs, homepage, qna } = once;
    assert.deepEqual({ ...manifest, publisher: 'ada', repository, bugs, homepage, qna }, once);
    assert.deepEqual(withAddress(once, url, 'ada'), once);
    assert.throws(() => withAddress(manifest, url, ''), /^Error: Name the publisher /);
    const elsewhere = ['http://github.com/a/b', 'https://gitlab.com/a/b'];
    for (const odd of ['', 'owner/name', `${url}.git`, `${url}/`, ...elsewhere]) {
      assert.throws(
        () => withAddress(manifest, odd, 'ada'),
        /^Error: Name the repository as https:/,
      );
    }
  });

  it('pins every dependency to one version', () => {
    const versions = { ...manifest.dependencies, ...manifest.devDependencies };
    // A package may go by another name here, and may be published as a preview only.
    const exact = /^(?:npm:[@a-z/-]+@)?\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?$/;
    const loose = Object.entries<string>(versions).filter(([, version]) => !exact.test(version));
    assert.deepEqual(loose, []);
  });

  it('has a lock with every package that some system needs, so that a fresh clone installs', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    const needed = Object.values<{ optionalDependencies?: object }>(packages).flatMap(
      ({ optionalDependencies = {} }) => Object.keys(optionalDependencies),
    );
    const missing = needed.filter(name => !packages[`node_modules/${name}`]);
    assert.ok(needed.length > 8);
    assert.deepEqual(missing, []);
  });

  it('points only to files that are in the package', () => {
    const allowed = readFileSync(join(root, '.vscodeignore'), 'utf8');
    const files = [...manifestText.matchAll(/"(?:\.\/)?((?:dist|media)\/[\w./]+)"/g)];
    const named = files.map(([, path]) => path ?? '');
    for (const path of [...named, 'package.nls.json']) {
      assert.ok(path.startsWith('dist/') || existsSync(join(root, path)), path);
      assert.ok(allowed.includes(`!${path}\n`), `${path} is not in .vscodeignore`);
    }
  });
});

describe('the actions on a row', () => {
  const remedies: readonly Remedy['kind'][] = [
    ...(['edit', 'install', 'let-read', 'pass-on', 'restart', 'review', 'sandbox'] as const),
    ...(['show-log', 'sign-in', 'start'] as const),
  ];
  const menu: readonly MenuItem[] = contributes.menus['view/item/context'];
  const inline = menu.filter(({ group }) => group?.startsWith('inline'));
  const endings = (...parts: readonly string[]) =>
    parts.reduce<string[]>((all, part) => all.flatMap(one => [one, `${one}${part}`]), ['']);
  const servers = ['stopped', 'starting', 'running', 'stopping', 'failed'].flatMap(state =>
    ['', '.stale', '.waiting', '.given-up'].flatMap(status =>
      endings('.installed', '.offered', '.bundled', '.missing').map(
        more => `server.${state}${status}${more}`,
      ),
    ),
  );
  const reasons = ['allowed', 'undecided', 'denied', 'not-offered', 'forbidden', 'not-file'];
  const rows = [
    ...servers,
    ...reasons.flatMap(reason => [
      ...[`folder.${reason}`, `folder.${reason}.picked`, `folders.${reason}`],
    ]),
    ...['allowed', 'denied', 'waiting', 'unanswered'].flatMap(answer =>
      endings('.connected').map(more => `client.${answer}${more}`),
    ),
    ...['former-root', 'mistake', 'tools', 'tool', 'tool-problem'],
    ...remedies.map(kind => `problem.${kind}`),
  ];

  it('have one for each remedy of a problem', () => {
    const buttons = remedies.map(kind => {
      const shown = inline.filter(item => isShownOn(`problem.${kind}`, item));
      return [kind, ...shown.map(({ command }) => command.replace('mcpRoots.', ''))];
    });
    assert.deepEqual(buttons, [
      ['edit', 'editServer'],
      ['install', 'installProgram'],
      ['let-read', 'letRead'],
      ['pass-on', 'passOn'],
      ['restart', 'restartServer'],
      ['review', 'reviewAccess'],
      ['sandbox', 'sandboxHelp'],
      ['show-log', 'showLog'],
      ['sign-in', 'signIn'],
      ['start', 'startServer'],
    ]);
  });

  it('are three at most', () => {
    const crowded = rows.filter(row => inline.filter(item => isShownOn(row, item)).length > 3);
    assert.deepEqual(crowded, []);
    // A condition that this test could not read would show nothing anywhere.
    assert.deepEqual(
      inline.filter(item => !rows.some(row => isShownOn(row, item))),
      [],
    );
  });

  it('start what stands still, and help with what needs it', () => {
    const on = (row: string) =>
      inline
        .filter(item => isShownOn(row, item))
        .toSorted((a, b) => String(a.group).localeCompare(String(b.group)))
        .map(({ command }) => command.replace('mcpRoots.', ''));
    assert.deepEqual(
      [
        'server.stopped',
        'server.failed.given-up',
        'server.failed.waiting',
        'server.running.offered',
        'server.running.stale',
        'server.running.stale.missing',
        'server.starting',
        'server.stopping',
        'folder.undecided',
        'folder.undecided.picked',
        'client.waiting.connected',
      ].map(row => [row, ...on(row)]),
      [
        ['server.stopped', 'startServer'],
        ['server.failed.given-up', 'startServer'],
        ['server.failed.waiting', 'startServer', 'stopServer'],
        ['server.running.offered', 'callTool', 'stopServer'],
        ['server.running.stale', 'callTool', 'restartServer', 'stopServer'],
        ['server.running.stale.missing', 'letRead', 'restartServer', 'stopServer'],
        ['server.starting', 'stopServer'],
        ['server.stopping'],
        ['folder.undecided', 'revokeFolders'],
        ['folder.undecided.picked', 'revokeFolders'],
        ['client.waiting.connected', 'allowClient', 'denyClient', 'disconnectClient'],
      ],
    );
  });

  it('have the offer of a folder taken back where it was offered to one server', () => {
    const [taking] = menu.filter(({ command }) => command === 'mcpRoots.withdrawFolder');
    assert.deepEqual(
      rows.filter(row => taking && isShownOn(row, taking)),
      reasons.map(reason => `folder.${reason}.picked`),
    );
  });

  it('can all be reached from the keyboard, by the menu of the row', () => {
    const others = menu.filter(({ group }) => !group?.startsWith('inline'));
    const alone = rows.flatMap(row => {
      const inMenu = others.filter(item => isShownOn(row, item)).map(({ command }) => command);
      const onRow = inline.filter(item => isShownOn(row, item)).map(({ command }) => command);
      return onRow.filter(command => !inMenu.includes(command)).map(command => [row, command]);
    });
    assert.deepEqual(alone, []);
  });
});

describe('texts for people', () => {
  it('pass through the editor’s translation wherever a window shows them', () => {
    const shows = /\.show(?:Error|Warning|Information)Message\(\s*['"`]/;
    const files = globSync('src/extension/**/*.ts', { cwd: root });
    const bare = files.filter(file => shows.test(readFileSync(join(root, file), 'utf8')));
    assert.ok(files.length > 20);
    assert.deepEqual(bare, []);
  });
});

/** Whether a condition of the manifest holds, which is read as the JavaScript that it also is. */
function isTrueIn(when: string, keys: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(keys);
  const condition = when.replaceAll('mcpRoots.canStart', 'false');
  return new Function(...names, `return (${condition});`)(...Object.values(keys));
}

/** Whether a menu has the item on a row of that `contextValue`, of which no other is selected. */
function isShownOn(row: string, { when = '' }: MenuItem): boolean {
  return when.split(' || ').some(all => all.split(' && ').every(term => holds(term, row)));
}

function holds(term: string, row: string): boolean {
  const [, operator = '', operand = ''] = /^viewItem (==|!=|=~) (.+)$/.exec(term) ?? [];
  switch (operator) {
    case '==':
      return row === operand;
    case '!=':
      return row !== operand;
    case '=~':
      return new RegExp(operand.slice(1, -1)).test(row);
    default:
      return term === 'view == mcpRoots.servers';
  }
}

/** A schema and all that is in it, each with its place. */
function partsOf(at: string, schema: Schema, isKey = true): readonly SchemaPart[] {
  const { properties = {}, additionalProperties, items, anyOf = [] } = schema;
  const others = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  return [
    { at, schema, isKey },
    ...Object.entries(properties).flatMap(([key, part]) => partsOf(`${at}.${key}`, part)),
    ...(others ? partsOf(`${at}.*`, others, false) : []),
    ...(items ? partsOf(`${at}[]`, items, false) : []),
    ...anyOf.flatMap((part, index) => partsOf(`${at}|${index}`, part, false)),
  ];
}

/** What stands for `%key%`. */
function textOf(key = ''): string {
  return strings[key.slice(1, -1)] ?? '';
}

/** Whether it is a text that is translated and there. */
function isText(text: string | undefined): boolean {
  const key = /^%([\w.-]+)%$/.exec(text ?? '')?.[1];
  return Boolean(key && strings[key]?.trim());
}
