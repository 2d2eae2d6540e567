import { readOnlyPast } from '../../domain/index';
import { UnitOfWork } from '../../work/unit-of-work';

/** Refuses every command: the past does not change. */
export class ReadOnlyWork extends UnitOfWork {
  /** @throws Rejected READ_ONLY_PAST */
  override run(): Promise<never> {
    return Promise.reject(readOnlyPast());
  }
}
