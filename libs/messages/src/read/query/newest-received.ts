import { Kernel } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { NewestMessage } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { newestReceived } from './register';

/** Tells accounts their newest message (contract/boot.md section 2.3). */
@Injectable()
export class NewestReceived extends NewestMessage {
  constructor(private readonly kernel: Kernel) {
    super();
  }

  override receivedBy(actor: Actor): Promise<number> {
    return newestReceived(this.kernel.database.pool, actor);
  }
}
