import type * as vscode from 'vscode';

/** A state of the editor in which something is stored. */
export class StoredState implements vscode.Memento {
  private readonly values: Map<string, unknown>;

  constructor(stored: Readonly<Record<string, unknown>>) {
    this.values = new Map(Object.entries(stored));
  }

  keys(): readonly string[] {
    return [...this.values.keys()];
  }

  get<T>(key: string): T | undefined;
  get<T>(key: string, fallback: T): T;
  get<T>(key: string, fallback?: T): T | undefined {
    return (this.values.get(key) as T | undefined) ?? fallback;
  }

  async update(key: string, value: unknown): Promise<void> {
    this.values.set(key, value);
  }
}
