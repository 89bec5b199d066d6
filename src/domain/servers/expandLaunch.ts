import { delimiter } from 'node:path';
import { hideable, secretsInArguments, secretsInText, secretValues } from '../secrets/redact.ts';
import { isSecretName } from '../secrets/secretNames.ts';
import { type Sentence, sentence } from '../sentence.ts';
import {
  replaceVariables,
  type Variable,
  variablesIn,
  type WrittenVariable,
} from '../variables.ts';
import {
  type Launch,
  launchProblem,
  launchTexts,
  launchVariables,
  mapLaunchTexts,
} from './launch.ts';

/** The values of variables at one start of a server. */
export interface VariableValues {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The values of inputs, by id. */
  readonly inputs: ReadonlyMap<string, string>;
  /** The paths of the visible roots. */
  readonly roots: readonly string[];
}

export type Expansion =
  | {
      readonly ok: true;
      readonly launch: Launch;
      /** Values in the launch that nobody may see. */
      readonly secrets: readonly string[];
    }
  | {
      readonly ok: false;
      readonly problem: Sentence;
      /** The variable without a value, if a missing value is the problem. */
      readonly variable?: string;
    };

/**
 * Fills all variables of a launch in, in one pass: variables in a value are not expanded.
 *
 * If a value is missing, the launch fails. Above all, a launch that names roots fails without a
 * root: to many servers, no folder in their arguments means every folder.
 */
export function expandLaunch(launch: Launch, values: VariableValues): Expansion {
  const problem = firstProblem(launch, values);
  if (problem) {
    return { ok: false, ...problem };
  }
  const expanded = mapLaunchTexts(
    launch,
    text => fill(text, values),
    text =>
      isRepeated(text) ? values.roots.map(root => fill(text, values, root)) : [fill(text, values)],
  );
  const unfit = launchProblem(expanded);
  return unfit
    ? { ok: false, problem: unfit }
    : { ok: true, launch: expanded, secrets: secretsIn(expanded, launch, values) };
}

/** The ids of the inputs in a launch, each once. */
export function inputsOf(launch: Launch): string[] {
  const ids = launchVariables(launch).flatMap(({ variable }) =>
    variable?.kind === 'input' ? [variable.name] : [],
  );
  return [...new Set(ids)];
}

/** The launch with the environment filled in. Inputs and roots stay as written. */
export function withEnvironment(launch: Launch, env: VariableValues['env']): Launch {
  return mapLaunchTexts(launch, text => fill(text, { ...ofNoStart, env }));
}

/** The path of the environment file, with the environment filled in; `undefined`: no file. */
export function envFileOf(launch: Launch, env: VariableValues['env']): string | undefined {
  return launch.type === 'http' || launch.envFile === undefined
    ? undefined
    : fill(launch.envFile, { ...ofNoStart, env });
}

const ofNoStart = { inputs: new Map<string, string>(), roots: [] };

/** Fills in the variables of a text. @param root the value of `${roots}` in this text. */
function fill(text: string, values: VariableValues, root?: string): string {
  return replaceVariables(text, ({ asWritten, variable }) =>
    variable ? (variableValue(variable, values, root) ?? asWritten) : asWritten,
  );
}

interface VariableProblem {
  readonly problem: Sentence;
  readonly variable?: string;
}

function firstProblem(launch: Launch, values: VariableValues): VariableProblem | undefined {
  return launchTexts(launch)
    .flatMap(({ key, text }) => variablesIn(text).map(written => problemWith(written, key, values)))
    .find(Boolean);
}

function problemWith(
  { asWritten, variable }: WrittenVariable,
  key: string,
  values: VariableValues,
): VariableProblem | undefined {
  // The settings were checked before, and this mistake was reported with its place.
  if (!variable || (variable.kind === 'roots' && key !== 'args')) {
    return { problem: sentence('{0} cannot be used in this place.', asWritten) };
  }
  if (variableValue(variable, values, values.roots[0]) === undefined) {
    const name = variable.kind === 'env' ? variable.name : asWritten;
    return { problem: sentence(missing[variable.kind], name), variable: name };
  }
  const problem = ambiguity(variable, values.roots);
  return problem && { problem };
}

const folder = 'This window has no folder that {0} matches, or has several. Open exactly one.';
const folders = 'The server needs a folder for {0}. Allow a folder, then start the server.';

/** The messages for variables without a value. `literal` always has a value. */
const missing: Readonly<Record<Variable['kind'], string>> = {
  workspaceFolder: folder,
  userHome: folder,
  env: 'The environment variable {0} is not set.',
  input: 'You entered no value for {0}.',
  roots: folders,
  rootsJoined: folders,
  firstRoot: folders,
  literal: '',
};

/** Why a server would read one folder's path as two folders: it contains the separator. */
function ambiguity(variable: Variable, roots: readonly string[]): Sentence | undefined {
  const separator = separatorOf(variable);
  const split = roots.find(root => separator !== undefined && root.includes(separator));
  return separator === undefined || split === undefined
    ? undefined
    : sentence(
        'The path {1} contains "{0}", which separates the folders. Use another separator, or share another folder.',
        separator,
        split,
      );
}

function isRepeated(text: string): boolean {
  return variablesIn(text).some(({ variable }) => variable?.kind === 'roots');
}

/** The separator between the roots of `${rootsJoined}`; `undefined` for other variables. */
function separatorOf(variable: Variable): string | undefined {
  return variable.kind === 'rootsJoined' ? (variable.separator ?? delimiter) : undefined;
}

/** The value of a variable; `undefined` without a value. `root` is the value of `${roots}`. */
function variableValue(
  variable: Variable,
  values: VariableValues,
  root: string | undefined,
): string | undefined {
  const { env, inputs, roots } = values;
  switch (variable.kind) {
    case 'workspaceFolder':
    case 'userHome':
      // These variables were filled in when the definition was read, so that the identity covers
      // their values. A variable that is left had no value.
      return undefined;
    case 'env':
      return (
        (Object.hasOwn(env, variable.name) ? env[variable.name] : undefined) ?? variable.default
      );
    case 'literal':
      return variable.text;
    case 'input':
      return inputs.get(variable.name);
    case 'roots':
      return root;
    case 'rootsJoined':
      return roots.length > 0 ? roots.join(separatorOf(variable)) : undefined;
    case 'firstRoot':
      return roots[0];
  }
}

function secretsIn(expanded: Launch, launch: Launch, values: VariableValues): string[] {
  const used = launchVariables(launch).flatMap(({ variable }) => {
    const isSecret =
      variable?.kind === 'input' || (variable?.kind === 'env' && isSecretName(variable.name));
    return isSecret ? (variableValue(variable, values, undefined) ?? []) : [];
  });
  return hideable([...used, ...literalSecrets(expanded)]);
}

/** The secrets in the texts of a filled-in launch, even if no variable held them. */
function literalSecrets(expanded: Launch): string[] {
  if (expanded.type === 'http') {
    const { url, headers } = expanded;
    return [...secretValues({ ...queryOf(url), ...headers }), ...secretsInText(url)];
  }
  const { command, args, env } = expanded;
  return [...secretValues(env), ...secretsInText(command), ...secretsInArguments(command, args)];
}

function queryOf(url: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URL(url).searchParams);
}
