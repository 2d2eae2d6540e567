import { RealmQuotas } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';

/** Whether the log of an organization has room for what a run changes. */
@Injectable()
export class LogRoom {
  constructor(private readonly quotas: RealmQuotas) {}

  /** Why nothing but ends of accounts may be written. Null if there is room. */
  async refusal(realmId: RealmId): Promise<string | null> {
    try {
      await this.quotas.ensureRoomInLog(realmId);
      return null;
    } catch (error) {
      if (error instanceof Rejected) return error.message;
      throw error;
    }
  }
}
