import './access.css';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import { connect } from '../host.ts';
import type { ToAccessPage } from '../pageMessages.ts';
import { type AccessHost, AccessView } from './accessView.ts';

connect((host: AccessHost) => {
  const view = new AccessView(host);
  return (message: ToAccessPage) => view.take(message);
});
