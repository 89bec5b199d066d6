import { messageOf } from '../../base/messageOf.ts';
import { programName } from '../fetchingPrograms.ts';
import { printable } from '../printable.ts';
import {
  HumanError,
  isHumanError,
  type Sentence,
  sentence,
  type Words,
  withTexts,
} from '../sentence.ts';
import { type DownloadProblem, downloadProblem, type EndText, lastWords } from './lastWords.ts';
import type { Launch } from './launch.ts';

/**
 * What a start lacks. `program` is the program's name, and `named` says in a few words what else in
 * the definition is missing.
 */
export type Lack =
  | { readonly program: string }
  | { readonly named: Sentence }
  | 'sandbox'
  | 'input'
  | 'installation';

/** A start that failed because something is missing. */
export class LackError extends HumanError {
  readonly lack: Lack;

  constructor(lack: Lack, template: string | Sentence, ...values: readonly Words[]) {
    super(template, ...values);
    this.lack = lack;
  }
}

/** What a start lacked, by the error's field, because each bundle has its own class. */
export function lackOf(error: unknown): Lack | undefined {
  return error instanceof Error && 'lack' in error ? (error as LackError).lack : undefined;
}

/** The failure of a start that never had a process. `error` is the reason. */
export function notStarted(error: unknown): Failure {
  const lack = lackOf(error);
  const message = isHumanError(error) ? error.sentence : messageOf(error);
  if (lack === 'installation') {
    return { kind: 'not-installed', message };
  }
  return { kind: 'not-started', message, ...(lack && { lack }) };
}

/** Why a server does not run: a kind of failure, and facts for this kind. */
export type Failure =
  | {
      readonly kind: 'not-started';
      readonly message: Words;
      readonly lack?: Exclude<Lack, 'installation'>;
    }
  /** The installation at the server's first start failed. */
  | { readonly kind: 'not-installed'; readonly message: Words }
  | {
      readonly kind: 'ended';
      readonly end: EndText;
      /** True if we ended the process, because it closed its output and kept running. */
      readonly hadClosedOutput?: true;
      /** If the process ended in the handshake: how many printed lines were not messages. */
      readonly rubbishLines?: number;
    }
  | {
      readonly kind: 'silent';
      readonly seconds: number;
      readonly rubbishLines?: number;
      /** The last lines of the server's standard error. */
      readonly stderr?: readonly string[];
    }
  | { readonly kind: 'protocol'; readonly message: Words }
  /** Nothing answers at the server's address, or a gateway there can't reach the server. */
  | { readonly kind: 'unreachable'; readonly message: Words }
  /** The server demands a sign-in, and has not accepted one yet. */
  | { readonly kind: 'unauthorized'; readonly message: Words }
  /** The server answered before. Now it is gone, or has ended its session. */
  | { readonly kind: 'lost'; readonly message: Words };

export type FailureKind = Failure['kind'];

type FailureOf<K extends FailureKind> = Extract<Failure, { readonly kind: K }>;

/** A problem that keeps a server from working, in a few words for a person. */
export interface ServerProblem {
  /** The problem in a few words without a full stop, because a row shows other text beside them. */
  readonly what: Sentence;
  /** What to do, as a request without a full stop. For a refused start: why it was refused. */
  readonly todo: Sentence;
  /** The one action that solves the problem, or leads to a solution. */
  readonly remedy: Remedy;
}

export type Remedy =
  | PlainRemedy
  /** Opens a page with instructions to install a program. */
  | { readonly kind: 'install'; readonly page: string }
  /** Adds variables of the editor to the server's definition. */
  | { readonly kind: 'pass-on'; readonly variables: readonly string[] };

/**
 * `edit`: change the definition. `sign-in`: start the server by hand, which signs in. `sandbox`:
 * open the manual on sandboxes.
 */
