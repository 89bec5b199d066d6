import './toolCall.css';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import { connect } from '../host.ts';
import type { FromToolCall, ToToolCall } from '../pageMessages.ts';
import { type ToolCallState, ToolCallView } from './toolCallView.ts';

connect<ToToolCall, FromToolCall, ToolCallState>(host => {
  const view = new ToolCallView(host);
  return message => view.take(message);
});
