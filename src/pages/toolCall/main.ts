import './toolCall.css';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import type { FormDraft } from '../../domain/forms/formAnswers.ts';
import { connect } from '../host.ts';
import type { FromToolCall, ToToolCall } from '../pageMessages.ts';
import { ToolCallView } from './toolCallView.ts';

connect<ToToolCall, FromToolCall, FormDraft>(host => {
  const view = new ToolCallView(host);
  return message => view.take(message);
});
