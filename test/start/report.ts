import type { TreeRow } from '../ui/support/treeView.ts';
import type { Message } from './conversation.ts';

/** Prints the main job as it goes: what a person does and sees, and what client and server say. */
export class Report {
  /** What was not as it should be. */
  readonly failures: string[] = [];

  step(title: string): void {
    console.log(`\n${title}`);
  }

  does(what: string): void {
    console.log(`  person   ${what}`);
  }

  sees(what: string): void {
    for (const line of what.split('\n')) {
      console.log(`  window   ${line}`);
    }
  }

  seesRows(rows: readonly TreeRow[]): void {
    for (const { level, checked, label, description } of rows) {
      const box = checked === undefined ? '' : checked ? '[x] ' : '[ ] ';
      this.sees(`${'  '.repeat(level - 1)}${box}${label}  ${description}`);
    }
  }

  hears(messages: readonly Message[]): void {
    for (const { direction, body } of messages) {
      const who = direction === 'to server' ? 'client →' : 'server ←';
      console.log(`  ${who} ${shortened(JSON.stringify(body))}`);
    }
  }

  logs(lines: readonly string[]): void {
    for (const line of lines) {
      console.log(`  log      ${line}`);
    }
  }

  verify(what: string, isSo: boolean): void {
    console.log(`  ${isSo ? 'ok      ' : 'NOT SO  '} ${what}`);
    if (!isSo) {
      this.failures.push(what);
    }
  }
}

/** A list of tools would fill the screen. */
function shortened(text: string): string {
  const longest = 600;
  return text.length > longest ? `${text.slice(0, longest)} … ${text.length} characters` : text;
}
