import { randomBytes } from 'node:crypto';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Shown } from '../../domain/shown.ts';
import type { Greeting, Loaded } from '../../pages/pageMessages.ts';
import * as vscode from '../vscode.ts';

interface PageOptions<From> {
  /** The editor's name for this kind of tab. */
  readonly viewType: string;
  readonly title: Shown;
  /** The name of its script and its style in `dist/pages`. */
  readonly bundle: string;
  readonly extensionUri: vscode.Uri;
  readonly logger: Logger;
  /** Reads what the page sends; `undefined`: that is no message of this page. */
  readonly read: (message: unknown) => From | undefined;
}

/**
 * A tab with a page of our own, which shows what strangers wrote: it can load nothing but our files,
 * run nothing but our script, and is told what it shows by messages. While it is hidden the editor
 * keeps nothing of it but the state that it saved; it is loaded anew when it is seen again.
 */
export class Page<To, From> implements IDisposable {
  private readonly store = new DisposableStore();
  private readonly panel: vscode.WebviewPanel;
  private readonly didLoad = this.store.add(new vscode.EventEmitter<void>());
  private readonly didReceive = this.store.add(new vscode.EventEmitter<From>());
  private readonly didClose = new vscode.EventEmitter<void>();
  private _isLoaded = false;

  /** It is loaded, for the first time or anew, and shows nothing until it is told what. */
  readonly onDidLoad = this.didLoad.event;
  readonly onDidReceive = this.didReceive.event;
  /** The tab was closed, by whomever. */
  readonly onDidClose = this.didClose.event;

  constructor({ viewType, title, bundle, extensionUri, logger, read }: PageOptions<From>) {
    const folder = vscode.Uri.joinPath(extensionUri, 'dist', 'pages');
    this.panel = vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active, {
      enableScripts: true,
      enableForms: false,
      enableFindWidget: true,
      localResourceRoots: [folder],
    });
    const { webview } = this.panel;
    this.store.add(this.panel);
    this.panel.onDidDispose(() => this.close());
    // The editor does not keep the contents of a hidden tab.
    this.store.add(
      this.panel.onDidChangeViewState(() => {
        this._isLoaded &&= this.panel.visible;
      }),
    );
    this.store.add(
      webview.onDidReceiveMessage(message => {
        const said = read(message);
        if (isLoaded(message)) {
          const greeting: Greeting = { kind: 'greeting', texts: vscode.l10n.bundle ?? {} };
          void webview.postMessage(greeting);
          this._isLoaded = true;
          this.didLoad.fire();
        } else if (said === undefined) {
          logger.warn(`The page "${bundle}" sent what is no message of it.`);
        } else {
          this.didReceive.fire(said);
        }
      }),
    );
    webview.html = html(webview, folder, bundle);
  }

  /** Whether it is in sight; not when it was closed. */
  get isVisible(): boolean {
    return !this.store.isDisposed && this.panel.visible;
  }

  /** Whether it can be told anything: it is in sight, and loaded. */
  get isLoaded(): boolean {
    return this._isLoaded;
  }

  /** Sends a message. One to a page that is hidden, closed or not loaded yet is lost. */
  post(message: To): void {
    // Work that was begun in a tab may end after it was closed, when the editor refuses every message.
    if (!this.store.isDisposed) {
      void this.panel.webview.postMessage(message);
    }
  }

  /** Brings the tab to the front, where it is. One that was closed stays so. */
  reveal(): void {
    if (!this.store.isDisposed) {
      this.panel.reveal();
    }
  }

  dispose(): void {
    this.close();
  }

  private close(): void {
    if (!this.store.isDisposed) {
      this.store.dispose();
      this.didClose.fire();
      this.didClose.dispose();
    }
  }
}

function isLoaded(message: unknown): message is Loaded {
  return Object(message).kind === 'loaded';
}

/** The document, which holds no word of anybody else: what is shown comes by messages. */
function html(webview: vscode.Webview, folder: vscode.Uri, bundle: string): string {
  const nonce = randomBytes(16).toString('base64');
  const address = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(folder, file));
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    // Pictures and sounds that a server sends are made of its bytes here; none is fetched.
    'img-src blob:',
    'media-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    // No text becomes markup or a script: what would make one of it throws. Lit makes templates of the
    // texts in its own code.
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>MCP Roots</title>
<meta name="viewport" content="width=device-width, initial-scale=1.0">
<link rel="stylesheet" href="${address(`${bundle}.css`)}">
<script type="module" nonce="${nonce}" src="${address(`${bundle}.js`)}"></script>
</head>
<body></body>
</html>`;
}
