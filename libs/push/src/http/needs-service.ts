import type { CanActivate } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { Bouncer } from '../application/bouncer';
import { reject } from '../domain/rejections';

/** Checks first whether this server has a push service (contract/push.md section 2, row 1). */
@Injectable()
export class NeedsPushService implements CanActivate {
  constructor(private readonly bouncer: Bouncer) {}

  canActivate(): boolean {
    if (!this.bouncer.isConfigured) throw reject.notConfigured();
    return true;
  }
}
