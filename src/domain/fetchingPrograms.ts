/** How the arguments of a program such as `npx` name the package or image to fetch. */
interface FetchingProgram {
  /** The program fetches if the words of one list come first, in order; without lists, always. */
  readonly subcommands: readonly (readonly string[])[];
  /** Options without a value, separated by blanks. */
  readonly flags: string;
  /** Options with a value that is the next argument. */
  readonly valued: string;
  /** Options whose value names the package or image to fetch. */
  readonly naming: string;
}

/**
 * The indices of the arguments that may name what a program such as `npx` or `docker run` fetches
 * and then runs; `undefined` when the program fetches nothing.
 *
 * Those arguments decide what runs, just as the program does. After an unknown option, the next
 * word counts, too: it may be the option's value, or the name. Text for a shell is not searched.
 */
export function fetchedWords(
  command: string,
  args: readonly string[],
): ReadonlySet<number> | undefined {
  if (programs.has(programName(command))) {
    return fetchingCall(command, args)?.words;
  }
  // Another program may run the fetching program: `cmd /c npx …`, `mise exec -- uvx …`.
  const at = args.findIndex(arg => programs.has(programName(arg)));
  const words = at < 0 ? undefined : fetchedWords(args[at] ?? '', args.slice(at + 1));
  return words && new Set([...words].map(index => index + at + 1));
}

/**
 * Whether a program runs other programs in containers. Such a program talks over a socket to a
 * service of the system. Our sandboxes hide that socket.
 */
export function runsContainers(command: string): boolean {
  return containerPrograms.includes(programName(command));
}

interface FetchingCall {
  /** The program's name in the list of fetching programs. */
  readonly program: string;
  /** The fetching program's own subcommands and options. */
  readonly options: readonly string[];
  /** The program that runs in the end, with its arguments. */
  readonly rest: readonly string[];
  /** The indices of the arguments that may name the package or image to fetch. */
  readonly words: ReadonlySet<number>;
}

/** The parts of a command line; `undefined` when the program itself fetches nothing. */
export function fetchingCall(command: string, args: readonly string[]): FetchingCall | undefined {
  const name = programName(command);
  const program = programs.get(name);
  const start = program && afterSubcommand(program, args);
  if (!program || start === undefined) {
    return undefined;
  }
  const { words, end } = namesFrom(start, args, program);
  const rest = args.slice(args[end] === '--' ? end + 1 : end);
  return { program: name, options: args.slice(0, end), rest, words };
}

/** The bare name of a program, without path and ending: `C:\node\npx.cmd` is `npx`. */
export function programName(command: string): string {
  const [name = ''] = command.split(/[\\/]/).slice(-1);
  return name.toLowerCase().replace(/\.(?:cmd|exe|bat|ps1)$/, '');
}

/** The index after the words that make the program fetch. Options may stand between the words. */
function afterSubcommand(
  { subcommands }: FetchingProgram,
  args: readonly string[],
): number | undefined {
  if (subcommands.length === 0) {
    return 0;
  }
  const ends = subcommands.map(words => {
    let next = 0;
    const end = args.findIndex(arg => {
      next += Number(arg === words[next]);
      return next === words.length;
    });
    return end + 1;
  });
  return ends.find(end => end > 0);
}

function namesFrom(
  start: number,
  args: readonly string[],
  { flags, valued, naming }: FetchingProgram,
): { readonly words: ReadonlySet<number>; readonly end: number } {
  const words = new Set<number>();
  for (let at = start; at < args.length; at++) {
    const arg = args[at] ?? '';
    const option = arg.startsWith('-') ? (arg.split('=')[0] ?? '') : undefined;
    if (option === undefined) {
      return { words: words.add(at), end: at };
    }
    if (arg === '--') {
      return { words: words.add(at + 1), end: at };
    }
    const hasValue = arg.includes('=');
    if (isOneOf(naming, option)) {
      words.add(hasValue ? at : at + 1);
    }
    if (hasValue || isOneOf(flags, option)) {
      continue;
    }
    const next = args[at + 1];
    // npm's options for a registry, such as a key, begin with the registry's address.
    const isOfRegistry = option.startsWith('--//');
    const isKnown = isOfRegistry || isOneOf(valued, option) || isOneOf(naming, option);
    if (isKnown) {
      at += 1;
    } else if (next !== undefined && !next.startsWith('-')) {
      // No package or image has an equals sign in its name: this word is the option's value.
      if (!next.includes('=')) {
        words.add(at + 1);
      }
      at += 1;
    }
  }
  return { words, end: args.length };
}

function isOneOf(words: string, word: string): boolean {
  return ` ${words} `.includes(` ${word} `);
}

const nodeOptions = {
  flags: '-y --yes -n --no -q --quiet -s --silent --no-install --offline --prefer-offline --bun',
  valued: '--call --registry --prefix --cache --userconfig --loglevel -w --workspace -C --dir',
  naming: '-p --package',
};

const pythonOptions = {
  flags: '-q --quiet -v --verbose -U --isolated --no-cache -n --offline --refresh --native-tls',
  valued:
    '-p --python --index --default-index -i --index-url --extra-index-url -f --find-links ' +
    '--directory --project --config-file --cache-dir --pip-args --upgrade-package',
  naming: '--from --with --with-editable --with-requirements --spec',
};

const containerOptions = {
  flags:
    '-d --detach -i --interactive -t --tty -it -ti --rm --init --privileged -P --publish-all ' +
    '--read-only -q --quiet --no-healthcheck --oom-kill-disable',
  valued:
    '-e --env --env-file -v --volume --mount --volumes-from -p --publish --expose --name --network ' +
    '--net --add-host --dns -h --hostname -u --user -w --workdir --entrypoint --platform --pull ' +
    '-l --label -m --memory --cpus --gpus --device --cap-add --cap-drop --security-opt --tmpfs ' +
    '--ulimit --shm-size --restart --stop-signal --runtime --ipc --pid --userns --log-driver ' +
    '--log-opt --secret --cidfile',
  naming: '',
};

const containerPrograms = ['docker', 'podman', 'nerdctl'];

const denoOptions = {
  flags: '-A --allow-all -N -R -W -E -S --no-prompt -q --quiet --no-check --cached-only',
  valued: '-c --config --import-map --lock --cert --location',
  naming: '',
};

const programs: ReadonlyMap<string, FetchingProgram> = new Map<string, FetchingProgram>([
  ...['npx', 'pnpx', 'bunx', 'dnx'].map(
    name => [name, { subcommands: [], ...nodeOptions }] as const,
  ),
  ['npm', { subcommands: [['exec'], ['x']], ...nodeOptions }],
  ['pnpm', { subcommands: [['dlx']], ...nodeOptions }],
  ['yarn', { subcommands: [['dlx']], ...nodeOptions }],
  ['bun', { subcommands: [['x']], ...nodeOptions }],
  ['uvx', { subcommands: [], ...pythonOptions }],
  ['uv', { subcommands: [['tool', 'run'], ['run']], ...pythonOptions }],
  ['pipx', { subcommands: [['run']], ...pythonOptions }],
  ...containerPrograms.map(
    name => [name, { subcommands: [['run']], ...containerOptions }] as const,
  ),
  ['deno', { subcommands: [['run']], ...denoOptions }],
]);
