import * as vscode from 'vscode';

/** The settings that tests change, and where. */
const targets = {
  excludeFolders: vscode.ConfigurationTarget.Workspace,
  extraFolders: vscode.ConfigurationTarget.Workspace,
  idleMinutes: vscode.ConfigurationTarget.Global,
  inputs: vscode.ConfigurationTarget.Workspace,
  neverExpose: vscode.ConfigurationTarget.Global,
  trace: vscode.ConfigurationTarget.Global,
} as const;

/** Sets a setting of the extension; `undefined` removes it. */
export async function set(name: keyof typeof targets, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('mcpRoots').update(name, value, targets[name]);
}

/** Removes, after each test of a suite, the settings that it may have changed. */
export function unsetAfterEachTest(...names: readonly (keyof typeof targets)[]): void {
  afterEach(async () => {
    for (const name of names) {
      await set(name, undefined);
    }
  });
}
