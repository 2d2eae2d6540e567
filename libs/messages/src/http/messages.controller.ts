import { presentAttachment } from '@annals/files';
import { KeyedMutex } from '@annals/kernel';
import type { Actor, MessageId } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { Viewers } from '@annals/users';
import { By, Endpoint, Params, PathId } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { DeleteMessage } from '../application/delete/delete-message';
import { GetMessage, askerOf } from '../read/query/get-messages';
import { EditMessageParams, toEdit } from './edit-message.params';
import { GetMessageParams, GetMessagesParams, toQuery } from './get-messages.params';
import { presentFound, presentOne, presentSent } from './present';
import { SendMessageParams, toSending } from './send-message.params';
import { editedShape, foundShape, messageShape, sentShape } from './shapes';

class DeleteMessageParams {
  @PathId() message_id: MessageId;
}

@Controller()
export class MessagesController {
  /** Pages of one user are built one after the other, or they could use all connections of the database. */
  private readonly pages = new KeyedMutex();

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly viewers: Viewers,
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

  /** contract/messages.md section 4.1, boot.md section 10 */
  @Endpoint('GET', 'messages', {
    audience: 'public-access',
    section: 'messages 4.1',
    summary: 'Read messages',
    returns: foundShape,
  })
  async list(@By() by: Actor, @Params(GetMessagesParams) p: GetMessagesParams) {
    const { apply_markdown: applyMarkdown, client_gravatar: clientGravatar } = p;
    const viewer = await this.viewers.of(by);
    const look = { viewer, applyMarkdown, clientGravatar, allowEmptyTopicName: p.allow_empty_topic_name };
    const query = toQuery(by, p);
    const asker = askerOf(by);
    return this.pages.run(asker, async () => presentFound(await this.queries.execute(query), look, asker));
  }

  /** contract/messages.md section 4.2 */
  @Endpoint('GET', 'messages/:message_id', {
    audience: 'anyone',
    section: 'messages 4.2',
    summary: 'Read one message',
    returns: t.Object({ message: messageShape, raw_content: t.String({ description: 'Markdown.' }) }),
  })
  async show(@By() by: Actor, @Params(GetMessageParams) p: GetMessageParams) {
    const { apply_markdown: applyMarkdown, allow_empty_topic_name: allowEmptyTopicName } = p;
    const seen = await this.queries.execute(new GetMessage(by, p.message_id));
    const viewer = await this.viewers.of(by);
    const look = { viewer, applyMarkdown, allowEmptyTopicName, clientGravatar: false };
    return presentOne(seen, look, askerOf(by));
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
}
