import { jsonIn } from '../../base/jsonIn.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { PathScope } from '../paths/pathScope.ts';
import { commandWords } from '../servers/commandWords.ts';
import {
  ArgumentSchema,
  type DeclaredPlace,
  declaredMeaning,
  joinedName,
  type Meaning,
  meaningOfName,
} from './argumentMeaning.ts';
import type { Rules } from './guardRules.ts';
import { climbs, formsOf, isRemote, partsOf, pathInUri, pathStart } from './localPath.ts';

/** A text in the arguments that must be checked against the roots. */
export interface FoundPath {
  /**
   * `named`: the schema or the argument's name says that the text is a path. `written`: no schema
   * or name says so, but the text may be a local path.
   */
  readonly kind: 'named' | 'written';
  /** The path to check, in the form that must be inside the roots. */
  readonly text: string;
  /** The path as the argument has it. */
  readonly given: string;
  readonly argument: Argument;
}

interface Argument {
  /** The way to the argument, such as `files[2].path`. */
  readonly path: string;
  /** The name of the innermost property, as the rule `leaveNames` would list it. */
  readonly name: string;
}

/** The paths in the arguments, or in a whole sentence why nobody can search the arguments. */
type ArgumentPaths =
  | { readonly ok: true; readonly paths: readonly FoundPath[] }
  | { readonly ok: false; readonly reason: string };

interface ArgumentReading {
  readonly rules: Rules;
  /** The `inputSchema` of the tool. If it is `undefined`, only the arguments' names count. */
  readonly schema: unknown;
  readonly scope: Pick<PathScope, 'find' | 'platform'>;
}

/**
 * Finds the paths in a call's arguments: at any depth, in lists, in names of properties, and in
 * JSON inside texts. Never looks at the disk.
 */
export function argumentPaths(args: unknown, reading: ArgumentReading): ArgumentPaths {
  const walk = new ArgumentWalk(reading);
  const problem = walk.run(args);
  return problem === undefined ? { ok: true, paths: walk.paths } : { ok: false, reason: problem };
}

/** The most characters and values to search. The hub answers nothing else during a search. */
const mostSize = 1_000_000;
/** How much each level of a path counts for `mostSize`, because it needs a look at the disk. */
const sizeOfLevel = 50;
const tooMuch = 'The arguments hold too many characters, values or paths.';
const deepest = 100;
/** How many levels JSON within a text adds to the depth. */
const depthOfJson = 12;

interface Visit {
  readonly value: unknown;
  readonly meaning: Meaning | undefined;
  readonly place: DeclaredPlace;
  readonly argument: Argument;
  readonly depth: number;
  /** Whether paths at this place belong to a repository or service on another machine. */
  readonly isElsewhere: boolean;
}

class ArgumentWalk {
  readonly paths: FoundPath[] = [];
  private readonly reading: ArgumentReading;
  private readonly schema: ArgumentSchema;
  private readonly known = new Set<string>();
  private readonly seen = new Set<string>();
  private readonly open: Visit[] = [];
  private size = 0;

  constructor(reading: ArgumentReading) {
    this.reading = reading;
    this.schema = new ArgumentSchema(reading.schema);
  }

  /** @returns why the search could not be completed; `undefined` when it was completed. */
  run(args: unknown): string | undefined {
    const argument = { path: '', name: '' };
    const place = this.schema.top;
    this.open.push({
      value: args,
      meaning: undefined,
      place,
      argument,
      depth: 0,
      isElsewhere: false,
    });
    for (let visit = this.open.pop(); visit; visit = this.open.pop()) {
      if (visit.depth > deepest) {
        return `The arguments have more than ${deepest} levels.`;
      }
      if (this.size > mostSize) {
        return tooMuch;
      }
      this.size += 1;
      this.visit(visit);
    }
    return this.size > mostSize ? tooMuch : undefined;
  }

  private visit(visit: Visit): void {
    const { value } = visit;
    if (typeof value === 'string') {
      this.visitText(visit, value);
    } else if (Array.isArray(value)) {
      this.visitList(visit, value);
    } else if (isJsonObject(value)) {
      this.visitMembers(visit, value);
    }
  }

  private visitList(visit: Visit, list: readonly unknown[]): void {
    const { argument, depth } = visit;
    this.size += list.length;
    if (this.size > mostSize) {
      return;
    }
    for (let index = list.length - 1; index >= 0; index--) {
      const value = list[index];
      const place = this.schema.entry(visit.place, index);
      const meaning = declaredMeaning(place, value) ?? visit.meaning;
      const path = `${argument.path}[${index}]`;
      this.open.push({
        ...visit,
        value,
        place,
        meaning,
        argument: { ...argument, path },
        depth: depth + 1,
      });
    }
  }

