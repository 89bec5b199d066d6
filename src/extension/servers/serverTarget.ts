import { homedir } from 'node:os';
import { isAbsolute, sep } from 'node:path';
import type { SandboxTerms } from '../../domain/sandbox/sandboxTerms.ts';
import { HumanError, isHumanError, sentence } from '../../domain/sentence.ts';
import { type EditorRules, ruleAgainst, ruleSentence } from '../../domain/servers/editorRules.ts';
import {
  type Expansion,
  expandLaunch,
  inputsOf,
  withEnvironment,
} from '../../domain/servers/expandLaunch.ts';
import type { HttpLaunch, Launch } from '../../domain/servers/launch.ts';
import { type EditorProxy, withEditorProxy } from '../../domain/servers/proxies.ts';
import type { StartRoot } from '../../domain/servers/rootsChange.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import { LackError } from '../../domain/servers/serverFailure.ts';
import { variablesIn } from '../../domain/variables.ts';
import type { StartMode } from '../../mcp/life/managedServer.ts';
import type { HttpStart } from '../../mcp/process/http/httpStart.ts';
import type { SecretStore } from '../../mcp/process/oauth/authorization.ts';
import type { Target } from '../../mcp/process/openWire.ts';
import type { ProcessStart } from '../../mcp/process/stdio/serverProcess.ts';
import type { Sandbox } from '../../mcp/sandbox/sandbox.ts';
import { pathsOnDisk } from '../foldersOnDisk.ts';
import { inputSecret } from '../records/serverSecrets.ts';
import type { InputQuestion } from './askForInput.ts';
import { bundledServerId } from './bundledServer.ts';
import { loadClient } from './loadClient.ts';

/** Makes the sandbox of this machine on the first call. */
export type SandboxSource = () => Promise<Sandbox>;

/** The parts of a window that a start needs. */
export interface TargetContext {
  /** Asks the user for an input. `undefined`: the user left, or the start was cancelled. */
  readonly askForInput: (question: InputQuestion) => Promise<string | undefined>;
  /** The editor's present proxy, in case the environment has no proxy. */
  readonly proxy: () => EditorProxy;
  readonly rules: () => readonly EditorRules[];
  /** Opens a page for signing in, and returns whether the page was opened. */
  readonly openBrowser: (url: string) => Promise<boolean>;
  /** The sandbox of this machine for confined servers. */
  readonly sandbox: SandboxSource;
}

export interface TargetRequest {
  readonly definition: ServerDefinition;
  /** The key of the server's stored data. `undefined`: the server has no stored data. */
  readonly key?: string;
  /** The key of the server's installed program. */
  readonly identity: string;
  readonly secrets: SecretStore;
  readonly mode: StartMode;
  /** Is aborted when the start is cancelled. No question is asked after that. */
  readonly signal: AbortSignal;
  /** The folders that the server may see, in their order. */
  readonly roots: readonly StartRoot[];
  /** Files and folders that no server may see, even within a folder that it may see. */
  readonly hidden: readonly string[];
  /** True if consent covers these contents of the environment file. */
  readonly isEnvFileBound: (text: string) => boolean;
}

/**
 * The launch of a server at this moment, with all variables filled in.
 *
 * @throws {HumanError} when something that the definition names is missing.
 */
export async function serverTarget(
  request: TargetRequest,
  context: TargetContext,
): Promise<Target> {
  const { definition, isEnvFileBound } = request;
  const roots = request.roots.map(({ path }) => path);
  const inputs = await inputValues(request, context);
  const expanded = expandLaunch(definition.launch, {
    env: process.env,
    inputs,
    roots,
  });
  if (!expanded.ok) {
    throw unexpanded(expanded);
  }
  const { launch, secrets } = expanded;
  // Checked here, because only this code knows the final launch of every start.
  const { id, label: name } = definition;
  const isOwn = id === bundledServerId;
  const ruled = { name, launch: definition.launch, isOwn, env: process.env };
  const rule = ruleAgainst(context.rules(), ruled, launch);
  if (rule) {
    throw new HumanError(ruleSentence(rule, name));
  }
  if (launch.type === 'http') {
    return httpStart(launch, secrets, request, context);
  }
  if (launch.envFile !== undefined && !isAbsolute(launch.envFile)) {
    // A relative path would depend on the roots of this start, but consent covers one file.
    throw new HumanError('The "envFile" {0} must be an absolute path.', launch.envFile);
  }
  const { processStart } = await loadClient();
  const own = withEditorProxy(process.env, context.proxy());
  const folder = roots[0] ?? homedir();
  const workspace = pathsOnDisk();
  const start = await processStart({ launch, secrets, folder, workspace, own, isEnvFileBound });
  const { sandbox: terms, sandboxIfAny } = definition;
  if (terms) {
    return (await context.sandbox()).start(start, { ...request, terms });
  }
  return sandboxIfAny ? inSandboxIfAny(start, sandboxIfAny, request, context) : start;
}

