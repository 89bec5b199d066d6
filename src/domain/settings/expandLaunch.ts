import { delimiter } from 'node:path';
import { hideable, secretsInArguments, secretsInText, secretValues } from '../secrets/redact.ts';
import { isSecretName } from '../secrets/secretNames.ts';
import { type Sentence, sentence } from '../sentence.ts';
import {
  keysWithRoots,
  type Launch,
  launchProblem,
  launchTexts,
  launchVariables,
  mapLaunchTexts,
} from '../servers/launch.ts';
import {
  knownVariables,
  replaceVariables,
  type Variable,
  variablesIn,
  type WrittenVariable,
} from './variables.ts';

/** The values of variables at one start of a server. */
export interface VariableValues {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** By the id of the input. */
  readonly inputs: ReadonlyMap<string, string>;
  /** The paths of the visible roots. */
  readonly roots: readonly string[];
}

export type Expansion =
  | {
      readonly ok: true;
      readonly launch: Launch;
      /** The values in it that must be seen nowhere. */
      readonly secrets: readonly string[];
    }
  | {
      readonly ok: false;
      readonly problem: Sentence;
      /** The variable that has no value, if it is that. */
      readonly variable?: string;
    };

/**
 * The launch with all of its variables put in, in one pass: a value is never looked at again.
 *
 * Fails closed. Above all, what names roots can't be started without one: to many servers no
 * folder in their arguments means every folder.
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

/** The ids of the inputs that a launch names, each once. */
export function inputsOf(launch: Launch): string[] {
  const ids = launchVariables(launch).flatMap(({ variable }) =>
    variable?.kind === 'input' ? [variable.name] : [],
  );
  return [...new Set(ids)];
}

/** The launch with the variables that need no start: inputs and roots stay as written. */
export function withEnvironment(launch: Launch, env: VariableValues['env']): Launch {
  return mapLaunchTexts(launch, text => fill(text, { ...ofNoStart, env }));
}

/** The path of the file with its variables, as far as that is known; `undefined`: there is none. */
export function envFileOf(launch: Launch, env: VariableValues['env']): string | undefined {
  return launch.type === 'http' || launch.envFile === undefined
    ? undefined
    : fill(launch.envFile, { ...ofNoStart, env });
}

/** True if the launch depends on the visible roots, so that only a restart renews it. */
export function namesRoots(launch: Launch): boolean {
  return keysWithRoots(launch).size > 0;
}

const ofNoStart = { inputs: new Map<string, string>(), roots: [] };

/** @param root the value of `${roots}` this time. */
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
  for (const { key, text } of launchTexts(launch)) {
    for (const written of variablesIn(text)) {
      const problem =
        written.variable?.kind === 'roots' && key !== 'args'
          ? { problem: sentence('{0} can stand in an argument only.', written.asWritten) }
          : problemWith(written, values);
      if (problem) {
        return problem;
      }
    }
  }
  return undefined;
}

function problemWith(
  { asWritten, variable }: WrittenVariable,
  values: VariableValues,
): VariableProblem | undefined {
  if (!variable) {
    const known = knownVariables.join(', ');
    return { problem: sentence('{0} is no variable. Those there are: {1}.', asWritten, known) };
  }
  if (variableValue(variable, values, values.roots[0]) === undefined) {
    const name = variable.kind === 'env' ? variable.name : asWritten;
    return { problem: missing(variable, asWritten), variable: name };
  }
  const problem = ambiguity(variable, values.roots);
  return problem && { problem };
}

function missing(variable: Variable, asWritten: string): Sentence {
  switch (variable.kind) {
    case 'workspaceFolder':
    case 'userHome':
      return sentence('This window has no folder that {0} could stand for.', asWritten);
    case 'env':
      return sentence('The environment variable {0} is not set.', variable.name);
    case 'input':
      return sentence('Nothing was entered for {0}.', asWritten);
    default:
      return sentence(
        'It is told of its folders when it is started ({0}), and it may see none now.',
        asWritten,
      );
  }
}

/** A server would read a folder whose path holds the separator as two others. */
function ambiguity(variable: Variable, roots: readonly string[]): Sentence | undefined {
  const separator = separatorOf(variable);
  const split = roots.find(root => separator !== undefined && root.includes(separator));
  return separator === undefined || split === undefined
    ? undefined
    : sentence('"{0}" separates the folders, but {1} holds it itself.', separator, split);
}

function isRepeated(text: string): boolean {
  return variablesIn(text).some(({ variable }) => variable?.kind === 'roots');
}

/** The separator between roots in one text; `undefined` for a variable that joins none. */
function separatorOf(variable: Variable): string | undefined {
  return variable.kind === 'rootsJoined' ? (variable.separator ?? delimiter) : undefined;
}

/** The value of a variable, which of `${roots}` is this root; `undefined` when there is none. */
function variableValue(
  variable: Variable,
  values: VariableValues,
  root: string | undefined,
): string | undefined {
  const { env, inputs, roots } = values;
  switch (variable.kind) {
    case 'workspaceFolder':
    case 'userHome':
      // Put in when the definition was read, so that its identity covers them; what is left over
      // had nothing to stand for then.
      return undefined;
    case 'env':
      return Object.hasOwn(env, variable.name) ? env[variable.name] : undefined;
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

/** The secrets recognised in a launch, whether or not a variable stood there. */
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