  private visitMembers(visit: Visit, members: JsonObject): void {
    const isElsewhere = visit.isElsewhere || isOfService(members);
    for (const [name, value] of Object.entries(members).reverse()) {
      const argument = {
        path: `${visit.argument.path}.${name}`.replace(/^\./, '').slice(0, 200),
        name,
      };
      const place = this.schema.member(visit.place, name);
      const meaning = this.meaningOf(name, place, value) ?? visit.meaning;
      this.size += name.length;
      if (meaning !== 'left') {
        const own = meaning === 'path' && isElsewhere ? undefined : meaning;
        this.open.push({
          value,
          meaning: own,
          place,
          argument,
          depth: visit.depth + 1,
          isElsewhere,
        });
      }
      if (visit.meaning !== 'other' && !/^[A-Za-z_]\w*$/.test(name)) {
        const depth = visit.depth + 1;
        this.open.push({ ...visit, value: name, meaning: undefined, place: [], depth });
      } else if (visit.meaning === 'path') {
        this.note('written', name, name, visit.argument);
      }
    }
  }

  private meaningOf(
    name: string,
    place: DeclaredPlace,
    value: unknown,
  ): Meaning | 'left' | undefined {
    const { checkNames, leaveNames } = this.reading.rules;
    const joined = checkNames.size + leaveNames.size > 0 ? joinedName(name) : '';
    if (checkNames.has(joined)) {
      return 'path';
    }
    if (leaveNames.has(joined)) {
      return 'left';
    }
    const declared = declaredMeaning(place, value);
    const named = meaningOfName(name);
    return declared === 'uri' && named === 'path' ? 'path' : (declared ?? named);
  }

  private visitText(visit: Visit, text: string): void {
    const { meaning, argument } = visit;
    for (const pattern of this.reading.rules.pathPatterns) {
      for (const [whole, group = whole] of text.matchAll(pattern)) {
        this.note('named', group, group, argument);
      }
    }
    if (meaning === 'other' || text === '') {
      return;
    }
    this.size += text.length;
    const key = `${meaning} ${text}`;
    if (this.size > mostSize || this.seen.has(key)) {
      return;
    }
    this.seen.add(key);
    if (this.visitJson(visit, text)) {
      return;
    }
    const finder = new TextFinder(this.reading, (kind, form) =>
      this.note(kind, form, text, argument),
    );
    finder.find(text, meaning);
  }

  /** True if the text is an object or a list in JSON. The search then continues in its value. */
  private visitJson(visit: Visit, text: string): boolean {
    // This test has its own line: after "of" in a bundle, Node takes the pattern for a division.
    const isLikeJson = mayBeJson.test(text);
    for (const form of isLikeJson ? formsOf(text) : []) {
      const value = structureIn(form);
      if (value !== undefined) {
        this.open.push({ ...visit, value, depth: visit.depth + depthOfJson });
        return typeof value === 'object';
      }
    }
    return false;
  }

  private note(kind: FoundPath['kind'], text: string, given: string, argument: Argument): void {
    const key = `${kind} ${text}`;
    if (text !== '' && !this.known.has(key)) {
      this.known.add(key);
      this.size += sizeOfLevel * text.split(/[\\/]/).length;
      this.paths.push({ kind, text, given, argument });
    }
  }
}

/**
 * Whether the members of an object show that its paths are not on this disk: they are in a
 * repository of a host, in a service over HTTP, or in the JSON document that a patch changes.
 */
function isOfService(members: JsonObject): boolean {
  const { owner, repo, project_id, projectId, method, op } = members;
  return (
    (op !== undefined && members['path'] !== undefined) ||
    (owner !== undefined && repo !== undefined) ||
    (project_id ?? projectId) !== undefined ||
    (typeof method === 'string' && /^(?:get|head|post|put|patch|delete|options)$/i.test(method))
  );
}

