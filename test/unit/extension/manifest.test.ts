import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { withAddress } from '../../../src/build/address.ts';
import { withSchemas } from '../../../src/build/schemas.ts';
import { knownClients } from '../../../src/domain/gateway/clientFiles.ts';
import type { Remedy } from '../../../src/domain/servers/serverFailure.ts';
import {
  Command,
  ContextKey,
  EntryCommand,
  McpProvider,
  RowCommand,
  RowsCommand,
  Setting,
  View,
} from '../../../src/extension/ids.ts';
import { isShownOn, type MenuItem } from '../../support/menus.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const manifestText = readFileSync(join(root, 'package.json'), 'utf8');
const manifest = JSON.parse(manifestText);
const { contributes } = manifest;
const strings = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8'));

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

  it('keeps the ids that users bind keys and settings to', () => {
    const pinned = `
      addServer allowClient allowFolders autoStart bundledServer.allowWrite bundledServer.sandbox
      callTool chooseTools connectClient connectClientTo copyDiagnostics denyClient disconnectClient
      editServer excludeFolders exportActivity extraFolders filterActivity filterActivityBy
      filterServers forgetClient forgetSecrets help idleMinutes importServers inputs
      installProgram letRead neverExpose offerFolder offerToAgents openHubConfig passOn removeServer renameServer
      reportIssue restartServer revealRoot reviewAccess revokeAll revokeAllOf revokeFolders
      sandboxHelp servers showAccess showAccessOf showActivity showLog showLogOf showMistake
      showStatus signIn startServer stopServer trace turnOffTools turnOnReadingTools turnOnTools
      updateServer withdrawFolder withdrawFromAgents
    `;
    assert.deepEqual(
      [...Object.values(Command), ...Object.values(Setting)].sort(),
      pinned.match(/\S+/g)?.map(id => `mcpRoots.${id}`),
    );
  });

  it('has row commands only in menus of rows, by whether they take several', () => {
    const namedIn = (items: readonly MenuItem[]) =>
      [...new Set(items.map(({ command }) => command))].sort();
    const { 'view/title': title, 'view/item/context': menu, commandPalette } = contributes.menus;
    const isForOne = ({ when = '' }: MenuItem) =>
      when.split(' || ').every(all => all.includes(' && !listMultiSelection'));
    const ofOne: readonly MenuItem[] = menu.filter(isForOne);
    const others: readonly MenuItem[] = menu.filter((item: MenuItem) => !ofOne.includes(item));
    assert.deepEqual(
      [namedIn(ofOne), namedIn(others)],
      [Object.values({ ...RowCommand, ...EntryCommand }).sort(), Object.values(RowsCommand).sort()],
    );
    const ofRows = new Set(namedIn(menu));
    const hidden = commandPalette.filter(({ when }: MenuItem) => when === 'false');
    const unreachable = namedIn(hidden).filter(command => !ofRows.has(command));
    const misled = namedIn(title).filter(command => ofRows.has(command));
    assert.deepEqual([misled, unreachable], [[], []]);
  });

  it('gives every command a category, a translatable title and a codicon', () => {
    for (const { command, category, title, icon } of contributes.commands) {
      assert.equal(category, 'MCP Roots', command);
      assert.match(title, /^%[\w.]+%$/, command);
      assert.match(icon, /^\$\([a-z-]+\)$/, command);
    }
  });

  it('names only strings that exist, and has no unused string', () => {
    const named = [...manifestText.matchAll(/"%([\w.-]+)%"/g)].map(([, key]) => key);
    assert.deepEqual([...new Set(named)].sort(), Object.keys(strings).sort());
  });

  it('describes every key of every setting, and every choice', () => {
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
    const places = [...silent, ...choices, ...bare].map(({ at }) => at);
    assert.deepEqual(places, []);
  });

  it('has the keys of servers and inputs as they are read; `npm run schemas` writes them', () => {
    assert.equal(withSchemas(manifestText), manifestText);
  });

  it('refers only to its commands and views in menus and welcome texts', () => {
    const commands = new Set<string>(Object.values(Command));
    const views = new Set<string>(Object.values(View));
    const items = Object.values(contributes.menus).flat() as MenuItem[];
    const used = items.map(({ command }) => command);
    const linked = Object.values<string>(strings)
      .flatMap(text => [...text.matchAll(/\(command:(mcpRoots\.\w+)\)/g)])
      .map(([, command]) => command ?? '');
    const unknown = [...used, ...linked].filter(command => !commands.has(command));
    assert.deepEqual(unknown, []);
    const seen = items.flatMap(({ when = '' }) => [...when.matchAll(/view == (\S+)/g)]);
    const strange = seen.map(([, view]) => view ?? '').filter(view => !views.has(view));
    assert.deepEqual(strange, []);
  });

  it('offers a start only where it can work', () => {
    const { viewsWelcome, walkthroughs, menus } = contributes;
    const key = Object.values(ContextKey).find(name => name === 'mcpRoots.canStart');
    const can = `isWorkspaceTrusted && workspaceFolderCount != 0 && !virtualWorkspace || ${key}`;
    const places: readonly Offer[] = [
      ...viewsWelcome,
      ...walkthroughs[0].steps,
      ...menus.commandPalette,
    ];
    const offers = places.filter(({ contents, description, command = '' }) =>
      `${textOf(contents)}${textOf(description)}:${command})`.includes(':mcpRoots.startServer)'),
    );
    const conditions = offers.map(({ when }) => when);
    assert.deepEqual(conditions, [can, can, can]);
  });

  it('says why a window where no server can start exposes nothing', () => {
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
  });

  it('lets no untrusted workspace define a start', () => {
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

  it('names the secrets of a home in neverExpose', () => {
    const { default: paths } = contributes.configuration.properties['mcpRoots.neverExpose'];
    const editors = ['Code', 'VSCodium', 'Cursor', 'Windsurf'];
    const flatpaks = [
      'org.mozilla.firefox com.google.Chrome org.chromium.Chromium com.brave.Browser',
      'com.microsoft.Edge com.visualstudio.code',
    ].flatMap(ids => ids.split(' '));
    const missing = [
      ...['/', '~', '~/.ssh', '~/.gnupg', '~/.aws', '~/.kube', '~/Library/Keychains'],
      ...['google-chrome', 'chromium', 'microsoft-edge', ...editors].map(
        name => `~/.config/${name}`,
      ),
      ...['firefox', 'chromium', 'brave', 'microsoft-edge'].map(name => `~/snap/${name}`),
      ...flatpaks.map(id => `~/.var/app/${id}`),
      ...['Google/Chrome', 'Firefox', 'Microsoft Edge', 'BraveSoftware', ...editors].map(
        name => `~/Library/Application Support/${name}`,
      ),
      ...['Mozilla/Firefox', 'Google/Chrome', 'Microsoft/Edge'].map(
        name => `~/AppData/Local/${name}`,
      ),
      ...editors.map(name => `~/AppData/Roaming/${name}`),
      ...['vscode', 'cursor', 'windsurf'].map(name => `~/.${name}-server`),
      ...['~/.mozilla', '~/.local/share/code-server'],
    ].filter(path => !paths.includes(path));
    assert.deepEqual(missing, []);
    assert.equal(new Set(paths).size, paths.length);
  });

  it('keeps user settings out of workspaces', () => {
    const scopes = Object.entries<{ scope: string }>(contributes.configuration.properties);
    const ofUser = scopes.filter(([, { scope }]) => scope === 'application').map(([name]) => name);
    assert.deepEqual(ofUser, [
      'mcpRoots.trace',
      'mcpRoots.bundledServer.sandbox',
      'mcpRoots.neverExpose',
    ]);
  });

  it('has folders of editors in neverExpose, and not those of agents and apps', () => {
    const { default: paths } = contributes.configuration.properties['mcpRoots.neverExpose'];
    const exposed = Object.entries(knownClients).filter(
      ([, client]) =>
        'userFile' in client &&
        !paths.some(
          (path: string) => path !== '~' && `~/${client.userFile}`.startsWith(`${path}/`),
        ),
    );
    // Their folders also have working copies and programs, which the user may want to offer.
    const names = exposed.map(([name]) => name);
    assert.deepEqual(names, ['codex', 'copilot-cli', 'gemini-cli', 'claude-desktop', 'zed']);
  });

  it('requires the editor version of its API types', () => {
    assert.equal(manifest.engines.vscode, `^${manifest.devDependencies['@types/vscode']}`);
  });

  it('names no address, or all addresses of its repository', () => {
    const { repository, bugs, homepage, qna, publisher } = manifest;
    const filled: Readonly<Record<string, unknown>> = repository
      ? withAddress(manifest, repository.url, publisher)
      : {};
    assert.deepEqual(
      [repository, bugs, homepage, qna],
      [filled['repository'], filled['bugs'], filled['homepage'], filled['qna']],
    );
  });

  it('gets its addresses from one command, which can be repeated', () => {
    const url = 'https://github.com/owner/mcp-roots';
    const once = withAddress(manifest, url, 'ada');
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

  it('has a lock with the packages of every system, so that a fresh clone installs', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    const needed = Object.values<{ optionalDependencies?: object }>(packages).flatMap(
      ({ optionalDependencies = {} }) => Object.keys(optionalDependencies),
    );
    const missing = needed.filter(name => !packages[`node_modules/${name}`]);
    assert.ok(needed.length > 8);
    assert.deepEqual(missing, []);
  });

  it('refers only to files that are in the package', () => {
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
  /** The buttons of each row, from left to right. */
  const buttonsOn = (rows: readonly string[]) => {
    const sorted = inline.toSorted((a, b) => String(a.group).localeCompare(String(b.group)));
    const on = (row: string) => sorted.filter(item => isShownOn(row, item));
    const names = (row: string) => on(row).map(({ command }) => command.replace('mcpRoots.', ''));
    return Object.fromEntries(rows.map(row => [row, names(row).join(' ')]));
  };
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
    ...['former-root', 'mistake', 'tools', 'tool', 'tool-problem', 'activity'],
    ...remedies.map(kind => `problem.${kind}`),
  ];

  it('have one for each remedy of a problem', () => {
    assert.deepEqual(buttonsOn(remedies.map(kind => `problem.${kind}`)), {
      'problem.edit': 'editServer',
      'problem.install': 'installProgram',
      'problem.let-read': 'letRead',
      'problem.pass-on': 'passOn',
      'problem.restart': 'restartServer',
      'problem.review': 'reviewAccess',
      'problem.sandbox': 'sandboxHelp',
      'problem.show-log': 'showLogOf',
      'problem.sign-in': 'signIn',
      'problem.start': 'startServer',
    });
  });

  it('are at most three', () => {
    const crowded = rows.filter(row => inline.filter(item => isShownOn(row, item)).length > 3);
    assert.deepEqual(crowded, []);
    // A condition that this test could not read would show nothing anywhere.
    const unreachable = inline.filter(item => !rows.some(row => isShownOn(row, item)));
    assert.deepEqual(unreachable, []);
  });

  it('start a stopped server, and help with a problem', () => {
    const expected = {
      'server.stopped': 'startServer',
      'server.failed.given-up': 'startServer',
      'server.failed.waiting': 'startServer stopServer',
      'server.running.offered': 'callTool stopServer',
      'server.running.stale': 'callTool restartServer stopServer',
      'server.running.stale.missing': 'callTool restartServer stopServer',
      'server.starting': 'stopServer',
      'server.stopping': '',
      'folder.undecided': 'revokeFolders',
      'folder.undecided.picked': 'revokeFolders',
      'client.waiting.connected': 'allowClient denyClient disconnectClient',
    };
    assert.deepEqual(buttonsOn(Object.keys(expected)), expected);
  });

  it('withdraw a folder that was offered to one server', () => {
    const [taking] = menu.filter(({ command }) => command === 'mcpRoots.withdrawFolder');
    assert.deepEqual(
      rows.filter(row => taking && isShownOn(row, taking)),
      reasons.map(reason => `folder.${reason}.picked`),
    );
  });

  it('are all reachable by keyboard, in the menu of the row', () => {
    const others = menu.filter(({ group }) => !group?.startsWith('inline'));
    const alone = rows.flatMap(row => {
      const inMenu = others.filter(item => isShownOn(row, item)).map(({ command }) => command);
      const onRow = inline.filter(item => isShownOn(row, item)).map(({ command }) => command);
      return onRow.filter(command => !inMenu.includes(command)).map(command => [row, command]);
    });
    assert.deepEqual(alone, []);
  });
});

/** Whether a condition of the manifest holds, which is read as the JavaScript that it also is. */
function isTrueIn(when: string, keys: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(keys);
  const condition = when.replaceAll('mcpRoots.canStart', 'false');
  return new Function(...names, `return (${condition});`)(...Object.values(keys));
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

/** The text of `%key%`. */
function textOf(key = ''): string {
  return strings[key.slice(1, -1)] ?? '';
}

/** Whether it is a text that is translated and there. */
function isText(text: string | undefined): boolean {
  const key = /^%([\w.-]+)%$/.exec(text ?? '')?.[1];
  return Boolean(key && strings[key]?.trim());
}
