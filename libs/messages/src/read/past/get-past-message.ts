import { readFileImages } from '@annals/files';
import type { MessageId, Position } from '@annals/kernel/domain';
import type { AsOf } from '@annals/realm';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { reject } from '../../domain/rejections';
import type { MessageRow } from '../content/message-row';
import { revisionsOf, textsOfRevisions } from '../content/revisions';
import { NO_IMAGES, filesOf } from '../content/shown-images';
import type { Edit, Text } from '../content/texts';
import { readEdits, readTextAt } from '../content/texts';
import { MAX_EDITS_REPORTED } from '../content/changes';
import type { MessageHistory } from '../query/get-history';
import { readVisibleHistory } from '../history/visible-history';
import type { AboutPast } from './past-answers';
import type { SeenInPast } from './past-loader';
import { loadPast, maybeMoved, readPlacesUpTo } from './past-loader';
import type { PastMessage } from './past-messages';
import { readPastMessages } from './past-messages';
import { isShownByPolicy } from './past-policy';
import { PastQuestions } from './past-questions';
import { readPastRealm } from './past-realm';
import type { PastReading } from './past-reading';

/**
 * One message as it was (contract/audit.md section 4.1).
 *
 * @throws Rejected BAD_REQUEST for a message that the account could not read, as for one that did not exist
 */
export class GetPastMessage extends Query<SeenInPast & AboutPast> {
  constructor(
    readonly asOf: AsOf,
    readonly id: number,
  ) {
    super();
  }
}

@QueryHandler(GetPastMessage)
export class GetPastMessageHandler implements IQueryHandler<GetPastMessage> {
  constructor(private readonly questions: PastQuestions) {}

  async execute({ asOf, id }: GetPastMessage): Promise<SeenInPast & AboutPast> {
    const answer = await this.questions.answer(asOf, async (reading) => {
      const message = await readReadable(reading, id);
      return { ...(await loadPast(reading, [message])), viewer: reading.then };
    });
    if (!answer) throw reject.unknownMessage();
    return { ...answer, loaded: await this.questions.withPeople(asOf, answer), asOfPosition: asOf.position };
  }
}

/** The edit history of a message as it was, with the position of the moment. */
export interface PastHistory extends MessageHistory {
  readonly asOfPosition: Position;
}

/**
 * The changes of a message up to a moment that the account could read then, and may read today.
 *
 * @throws Rejected BAD_REQUEST as `GetMessageHistory`
 */
export class GetPastHistory extends Query<PastHistory> {
  constructor(
    readonly asOf: AsOf,
    readonly id: number,
  ) {
    super();
  }
}

@QueryHandler(GetPastHistory)
export class GetPastHistoryHandler implements IQueryHandler<GetPastHistory> {
  constructor(private readonly questions: PastQuestions) {}

  async execute({ asOf, id }: GetPastHistory): Promise<PastHistory> {
    const answer = await this.questions.answer(asOf, (reading) => readHistory(reading, id));
    if (!answer || answer.revisions.length === 0) throw reject.unknownMessage();
    return { ...answer, asOfPosition: asOf.position };
  }
}

async function readReadable(reading: PastReading, id: number): Promise<PastMessage> {
  const [message] = await readPastMessages(reading, [id as MessageId]);
  if (!message?.isReadable) throw reject.unknownMessage();
  const isShown = await isShownByPolicy(reading, [message]);
  if (!isShown(message)) throw reject.unknownMessage();
  return message;
}

async function readHistory(reading: PastReading, id: number): Promise<MessageHistory> {
  const { reader, position } = reading;
  const { client, realmId } = reader;
  const { policy, imagePreviews } = await readPastRealm(reading);
  if (policy === 'none') throw reject.historyHidden();
  const message = await readReadable(reading, id);
  const seen = await loadPast(reading, [message]);
  const row = seen.loaded.rows.get(message.id);
  const showsTexts = policy === 'all';
  const past = row && (await readBothPasts(reading, row));
  const since = past?.since ?? null;
  if (!row || !past || since === null) return { realmId, imagePreviews, showsTexts, revisions: [], images: NO_IMAGES };
  const limits = { most: MAX_EDITS_REPORTED, until: position };
  const edits = (await readEdits(client, realmId, [message.id], limits)).get(message.id) ?? [];
  const places = await readPlacesUpTo(reading, [message]);
  const original = row.editedAt === null ? row.text : await readTextAt(client, realmId, message.id, since);
  const happened = { edits: edits.map(withoutErasedTexts), places, past, since };
  const revisions = revisionsOf({ ...row, original: emptyIfErased(original ?? row.text) }, happened);
  const shown = showsTexts ? revisions : revisions.filter(({ change }) => change === null || change.move !== null);
  const images = await readFileImages(client, realmId, filesOf(textsOfRevisions(shown)));
  return { realmId, imagePreviews, showsTexts, revisions: shown, images };
}

/** What the account could read up to the moment, as far as it may read it today. `since` null for nothing. */
async function readBothPasts({ reader, then, position, today: readerToday }: PastReading, row: MessageRow) {
  const past = await readVisibleHistory(reader, then, [row], position);
  const today = readerToday && (await readVisibleHistory(reader, readerToday, [maybeMoved(row)]));
  const [since, sinceToday] = [past.since(row.id), today ? today.since(row.id) : row.id];
  const first = since === null || sinceToday === null ? null : (Math.max(since, sinceToday) as Position);
  return {
    since: first !== null && first <= position ? first : null,
    shows: (id: MessageId, change: Parameters<typeof past.shows>[1]) =>
      past.shows(id, change) && (today?.shows(id, change) ?? true),
  };
}

const emptyIfErased = (text: Text): Text => (text.content === null ? { ...text, content: '', names: null } : text);

const withoutErasedTexts = (edit: Edit): Edit => ({
  ...edit,
  previous: emptyIfErased(edit.previous),
  current: emptyIfErased(edit.current),
});
