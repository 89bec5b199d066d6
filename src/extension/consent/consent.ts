import { type Decided, decisionsOn } from '../../domain/activity.ts';
import { isAnswerable } from '../../domain/consent/folderAccess.ts';
import type { Grant, GrantScope } from '../../domain/consent/grants.ts';
import {
  formerFields,
  holdsElsewhere,
  launchScope,
  launchSubject,
} from '../../domain/consent/launchConsent.ts';
import { whyNoStart } from '../../domain/consent/startStep.ts';
import type { Folder } from '../../domain/folders/folders.ts';
import { HumanError } from '../../domain/sentence.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import { startWorkspace } from '../foldersOnDisk.ts';
import type { ServerRecords } from '../records/serverRecords.ts';
import type { Screen } from '../screen.ts';
import type { Server } from '../servers/server.ts';
import { addedMessage, type FolderAnswer } from './folderQuestions.ts';
import { furtherAnswers, type GivenAnswer } from './furtherAnswers.ts';
import type { Waiting } from './openQuestions.ts';
import { confirmSandbox, confirmSecondYes } from './secondYes.ts';
import { foldersQuestion, startQuestion } from './startQuestion.ts';

/** Asks which folders a server may see, and stores answers. Closing a question stores nothing. */
export class Consent {
  readonly screen: Screen;
  private readonly records: ServerRecords;
  private readonly activity: Pick<ActivityLog, 'add'>;

  constructor(records: ServerRecords, activity: Pick<ActivityLog, 'add'>, screen: Screen) {
    this.records = records;
    this.activity = activity;
    this.screen = screen;
  }

  /**
   * Asks about all folders that wait for an answer, or only about the start if no folder waits.
   * Resolves to false if the user leaves a question. If the server may see a folder, resolves to
   * true only when the user has also agreed to the start.
   */
  async askBeforeStart(server: Server): Promise<boolean> {
    const { waiting } = server.access;
    const former = formerFields(this.records.of('grant'), server.definition.id, server.identity);
    const asked = { server, folders: waiting };
    const answer = await this.screen.ask(await startQuestion(asked, former));
    if (waiting.length === 0) {
      const isAgreed = answer === 'allow' && (await confirmSandbox(server, this.screen));
      if (isAgreed) {
        this.note(server, { decision: 'allowed', folders: [] }, 'workspace');
        await this.keepLaunch(server, 'workspace');
      }
      return isAgreed;
    }
    const isAnswered = answer !== undefined && (await this.follow([asked], answer));
    // A person who allows no folder has not agreed to the start.
    const mayStart = isAnswered && answer !== 'deny' && server.access.roots.length > 0;
    if (mayStart && (await confirmSandbox(server, this.screen))) {
      await this.keepLaunch(server, this.lastScope(server));
    }
    return isAnswered && (server.access.roots.length === 0 || server.isLaunchAllowed);
  }

  /** How long the latest answer on `folder` holds. If `folder` is left out, all folders count. */
  private lastScope(server: Server, folder?: Folder): GrantScope {
    const own = this.grantsOf(server).filter(grant => !folder || grant.folder === folder.uri);
    return own.toSorted((a, b) => b.at - a.at)[0]?.scope ?? 'workspace';
  }

  /** The answers on the server's current identity. */
  private grantsOf({ definition, identity }: Server): readonly Grant[] {
    return this.records.of('grant', definition.id).filter(grant => grant.identity === identity);
  }

  private keepLaunch(server: Server, answered: GrantScope): Promise<void> {
    const folder = launchSubject;
    const isEverywhere = holdsElsewhere(server.definition.launch, startWorkspace());
    const scope = launchScope(answered, isEverywhere);
    return this.records.setGrants([{ ...answeredOn(server), folder, decision: 'allowed', scope }]);
  }

  /**
   * Asks in one message about folders that were added or replaced while servers run. Calls `find`
   * when the message can be shown.
   */
  async askAboutAdded(find: () => readonly Waiting[]): Promise<void> {
    await this.screen.show(() => {
      const waiting = stillWaiting(find());
      const { isOpen, follow } = this.following(waiting);
      return isOpen() ? { ...addedMessage(waiting, follow), isOpen } : undefined;
    });
  }

  /** Asks about folders that still wait, in a dialog before all waiting messages. */
  async askNow(waiting: Waiting): Promise<void> {
    const [open] = stillWaiting([waiting]);
    if (open) {
      const { isOpen, follow } = this.following([open]);
      const answer = await this.screen.ask({ ...foldersQuestion(open), isOpen });
      await (answer && follow(answer));
    }
  }

