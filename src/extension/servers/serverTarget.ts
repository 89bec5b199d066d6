import { homedir } from 'node:os';
import { isAbsolute, sep } from 'node:path';
import type { SandboxTerms } from '../../domain/sandbox/sandboxTerms.ts';
import { HumanError, isHumanError, sentence } from '../../domain/sentence.ts';
import { type EditorRules, ruleAgainst, ruleSentence } from '../../domain/servers/editorRules.ts';
import type { HttpLaunch, Launch } from '../../domain/servers/launch.ts';
import { type EditorProxy, withEditorProxy } from '../../domain/servers/proxies.ts';
import type { StartRoot } from '../../domain/servers/rootsChange.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import { LackError } from '../../domain/servers/serverFailure.ts';
import {
  type Expansion,
  expandLaunch,
  inputsOf,
  withEnvironment,
} from '../../domain/settings/expandLaunch.ts';
import { variablesIn } from '../../domain/settings/variables.ts';
import type { HttpStart } from '../../mcp/http/httpStart.ts';
import type { StartMode } from '../../mcp/managedServer.ts';
import type { Target } from '../../mcp/openWire.ts';
import type { Sandbox } from '../../mcp/sandbox/sandbox.ts';
import type { ProcessStart } from '../../mcp/stdio/serverProcess.ts';
import { pathsOnDisk } from '../folders/foldersOnDisk.ts';
import type { InputQuestion } from '../secrets/askForInput.ts';
import { inputSecret, type SecretStore } from '../secrets/serverSecrets.ts';
import { bundledServerId } from './bundledServer.ts';
import { loadClient } from './loadClient.ts';

/** Makes the sandbox of this machine on the first call. */
export type SandboxSource = () => Promise<Sandbox>;

/** The parts of a window that the start of a server takes. */
export interface TargetContext {
  /** Asks the user for an input; `undefined`: it was dismissed, or called off. */
  readonly askForInput: (question: InputQuestion) => Promise<string | undefined>;
  /** The proxy that stands in where the environment names none, as the settings are now. */
  readonly proxy: () => EditorProxy;
  readonly rules: () => readonly EditorRules[];
  /** Shows a page for signing in, and returns whether it was shown. */
  readonly openBrowser: (url: string) => Promise<boolean>;
  /** The sandbox of this machine, where servers can be kept. */
  readonly sandbox: SandboxSource;
}

export interface TargetRequest {
  readonly definition: ServerDefinition;
  /** The key of its installation. */
  readonly identity: string;
  readonly secrets: SecretStore;
  readonly mode: StartMode;
  /** Aborted when the start is called off: nothing is asked any more then. */
  readonly signal: AbortSignal;
  /** The folders it may see, in their order. */
  readonly roots: readonly StartRoot[];
  /** Files and folders that no server sees, whatever they lie in. */
  readonly hidden: readonly string[];
  /** True if consent covers the contents of its environment file. */
  readonly isEnvFileBound: (text: string) => boolean;
}

/**
 * The launch of a server now, with all variables of its definition put in.
 *
 * @throws {HumanError} when something that its definition names is not there.
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
  // Each start comes by here, and only here the final launch is known.
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
    // A relative path would depend on the roots of this start, and consent covers one file.
    throw new HumanError('Its "envFile" {0} must be an absolute path.', launch.envFile);
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
 * Looks for what keeps a server from a start whatever the user answers: which folders it may see, and what
 * is entered for its inputs.
 *
 * @throws {HumanError} when something that its definition names is not there.
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

/** True if the path is the same whatever the roots are, in the first of which a relative one lies. */
function isFixed(path: string | undefined): boolean {
  return path !== undefined && isAbsolute(path) && variablesIn(path).length === 0;
}

/**
 * The paths that a server needs in its sandbox to run, as far as known before its start: its inputs have
 * not been entered yet.
 *
 * @param folders those that it may come to see.
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
 * The start of a server's process if nothing had to be entered for it; `undefined` when that
 * can't be told, or it is called over HTTP.
 *
 * @param folders those that it may come to see.
 * @throws {HumanError} when its working directory or its file of variables is not there.
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
    return await sandbox.start(start, { ...request, terms });
  } catch (error) {
    if (isHumanError(error)) {
      return { ...start, noSandbox: error.sentence };
    }
    throw error;
  }
}

async function inputValues(
  { definition, secrets, mode, signal }: TargetRequest,
  { askForInput }: TargetContext,
): Promise<ReadonlyMap<string, string>> {
  const values = new Map<string, string>();
  for (const id of inputsOf(definition.launch)) {
    const known = await secrets.get(inputSecret(id));
    if (known === undefined && mode === 'by-itself') {
      throw new LackError('input', 'It needs "{0}". Start it by hand to be asked for that.', id);
    }
    const { label: serverLabel, from } = definition;
    const value = known ?? (await askForInput({ serverLabel, from, id, signal }));
    if (value === undefined || signal.aborted) {
      throw new LackError('input', 'It needs "{0}", which was not entered.', id);
    }
    if (known === undefined) {
      await secrets.set(inputSecret(id), value);
    }
    values.set(id, value);
  }
  return values;
}

function httpStart(
  { url, headers, transport }: HttpLaunch,
  hidden: readonly string[],
  { secrets, mode }: TargetRequest,
  { openBrowser }: TargetContext,
): HttpStart {
  return {
    url,
    headers,
    ...(transport && { transport }),
    secrets: hidden,
    authorization: { openBrowser, store: secrets },
    isInteractive: mode === 'by-hand',
  };
}
