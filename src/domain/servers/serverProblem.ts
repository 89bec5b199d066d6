import { printable } from '../printable.ts';
import { type Sentence, sentence } from '../sentence.ts';
import { downloadProblem, lastWords, type ToldEnd, type ToldFailure } from './failureSentence.ts';
import { programName } from './fetchingPrograms.ts';
import type { Launch } from './launch.ts';
import type { ServerStatus } from './serverStatus.ts';

/** A problem that keeps a server from its work, for a person at a glance. */
export interface ServerProblem {
  /** The problem in a few words without a full stop, which leave room in a row for the remedy. */
  readonly what: Sentence;
  /** The remedy, as a request without a full stop. */
  readonly todo: Sentence;
  /** The one thing that does that, or leads there. */
  readonly remedy: Remedy;
}

/** The way out of a problem. */
export type Remedy =
  | {
      /**
       * `edit`: its definition is to be changed. `sign-in`: it is started by hand, which signs in.
       * `sandbox`: the manual on sandboxes.
       */
      readonly kind:
        | 'edit'
        | 'sign-in'
        | 'let-read'
        | 'restart'
        | 'review'
        | 'start'
        | 'show-log'
        | 'sandbox';
    }
  /** The page that says how a program is installed. */
  | { readonly kind: 'install'; readonly page: string }
  /** Variables of the editor that its definition is to pass on. */
  | { readonly kind: 'pass-on'; readonly variables: readonly string[] };

/** The facts on a server that its problem follows from. */
export interface ProblemFacts {
  readonly launch: Launch;
  /** Whether the user can change its definition. */
  readonly isEditable: boolean;
  /** Why it does not run; `undefined`: it did not fail. */
  readonly failure: ToldFailure | undefined;
  readonly status: ServerStatus;
  /** Whether it has run since a person last started or stopped it. */
  readonly wasReached: boolean;
  /** The path that it asked for and that its sandbox keeps from it. */
  readonly missedPath: string | undefined;
  /** Whether it said that it could not start a browser in its sandbox. */
  readonly lacksBrowser: boolean;
  /** The variables of the editor that it was not given, of those with a proxy's password. */
  readonly withheldProxies: readonly string[];
  /** The variables of the editor that it was not given. */
  readonly otherVariables: ReadonlySet<string>;
}

/** The problem of a server; `undefined` where nothing needs a person. */
export function problemOf(facts: ProblemFacts): ServerProblem | undefined {
  const { failure, status } = facts;
  const lack = lackOf(facts);
  if (failure?.kind === 'ended' && lack) {
    return lack;
  }
  if (failure) {
    const problem = givenUp(facts, failed(failure, facts));
    const isEdit = problem.remedy.kind === 'edit' || problem.remedy.kind === 'pass-on';
    return isEdit && !facts.isEditable ? readLog(problem.what) : problem;
  }
  switch (status.kind) {
    case 'starved':
      return {
        what: sentence('no folder is left'),
        todo: sentence('Allow it a folder'),
        remedy: { kind: 'review' },
      };
    case 'neglecting':
      return {
        what: sentence('its folders changed'),
        todo: sentence('Restart it to tell it'),
        remedy: { kind: 'restart' },
      };
    default:
      return lack;
  }
}

function readLog(what: Sentence): ServerProblem {
  return { what, todo: sentence('Read its log'), remedy: { kind: 'show-log' } };
}

/** The problem that its sandbox makes. */
function lackOf({ missedPath, lacksBrowser }: ProblemFacts): ServerProblem | undefined {
  if (lacksBrowser) {
    return {
      what: sentence("can't start a browser"),
      todo: sentence('Read what a browser takes in a sandbox'),
      remedy: { kind: 'sandbox' },
    };
  }
  return missedPath === undefined
    ? undefined
    : {
        what: sentence('wants {0}', printable(missedPath)),
        todo: sentence('Let it read this'),
        remedy: { kind: 'let-read' },
      };
}

/** The same problem, of a server that is not tried again: how often it was says more than the last try. */
function givenUp(
  { status, failure, wasReached }: ProblemFacts,
  problem: ServerProblem,
): ServerProblem {
  if (status.kind !== 'given-up') {
    return problem;
  }
  const times = String(status.deaths);
  const isAway = failure?.kind === 'unreachable';
  // A server that never came up did not die.
  const what = wasReached
    ? sentence('died {0} times', times)
    : sentence('did not start in {0} tries', times);
  return isAway || problem.remedy.kind !== 'show-log' ? problem : { ...problem, what };
}

