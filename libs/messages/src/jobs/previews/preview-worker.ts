import type { Kernel, Queues } from '@annals/kernel';
import { QueuedSweep } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';
import type { PreviewLinks, PreviewedText } from '../../application/previews/preview-links';
import { PREVIEW_QUEUE } from './preview-outbox';
import { completePreviewTask, leasePreviewTasks } from './preview-outbox-rows';

const SWEEP_MS = 5_000;
/** Longer than looking at the links of a text takes. */
const LEASE_MS = 60_000;
/** Texts at a time. Other servers may be slow. */
const AT_ONCE = 8;

/** Looks at pages that texts link to: on a job, at its start and every few seconds. Several workers may do so at once. */
export class PreviewWorker extends QueuedSweep {
  constructor(
    private readonly kernel: Pick<Kernel, 'clock' | 'database' | 'options' | 'queues' | 'fence'>,
    private readonly previews: Pick<PreviewLinks, 'of'>,
  ) {
    super(SWEEP_MS, kernel, 'links without previews could not be looked for; trying again in a few seconds');
  }

  protected override workOn(queues: Queues): void {
    queues.work(PREVIEW_QUEUE, () => this.sweep());
  }

  /** Looks at all links of texts that are due. */
  protected override async everywhere(): Promise<void> {
    const { database, clock } = this.kernel;
    while (!this.isStopping) {
      const now = clock.now();
      const due = await leasePreviewTasks(database.pool, now, (now + LEASE_MS) as Instant, AT_ONCE);
      if (due.length === 0) return;
      await Promise.all(due.map((text) => this.look(text)));
    }
  }

  /** A text that fails now is due again when its lease ends. */
  private async look(text: PreviewedText): Promise<void> {
    const { kernel } = this;
    try {
      await kernel.fence.reach(text.realmId);
      await this.previews.of(text);
      await completePreviewTask(kernel.database.pool, text);
    } catch (err) {
      const { realmId: realm, messageId: message } = text;
      kernel.options.log.warn({ err, realm, message }, 'the links of a message could not be looked at');
    }
  }
}