/** A text that may be JSON. A percent escape may stand for its first bracket or quote. */
const mayBeJson = /^\s*["[{%]/;

function structureIn(text: string): unknown {
  return /^\s*["[{]/.test(text) ? jsonIn(text) : undefined;
}

class TextFinder {
  private readonly scope: ArgumentReading['scope'];
  private readonly note: (kind: FoundPath['kind'], text: string) => void;

  constructor({ scope }: ArgumentReading, note: TextFinder['note']) {
    this.scope = scope;
    this.note = note;
  }

  find(text: string, meaning: Meaning | undefined): void {
    if (meaning === 'command') {
      this.findInCommand(text, 0); // This call reads each word in all its forms.
      return;
    }
    for (const form of formsOf(text)) {
      if (meaning === 'path') {
        this.findNamed(form);
      } else {
        this.findWritten(form, 0);
      }
    }
  }

  private findNamed(form: string): void {
    if (/[\r\n]/.test(form.trim()) && !this.scope.find(form)) {
      this.findInLines(form, 0);
      return;
    }
    const local = pathInUri(form);
    if (local !== undefined || !isRemote(form)) {
      this.note('named', local ?? form);
      // The text may be a list of paths. Its first path may contain blanks.
      const parts = [...form.split(gap).slice(1), ...this.partsOf(form)];
      for (const part of local === undefined ? parts : []) {
        this.findWritten(part, 1);
      }
    }
  }

  private findWritten(form: string, depth: number): void {
    const isWord = !/\s/.test(form);
    if (!isWord && /[\r\n]/.test(form)) {
      this.findInLines(form, depth);
      return;
    }
    const local = pathInUri(form);
    if (isSign.test(form) || (local === undefined && isRemote(form))) {
      return;
    }
    if (
      local !== undefined ||
      (isWord && !isOption.test(form)) ||
      pathStart(form) ||
      climbs(form)
    ) {
      this.note('written', local ?? form);
    }
    if (local === undefined && depth < deepestPart) {
      if (isWord) {
        for (const part of this.partsOf(form)) {
          this.findWritten(part, depth + 1);
        }
      } else if (isCommandLine.test(form)) {
        this.findInCommand(form, depth + 1);
      }
    }
  }

  /** Splits a list of paths. A comma or colon in the path of a root does not separate. */
  private partsOf(form: string): readonly string[] {
    const parts = partsOf(form);
    if (parts.length === 0) {
      return parts;
    }
    const isInside = this.scope.find(form) !== undefined;
    const others = isInside ? parts.filter(part => !form.startsWith(part)) : parts;
    return others.flatMap(part => [...formsOf(part)]);
  }

  /** If each line is a single word, the lines are a list. Otherwise they are prose or contents. */
  private findInLines(text: string, depth: number): void {
    const lines = text.split(/[\r\n]+/).map(line => line.trim());
    if (depth < deepestPart && lines.every(line => !/\s/.test(line))) {
      for (const line of lines) {
        this.findWritten(line, depth + 1);
      }
    }
  }

  private findInCommand(line: string, depth: number): void {
    if (!/\s/.test(line) && !isProgram.test(line) && !isSign.test(line)) {
      // The argument may be a list of words. Each word is then read without a shell's rules.
      this.findWritten(line, depth);
      if (isPlainWord.test(line)) {
        return;
      }
    }
    const { words } = commandWords(line, this.scope.platform === 'win32');
    const first = words.findIndex(word => !/^\w+=/.test(word));
    for (const [index, word] of words.entries()) {
      if (isSign.test(word) && (word === line || isCommandLine.test(line))) {
        this.note('named', word);
      } else if (index !== first || !isProgram.test(word)) {
        for (const form of formsOf(word)) {
          this.findWritten(form, depth);
        }
      }
    }
  }
}

/**
 * A separator before a path. A blank after `..` belongs to the name: `.. ` is a name. A match
 * begins only at the start of a separator, so that long separators do not take long.
 */
const gap =
  /(?:(?<![\s,;|]|\/\.{1,2})|(?<=\/\.{1,2}[\s,;|]))[\s,;|]+(?=[/\\~]|\.\.|[a-z]:[\\/]|file:)/i;

const deepestPart = 4;

/** A word that a shell would leave as it is. */
const isPlainWord = /^[\w./=:@,+-]+$/;

/** An option or a number: not a path itself, but an option may contain a path. */
const isOption = /^(?:-[\w=-]*|\d+)$/;

/** A single character or a label is a separator or a key, except in a command line. */
const isSign = /^(?:[/\\~]|\w+:)?$/;

/** A program of the system. If a command line begins with its path, the call only runs it. */
const isProgram = /^\/(?:usr\/(?:local\/)?|opt\/homebrew\/)?s?bin\/[\w.+-]+$/;

/** A text is a command line if it begins with a word that never begins prose. */
const isCommandLine =
  /^(?:sudo |env |exec )?(?:[\w./-]+\/)?(?:cat|ls|cp|mv|rm|ln|dd|find|e?grep|rg|sed|awk|head|tail|less|more|tar|unzip|zip|gzip|curl|wget|scp|rsync|ssh|git|npm|npx|node|deno|python3?|pip3?|ruby|perl|php|java|docker|kubectl|aws|bash|sh|zsh|pwsh|powershell|cmd|chmod|chown|mkdir|rmdir|tee|xxd|base64|nano|vim?|code|cd|pushd|source|echo|printf|stat|du|df|type|dir|copy|del) /;
