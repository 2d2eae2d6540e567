import type { Actor, MessageId } from '@annals/kernel/domain';
import type { ReportType } from '@annals/realm';
import { REPORT_TYPES } from '@annals/realm';
import { By, Endpoint, Params, PathId, TextParam, WordParam } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ReportMessage } from '../application/report/report-message';
import { MAX_DESCRIPTION } from '../domain/report';

export class ReportParams {
  @PathId() message_id: MessageId;
  @WordParam(Object.keys(REPORT_TYPES), { quoted: true }) report_type: ReportType;
  @TextParam({ max: MAX_DESCRIPTION, trim: true, about: 'Required for `other`.' }) description = '';
}

@Controller()
export class ReportsController {
  constructor(private readonly commands: CommandBus) {}

  /** contract/whole-interface.md section 1 */
  @Endpoint('POST', 'messages/:message_id/report', {
    audience: 'anyone',
    section: 'whole-interface 1',
    summary: 'Report a message to moderators',
    command: 'ReportMessage',
    returns: null,
  })
  async report(@By() by: Actor, @Params(ReportParams) p: ReportParams): Promise<void> {
    await this.commands.execute(new ReportMessage(by, p.message_id, p.report_type, p.description));
  }
}
