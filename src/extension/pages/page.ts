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
  /** The name of the page's script and style in `dist/pages`. */
  readonly bundle: string;
  readonly extensionUri: vscode.Uri;
  readonly logger: Logger;
  /** Reads a message of the page; `undefined`: the message is invalid. */
  readonly read: (message: unknown) => From | undefined;
}

/**
 * A tab with a page of ours, which shows texts by strangers. The page can load only our files and run
 * only our script, and messages tell it what to show. Of a hidden page, the editor keeps only the saved
 * state, and loads the page again when it is seen again.
 */
export class Page<To, From> implements IDisposable {
  private readonly store = new DisposableStore();
  private readonly panel: vscode.WebviewPanel;
  private readonly didLoad = this.store.add(new vscode.EventEmitter<void>());
  private readonly didReceive = this.store.add(new vscode.EventEmitter<From>());
  private readonly didClose = new vscode.EventEmitter<void>();
  private _isLoaded = false;

  /** The page is loaded, for the first time or again. It shows nothing until it gets a message. */
  readonly onDidLoad = this.didLoad.event;
  readonly onDidReceive = this.didReceive.event;
  /** The tab was closed, by the user or by us. */
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
    // The editor drops the contents of a hidden tab.
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
          logger.warn(`The page "${bundle}" sent an unknown message.`);
        } else {
          this.didReceive.fire(said);
        }
      }),
    );
    webview.html = html(webview, folder, bundle);
  }

  /** Whether the tab is in sight; false once it was closed. */
  get isVisible(): boolean {
    return !this.store.isDisposed && this.panel.visible;
  }

  /** Whether the page can get messages: it is in sight, and loaded. */
  get isLoaded(): boolean {
    return this._isLoaded;
  }

  /** Sends a message, which is lost if the page is hidden, closed or not loaded yet. */
  post(message: To): void {
    // Work in a tab may end after the tab was closed: the editor then refuses every message. It may end
    // before the page is loaded: the editor would then deliver it in place of the greeting.
    if (!this.store.isDisposed && this._isLoaded) {
      void this.panel.webview.postMessage(message);
    }
  }

  /** Brings the tab to the front, in its place. A closed tab stays closed. */
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

/** The document, without any text from outside: messages bring the content. */
function html(webview: vscode.Webview, folder: vscode.Uri, bundle: string): string {
  const nonce = randomBytes(16).toString('base64');
  const address = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(folder, file));
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    // Pictures and sounds of a server are made here, from its bytes; none is fetched.
    'img-src blob:',
    'media-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    // No text becomes markup or a script: an attempt throws. Only Lit makes templates, of the texts in
    // its own code.
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
