import { BotOptions, botTasks } from '@annals/bots';
import { pushWakeUps } from '@annals/consumers';
import { emailTasks, loginMails } from '@annals/email-notifications';
import { Translation } from '@annals/feed';
import { thumbnailJobs } from '@annals/files';
import { invitationMails } from '@annals/invitations';
import type { BackgroundRunner } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import { previewOutbox } from '@annals/messages';
import { Bouncer, pushOutbox } from '@annals/push';
import { dueJobs } from '@annals/scheduling';
import { accountMails } from '@annals/sign-in';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Injectable } from '@nestjs/common';

/**
 * Keeps the background read models of all contexts, the client events and all other readers up to date with the log.
 */
@Injectable()
export class Follower implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private runner: BackgroundRunner | undefined;

  constructor(
    private readonly kernel: Kernel,
    private readonly bouncer: Bouncer,
    private readonly translation: Translation,
    private readonly bots: BotOptions,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { kernel, bouncer, translation, bots } = this;
    const enrichments = [thumbnailJobs(kernel), previewOutbox(kernel)];
    const mails = [emailTasks(kernel), loginMails(kernel), accountMails(kernel), invitationMails(kernel)];
    const outboxes = [pushOutbox(kernel, bouncer), ...mails, botTasks(kernel, bots), pushWakeUps(kernel)];
    const readers = [dueJobs(kernel), ...enrichments, ...outboxes];
    this.runner = await kernel.follow([translation.reader, ...readers]);
    await translation.wake(this.runner);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.runner?.stop();
  }
}
