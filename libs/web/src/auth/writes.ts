import { readOnlyPast } from '@annals/kernel/domain';
import type { EndpointDeclaration } from '../reference/endpoint-declaration';

/** Whether requests may change anything here. */
export class Writes {
  constructor(private readonly areAllowed: boolean) {}

  /** @throws Rejected READ_ONLY_PAST for an endpoint with a command where nothing may be changed */
  ensureAllowed({ command }: Pick<EndpointDeclaration, 'command'>): void {
    if (!this.areAllowed && command !== undefined) throw readOnlyPast();
  }
}
