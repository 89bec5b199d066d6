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
  /** Reads a message from the page; `undefined`: the message is invalid. */
  readonly read: (message: unknown) => From | undefined;
}

/**
 * A tab with a page of ours. The page shows texts from outside, so it can load only our files and
 * run only our script. Messages tell it what to show. If the tab is hidden, the editor drops the
 * page, and keeps only its saved state. If the tab is shown again, the editor loads the page again.
 */
export class Page<To, From> implements IDisposable {
  private readonly store = new DisposableStore();
  private readonly panel: vscode.WebviewPanel;
  private readonly didLoad = this.store.add(new vscode.EventEmitter<void>());
  private readonly didReceive = this.store.add(new vscode.EventEmitter<From>());
  private readonly didClose = new vscode.EventEmitter<void>();
  private _isLoaded = false;

  /** Fires each time the page has loaded. The page shows nothing until it gets a message. */
  readonly onDidLoad = this.didLoad.event;
  readonly onDidReceive = this.didReceive.event;
  /** Fires when the user or the extension has closed the tab. */
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
    // The editor drops the page of a hidden tab.
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

  /** Whether the tab is in sight. A closed tab is not in sight. */
  get isVisible(): boolean {
    return !this.store.isDisposed && this.panel.visible;
  }

  /** Whether the page can get messages, because it is in sight and loaded. */
  get isLoaded(): boolean {
    return this._isLoaded;
  }

  /** Sends a message. If the page is hidden, closed or not loaded yet, the message is lost. */
  post(message: To): void {
    // A call may end after its tab was closed: the editor then refuses messages. It may end before
    // the page is loaded: the editor would then deliver the message before the greeting.
    if (!this.store.isDisposed && this._isLoaded) {
      void this.panel.webview.postMessage(message);
    }
  }

  /** Brings the tab to the front without moving it. A closed tab stays closed. */
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

/** The document, without text from outside. Messages bring the content. */
function html(webview: vscode.Webview, folder: vscode.Uri, bundle: string): string {
  const nonce = randomBytes(16).toString('base64');
  const address = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(folder, file));
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    // The page makes a server's pictures and sounds from bytes. It loads none from elsewhere.
    'img-src blob:',
    'media-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    // No text becomes markup or a script, because an attempt throws. Only Lit makes templates, and
    // only from its own code.
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
