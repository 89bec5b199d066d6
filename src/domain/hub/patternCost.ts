/**
 * Whether somebody could make a text that this regular expression, which compiles with the flag `u`,
 * takes for ever on. Careful rather than exact: some that could not are told as well. The time of
 * the others grows with at most the fourth power of the length, so that texts have to be short.
 */
export function mayTakeForEver(source: string): boolean {
  const scan = new PatternScan();
  return [...source.matchAll(part)].some(([found]) => !scan.accepts(found));
}

const maxSpans = 3;
const maxChoices = 10;

// One of: an escape, a class, the beginning of a group, a quantifier, any other character.
const part =
  /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:[a-z-]*:|<?[=!]|<[^>]*>))?|[*+?]\??|\{\d+(?:,\d*)?\}\??|[\s\S]/g;

/** Whether what it holds can match the same text in more than one way. */
interface Group {
  varies: boolean;
}

/** Goes through a pattern part by part, and counts what makes a search try again. */
class PatternScan {
  private readonly open: Group[] = [];
  private current: Group = { varies: false };
  /** The group that has just ended: what follows may repeat it. */
  private ended: Group | undefined;
  private spans = 0;
  private choices = 0;

  accepts(found: string): boolean {
    const { ended } = this;
    this.ended = undefined;
    if (found.startsWith('(')) {
      this.open.push(this.current);
      this.current = { varies: false };
    } else if (found === ')') {
      this.close();
    } else if (found === '|') {
      this.current.varies = true;
      this.choices += 1;
    } else if (/^[*+?{]/.test(found)) {
      return this.repeat(found, ended);
    }
    return this.choices <= maxChoices && !/^\\[1-9k]/.test(found);
  }

  private close(): void {
    const outer = this.open.pop() ?? { varies: false };
    outer.varies ||= this.current.varies;
    this.ended = this.current;
    this.current = outer;
  }

  private repeat(quantifier: string, repeated: Group | undefined): boolean {
    if (/^\{\d+\}/.test(quantifier)) {
      return !repeated?.varies;
    }
    const isChoice = quantifier.startsWith('?');
    this.current.varies = true;
    this.choices += Number(isChoice);
    this.spans += Number(!isChoice);
    const isNested = repeated?.varies === true && !isChoice;
    return !isNested && this.spans <= maxSpans && this.choices <= maxChoices;
  }
}