function failed(failure: ToldFailure, facts: ProblemFacts): ServerProblem {
  switch (failure.kind) {
    case 'not-started':
      return notStarted(failure);
    case 'ended':
      return failure.hadClosedOutput
        ? readLog(sentence('closed its output'))
        : ended(failure.end, facts);
    case 'silent':
      return failure.rubbishLines
        ? {
            what: sentence('prints what is no MCP'),
            todo: sentence('Check that it is an MCP server, over stdio'),
            remedy: { kind: 'edit' },
          }
        : readLog(sentence('did not answer in {0} s', String(failure.seconds)));
    case 'protocol':
      return {
        what: sentence('does not speak MCP'),
        todo:
          facts.launch.type === 'http' ? sentence('Check its URL') : sentence('Check its command'),
        remedy: { kind: 'edit' },
      };
    case 'unreachable':
      return facts.wasReached
        ? {
            what: sentence('is not reached any more'),
            todo: sentence('Start it again when it is back'),
            remedy: { kind: 'start' },
          }
        : {
            what: sentence('was not reached'),
            todo: sentence('Check its URL, and that it runs'),
            remedy: { kind: 'edit' },
          };
    case 'lost':
      return {
        what: sentence('lost the connection'),
        todo: sentence('Start it again'),
        remedy: { kind: 'start' },
      };
    case 'unauthorized':
      return hasToken(facts.launch)
        ? {
            what: sentence('refused its token'),
            todo: sentence('Enter another one'),
            remedy: { kind: 'edit' },
          }
        : {
            what: sentence('wants you to sign in'),
            todo: sentence('Sign in'),
            remedy: { kind: 'sign-in' },
          };
  }
}

function notStarted({
  message,
  lack,
}: Extract<ToldFailure, { readonly kind: 'not-started' }>): ServerProblem {
  if (lack === 'sandbox') {
    return {
      what: sentence('has no sandbox here'),
      todo: sentence('Read what to do'),
      remedy: { kind: 'sandbox' },
    };
  }
  if (lack === 'input') {
    return {
      what: sentence('lacks a value'),
      todo: sentence('Start it to enter that'),
      remedy: { kind: 'start' },
    };
  }
  if (lack) {
    const name = programName(lack.program);
    const known = installPages.get(name);
    return known
      ? {
          what: sentence('{0} is missing', name),
          todo: sentence('Install {0}', known.title),
          remedy: { kind: 'install', page: known.page },
        }
      : {
          what: sentence('"{0}" not found', printable(lack.program)),
          todo: sentence('Correct its command'),
          remedy: { kind: 'edit' },
        };
  }
  return {
    what: sentence('could not be started'),
    todo: sentence('{0}', message),
    remedy: { kind: 'edit' },
  };
}

function ended(end: ToldEnd, facts: ProblemFacts): ServerProblem {
  const problem = downloadProblem(end);
  if (problem?.kind === 'distrust') {
    return {
      what: sentence('distrusts a certificate'),
      todo: problem.variable
        ? sentence('Set {0}', problem.variable)
        : sentence('Tell its owner that it has expired'),
      remedy: { kind: problem.variable ? 'edit' : 'show-log' },
    };
  }
  const wanted = problem
    ? facts.withheldProxies
    : namesIn(end.stderr).filter(name => facts.otherVariables.has(name));
  if (wanted.length > 0) {
    return {
      what: problem ? sentence('could not download') : sentence('lacks {0}', wanted.join(', ')),
      todo: sentence('Pass {0} on to it', wanted.join(', ')),
      remedy: { kind: 'pass-on', variables: wanted },
    };
  }
  return problem
    ? {
        what: sentence('could not download'),
        todo: sentence('Set HTTPS_PROXY if this machine needs a proxy'),
        remedy: { kind: 'edit' },
      }
    : readLog(
        end.signal
          ? sentence('ended by {0}', end.signal)
          : sentence('ended with code {0}', String(end.code ?? '?')),
      );
}

/** Names in the last line of standard error that could be variables. */
function namesIn(stderr: readonly string[]): readonly string[] {
  return [...new Set(lastWords(stderr)?.match(/\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\b/g) ?? [])];
}

function hasToken(launch: Launch): boolean {
  return launch.type === 'http' && Object.keys(launch.headers).length > 0;
}

const uv = {
  title: 'uv',
  page: 'https://docs.astral.sh/uv/getting-started/installation/',
};
const node = { title: 'Node.js', page: 'https://nodejs.org/en/download' };
const bun = { title: 'Bun', page: 'https://bun.sh/docs/installation' };
const python = { title: 'Python', page: 'https://www.python.org/downloads/' };

/** Where the programs that most servers are started by come from. */
const installPages: ReadonlyMap<string, { readonly title: string; readonly page: string }> =
  new Map([
    ['uv', uv],
    ['uvx', uv],
    ['node', node],
    ['npm', node],
    ['npx', node],
    ['bun', bun],
    ['bunx', bun],
    ['python', python],
    ['python3', python],
    [
      'deno',
      { title: 'Deno', page: 'https://docs.deno.com/runtime/getting_started/installation/' },
    ],
    ['docker', { title: 'Docker', page: 'https://docs.docker.com/get-started/get-docker/' }],
    ['podman', { title: 'Podman', page: 'https://podman.io/docs/installation' }],
    ['pipx', { title: 'pipx', page: 'https://pipx.pypa.io/stable/installation/' }],
  ]);
