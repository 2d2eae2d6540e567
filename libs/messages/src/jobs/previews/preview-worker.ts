import type { Kernel, Queues } from '@annals/kernel';
import { RealmSweep } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import type { PreviewLinks, PreviewedText } from '../../application/previews/preview-links';
import { PREVIEW_QUEUE } from './preview-outbox';
import { completePreviewTask, leasePreviewTasks, REALMS_WITH_DUE_PREVIEWS } from './preview-outbox-rows';

const SWEEP_MS = 1_000;
/** Longer than looking at the links of a text takes. */
const LEASE_MS = 60_000;
/** Texts of one organization at a time, and organizations. Other servers may be slow. */
const AT_ONCE = 4;
const REALMS_AT_ONCE = 4;
const WARNING = 'links without previews could not be looked for; trying again in a second';

/** Looks at pages that texts link to: on a job, at its start and every second. Several workers may do so at once. */
export class PreviewWorker extends RealmSweep {
  protected override readonly search = REALMS_WITH_DUE_PREVIEWS;

  constructor(
    private readonly kernel: Pick<Kernel, 'clock' | 'database' | 'due' | 'options' | 'queues' | 'fence'>,
    private readonly previews: Pick<PreviewLinks, 'of'>,
  ) {
    super(SWEEP_MS, kernel, WARNING, REALMS_AT_ONCE);
  }

  protected override workOn(queues: Queues): void {
    queues.work(PREVIEW_QUEUE, async ({ data }) => this.launch(data['key'] as RealmId));
  }

  /** Looks at all links of texts that are due. */
  protected override async pass(realmId: RealmId): Promise<void> {
    const { database, clock } = this.kernel;
    const next = async (): Promise<boolean> => {
      const now = clock.now();
      const lease = { now, until: (now + LEASE_MS) as Instant, limit: AT_ONCE };
      const due = await leasePreviewTasks(database.pool, realmId, lease);
      await Promise.all(due.map((text) => this.look(text)));
      return due.length > 0;
    };
    await this.eachPage(next);
  }

  /** A text that fails now is due again when its lease ends. */
  private async look(text: PreviewedText): Promise<void> {
    const { fence, database } = this.kernel;
    const { realmId: realm, messageId: message } = text;
    const look = async () => {
      await fence.reach(realm);
      await this.previews.of(text);
      await completePreviewTask(database.pool, text);
    };
    await this.isolated({ realm, message }, look, 'the links of a message could not be looked at');
  }
}
