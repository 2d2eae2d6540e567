import type { Kernel, Queues } from '@annals/kernel';
import { RealmSweep, isOutage } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { messageIdAt } from '@annals/kernel/domain';
import type { Answers } from '../application/answers';
import type { Welcomes } from '../application/welcomes';
import { BOTS_QUEUE } from './bot-tasks';
import type { Task } from './task-rows';
import { completeTask, postponeTask, readDue, DUE_REALMS } from './task-rows';

/** Interval in ms at which due tasks are read. */
const SWEEP_MS = 1_000;
/** Tasks read at once. */
const PAGE = 50;
/** Attempts of a task that fails by a server error. */
const MAX_ATTEMPTS = 8;
const FIRST_RETRY_MS = 1_000;
const WARNING = 'bots could not do what is due; trying again in a second';

/** Runs the tasks of bots in the order of their events: on a job, at its start and every second. Several workers may do so at once. */
export class TaskRunner extends RealmSweep {
  protected override readonly search = DUE_REALMS;

  constructor(
    private readonly kernel: Kernel,
    private readonly answers: Pick<Answers, 'answer' | 'giveUp'>,
    private readonly welcomes: Pick<Welcomes, 'welcome'>,
  ) {
    super(SWEEP_MS, kernel, WARNING);
  }

  protected override workOn(queues: Queues): void {
    queues.work(BOTS_QUEUE, async ({ data }) => this.launch(data['key'] as RealmId));
  }

  protected override async pass(realmId: RealmId): Promise<void> {
    const { database, clock } = this.kernel;
    const next = async (): Promise<boolean> => {
      const tasks = await readDue(database.pool, realmId, clock.now(), PAGE);
      for (const task of tasks) if (!this.isStopping) await this.attempt(task);
      return tasks.length > 0;
    };
    await this.eachPage(next);
  }

  private async attempt(task: Task): Promise<void> {
    try {
      await this.act(task);
      await completeTask(this.kernel.database.pool, task);
    } catch (err) {
      if (isOutage(err)) throw err;
      await this.failed(task, err);
    }
  }

  private act(task: Task): Promise<void> {
    if (task.kind === 'welcome') return this.welcomes.welcome(task.realmId, task.accountId);
    return this.answers.answer(queryOf(task));
  }

  private async failed(task: Task, err: unknown): Promise<void> {
    const { database, clock, options } = this.kernel;
    const { realmId, position, accountId, kind } = task;
    const attempts = task.attempts + 1;
    options.log.error({ err, realmId, position, accountId, kind, attempts }, 'a bot could not do what is due');
    if (attempts < MAX_ATTEMPTS) {
      const wait = FIRST_RETRY_MS * 2 ** task.attempts;
      return postponeTask(database.pool, task, (clock.now() + wait) as Instant);
    }
    if (kind === 'query') await this.answers.giveUp(queryOf(task));
    await completeTask(database.pool, task);
  }
}

const queryOf = ({ realmId, accountId, position }: Task) => ({
  realmId,
  botId: accountId,
  messageId: messageIdAt(position),
});
