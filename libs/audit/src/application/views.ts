import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { View } from '../domain/views';
import { viewStreams, viewed, viewsAggregate } from '../domain/views';

/** Records who reads the history (contract/audit.md section 1). A read is answered after it is recorded. */
@Injectable()
export class Views {
  constructor(private readonly work: UnitOfWork) {}

  /** Records one read of an account, unless it goes on with one of the same minute. */
  async record(by: Actor, view: View): Promise<void> {
    await this.work.run(by, async (work) => {
      const { own, before } = viewStreams(by.userId, work.at);
      const earlier = before === null ? [] : [await work.read(viewsAggregate, before)];
      await work.decide(viewsAggregate, own, (recent) => viewed([recent, ...earlier], view, work.at));
    });
  }
}
