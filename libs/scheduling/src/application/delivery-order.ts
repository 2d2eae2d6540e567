import type { By, UnitOfWork, Work } from '@annals/kernel';

/** The unit of work of a delivery, until it is stored. */
interface Pending {
  readonly work: Work;
  isOver: boolean;
}

/**
 * One delivery of an ordered sequence. Several are decided at the same time, and each is stored after all before it.
 * The log ensures that: an append that would be too early is refused and decided again.
 */
export class OrderedDelivery {
  /**
   * Resolves when this delivery and all before it are stored. Rejects with the error of the first one that failed, as all later
   * ones stop with it.
   */
  readonly ended: Promise<void>;
  private readonly handed: Promise<readonly Pending[]>;
  /** Passes the pending units of work on to the next delivery. */
  private handOver: (pending: readonly Pending[]) => void = () => undefined;
  private stop: (error: unknown) => void = () => undefined;
  private pending: Pending | null = null;

  /** @param act runs its units of work with `run` of this delivery */
  constructor(
    private before: OrderedDelivery | null,
    act: (delivery: OrderedDelivery) => Promise<void>,
  ) {
    this.handed = new Promise((resolve, reject) => ([this.handOver, this.stop] = [resolve, reject]));
    this.ended = this.take(act);
    // Code that awaits these promises receives the error. Nothing has to await them.
    for (const promise of [this.handed, this.ended]) promise.catch(() => undefined);
  }

  /**
   * Runs a unit of work that is stored after those of all deliveries before.
   *
   * @param decide returns whether it appended anything
   */
  async run(units: UnitOfWork, by: By, decide: (work: Work) => Promise<boolean>): Promise<void> {
    let isFirstTry = true;
    await units.run(by, async (work) => {
      const { before } = this;
      if (!isFirstTry) await before?.ended;
      isFirstTry = false;
      if (!(await decide(work))) return;
      const earlier = await this.earlier();
      for (const one of earlier) work.follow(one.work);
      this.pending ??= { work, isOver: false };
      this.handOver([...earlier, this.pending]);
    });
  }

  /** The pending deliveries before this one. */
  private async earlier(): Promise<readonly Pending[]> {
    return ((await this.before?.handed) ?? []).filter(({ isOver }) => !isOver);
  }

  private async take(act: (delivery: OrderedDelivery) => Promise<void>): Promise<void> {
    try {
      await act(this);
      // If this delivery wrote nothing, the next one follows the earlier ones.
      this.handOver(await this.earlier());
      await this.before?.ended;
      if (this.pending) this.pending.isOver = true;
    } catch (error) {
      this.stop(error);
      throw error;
    } finally {
      // The reference would keep all earlier deliveries in memory.
      this.before = null;
    }
  }
}