  /** Whether some of these folders still wait, and a function that stores an answer on them. */
  private following(waiting: readonly Waiting[]) {
    const still = () => stillWaiting(waiting);
    return {
      isOpen: () => still().length > 0,
      follow: (answer: FolderAnswer) => this.follow(still(), answer),
    };
  }

  /**
   * Lets the user change the answers on all folders of a server, in one list.
   *
   * @throws {HumanError} with the reason, when no answer can change a folder.
   */
  async review(server: Server): Promise<void> {
    const folders = server.access.folders.filter(isAnswerable);
    if (folders.length === 0) {
      const access = { ...server.access, needsFolder: true };
      const reason = whyNoStart(access, server.definition.label);
      throw new HumanError(
        reason ??
          "You can't allow or revoke any folder of this server now. The row of each folder says why.",
      );
    }
    const all = { server, folders: folders.map(({ folder }) => folder) };
    await this.follow([all], 'choose');
  }

  /**
   * Stores an answer on one folder, as a checkbox does. The answer holds for this workspace. If the
   * folder was allowed and stays allowed, the new answer holds as long as the earlier answer.
   *
   * @param isReadOnly whether the server may only read the folder. `undefined`: unchanged.
   */
  async set(
    server: Server,
    folder: Folder,
    isAllowed: boolean,
    isReadOnly?: boolean,
  ): Promise<void> {
    const uris = (isIn: boolean) => new Set(isIn ? [folder.uri] : []);
    const wasAllowed = server.access.roots.some(({ uri }) => uri === folder.uri);
    await this.confirmAndKeep({
      server,
      folders: [folder],
      picked: {
        allowed: uris(isAllowed),
        ...(isReadOnly !== undefined && { readOnly: uris(isReadOnly) }),
      },
      scope: isAllowed && wasAllowed ? this.lastScope(server, folder) : 'workspace',
    });
  }

  /** Asks what the answer leaves open, then stores the answer. False: the user left a question. */
  async follow(waiting: readonly Waiting[], answer: FolderAnswer): Promise<boolean> {
    const given = await furtherAnswers(waiting, answer, this.screen);
    for (const one of given) {
      await this.confirmAndKeep(one);
    }
    return given.length > 0;
  }

  /** Stores answers. Wide folders, and folders with forbidden paths, need a second yes. */
  private async confirmAndKeep({ server, folders, picked, scope }: GivenAnswer): Promise<void> {
    const { allowed, readOnly = readOnlyIn(server) } = picked;
    const confirmed = await confirmSecondYes(server, allowed, this.screen);
    const answered = folders.filter(({ uri }) => !allowed.has(uri) || confirmed.has(uri));
    for (const decided of decisionsOn(answered, allowed, readOnly, server.access)) {
      this.note(server, decided, scope);
    }
    await this.records.setGrants(
      answered.map(({ uri, place }) => ({
        ...answeredOn(server),
        folder: uri,
        decision: allowed.has(uri) ? 'allowed' : 'denied',
        scope,
        ...(place !== undefined && { place }),
        ...(confirmed.get(uri)?.length && { despite: confirmed.get(uri) }),
        ...(readOnly.has(uri) && { isReadOnly: true }),
      })),
    );
  }

  /** Logs an answer before it takes effect, so that the effects follow it in the log. */
  private note({ definition: { id, label } }: Server, decided: Decided, scope: GrantScope): void {
    const about = { at: Date.now(), serverId: id, serverLabel: label };
    this.activity.add({ ...about, kind: 'answered', ...decided, scope });
  }
}

function readOnlyIn({ access }: Server): ReadonlySet<string> {
  return new Set(
    access.folders.flatMap(({ folder, isReadOnly }) => (isReadOnly ? folder.uri : [])),
  );
}

/** The folders that still wait: the user may have answered elsewhere in the meantime. */
function stillWaiting(waiting: readonly Waiting[]): Waiting[] {
  return waiting
    .map(({ server, folders }) => {
      const open = server.isRetired ? [] : server.access.waiting.map(({ uri }) => uri);
      return { server, folders: folders.filter(({ uri }) => open.includes(uri)) };
    })
    .filter(({ folders }) => folders.length > 0);
}

/** The id and the identity that an answer is stored with. */
function answeredOn({ definition, identity, fields }: Server) {
  return { serverId: definition.id, identity, fields };
}
