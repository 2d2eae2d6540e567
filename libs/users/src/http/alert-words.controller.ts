import type { Actor } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { By, Endpoint, JsonParam, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { AddAlertWords, RemoveAlertWords } from '../application/alert-words/alert-words';
import { MAX_ALERT_WORD, MAX_ALERT_WORDS } from '../domain/alert-words/alert-words';
import { ListAlertWords } from '../read/alert-words/alert-words';

class AlertWordsParams {
  @JsonParam(t.Array(t.String({ maxLength: MAX_ALERT_WORD }), { maxItems: MAX_ALERT_WORDS }))
  alert_words: readonly string[];
}

const listShape = t.Object({ alert_words: t.Array(t.String()) });

@Controller()
export class AlertWordsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** contract/whole-interface.md section 1 */
  @Endpoint('GET', 'users/me/alert_words', {
    audience: 'anyone',
    section: 'messages 8',
    summary: 'Own alert words',
    returns: listShape,
  })
  async list(@By() by: Actor) {
    return { alert_words: await this.queries.execute(new ListAlertWords(by)) };
  }

  /** contract/whole-interface.md section 1 */
  @Endpoint('POST', 'users/me/alert_words', {
    audience: 'anyone',
    section: 'messages 8',
    summary: 'Add alert words',
    command: 'AddAlertWords',
    returns: listShape,
  })
  async add(@By() by: Actor, @Params(AlertWordsParams) { alert_words }: AlertWordsParams) {
    await this.commands.execute(new AddAlertWords(by, alert_words));
    return this.list(by);
  }

  /** contract/whole-interface.md section 1 */
  @Endpoint('DELETE', 'users/me/alert_words', {
    audience: 'anyone',
    section: 'messages 8',
    summary: 'Remove alert words',
    command: 'RemoveAlertWords',
    returns: listShape,
  })
  async remove(@By() by: Actor, @Params(AlertWordsParams) { alert_words }: AlertWordsParams) {
    await this.commands.execute(new RemoveAlertWords(by, alert_words));
    return this.list(by);
  }
}
