import type { Actor } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { By, Endpoint, Params, PathId, TextParam } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AddPlayground, RemovePlayground } from '../application/playgrounds';

export class NewPlaygroundParams {
  @TextParam({ max: 100, printable: true }) name: string;
  @TextParam({ max: 40, about: 'As `data-code-language` of blocks of code has it.' }) pygments_language: string;
  @TextParam({ max: 2_000, about: 'RFC 6570, with the variable `code`.' }) url_template: string;
}

export class PlaygroundParams {
  @PathId() playground_id: number;
}

@Controller()
export class PlaygroundsController {
  constructor(private readonly commands: CommandBus) {}

  /** contract/whole-interface.md section 1 */
  @Endpoint('POST', 'realm/playgrounds', {
    audience: 'administrators',
    section: 'whole-interface 1',
    summary: 'Add a code playground',
    command: 'AddPlayground',
    returns: t.Object({ id: t.Integer() }),
  })
  async add(@By() by: Actor, @Params(NewPlaygroundParams) p: NewPlaygroundParams) {
    const input = { name: p.name, language: p.pygments_language, urlTemplate: p.url_template };
    return { id: await this.commands.execute(new AddPlayground(by, input)) };
  }

  /** contract/whole-interface.md section 1 */
  @Endpoint('DELETE', 'realm/playgrounds/:playground_id', {
    audience: 'administrators',
    section: 'whole-interface 1',
    summary: 'Remove a code playground',
    command: 'RemovePlayground',
    returns: null,
  })
  async remove(@By() by: Actor, @Params(PlaygroundParams) { playground_id }: PlaygroundParams): Promise<void> {
    await this.commands.execute(new RemovePlayground(by, playground_id));
  }
}