interface PlainRemedy {
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

export interface FailureFacts {
  readonly launch: Launch;
  /** Whether the server came up at any time since a person last started it. */
  readonly wasReached: boolean;
  /** The editor's proxy variables that the server did not get because they hold a password. */
  readonly withheldProxies: readonly string[];
  /** The editor's other variables that the server did not get. */
  readonly otherVariables: ReadonlySet<string>;
}

interface FailureRow<F> {
  /** Why the server does not run. The text follows the server's name. */
  readonly sentence: (failure: F) => Sentence;
  readonly problem: (failure: F, facts: FailureFacts) => ServerProblem;
  /**
   * The retry that may succeed: starting a server that ended, or calling one that runs elsewhere.
   * `none`: a retry would fail the same way.
   */
  readonly retry: 'start' | 'call' | 'none';
  /** Whether a retry after this failure is useless, although the kind of failure allows a retry. */
  readonly isHopeless?: (failure: F) => boolean;
  /** The advice in the hub, which can't ask anybody. The text has no full stop. */
  readonly inHub?: string;
  /** True if no process had started. What was missing, such as a root, may be there next time. */
  readonly isEarly?: true;
  /** The server may be away for days. Retries start no process, and only a change is reported. */
  readonly isAway?: true;
}

const failures: { readonly [K in FailureKind]: FailureRow<FailureOf<K>> } = {
  'not-started': {
    sentence: startSentence,
    problem: startProblem,
    retry: 'none',
    isEarly: true,
  },
  'not-installed': {
    sentence: startSentence,
    problem: () => readLog('could not be installed'),
    retry: 'start',
    isEarly: true,
  },
  ended: {
    sentence: endSentence,
    problem: ({ hadClosedOutput, end }, facts) =>
      hadClosedOutput ? readLog('closed its output') : endProblem(end, facts),
    retry: 'start',
    // If a certificate is not trusted now, it will not be trusted at the next start.
    isHopeless: ({ end }) => downloadProblem(end)?.kind === 'distrust',
  },
  silent: {
    sentence: failure =>
      withLastWords(
        sentence('did not answer within {0} seconds', String(failure.seconds)),
        failure.stderr ?? [],
        failure,
      ),
    problem: ({ rubbishLines, seconds }) =>
      rubbishLines
        ? problem(
            'prints text that is not MCP',
            'Check that the command starts an MCP server',
            'edit',
          )
        : readLog(sentence('did not answer within {0} s', String(seconds))),
    retry: 'start',
  },
  protocol: {
    sentence: ({ message }) => sentence('does not speak MCP as expected: {0}', message),
    problem: (_failure, { launch }) => {
      const todo = launch.type === 'http' ? 'Check the URL' : 'Check the command';
      return problem('does not speak MCP', todo, 'edit');
    },
    retry: 'none',
  },
  unreachable: {
    sentence: ({ message }) => sentence("can't be reached: {0}", message),
    problem: (_failure, { wasReached }) =>
      wasReached
        ? problem("can't be reached any more", 'Wait for a retry, or start the server', 'start')
        : problem('could not be reached', 'Check the URL, and that the server runs', 'edit'),
    retry: 'call',
    isAway: true,
  },
  lost: {
    sentence: ({ message }) => sentence('lost the connection: {0}', message),
    problem: () => problem('lost the connection', 'Start the server again', 'start'),
    retry: 'call',
  },
  unauthorized: {
    sentence: ({ message }) => sentence('refused access: {0}', message),
    problem: (_failure, { launch }) =>
      hasToken(launch)
        ? problem('refused the token', 'Enter another token', 'edit')
        : problem('requires a sign-in', 'Sign in', 'sign-in'),
    retry: 'none',
    inHub: 'The hub cannot sign in: put a header with a token into the configuration',
  },
};

/** Why a server does not run, with its own last words. The text follows the server's name. */
export function failureSentence(failure: Failure): Sentence {
  return failureRow(failure.kind).sentence(failure);
}

export function failureProblem(failure: Failure, facts: FailureFacts): ServerProblem {
  return failureRow(failure.kind).problem(failure, facts);
}

/** The facts about a kind of failure. The row's functions accept only failures of this kind. */
export function failureRow(kind: FailureKind): FailureRow<Failure> {
  return failures[kind] as FailureRow<Failure>;
}

/** The last lines of a failed process's standard error. */
export function stderrOf(failure: Failure): readonly string[] {
  return ('end' in failure ? failure.end.stderr : 'stderr' in failure && failure.stderr) || [];
}

/** A problem with a plain remedy. */
export function problem(
  what: string | Sentence,
  todo: string | Sentence,
  kind: PlainRemedy['kind'],
): ServerProblem {
  return { what: sentence(what), todo: sentence(todo), remedy: { kind } };
}

/** The problem of a server when only its log can say more. */
export function readLog(what: string | Sentence): ServerProblem {
  return problem(what, 'Read the log', 'show-log');
}

/** Mentions printed lines that are not messages, unless standard error explains the end. */
function endSentence(failure: FailureOf<'ended'>): Sentence {
  const { end, hadClosedOutput } = failure;
  const download = downloadProblem(end);
  // Standard error explains a crash, but not a signal that another program sent.
  const isEndedByOther = !hadClosedOutput && /^SIG(?:KILL|TERM|INT|HUP)$/.test(end.signal ?? '');
  return download
    ? downloadSentence(download)
    : withLastWords(wayToEnd(failure), isEndedByOther ? [] : end.stderr, failure);
}

function withLastWords(
  how: Sentence,
  stderr: readonly string[],
  failure: { readonly rubbishLines?: number },
): Sentence {
  const line = lastWords(stderr);
  return line === undefined
    ? withRubbish(how, failure)
    : sentence('{0}: {1}', how, printable(line));
}

function wayToEnd({ end, hadClosedOutput }: FailureOf<'ended'>): Sentence {
  if (hadClosedOutput) {
    return sentence('closed its output and kept running');
  }
  const { code, signal } = end;
  return signal
    ? sentence('ended by {0}', signal)
    : sentence('ended with exit code {0}', String(code ?? '?'));
}

/** The network problem and its remedy. They help more than the way in which the process ended. */
function downloadSentence(reason: DownloadProblem): Sentence {
  const host = reason.host === undefined ? undefined : printable(reason.host);
  if (reason.kind === 'unreachable') {
    const what =
      host === undefined
        ? sentence('could not download')
        : sentence('could not download from {0}', host);
    return sentence('{0}: set HTTPS_PROXY if this machine needs a proxy', what);
  }
  const what =
    host === undefined
      ? sentence('does not trust a certificate')
      : sentence('does not trust the certificate of {0}', host);
  return reason.variable === undefined
    ? sentence('{0}, which has expired', what)
    : sentence("{0}: set {1} to the file with your company's certificates", what, reason.variable);
}

function withRubbish(
  what: Sentence,
  { rubbishLines = 0 }: { readonly rubbishLines?: number },
): Sentence {
  switch (rubbishLines) {
    case 0:
      return what;
    case 1:
      return sentence('{0}, and printed a line that is not an MCP message', what);
    default:
      return sentence(
        '{0}, and printed {1} lines that are not MCP messages',
        what,
        String(rubbishLines),
      );
  }
}

function startSentence({ message }: FailureOf<'not-started' | 'not-installed'>): Sentence {
  return sentence('could not be started: {0}', message);
}

function startProblem({ message, lack }: FailureOf<'not-started'>): ServerProblem {
  if (lack === 'sandbox') {
    return problem('can get no sandbox', 'Read what to do', 'sandbox');
  }
  if (lack === 'input') {
    return problem('needs a value', 'Start the server to enter the value', 'start');
  }
  if (lack && 'named' in lack) {
    return problem(withTexts(lack.named, printable), sentence('{0}', message), 'edit');
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
      : problem(
          sentence('"{0}" not found', printable(lack.program)),
          'Correct the command',
          'edit',
        );
  }
  return problem('could not be started', sentence('{0}', message), 'edit');
}

function endProblem(end: EndText, facts: FailureFacts): ServerProblem {
  const download = downloadProblem(end);
  if (download?.kind === 'distrust') {
    const what = 'does not trust a certificate';
    return download.variable
      ? problem(what, sentence('Set {0}', download.variable), 'edit')
      : problem(what, 'Tell the owner of the certificate that it has expired', 'show-log');
  }
  const wanted = download
    ? facts.withheldProxies
    : namesIn(end.stderr).filter(name => facts.otherVariables.has(name));
  if (wanted.length > 0) {
    return {
      what: download ? sentence('could not download') : sentence('needs {0}', wanted.join(', ')),
      todo: sentence('Pass {0} on to the server', wanted.join(', ')),
      remedy: { kind: 'pass-on', variables: wanted },
    };
  }
  if (download) {
    const todo = 'Set HTTPS_PROXY if this machine needs a proxy';
    return problem('could not download', todo, 'edit');
  }
  return readLog(
    end.signal
      ? sentence('ended by {0}', end.signal)
      : sentence('ended with code {0}', String(end.code ?? '?')),
  );
}

/** Words in the last line of standard error that may be names of variables. */
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

/** The pages to install the programs that most servers need. */
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