function unexpanded({ problem, variable }: Extract<Expansion, { readonly ok: false }>): HumanError {
  return variable === undefined
    ? new HumanError(problem)
    : new LackError({ named: sentence('no value for {0}', variable) }, problem);
}

/**
 * Looks for a fault that makes a start fail, whatever folders and inputs the user chooses.
 *
 * @throws {HumanError} when something that the definition names is missing.
 */
export async function assertComplete({ launch, sandbox: terms }: ServerDefinition): Promise<void> {
  const inputs = new Map(inputsOf(launch).map(id => [id, '']));
  const expanded = expandLaunch(launch, { env: process.env, inputs, roots: [''] });
  if (!expanded.ok && expanded.variable !== undefined) {
    throw unexpanded(expanded);
  }
  const { assertThere, processStart } = await loadClient();
  const fixed = withEnvironment(launch, process.env);
  if (fixed.type !== 'http') {
    const [cwd, envFile] = [fixed.cwd, fixed.envFile].map(path =>
      isFixed(path) ? path : undefined,
    );
    const asFixed = { ...fixed, cwd, envFile };
    await processStart({ launch: asFixed, secrets: [], folder: sep, workspace: pathsOnDisk() });
  }
  if (terms) {
    await assertThere(terms);
  }
}

/** Whether the path is the same for all roots. A relative path leads into the first root. */
function isFixed(path: string | undefined): boolean {
  return path !== undefined && isAbsolute(path) && variablesIn(path).length === 0;
}

/**
 * The paths that a server needs in its sandbox to run, as far as they can be known before the user
 * enters its inputs.
 *
 * @param folders the folders that the server may get.
 */
export async function sandboxNeeds(
  { launch, sandbox }: ServerDefinition,
  folders: readonly string[],
): Promise<readonly string[]> {
  const start = sandbox && (await expectedStart(launch, folders));
  if (!start) {
    return [];
  }
  const { neededPaths } = await loadClient();
  return neededPaths(start, [...folders, ...sandbox.read, ...sandbox.write]);
}

/**
 * The start of a server's process, with empty inputs. `undefined`: nobody can know the start yet,
 * or the server is reached over HTTP.
 *
 * @param folders the folders that the server may get.
 * @throws {HumanError} when the working directory or the environment file is missing.
 */
export async function expectedStart(
  launch: Launch,
  folders: readonly string[],
): Promise<ProcessStart | undefined> {
  const inputs = new Map(inputsOf(launch).map(id => [id, '']));
  const expanded = expandLaunch(launch, { env: process.env, inputs, roots: folders });
  if (!expanded.ok || expanded.launch.type === 'http') {
    return undefined;
  }
  const { processStart } = await loadClient();
  const folder = folders[0] ?? homedir();
  const { launch: filled } = expanded;
  return processStart({ launch: filled, secrets: [], folder, workspace: pathsOnDisk() });
}

async function inSandboxIfAny(
  start: ProcessStart,
  terms: SandboxTerms,
  request: TargetRequest,
  context: TargetContext,
): Promise<ProcessStart> {
  const sandbox = await context.sandbox();
  try {
    const confined = await sandbox.start(start, { ...request, terms });
    const isWriting = request.roots.some(({ isReadOnly }) => !isReadOnly);
    // It writes a new file beside each old one, which Landlock would deny where a `.git` is.
    return confined.sandbox?.seesNames && isWriting
      ? { ...start, noSandbox: sentence(readOnlyAlone) }
      : confined;
  } catch (error) {
    if (isHumanError(error)) {
      return { ...start, noSandbox: error.sentence };
    }
    throw error;
  }
}

const readOnlyAlone =
  'Without bubblewrap, the system could only confine the server if it may not write. Install bubblewrap, or switch off "mcpRoots.bundledServer.allowWrite".';

async function inputValues(
  { definition, secrets, mode, signal }: TargetRequest,
  { askForInput }: TargetContext,
): Promise<ReadonlyMap<string, string>> {
  const values = new Map<string, string>();
  for (const id of inputsOf(definition.launch)) {
    const known = await secrets.get(inputSecret(id));
    if (known === undefined && mode === 'by-itself') {
      throw new LackError(
        'input',
        'The server needs "{0}". To enter the value, start the server by hand.',
        id,
      );
    }
    const { label: serverLabel, from } = definition;
    const value = known ?? (await askForInput({ serverLabel, from, id, signal }));
    if (value === undefined || signal.aborted) {
      throw new LackError('input', 'The server needs "{0}", but you entered no value.', id);
    }
    if (known === undefined) {
      await secrets.set(inputSecret(id), value);
    }
    values.set(id, value);
  }
  return values;
}

function httpStart(
  { url, headers, transport, oauth }: HttpLaunch,
  hidden: readonly string[],
  { secrets, mode }: TargetRequest,
  { openBrowser }: TargetContext,
): HttpStart {
  return {
    url,
    headers,
    ...(transport && { transport }),
    secrets: hidden,
    authorization: { openBrowser, store: secrets, ...(oauth && { client: oauth }) },
    isInteractive: mode === 'by-hand',
  };
}
