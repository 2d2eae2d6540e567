import type { Actor } from '@annals/kernel/domain';
import { By, Endpoint, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { Register } from '../register/register';
import { UsualQueues } from '../register/usual-queues';
import { RegisterParams, registrationOf } from './register.params';
import { registeredShape } from './shapes';

@Controller()
export class RegisterController {
  constructor(
    private readonly register: Register,
    private readonly usual: UsualQueues,
  ) {}

  /** contract/realtime.md section 2, boot.md section 4 */
  @Endpoint('POST', 'register', {
    audience: 'public-access',
    section: 'realtime 2',
    summary: 'Open an event queue, and get the state it begins with',
    returns: registeredShape,
  })
  async open(@By() by: Actor, @Params(RegisterParams) p: RegisterParams) {
    return this.register.open(by, registrationOf(p, await this.usual.of(by)));
  }
}
