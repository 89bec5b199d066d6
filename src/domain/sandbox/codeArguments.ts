interface CodeArguments {
  /** Files or folders with code. Some may not exist. */
  readonly scripts: readonly string[];
  /** The folder of the project. The other paths start there. */
  readonly project?: string;
  /** Another program that this one runs, with its arguments. */
  readonly command?: readonly string[];
}

/**
 * Finds the code that a program runs in the program's arguments.
 *
 * The data for a server follows its code, so nothing after the code counts. If the code itself is
 * an argument (`-e`, `-c`) or a module in an unknown place, nothing counts at all. The value of an
 * unknown option is taken for the code, so the code may be missed. `undefined`: the program does
 * not run other people's code.
 */
export function codeArguments(program: string, args: readonly string[]): CodeArguments | undefined {
  const tool = tools.find(({ name }) => name.test(program));
  if (!tool) {
    return undefined;
  }
  const { options, rest, verb } = behindOptions(args, tool, tool.verb);
  const [first, ...others] = rest;
  const scripts = [
    ...valuesOf(options, tool.preload).filter(value => /^\.{0,2}\//.test(value)),
    ...valuesOf(options, tool.module).flatMap(moduleFiles),
  ];
  switch (tool.runs) {
    case 'script':
      // Node and similar programs add the ending themselves.
      return { scripts: [...scripts, ...(first === undefined ? [] : [first, `${first}.js`])] };
    case 'command': {
      const at = rest.findIndex(word => !/^\w+=/.test(word));
      return { scripts: [], ...(at < 0 ? {} : { command: rest.slice(at) }) };
    }
    case 'project': {
      // Only npm takes options after the name of a script. The other programs pass them on.
      const end = others.indexOf('--');
      const behind = end < 0 ? others : others.slice(0, end);
      const own = program === 'npm' ? [...options, ...behind] : options;
      const runsOther = first !== undefined && /^(?:create|dlx|exec|init|x)$/.test(first);
      return { scripts: [], ...(runsOther ? {} : { project: projectOf(own, tool) }) };
    }
    case 'command of project':
      return verb === undefined
        ? { scripts: [] }
        : {
            scripts: [...scripts, ...(first?.endsWith('.py') ? [first] : [])],
            project: projectOf(options, tool),
            command: rest,
          };
  }
}

function projectOf(options: readonly string[], { project }: Tool): string {
  return valuesOf(options, project).at(-1) ?? '.';
}

interface Tool {
  readonly name: RegExp;
  /** The kind of the first argument after the options. */
  readonly runs: 'script' | 'command' | 'project' | 'command of project';
  /** Options with a value that may be the next word. */
  readonly valued?: RegExp;
  /** Options after which no word is a file of code. */
  readonly inline?: RegExp;
  /** A subcommand before the code, such as `run`. Options may stand on both sides of it. */
  readonly verb?: RegExp;
  /** Options that name code to run first; `module`: a module; `project`: a project's folder. */
  readonly preload?: RegExp;
  readonly module?: RegExp;
  readonly project?: RegExp;
}

const node = {
  runs: 'script',
  valued:
    /^(?:-[rCP]|--(?:require|import|(?:experimental-)?loader|conditions|env-file(?:-if-exists)?|title|input-type|disable-warning|redirect-warnings|unhandled-rejections|dns-result-order|max-http-header-size|openssl-config|icu-data-dir|(?:cpu|heap)-prof-\w+|diagnostic-dir|report-\w+|inspect-port|localstorage-file|snapshot-blob|tls-\S+|trace-event-\S+|watch-path|allow-fs-\w+|secure-heap\S*|project|tsconfig|preload|cwd|config|define|filter|port))$/,
  inline: /^(?:-[ep]+|--(?:eval|print|run|test))(?:=|$)/,
  preload: /^(?:-r|--(?:require|import|preload|(?:experimental-)?loader))$/,
} as const;

const tools: readonly Tool[] = [
  { ...node, name: /^(?:node|nodejs|ts-node)$/ },
  { ...node, name: /^tsx$/, verb: /^watch$/ },
  { ...node, name: /^bun$/, verb: /^run$/ },
  {
    name: /^deno$/,
    runs: 'script',
    valued: /^(?:-c|--(?:config|import-map|lock|location|seed|cert|ext|env-file|preload))$/,
    verb: /^(?:run|serve)$/,
  },
  {
    name: /^(?:python|pypy)[\d.]*$/,
    runs: 'script',
    valued: /^(?:-[^-WX]*[WX]|--check-hash-based-pycs)$/,
    inline: /^-[^-WX]*[cm]/,
    module: /^-[^-WX]*m$/,
  },
  {
    name: /^(?:ba|da|z|k|fi)?sh$/,
    runs: 'script',
    valued: /^(?:[-+]\w*[oO]|--rcfile|--init-file)$/,
    inline: /^(?:-\w*[cs]|--command)/,
  },
  {
    name: /^(?:fast)?mcp$/,
    runs: 'script',
    valued: /^(?:-[et]|--(?:with|with-editable|transport|host|port))$/,
    verb: /^(?:run|dev)$/,
  },
  { name: /^env$/, runs: 'command', valued: /^(?:-[uC]|--(?:unset|chdir))$/ },
  {
    name: /^(?:npx|bunx|pnpx)$/,
    runs: 'command',
    valued: /^(?:-p|--package)$/,
    inline: /^(?:-c|--call)(?:=|$)/,
  },
  {
    name: /^(?:npm|pnpm|yarn)$/,
    runs: 'project',
    valued: /^(?:-C|--(?:prefix|dir|cwd))$/,
    project: /^(?:-C|--(?:prefix|dir|cwd))$/,
  },
  {
    name: /^uv$/,
    runs: 'command of project',
    verb: /^run$/,
    valued:
      /^(?:-[pifP]|--(?:directory|project|with|with-editable|with-requirements|python|from|extra|group|only-group|no-group|index|default-index|index-url|extra-index-url|find-links|env-file|cache-dir|config-file|package|color|link-mode|resolution|prerelease|exclude-newer))$/,
    inline: /^(?:-m|--module)(?:=|$)/,
    module: /^(?:-m|--module)$/,
    project: /^--(?:directory|project)$/,
  },
];

interface Behind {
  readonly options: readonly string[];
  readonly verb: string | undefined;
  /** The first word that is not an option, and all words after it. */
  readonly rest: readonly string[];
}

function behindOptions(
  args: readonly string[],
  { valued, inline }: Pick<Tool, 'valued' | 'inline'>,
  verb: RegExp | undefined,
): Behind {
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    // A single dash is the standard input.
    if (word === '-' || inline?.test(word)) {
      return { options: args.slice(0, at + 2), verb: undefined, rest: [] };
    }
    if (word === '--' || !/^[-+]/.test(word)) {
      const options = args.slice(0, at);
      if (!verb?.test(word)) {
        return { options, verb: undefined, rest: args.slice(word === '--' ? at + 1 : at) };
      }
      const after = behindOptions(args.slice(at + 1), { valued, inline }, undefined);
      return { options: [...options, ...after.options], verb: word, rest: after.rest };
    }
    at += valued?.test(word) ? 1 : 0;
  }
  return { options: args, verb: undefined, rest: [] };
}

/** The values of options with a matching name: after `=`, or the next word. */
function valuesOf(options: readonly string[], name: RegExp | undefined): string[] {
  return options.flatMap((option, at) => {
    const joined = /^(--[^=]+)=(.*)$/.exec(option);
    const value = joined ? joined[2] : options[at + 1];
    return name?.test(joined?.[1] ?? option) && value !== undefined ? [value] : [];
  });
}

/** The files of a Python module in the working folder, which Python searches first. */
function moduleFiles(name: string): string[] {
  const path = name.replaceAll('.', '/');
  return [`${path}.py`, `${path}/__main__.py`];
}
