import type { RealmId, TopicId } from '@annals/kernel/domain';
import type { Load, Measurement } from '../harness';
import { closedLoop, inTurns } from '../harness';
import { Chat } from '../chat/chat';

const CALLERS = 128;
/** Part of the commands that shall meet a topic that moved on. */
const SHARE = 0.1;
/** A topic's stream stays short in service too; after so many renames the talk moves on to the next one. */
const RENAMES_A_TOPIC = 20;
const REALM = 1 as RealmId;

/** Everybody sends to one topic, which is renamed under them as often as makes one command in ten decide anew. */
export const conflicts: Measurement = {
  name: 'conflicts',
  title: '128 callers on one topic, with and without one command in ten decided anew',
  async run(bench) {
    const chat = await Chat.open(bench);
    const talk = new HotTalk(chat);
    await chat.kernel.fence.reach(REALM);
    const loads = await inTurns<'none' | 'some'>(bench.seconds, {
      none: (seconds) => talk.load(seconds, false),
      some: (seconds) => talk.load(seconds, true),
    });
    return {
      ...loads.none.figures('conflicts.none'),
      ...loads.some.figures('conflicts.some'),
      'conflicts.share': { value: talk.share * 100, unit: '%' },
    };
  },
};

class HotTalk {
  private topicId: TopicId;
  private renames = 0;
  private renaming = false;
  private commands = 0;
  private again = 0;

  constructor(private readonly chat: Chat) {}

  /** Part of the commands that had to be decided anew. */
  get share(): number {
    return this.again / this.commands;
  }

  async load(seconds: number, disturbed: boolean): Promise<Load> {
    this.topicId = this.chat.newTopic();
    await this.chat.sendTo(REALM, this.topicId, true);
    return closedLoop({ callers: CALLERS, seconds }, () => this.call(disturbed));
  }

  private async call(disturbed: boolean): Promise<void> {
    if (disturbed) {
      this.commands += 1;
      if (!this.renaming && this.again < this.commands * SHARE) return this.rename();
    }
    let decided = 0;
    await this.chat.sendTo(REALM, this.topicId, false, () => (decided += 1));
    if (disturbed && decided > 1) this.again += 1;
  }

  private async rename(): Promise<void> {
    this.renaming = true;
    if (++this.renames % RENAMES_A_TOPIC === 0) {
      const next = this.chat.newTopic();
      await this.chat.sendTo(REALM, next, true);
      this.topicId = next;
    } else await this.chat.rename(REALM, this.topicId);
    this.renaming = false;
  }
}
