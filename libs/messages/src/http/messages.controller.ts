import { presentAttachment } from '@annals/files';
import { KeyedLimit } from '@annals/kernel';
import type { Actor, MessageId } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import type { AsOf } from '@annals/realm';
import { Viewers } from '@annals/users';
import { By, Endpoint, Params, PathId } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { DeleteMessage } from '../application/delete/delete-message';
import { RenderText } from '../application/send/render-text';
import { GetMessage, GetMessagesById, askerOf } from '../read/query/get-messages';
import type { MessageFormat } from '../read/content/present-message';
import { parseNarrow } from '../read/narrow/narrow-terms';
import { GetPastMessage } from '../read/past/get-past-message';
import type { FoundInPast, ListedInPast } from '../read/past/past-answers';
import { EditMessageParams, toEdit } from './edit-message.params';
import {
  GetMessageParams,
  GetMessagesParams,
  MatchesNarrowParams,
  recordedPage,
  toPastQuery,
  toQuery,
} from './get-messages.params';
import { PastRequests } from '@annals/users/http';
import { presentFound, presentMatches, presentOne, presentSent } from './present';
import { RenderTextParams, SendMessageParams, toSending } from './send-message.params';
import { asOfPosition, editedShape, foundShape, matchesShape, messageShape, renderedShape, sentShape } from './shapes';

class DeleteMessageParams {
  @PathId() message_id: MessageId;
}

/** Pages that are built at a time for one user. Each uses at most three connections at once. */
const PAGES_AT_ONCE = 4;

@Controller()
export class MessagesController {
  /** Few pages of one user are built at a time, or they could use all connections of the database. */
  private readonly pages = new KeyedLimit(PAGES_AT_ONCE);

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly viewers: Viewers,
    private readonly past: PastRequests,
  ) {}

  /** contract/messages.md section 3 */
  @Endpoint('POST', 'messages', {
    audience: 'anyone',
    section: 'messages 3',
    summary: 'Send a message',
    command: 'SendMessage',
    returns: sentShape,
    webhookBots: true,
  })
  async send(@By() by: Actor, @Params(SendMessageParams) p: SendMessageParams) {
    return presentSent(await this.commands.execute(toSending(by, p)));
  }

  /** contract/whole-interface.md section 1 */
  @Endpoint('POST', 'messages/render', {
    audience: 'anyone',
    section: 'whole-interface 1',
    summary: 'Render a text',
    returns: renderedShape,
  })
  async render(@By() by: Actor, @Params(RenderTextParams) p: RenderTextParams) {
    return { rendered: await this.queries.execute(new RenderText(by, p.content)) };
  }

  /** contract/messages.md section 4.1, boot.md section 10 */
  @Endpoint('GET', 'messages', {
    audience: 'public-access',
    section: 'messages 4.1',
    summary: 'Read messages',
    returns: foundShape,
  })
  async list(@By() by: Actor, @Params(GetMessagesParams) p: GetMessagesParams) {
    const look = await this.lookOf(by, p, p.client_gravatar);
    const asker = askerOf(by);
    const asOf = await this.past.of(by, p);
    if (asOf) return this.pages.run(asker, () => this.listPast(by, asOf, p, look));
    const query = toQuery(by, p);
    return this.pages.run(asker, async () => presentFound(await this.queries.execute(query), look, asker));
  }

  /** contract/whole-interface.md section 1 */
  @Endpoint('GET', 'messages/matches_narrow', {
    audience: 'anyone',
    section: 'messages 4.1',
    summary: 'Check which messages match a narrow',
    returns: matchesShape,
  })
  async matches(@By() by: Actor, @Params(MatchesNarrowParams) p: MatchesNarrowParams) {
    const query = new GetMessagesById(by, parseNarrow(p.narrow), p.msg_ids, { asHtml: true, asListed: true });
    const asker = askerOf(by);
    return this.pages.run(asker, async () => presentMatches(await this.queries.execute(query)));
  }

  /** contract/messages.md section 4.2 */
  @Endpoint('GET', 'messages/:message_id', {
    audience: 'anyone',
    section: 'messages 4.2',
    summary: 'Read one message',
    returns: t.Object({
      message: messageShape,
      raw_content: t.String({ description: 'Markdown.' }),
      as_of_position: asOfPosition,
    }),
  })
  async show(@By() by: Actor, @Params(GetMessageParams) p: GetMessageParams) {
    const look = await this.lookOf(by, p, false);
    const asOf = await this.past.of(by, p);
    if (asOf) return this.showPast(by, asOf, p, look);
    return presentOne(await this.queries.execute(new GetMessage(by, p.message_id)), look, askerOf(by));
  }

  /** INTERFACE.md 4.1 */
  @Endpoint('PATCH', 'messages/:message_id', {
    audience: 'anyone',
    section: '4.1',
    summary: 'Edit a message',
    command: 'EditMessage',
    returns: editedShape,
  })
  async edit(@By() by: Actor, @Params(EditMessageParams) p: EditMessageParams) {
    const { detached } = await this.commands.execute(toEdit(by, p));
    return { detached_uploads: detached.map((file) => presentAttachment(by.realmId, file, [])) };
  }

  /** contract/messages.md section 6.1 */
  @Endpoint('DELETE', 'messages/:message_id', {
    audience: 'anyone',
    section: 'messages 6.1',
    summary: 'Delete a message',
    command: 'DeleteMessage',
    returns: null,
  })
  async delete(@By() by: Actor, @Params(DeleteMessageParams) p: DeleteMessageParams) {
    await this.commands.execute(new DeleteMessage(by, p.message_id));
  }

  private async lookOf(by: Actor, p: GetMessageParams | GetMessagesParams, clientGravatar: boolean) {
    const { apply_markdown: applyMarkdown, allow_empty_topic_name: allowEmptyTopicName } = p;
    return { viewer: await this.viewers.of(by), applyMarkdown, allowEmptyTopicName, clientGravatar };
  }

  /** Emails are shown as to the role that the account had then. */
  private async listPast(by: Actor, asOf: AsOf, p: GetMessagesParams, look: MessageFormat) {
    const query = toPastQuery(by, asOf, p);
    const found = await this.queries.execute<typeof query, FoundInPast | ListedInPast>(query);
    const reading = { endpoint: 'GET /messages', ...recordedPage(p), results: found.ids.length };
    await this.past.answered(by, asOf, p, reading);
    const viewer = { ...look.viewer, ...found.viewer };
    return { ...(await presentFound(found, { ...look, viewer }, askerOf(by))), as_of_position: asOf.position };
  }

  private async showPast(by: Actor, asOf: AsOf, p: GetMessageParams, look: MessageFormat) {
    const seen = await this.queries.execute(new GetPastMessage(asOf, p.message_id));
    const parameters = { message_id: p.message_id };
    await this.past.answered(by, asOf, p, { endpoint: 'GET /messages/{message_id}', parameters, results: 1 });
    const viewer = { ...look.viewer, ...seen.viewer };
    return { ...(await presentOne(seen, { ...look, viewer }, askerOf(by))), as_of_position: asOf.position };
  }
}
