interface CodeArguments {
  /** Files or folders of code. Not all of them need be there. */
  readonly scripts: readonly string[];
  /** The folder of the project that it works in; the rest is seen from there. */
  readonly project?: string;
  /** Another program that it runs, with its arguments. */
  readonly command?: readonly string[];
}

/**
 * The code that a program runs, by its arguments.
 *
 * The data that a server works on comes behind its code, so nothing behind that counts, and nothing at
 * all where the code is an argument itself (`-e`, `-c`) or a module of unknown place. An option with a
 * value that is not known here makes the value pass for the code: then too little is found, as a rule.
 * `undefined`: the program is none that runs others' code.
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
      // Node and its kin add the ending themselves.
      return { scripts: [...scripts, ...(first === undefined ? [] : [first, `${first}.js`])] };
    case 'command': {
      const at = rest.findIndex(word => !/^\w+=/.test(word));
      return { scripts: [], ...(at < 0 ? {} : { command: rest.slice(at) }) };
    }
    case 'project': {
      // Only npm takes options behind the name of what it runs. The others hand them on.
      const own = program === 'npm' ? [...options, ...others.slice(0, endOf(others))] : options;
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
  /** The kind of the first argument behind its options. */
  readonly runs: 'script' | 'command' | 'project' | 'command of project';
  /** Options whose value may be the next word. */
  readonly valued?: RegExp;
  /** Options with which no word is a file of code. */
  readonly inline?: RegExp;
  /** A word before the code, with options on both sides. */
  readonly verb?: RegExp;
  /** Options that name code which is run first, those that name a module, and those that name a folder. */
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
  /** The first word that is no option, and all that follow it. */
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

/** The values of the options of a name: behind `=`, or the next word. */
function valuesOf(options: readonly string[], name: RegExp | undefined): string[] {
  return options.flatMap((option, at) => {
    const joined = /^(--[^=]+)=(.*)$/.exec(option);
    const value = joined ? joined[2] : options[at + 1];
    return name?.test(joined?.[1] ?? option) && value !== undefined ? [value] : [];
  });
}

/** The files of a Python module in the folder it is started in, which is searched first. */
function moduleFiles(name: string): string[] {
  const path = name.replaceAll('.', '/');
  return [`${path}.py`, `${path}/__main__.py`];
}

function endOf(words: readonly string[]): number {
  const at = words.indexOf('--');
  return at < 0 ? words.length : at;
}
